"""Nearest neighbours among points."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import empty


@kernel
def sparseness(points: NDArray[np.float64], nearest: int, out: NDArray[np.float64]) -> None:
    """Write for the first `out.size` points the mean distance to the `nearest` other points, or to all others if there are fewer; 0 without others.

    Parameters
    ----------
    points
        `(n, m)`.
    nearest
        1 or more.
    out
        `(k,)`, k <= n.
    """
    count, columns = points.shape
    held = empty(nearest, np.float64)
    for one in range(out.size):
        found = 0
        for other in range(count):
            if other == one:
                continue
            square = 0.0
            for column in range(columns):
                gap = points[one, column] - points[other, column]
                square += gap * gap
            if found == nearest and square >= held[found - 1]:
                continue
            found = min(found + 1, nearest)
            # Insertion sort of the nearest squares so far.
            place = found - 1
            while place > 0 and held[place - 1] > square:
                held[place] = held[place - 1]
                place -= 1
            held[place] = square
        total = 0.0
        for place in range(found):
            total += np.sqrt(held[place])
        out[one] = total / found if found else 0.0
