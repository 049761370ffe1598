"""The longest path as two sweeps find it: fast, exact for trees, and too short for some levels with loops."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import level_kernel
from levolve.kernels.memory import empty, full
from levolve.kernels.walking import Table, Tiles, flood, lay_margin


@level_kernel
def sweep_paths(tiles: Tiles, allowed: Table, out: NDArray[np.int32]) -> None:
    """Compute the double sweep of each level: from the first cell of a region to the farthest one, and from there to the farthest again.

    The result is the greatest distance of the second sweep over all regions; 0 without walkable cells. Among equally far cells the first in reading
    order counts, as in the PCG Benchmark. Cells that a first sweep has reached start no other one.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = full(padded.size, -1, np.int32)
    queue = empty(padded.size + 1, np.int32)
    seen = empty(padded.size, np.uint8)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        seen[:] = 0
        longest = 0
        for first in range(stride + 1, padded.size - stride - 1):
            if seen[first] or allowed[padded[first], padded[first]] == 0:
                continue
            size = flood(padded, allowed, stride, first, distance, queue)
            far = distance[queue[size - 1]]
            end = padded.size
            for k in range(size):
                cell = queue[k]
                seen[cell] = 1
                if distance[cell] == far and cell < end:
                    end = int(cell)
                distance[cell] = -1
            size = flood(padded, allowed, stride, end, distance, queue)
            longest = max(longest, distance[queue[size - 1]])
            for k in range(size):
                distance[queue[k]] = -1
        out[level] = longest
