"""Random choices one after the other, for makers: a stream of `kernels/streams` and how far it has been read."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from levolve.kernels.streams import START, draw_below, open_stream

Thing = TypeVar("Thing")


class Draws:
    """The stream of one thing to be made: the same seed and number give the same choices."""

    def __init__(self, seed: int, number: int, attempt: int = 0) -> None:
        """Begin at the stream's first number."""
        start, step = open_stream(np.uint64(seed), START, number, attempt)
        self._stream = np.uint64(start), np.uint64(step)
        self._index = 0

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1."""
        self._index += 1
        return int(draw_below(self._stream, self._index - 1, bound))

    def choice(self, things: Sequence[Thing]) -> Thing:
        """One of several things."""
        return things[self.below(len(things))]
