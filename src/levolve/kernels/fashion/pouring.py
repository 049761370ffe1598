"""The paint bucket: regions of equal cells."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import empty

Tiles = NDArray[np.uint8]


@kernel
def pour(tiles: Tiles, x: int, y: int, state: int) -> int:
    """Turn the region of equal cells around (x, y) into another state, in place, as a paint bucket does. Gives how many cells it had."""
    height, width = tiles.shape
    old = tiles[y, x]
    if old == state:
        return 0
    queue = empty(height * width, np.int64)
    queue[0] = y * width + x
    tiles[y, x] = state
    head, tail = 0, 1
    while head < tail:
        row, column = queue[head] // width, queue[head] % width
        head += 1
        for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            v, u = row + dy, column + dx
            if 0 <= v < height and 0 <= u < width and tiles[v, u] == old:
                tiles[v, u] = state
                queue[tail] = v * width + u
                tail += 1
    return tail
