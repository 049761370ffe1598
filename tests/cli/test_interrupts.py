"""Real commands that are interrupted in the middle of long work: exit code 130, one line, no
traceback, nothing half-written.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from cli.processes import SECONDS, interrupted

HARD = "24,1,17,3,4,5,6,20,8,9,10,22,12,13,14,15,16,2,18,19,7,21,11,23,0"
COMMANDS = {
    "tiles": (
        ["map", "caverns", "--tiles", "never.npy", "--size", "9000x9000", "--updates", "200"],
        b"writing tiles",
    ),
    "exact search": (
        [
            "solve",
            "sliding",
            HARD,
            "--method",
            "exact",
            "--set",
            "budget=1000000000000",
            "-o",
            "never.json",
        ],
        b"exact search",
    ),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_ends_long_work(name: str, tmp_path: Path) -> None:
    arguments, words = COMMANDS[name]
    code, seen = interrupted(arguments, words, tmp_path)
    assert b"interrupted" in seen
    assert b"Traceback" not in seen
    assert code == 130
    # A map in tiles is continued from its part.
    assert {path.name for path in tmp_path.iterdir()} <= {"never.npy.part", "never.npy.part.done"}


def test_an_interrupt_that_a_library_has_lost_is_raised_again() -> None:
    code = """
import contextlib, os, signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from levolve.puzzles import solve_make as solving
from levolve.core.stopping import note_interrupts
note_interrupts()
with contextlib.suppress(KeyboardInterrupt):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(9)
try:
    solving.solve("sliding", "8672543_1", seed=1)
except KeyboardInterrupt:
    print("raised again")
"""
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    assert finished.stdout == "raised again\n"
