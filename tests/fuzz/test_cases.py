"""Files that once took minutes, gigabytes or a traceback are refused or read with a message, little
memory and little time.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.fuzz_cases import NAMES

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def faults() -> dict[str, str]:
    """What is wrong with each case. One process reads them all."""
    done = subprocess.run(
        [sys.executable, HERE / "fuzz_cases_run.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_costs_a_message_and_nothing_else(name: str, faults: dict[str, str]) -> None:
    assert faults[name] == ""
