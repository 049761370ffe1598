"""Commands that are killed at random moments and continued: nothing is lost, nothing is different,
no folder is without a whole pack.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from faults.preload import HERE, THOROUGH, fast_folder

__all__ = ["fast_folder"]

COMMANDS = (
    "evolve,pack,puzzle-pack,compare,meta,solve,map,convert" if THOROUGH else "evolve,pack,convert"
)
KILLS = 100 if THOROUGH else 6

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="commands are killed in forks of one process"
)


def kill(folder: Path, kills: int, protection: str, commands: str) -> list[dict[str, Any]]:
    """One entry per trial: the command, how often it was killed, and what was wrong."""
    words = [
        sys.executable,
        str(HERE / "kill_commands.py"),
        str(folder),
        "1",
        str(kills),
        protection,
        commands,
    ]
    finished = subprocess.run(words, capture_output=True, text=True, check=False, timeout=3600)
    assert finished.returncode == 0, finished.stderr
    return [json.loads(line) for line in finished.stdout.splitlines()]


def test_commands_that_are_killed_and_continued_lose_nothing(fast_folder: Path) -> None:
    trials = kill(fast_folder, KILLS, "all", COMMANDS)
    assert [trial for trial in trials if trial["problems"]] == []
    assert sum(trial["kills"] for trial in trials) >= KILLS
    if THOROUGH:
        # Some were continued from the store, not only started again; which ones depends on the
        # moments.
        assert len({trial["command"] for trial in trials if trial["resumed"]}) >= 2


def test_files_that_are_not_written_atomically_are_found_half_written(fast_folder: Path) -> None:
    trials = kill(fast_folder, 6, "none", "convert")
    assert any("not whole" in problem for trial in trials for problem in trial["problems"])
