"""A fault at each system call of a write: what is there is whole, old or new, and the next command
repairs the rest.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from faults.preload import HERE, THOROUGH, fast_folder, library

__all__ = ["fast_folder", "library"]

ALL_FAULTS = "kill,full,space,damage" if THOROUGH else "kill,full"
# A case, the faults, the protection that is removed, and what is then found.
SWEEPS = [
    ("file", ALL_FAULTS, "nothing", ""),
    ("files", ALL_FAULTS, "nothing", ""),
    ("new-pack", ALL_FAULTS if THOROUGH else "kill", "nothing", ""),
    ("pack", ALL_FAULTS, "nothing", ""),
    ("edited-pack", ALL_FAULTS if THOROUGH else "kill", "nothing", ""),
    ("file", "kill", "rename", "not whole"),
    ("file", "full", "rename", "not whole"),
    ("pack", "kill", "complete", "not whole"),
    ("pack", "kill", "manifest", "not whole"),
    ("file", "kill", "leftovers", "the next write"),
    ("file", "full", "leftovers", "left behind"),
]


def test_every_call_of_a_write_may_fail(library: Path, fast_folder: Path) -> None:
    asked = [f"{case}:{faults}:{without}" for case, faults, without, _ in SWEEPS]
    finished = subprocess.run(
        [sys.executable, str(HERE / "every_call.py"), str(fast_folder / "work"), *asked],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=True,
        timeout=1800,
    )
    found = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(found) == len(SWEEPS), finished.stderr
    for (case, faults, without, expected), result in zip(SWEEPS, found, strict=True):
        assert (result["case"], result["without"]) == (case, without)
        assert result["calls"] >= 3
        if without == "nothing":
            # At least eight calls for each file: the sweep has seen the writing.
            assert result["calls"] >= 8
            assert result["broken"] == []
        else:
            # The sweep notices that a protection is missing.
            assert [problem for problem in result["broken"] if expected in problem], (
                f"{case} without {without}, {faults}"
            )


@pytest.mark.skipif(not THOROUGH, reason="a check of the sweep itself, part of 'make faults'")
def test_the_sweep_fails_for_a_case_that_cannot_succeed(library: Path, fast_folder: Path) -> None:
    (fast_folder / "work").write_text("a file in the place of the folder")
    finished = subprocess.run(
        [
            sys.executable,
            str(HERE / "every_call.py"),
            str(fast_folder / "work"),
            "file:kill:nothing",
        ],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert finished.stdout == ""
