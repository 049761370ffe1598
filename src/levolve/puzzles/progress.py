"""Progress of solvers and makers, as events.

Progress reports, at most ten per second; and the count of a maker's candidates.
"""

import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from levolve.core.events import Event, Watch
from levolve.puzzles.position import Position


@dataclass(frozen=True)
class SolverProgress(Event):
    """The state of a genetic solver between two groups of generations.

    `best` is the best score, `diversity` the share of the population that differs, `attempt` the
    moves of the best attempt.
    """

    kind: ClassVar[str] = "solver_progress"

    generation: int
    generations: int
    best: float
    diversity: float
    attempt: str


@dataclass(frozen=True)
class MakerProgress(Event):
    """The state of a maker that works on puzzle `number`, counted from 0.

    It has tried `tried` of `tries` candidates; the best of them, `best`, misses the request by
    `miss` (0: meets it), and the share `diversity` of the candidates were different.
    """

    kind: ClassVar[str] = "maker_progress"

    number: int
    tried: int
    tries: int
    miss: float
    diversity: float
    best: Position


SECONDS_BETWEEN_REPORTS = 0.1


class Throttle:
    """Passes events to `watch`, at most ten per second; without a `watch` they are not even
    built.
    """

    def __init__(self, watch: Watch | None) -> None:
        """Start the clock."""
        self._watch = watch
        self._last = time.monotonic()

    def report(self, event: Callable[[], Event], *, now: bool = False) -> None:
        """Build an event and pass it on, if the last one is long enough ago or this one has to be
        passed on `now`.
        """
        if self._watch is not None and (
            now or time.monotonic() - self._last >= SECONDS_BETWEEN_REPORTS
        ):
            self._last = time.monotonic()
            self._watch(event())


class Attempts:
    """The candidates that a maker tries for one puzzle: counts them and how many are different, and
    reports progress.
    """

    def __init__(self, number: int, tries: int, watch: Watch | None) -> None:
        """Start at none."""
        self.number = number
        self.tries = tries
        self.tried = 0
        self._seen: set[Hashable] = set()
        self._throttle = Throttle(watch)

    def __iter__(self) -> Iterator[int]:
        """The number of each try, from 1."""
        while self.tried < self.tries:
            self.tried += 1
            yield self.tried

    def count(self, candidate: Hashable) -> None:
        """Count a candidate as seen."""
        self._seen.add(candidate)

    def report(self, miss: float, best: Callable[[], Position]) -> None:
        """Report by how much the best candidate misses the request; `best` builds it."""
        self._throttle.report(
            lambda: MakerProgress(
                self.number, self.tried, self.tries, miss, len(self._seen) / self.tried, best()
            )
        )
