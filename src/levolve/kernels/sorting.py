"""Sorting by score. NumPy's sorts would take several seconds to compile."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import empty


@kernel
def best_order(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the indices of `(n,)` scores, highest first; among equals in their order (a merge sort from below)."""
    count = scores.size
    order, other = empty(count, np.int64), empty(count, np.int64)
    for i in range(count):
        order[i] = i
    length = 1
    while length < count:
        for first in range(0, count, 2 * length):
            middle, last = min(first + length, count), min(first + 2 * length, count)
            left, right = first, middle
            for place in range(first, last):
                if left < middle and (right == last or scores[order[left]] >= scores[order[right]]):
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
        order, other = other, order
        length *= 2
    return order
