"""Connected regions of cells."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import empty
from levolve.kernels.walking import flood, lay_margin


@kernel
def count_regions(tiles: NDArray[np.uint8], allowed: NDArray[np.uint8], out: NDArray[np.int32], largest: NDArray[np.int32]) -> None:
    """Count the regions of each of `(n, height, width)` levels, and the cells of the largest."""
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        found = 0
        most = np.int64(0)
        for cell in range(stride + 1, padded.size - stride - 1):
            if distance[cell] < 0 and allowed[padded[cell], padded[cell]] != 0:
                most = max(most, flood(padded, allowed, stride, cell, distance, queue))
                found += 1
        out[level] = found
        largest[level] = most
