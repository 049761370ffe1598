"""Tile patterns: the windows of a level as numbers."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel


@kernel
def pattern_entropies(tiles: NDArray[np.uint8], kinds: int, logarithms: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """Compute the entropy of the 2x2 patterns of each of `(n, height, width)` levels, in the unit of `logarithms`, those of 0 (as 0) to the windows.

    A pattern that occurs k times in w windows adds k / w (log w - log k). Patterns are added in the order of their numbers.
    """
    count, height, width = tiles.shape
    windows = (height - 1) * (width - 1)
    codes = np.empty(windows, np.int64)
    for level in range(count):
        position = 0
        for y in range(height - 1):
            for x in range(width - 1):
                upper = tiles[level, y, x] * kinds + tiles[level, y, x + 1]
                codes[position] = (upper * kinds + tiles[level, y + 1, x]) * kinds + tiles[level, y + 1, x + 1]
                position += 1
        codes.sort()
        total = 0.0
        run = 1
        for position in range(1, windows + 1):
            if position < windows and codes[position] == codes[position - 1]:
                run += 1
                continue
            total += run * (logarithms[windows] - logarithms[run])
            run = 1
        out[level] = total / windows
