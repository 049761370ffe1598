"""Commands of every kind on a full disk: a clear error with the path, the previous files as they
were, nothing left behind.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.preload import HERE, THOROUGH, fast_folder, library

__all__ = ["fast_folder", "library"]

SIZE = "4m"
NUMBER = "all" if THOROUGH else "some"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with a small file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(
            f"a small disk needs the right to mount one ({mounted.stderr.strip()}); the same "
            "commands run with injected errors"
        )
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def failing(folder: Path, how: str, environment: dict[str, str], number: str = NUMBER) -> list[str]:
    """What went wrong on a full disk."""
    words = [sys.executable, str(HERE / "fill_disk.py"), str(folder), how, number]
    finished = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
        env={**os.environ, **environment},
    )
    assert finished.returncode == 0, finished.stderr
    found = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(found) >= {"all": 20, "some": 7, "one": 1}[number]
    return [f"{trial['command']}: {problem}" for trial in found for problem in trial["problems"]]


def test_on_a_small_disk_that_fills_up_nothing_is_lost(small_disk: Path) -> None:
    assert failing(small_disk, "mounted", {}) == []


@pytest.mark.skipif(not THOROUGH, reason="the same with injected errors, part of 'make faults'")
def test_with_injected_errors_of_a_full_disk_nothing_is_lost(
    library: Path, fast_folder: Path
) -> None:
    assert failing(fast_folder, "injected", {"LD_PRELOAD": str(library)}) == []


def test_files_that_are_written_in_place_are_found_changed(small_disk: Path) -> None:
    assert any(
        "changed" in problem
        for problem in failing(small_disk, "mounted", {"FAULT_UNPROTECTED": "1"}, "one")
    )
