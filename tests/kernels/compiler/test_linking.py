"""Kernels as parts of others and as entries: compiled in some processes, and used in others."""

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from levolve.kernels.compiler import LINKED, PLAIN, cache_files
from levolve.kernels.compiler.cache_files import reserved

needs_compiler = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="kernels run as plain Python"
)

KERNELS = """
import sys
import numpy as np
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.bits.new_arrays import empty, full, zeros

@kernel
def sevens(count):
    return np.full(count, 7), zeros(count, np.uint8)

@kernel
def total(count):
    return sevens(count)[0].sum()

@kernel
def half(count):
    return sevens(count)[0].sum() / 2

@kernel
def add_both(pair):
    return pair[0] + pair[1]

@kernel
def pairs(count):
    return add_both((count, count))

def adding(number):
    @kernel
    def add(count):
        return count + number
    return add

def twice(add):
    @kernel
    def apply(count):
        return add(add(count))
    return apply

add_1, add_2 = adding(1), adding(2)
twice_1, twice_2 = twice(add_1), twice(add_2)
for name in sys.argv[1:]:
    print(name, globals()[name]((1, 2) if name == "add_both" else 3), end="; ")
"""
SEVENS = "sevens (array([7, 7, 7]), array([0, 0, 0], dtype=uint8)); "


@pytest.fixture
def calls(tmp_path: Path) -> "Calls":
    return Calls(tmp_path)


class Calls:
    """Calls kernels in new processes, which share a cache."""

    def __init__(self, folder: Path) -> None:
        self.script = folder / "kernels.py"
        self.script.write_text(KERNELS)
        self.cache = folder / "cache"

    def __call__(self, *names: str, mode: str = LINKED) -> str:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(self.cache), "LEVOLVE_COMPILER": mode}
        return subprocess.run(
            [sys.executable, self.script, *names],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def files(self, kind: str) -> int:
        return len(list(self.cache.glob(f"*/*-{kind}-*.kernel")))


@needs_compiler
def test_a_part_from_the_cache_becomes_an_entry_that_takes_a_tuple(calls: Calls) -> None:
    assert calls("pairs") == "pairs 6; "
    assert calls("add_both") == "add_both 3; "
    assert (calls.files("entry"), calls.files("part")) == (2, 2)


@needs_compiler
def test_a_kernel_known_as_a_part_is_called_as_a_cached_entry(calls: Calls) -> None:
    assert calls("sevens") == SEVENS
    # The part is in the cache, and so is the entry, whose arrays need constants that the part does
    # not have.
    assert calls("total", "sevens") == f"total 21; {SEVENS}"
    assert (calls.files("entry"), calls.files("part")) == (2, 2)
    assert calls("half", "sevens", "total") == f"half 10.5; {SEVENS}total 21; "


@needs_compiler
@pytest.mark.parametrize("mode", [LINKED, PLAIN])
def test_composed_kernels_of_the_same_name_are_different_ones(calls: Calls, mode: str) -> None:
    assert calls("twice_1", mode=mode) == "twice_1 5; "
    assert calls("twice_2", mode=mode) == "twice_2 7; "
    expected = "twice_1 5; add_2 5; twice_2 7; add_1 4; "
    assert calls("twice_1", "add_2", "twice_2", "add_1", mode=mode) == expected


HOLDER = """
import sys, time
from pathlib import Path
from levolve.kernels.compiler.cache_files import reserved
folder = Path(sys.argv[1])
with reserved(folder, "kernel"):
    (folder / "held").touch()
    while not (folder / "released").exists():
        time.sleep(0.01)
    (folder / "done").touch()
"""


def hold(folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that reserves a name until there is a file `released`."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, folder])
    while not (folder / "held").exists():
        assert process.poll() is None
        time.sleep(0.01)
    return process


def test_a_second_process_waits_for_the_first(tmp_path: Path) -> None:
    with hold(tmp_path) as process:
        with reserved(tmp_path, "another"):
            assert not (tmp_path / "done").exists()
        Timer(0.2, (tmp_path / "released").touch).start()
        with reserved(tmp_path, "kernel"):
            assert (tmp_path / "done").exists()
        assert process.wait() == 0
    assert not list(tmp_path.glob(f"*{cache_files.LOCK}"))


def test_a_killed_process_holds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(_: float) -> None:
        pytest.fail("the name is still reserved")

    with hold(tmp_path) as process:
        process.kill()
        process.wait()
        monkeypatch.setattr(time, "sleep", wait)
        with reserved(tmp_path, "kernel"):
            assert not (tmp_path / "done").exists()


def test_a_stopped_process_is_waited_for_only_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_files, "LONGEST", 0.1)
    with hold(tmp_path) as process:
        with reserved(tmp_path, "kernel"):
            assert process.poll() is None
        process.kill()


def test_nothing_is_reserved_where_nothing_can_be_written(tmp_path: Path) -> None:
    with reserved(tmp_path / "missing", "kernel"):
        assert not list(tmp_path.iterdir())
