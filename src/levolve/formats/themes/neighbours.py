"""The 47 neighbourhoods of a wall, known as the blob set.

Eight bits say which neighbours of a wall are walls too: clockwise from north, 1 for north, 2 for north-east, up to 128 for north-west. A corner
counts only if both sides next to it are walls, so 47 of the 256 masks remain.
"""

import numpy as np
from numpy.typing import NDArray

# (column, row) of each neighbour, clockwise from north: the order of the bits of a mask.
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
NAMES = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
NORTH, EAST, SOUTH, WEST = 1, 4, 16, 64
ALL = 255


def reduced(mask: int) -> int:
    """Return the mask without the corners that do not count."""
    for corner in range(1, 8, 2):
        sides = 1 << (corner - 1) | 1 << (corner + 1) % 8
        if mask & sides != sides:
            mask &= ~(1 << corner)
    return mask


MASKS: tuple[int, ...] = tuple(sorted({reduced(mask) for mask in range(256)}))
# The position in `MASKS` of every mask from 0 to 255, after reduction.
POSITIONS: NDArray[np.uint8] = np.array([MASKS.index(reduced(mask)) for mask in range(256)], np.uint8)


def neighbourhoods(walls: NDArray[np.bool_], *, outside: bool = True) -> NDArray[np.uint8]:
    """Return the position in `MASKS` of each cell of a `(height, width)` array of walls; cells outside count as walls by default."""
    height, width = walls.shape
    padded = np.pad(walls, 1, constant_values=outside)
    masks = np.zeros(walls.shape, np.uint8)
    for bit, (column, row) in enumerate(DIRECTIONS):
        masks |= padded[1 + row : 1 + row + height, 1 + column : 1 + column + width].astype(np.uint8) << np.uint8(bit)
    return POSITIONS[masks]
