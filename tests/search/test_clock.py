"""The clock of runs stands still while kernels are compiled."""

import time

import levolve
from levolve.kernels.compiler import kernel
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


def test_the_compilation_of_a_kernel_is_not_counted() -> None:
    @kernel
    def tripled(value: int) -> int:
        total = 0
        for _ in range(3):
            total += value
        return total

    began, clock = work_clock(), time.perf_counter()
    assert tripled(14) == 42
    passed, all_of_it = work_clock() - began, time.perf_counter() - clock
    assert passed < all_of_it / 2


def test_a_search_reports_the_seconds_of_this_clock() -> None:
    solution = levolve.solve("sliding", Board.read("1234567_8"), seed=1)
    began = work_clock()
    again = levolve.solve("sliding", Board.read("1234567_8"), seed=1)
    assert again.moves == solution.moves
    assert 0 < again.seconds <= work_clock() - began
