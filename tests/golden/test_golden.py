"""What levolve computes and writes has not changed since `golden.json` was written; `make golden`
compares all cases.
"""

import subprocess
import sys
from pathlib import Path

from cli.processes import SECONDS

SCRIPT = Path(__file__).with_name("golden.py")


def test_results_are_those_of_the_golden_file() -> None:
    # A process of its own: nothing that other tests have registered or set may reach the results.
    command = [sys.executable, str(SCRIPT), "--quick"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.endswith(" 0 differ\n")
