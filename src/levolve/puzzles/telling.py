"""Telling somebody how far it is, but not more often than can be watched."""

import time
from collections.abc import Callable, Hashable, Iterator
from typing import Any, Generic, TypeVar

from levolve.puzzles.puzzle import Attempt

TELL_EVERY = 0.1

News = TypeVar("News")


class Teller(Generic[News]):
    """Hands news to `watch`, at most ten times a second; without a `watch`, to nobody."""

    def __init__(self, watch: Callable[[News], None] | None) -> None:
        """Begin to count the time."""
        self._watch = watch
        self._told = time.monotonic()

    def tell(self, news: Callable[[], News], *, at_once: bool = False) -> None:
        """Hand on what `news` gives, where it is time for it or it must be told `at_once`."""
        if self._watch is not None and (at_once or time.monotonic() - self._told >= TELL_EVERY):
            self._told = time.monotonic()
            self._watch(news())


class Trying:
    """The candidates that a maker tries for one puzzle: counted, with how many were different, and told of."""

    def __init__(self, number: int, tries: int, watch: Callable[[Attempt], None] | None) -> None:
        """Begin with none."""
        self.number = number
        self.tries = tries
        self.tried = 0
        self._seen: set[Hashable] = set()
        self._teller = Teller(watch)

    def __iter__(self) -> Iterator[int]:
        """As many turns as there are tries."""
        while self.tried < self.tries:
            self.tried += 1
            yield self.tried

    def saw(self, candidate: Hashable) -> None:
        """Count a candidate."""
        self._seen.add(candidate)

    def tell(self, miss: float, best: Callable[[], Any]) -> None:
        """Tell by how much the best misses the wish; `best` gives it."""
        self._teller.tell(lambda: Attempt(self.number, self.tried, self.tries, miss, len(self._seen) / self.tried, best()))
