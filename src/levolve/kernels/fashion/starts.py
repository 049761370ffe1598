"""Start maps: a cell is a hash of the seed and of where it is."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import empty
from levolve.kernels.streams import mix, open_stream

Tiles = NDArray[np.uint8]
Words = NDArray[np.uint64]


# Numbers per pass: drawn first, then compared, so that each loop is simple.
CHUNK = 1024


@kernel
def _draw_numbers(start: np.uint64, step: np.uint64, begin: np.uint64, numbers: Words) -> None:
    """The numbers of a stream from index `begin` on: those of `streams.draw`, written as a loop without a call."""
    at = start + (begin + np.uint64(1)) * step
    for j in range(numbers.size):
        numbers[j] = mix(at + np.uint64(j) * step)


@kernel
def _count_passed(numbers: Words, threshold: np.uint64, out: Tiles) -> None:
    for j in range(numbers.size):
        out[j] += np.uint8(numbers[j] >= threshold)


@kernel
def start_states(seed: np.uint64, purpose: int, x: np.uint64, y: np.uint64, thresholds: Words, out: Tiles) -> None:
    """The start map's rectangle whose upper left cell is (x, y), into `(height, width)` tiles. A cell is a hash of seed, purpose, row and column.

    `thresholds` are the shares of the states added up, as fractions of 2**64: a cell's state is the number of thresholds it does not stay below.
    """
    height, width = out.shape
    numbers = empty(CHUNK, np.uint64)
    for row in range(height):
        start, step = open_stream(seed, purpose, y + np.uint64(row), 0)
        for left in range(0, width, CHUNK):
            size = min(CHUNK, width - left)
            line = out[row, left : left + size]
            for j in range(size):
                line[j] = 0
            _draw_numbers(start, step, x + np.uint64(left), numbers[:size])
            for threshold in thresholds:
                _count_passed(numbers[:size], threshold, line)
