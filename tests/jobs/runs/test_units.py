"""Jobs of many units: their results do not depend on the executor, on which unit finishes first, or
on where they were interrupted.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.events import Event
from levolve.jobs.executors import (
    RECENT,
    SHORT,
    SerialExecutor,
    Threads,
    stop_requested,
    submissions,
    thread_pool,
)
from levolve.jobs.job import JobOutcome
from levolve.jobs.units import UnitJob

MILLISECOND = 0.001


def double(number: int, milliseconds: int) -> int:
    """A unit that takes some time."""
    time.sleep(milliseconds * MILLISECOND)
    return 2 * number


class Chain(UnitJob[list[int], int]):
    """Units that depend on the results known when they begin. Every third unit is only there after
    another result.
    """

    kind = "chain"
    name = "chain"

    def __init__(
        self,
        delays: list[int],
        width: int,
        executor: Executor | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        self.delays = delays
        self.width = width
        super().__init__(0, executor, stop)

    def _reset(self) -> None:
        self.results: list[int] = []
        # The number of results that each unit knew.
        self.known: list[int] = []

    def _advance(self) -> Iterator[Event]:
        for result in self._in_order(double, self._chained(), self.width):
            self.results.append(result)
            yield Event()

    def _chained(self) -> Iterator[tuple[int, int] | None]:
        for number, delay in enumerate(self.delays):
            if number % 3 == 2:
                yield None
            self.known.append(len(self.results))
            yield number + sum(self.results) % 1000, delay

    def call(self) -> dict[str, Any]:
        return {"delays": self.delays, "width": self.width}

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> "Chain":
        return cls(call["delays"], call["width"], executor, stop)

    def _to_state(self, unit: int) -> int:
        return unit

    def _from_state(self, state: Any) -> int:
        return int(state)

    @property
    def result(self) -> list[int]:
        return self.results

    @property
    def progress(self) -> float:
        return len(self.results) / len(self.delays)

    @property
    def headline(self) -> str:
        return f"{len(self.results)} results"

    def outcome(self) -> JobOutcome:
        raise NotImplementedError


def plain_chain(delays: list[int], width: int) -> tuple[list[int], list[int]]:
    """The reference: one unit after the other, in a plain loop."""
    results: list[int] = []
    known: list[int] = []
    waiting: list[int] = []
    postponed = False
    number = 0
    while number < len(delays) or waiting:
        while number < len(delays) and len(waiting) < width:
            if number % 3 == 2 and not postponed:
                postponed = True
                break
            postponed = False
            known.append(len(results))
            waiting.append(2 * (number + sum(results) % 1000))
            number += 1
        if not waiting:
            break
        results.append(waiting.pop(0))
    return results, known


delays = st.lists(st.integers(0, 3), max_size=12)


@given(delays, st.integers(1, 5), st.integers(1, 4))
def test_units_that_depend_on_results_are_the_same_on_any_number_of_threads(
    milliseconds: list[int], width: int, threads: int
) -> None:
    expected = plain_chain(milliseconds, width)
    pool = SerialExecutor() if threads == 1 else Threads(threads)
    with pool:
        job = Chain(milliseconds, width, pool)
        job.finish()
    assert (job.results, job.known) == expected


@given(delays, st.integers(1, 5), st.integers(0, 12), st.integers(1, 2))
def test_they_continue_after_any_result(
    milliseconds: list[int], width: int, events: int, divisor: int
) -> None:
    with Threads(2) as pool:
        job = Chain(milliseconds, width, pool)
        for number, _ in enumerate(job.events(), 1):
            if number == events:
                break
        state = job.state()
        # More units may have finished than were reported.
        state["events"] //= divisor
        again = Chain(milliseconds, width, pool)
        again.restore(state)
        done = [unit for _, unit in state["units"]]
        again.finish()
    assert (again.results, again.known) == plain_chain(milliseconds, width)
    assert set(done) <= set(again.results)


def test_no_thread_waits_for_the_slowest_unit_while_there_is_work() -> None:
    began: list[int] = []

    def unit(number: int) -> int:
        if number == 0:
            while len(began) < 4:
                time.sleep(MILLISECOND)
        began.append(number)
        return number

    class Slow(Chain):
        def _advance(self) -> Iterator[Event]:
            for result in self._in_order(unit, ((number,) for number in range(8)), 5):
                self.results.append(result)
                yield Event()

    with Threads(2) as pool:
        job = Slow([0], 5, pool)
        job.finish()
    assert job.results == list(range(8))
    assert began.index(0) == 4


def test_an_error_of_a_unit_is_raised_and_the_others_are_cancelled() -> None:
    class Faulty(Chain):
        def _advance(self) -> Iterator[Event]:
            for result in self._in_order(divide, [(0,), *[(1,)] * 200]):
                self.results.append(result)
                yield Event()

    def divide(number: int) -> int:
        done.append(number)
        time.sleep(MILLISECOND)
        return 1 // number

    done: list[int] = []
    with Threads(2) as pool, pytest.raises(ZeroDivisionError):
        Faulty([0], 1, pool).finish()
    assert len(done) < 100


def threads_of(
    seconds: Callable[[int], float], monkeypatch: pytest.MonkeyPatch, units: int = 40
) -> list[bool]:
    """Whether each of some units was computed by another thread; unit i takes `seconds(i)` by the
    clock that is looked at.
    """
    clock = threading.local()
    monkeypatch.setattr(
        "levolve.jobs.executors.time.thread_time", lambda: getattr(clock, "now", 0.0)
    )
    monkeypatch.setattr("levolve.jobs.executors.time.perf_counter", lambda: 0.0)
    elsewhere: dict[int, bool] = {}

    def unit(number: int) -> int:
        elsewhere[number] = threading.current_thread() is not threading.main_thread()
        clock.now = getattr(clock, "now", 0.0) + seconds(number)
        return number

    class Timed(Chain):
        def _advance(self) -> Iterator[Event]:
            for result in self._in_order(unit, ((number,) for number in range(units)), 4):
                self.results.append(result)
                yield Event()

    with Threads(2) as pool:
        job = Timed([], 1, pool)
        job.finish()
    assert job.results == list(range(units))
    return [elsewhere[number] for number in range(units)]


def test_short_units_are_not_given_to_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = threads_of(lambda _: SHORT / 2, monkeypatch)
    assert all(found[:RECENT])
    # Four are under way when the last of them is measured.
    assert not any(found[RECENT + 4 :])


def test_long_units_are_given_to_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(threads_of(lambda _: 2 * SHORT, monkeypatch))


def test_units_that_become_longer_are_given_to_other_threads_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = threads_of(lambda number: SHORT / 2 if number < 20 else 9 * SHORT, monkeypatch)
    assert not any(found[RECENT + 4 : 21])
    assert all(found[25:])


def test_units_kept_for_this_thread_are_given_away_if_they_turn_out_to_be_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = threading.local()
    monkeypatch.setattr(
        "levolve.jobs.executors.time.thread_time", lambda: getattr(clock, "now", 0.0)
    )
    monkeypatch.setattr("levolve.jobs.executors.time.perf_counter", lambda: 0.0)

    def unit(seconds: float) -> bool:
        clock.now = getattr(clock, "now", 0.0) + seconds
        return threading.current_thread() is threading.main_thread()

    with Threads(2) as pool, submissions(pool, unit) as work:
        for number in range(RECENT):
            work.submit(number, (SHORT / 2,))
        assert not any(work.take()[1] for _ in range(RECENT))
        for number in range(10):
            work.submit(number, (9 * SHORT,))
        found = [work.take() for _ in range(10)]
    assert found[0] == (0, True)
    assert not any(here for _, here in found[1:])


def test_a_finished_unit_is_reported_before_another_is_computed_here() -> None:
    with Threads(2) as pool, submissions(pool, double) as work:
        for number in range(RECENT):
            work.submit(number, (number, 0))
        assert {work.take() for _ in range(RECENT)} == {
            (number, 2 * number) for number in range(RECENT)
        }
        pool.submit(time.sleep, 0).result()
        work.submit(0, (50, 0))
        work._give_away(1, (60, 0))
        while work._finished.empty():
            time.sleep(MILLISECOND)
        assert work.take() == (1, 120)
        assert work.take() == (0, 100)


def test_an_error_stops_the_work_of_a_pool() -> None:
    began, seen = threading.Event(), []

    def work() -> None:
        began.set()
        last = time.monotonic() + 10
        while not stop_requested() and time.monotonic() < last:
            time.sleep(MILLISECOND)
        seen.append(stop_requested())

    def fail() -> None:
        with thread_pool(2) as pool:
            pool.submit(work)
            assert began.wait(10)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert seen == [True]
