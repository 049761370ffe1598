"""The clock of runs stands still while kernels are compiled."""

import os
import subprocess
import sys
import time
from pathlib import Path

import levolve
from levolve.puzzles.sliding.rules import Board
from levolve.search.clock import _Compilations, work_clock


def test_the_clock_runs_while_nothing_is_compiled() -> None:
    began, clock = work_clock(), time.perf_counter()
    time.sleep(0.05)
    assert abs((work_clock() - began) - (time.perf_counter() - clock)) < 0.02


def test_compilations_within_each_other_and_at_the_same_time_count_once() -> None:
    compilations = _Compilations()
    began, clock = compilations.working(), time.perf_counter()
    for started in (True, True, False):
        compilations.on_event(started, "kernel")
        time.sleep(0.03)
    assert compilations.working() - began < 0.02
    compilations.on_event(False, "kernel")
    time.sleep(0.03)
    passed, all_of_it = compilations.working() - began, time.perf_counter() - clock
    assert 0.03 <= passed < all_of_it - 0.08


def test_the_compilation_of_a_kernel_is_not_counted(tmp_path: Path) -> None:
    # In a process of its own, whose cache is empty.
    script = """
import time
from levolve.kernels.compiler import kernel
from levolve.search.clock import work_clock

@kernel
def tripled(value):
    return 3 * value

began, clock = work_clock(), time.perf_counter()
assert tripled(14) == 42
print((work_clock() - began) / (time.perf_counter() - clock))
"""
    file = tmp_path / "script.py"
    file.write_text(script)
    finished = subprocess.run(
        [sys.executable, str(file)],
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(finished.stdout) < 0.5


def test_a_search_reports_the_seconds_of_this_clock() -> None:
    solution = levolve.solve("sliding", Board.read("1234567_8"), seed=1)
    began = work_clock()
    again = levolve.solve("sliding", Board.read("1234567_8"), seed=1)
    assert again.moves == solution.moves
    assert 0 < again.seconds <= work_clock() - began
