"""`UnitJob`: a job that consists of many units of work, such as the searches of a pack or the runs
of a comparison.

Its state is the list of the units that have finished. To continue, the work is done again from its
start with the results of those units, which takes next to no time, and then goes on with the
others. So a job needs no code to continue in the middle of its work, and an interruption at any
moment leaves a valid state: the list only grows, one finished unit at a time.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from levolve.core.errors import InputError
from levolve.jobs.executors import (
    SerialExecutor,
    Submissions,
    shares_memory,
    stop_requested,
    submissions,
)
from levolve.jobs.job import Job, Result, State
from levolve.search.clock import work_clock

if TYPE_CHECKING:
    from levolve.core.events import Event

STATE_VERSION = 1
# The place of the entry that says that the time is up.
MARK = -1

Unit = TypeVar("Unit")


def check_state(job: Job[Any], state: Mapping[str, Any], version: int = STATE_VERSION) -> None:
    """Raise `InputError` for a state of another version or of another job. A state contains the
    `version`, `kind` and `call` of its job.
    """
    if state.get("version") != version:
        raise InputError(
            f"state: expected version {version}, got {state.get('version')!r}; it was saved by "
            "another version of levolve"
        )
    if state.get("kind") != job.kind or _text(state.get("call")) != _text(job.call()):
        raise InputError(
            f"state: expected the state of a job {job.kind} {job.name!r} with seed {job.seed} "
            "and the same settings, got that of another job"
        )


def _text(call: object) -> str:
    return json.dumps(call, sort_keys=True)


class UnitJob(Job[Result], Generic[Result, Unit]):
    """A job of many units of work. `seconds` is the time it has taken so far, that before an
    interruption included.

    A subclass implements `_reset`, which sets all results to those before the first unit,
    `_advance`, which does the whole work and takes every unit from `_in_order` or
    `_as_they_finish`, and `_to_state` and `_from_state` of a unit. `stop` is called between two
    units; if it returns True, `events` raises `CancelledError`.
    """

    always_valid: ClassVar[bool] = True

    def __init__(
        self, seed: int, executor: Executor | None = None, stop: Callable[[], bool] = stop_requested
    ) -> None:
        """Start with no unit finished."""
        self.seed = seed
        self.executor = executor or SerialExecutor()
        self._stop = stop
        self.seconds = 0.0
        # Every finished unit with its place in its group, in the order in which they finished.
        self._units: list[tuple[int, Unit | None]] = []
        # How many of them the work has taken, and how many events it has yielded.
        self._taken = self._reported = 0
        self._began = work_clock()
        self._work: Iterator[Event] | None = None
        self._reset()

    @abstractmethod
    def _reset(self) -> None:
        """Set all results to those before the first unit."""

    @abstractmethod
    def _advance(self) -> Iterator[Event]:
        """Do the whole work."""

    @abstractmethod
    def _to_state(self, unit: Unit) -> Any:
        """Return a unit as plain data and arrays."""

    @abstractmethod
    def _from_state(self, state: Any) -> Unit:
        """Return the unit that `_to_state` described."""

    def events(self) -> Iterator[Event]:
        """Advance to the end. Continues after the last event where it was stopped, closed or
        interrupted before.
        """
        work = self._replayed()
        ended = False
        try:
            while True:
                self._began = work_clock()
                event = next(work, None)
                self.seconds += work_clock() - self._began
                if event is None:
                    ended = True
                    return
                self._reported += 1
                yield event
        finally:
            if not ended:
                self._work = None

    @property
    def elapsed(self) -> float:
        """The seconds that the job has taken up to now, while it is under way."""
        return self.seconds + work_clock() - self._began

    def state(self) -> State:
        """Return the finished units. It is valid at any time, after an interruption too."""
        units = [
            (place, None if unit is None else self._to_state(unit))
            for place, unit in tuple(self._units)
        ]
        return {
            "version": STATE_VERSION,
            "kind": self.kind,
            "call": self.call(),
            "seconds": self.seconds,
            "events": self._reported,
            "units": units,
        }

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it."""
        return not shares_memory(self.executor)

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from the state of a job with the same call, on any executor."""
        check_state(self, state)
        self._units = [
            (int(place), None if unit is None else self._from_state(unit))
            for place, unit in state["units"]
        ]
        self._reported = int(state["events"])
        self._work = None
        self._replayed()
        self.seconds = float(state["seconds"])

    def _replayed(self) -> Iterator[Event]:
        """The work after the last event. Where it is not under way, it is done again with the
        finished units.
        """
        if self._work is None:
            self._taken = 0
            self._reset()
            work = self._advance()
            for _ in range(self._reported):
                next(work, None)
            self._work = work
        return self._work

    def _as_they_finish(
        self, function: Callable[..., Unit], units: Iterable[tuple[Any, ...]]
    ) -> Iterator[tuple[int, Unit]]:
        """Yield the place and the result of each unit of a group as soon as it finishes; those that
        had finished before come first.
        """
        begun: dict[int, tuple[Any, ...]] = {}
        count = 0
        with submissions(self.executor, function) as work:
            for unit in units:
                begun[count] = unit
                count += 1
                # Other threads compute it while the next one is made.
                self._submit(work, begun)
            for _ in range(count):
                yield self._next_finished(work, begun)
                self._check_stop()

    def _in_order(
        self,
        function: Callable[..., Unit],
        units: Iterable[tuple[Any, ...] | None],
        width: int | None = None,
    ) -> Iterator[Unit]:
        """Yield the result of each unit of a group, in the order of the group.

        With a `width`, at most so many units are under way, and unit i + `width` is asked for when
        the caller has dealt with the result of unit i, on any executor. So units may depend on
        results. A unit None means that there is none now, but that there may be one after another
        result.
        """
        following = iter(units)
        begun: dict[int, tuple[Any, ...]] = {}
        finished: dict[int, Unit] = {}
        count = taken = 0
        with submissions(self.executor, function) as work:
            while True:
                while (width is None or count - taken < width) and (
                    unit := next(following, None)
                ) is not None:
                    begun[count] = unit
                    count += 1
                if count == taken:
                    return
                self._submit(work, begun)
                while taken not in finished:
                    place, result = self._next_finished(work, begun)
                    finished[place] = result
                yield finished.pop(taken)
                taken += 1
                self._check_stop()

    def _next_finished(
        self, work: Submissions[Unit], begun: dict[int, tuple[Any, ...]]
    ) -> tuple[int, Unit]:
        """Return the place and the result of the next unit of a group that finishes. `begun` are
        the units that are not submitted yet.
        """
        self._submit(work, begun)
        if self._replays_a_unit:
            place, unit = self._units[self._taken]
            del begun[place]
            self._taken += 1
        else:
            place, unit = work.take()
            self._units.append((place, unit))
            self._taken = len(self._units)
        assert unit is not None  # noqa: S101 only a mark has no unit
        return place, unit

    def _submit(self, work: Submissions[Unit], begun: dict[int, tuple[Any, ...]]) -> None:
        """Submit the units of a group, unless some may have finished before."""
        if not self._replays_a_unit:
            for place, unit in begun.items():
                work.submit(place, unit)
            begun.clear()

    def _check_stop(self) -> None:
        if self._stop():
            raise CancelledError

    @property
    def _replays_a_unit(self) -> bool:
        """Whether the next entry is a unit that has finished before."""
        return self._is_replaying and self._units[self._taken][0] != MARK

    @property
    def _is_replaying(self) -> bool:
        """Whether the next unit has finished before."""
        return self._taken < len(self._units)

    def _time_is_up(self, seconds: float) -> bool:
        """Whether the job has taken so many seconds. The answer is recorded among the units, so
        that it is the same when the work is done again.
        """
        if self._is_replaying:
            marked = self._units[self._taken][0] == MARK
        else:
            marked = self.elapsed >= seconds
            if marked:
                self._units.append((MARK, None))
        self._taken += marked
        return marked
