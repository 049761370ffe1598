"""The 47 neighbourhoods of a wall, known as the blob set.

Eight bits say which neighbours of a wall are walls too: clockwise from north, 1 for north, 2 for
north-east, up to 128 for north-west. A corner counts only if both sides next to it are walls, so 47
of the 256 masks remain.

`WallShape`: the outline of walls seen from above and a little from the south, for every
neighbourhood.

A wall is a top and, below it on the screen, a front. The top leaves a margin to open sides; its
corners are rounded. Distances are in tiles, positive inside.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.formats.themes.textures import Field

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
POSITIONS: NDArray[np.uint8] = np.array(
    [MASKS.index(reduced(mask)) for mask in range(256)], np.uint8
)


def neighbourhoods(walls: NDArray[np.bool_], *, outside: bool = True) -> NDArray[np.uint8]:
    """Return the position in `MASKS` of each cell of a `(height, width)` array of walls; cells
    outside count as walls by default.
    """
    height, width = walls.shape
    padded = np.pad(walls, 1, constant_values=outside)
    masks = np.zeros(walls.shape, np.uint8)
    for bit, (column, row) in enumerate(DIRECTIONS):
        masks |= padded[1 + row : 1 + row + height, 1 + column : 1 + column + width].astype(
            np.uint8
        ) << np.uint8(bit)
    return POSITIONS[masks]


# Farther inside than any edge.
_FAR = 2.0
_NORTH_EAST, _SOUTH_EAST, _SOUTH_WEST, _NORTH_WEST = 2, 8, 32, 128


@dataclass(frozen=True)
class WallShape:
    """The margins to open sides, the height of the front, and the radius of corners; all in
    tiles.
    """

    north: float = 1 / 16
    side: float = 1 / 16
    south: float = 2 / 16
    front: float = 5 / 16
    radius: float = 2.5 / 16

    def top(self, mask: int, x: Field, y: Field) -> Field:
        """Return the distance from the edge of the top."""
        return self._distance(mask, x, y, self.south + self.front)

    def whole(self, mask: int, x: Field, y: Field) -> Field:
        """Return the distance from the edge of top and front together."""
        return self._distance(mask, x, y, self.south)

    def _distance(self, mask: int, x: Field, y: Field, south: float) -> Field:
        upper, lower, left, right = y - self.north, 1 - south - y, x - self.side, 1 - self.side - x
        found = np.full(x.shape, _FAR)
        for sides, corner, vertical, horizontal in (
            ((NORTH, WEST), _NORTH_WEST, upper, left),
            ((NORTH, EAST), _NORTH_EAST, upper, right),
            ((SOUTH, WEST), _SOUTH_WEST, lower, left),
            ((SOUTH, EAST), _SOUTH_EAST, lower, right),
        ):
            closed = tuple(bool(mask & side) for side in sides)
            if closed == (False, False):
                found = np.minimum(found, self._rounded(vertical, horizontal))
            elif closed == (True, True):
                if not mask & corner:
                    found = np.minimum(found, _notched(vertical, horizontal))
            else:
                found = np.minimum(found, horizontal if closed[0] else vertical)
        return found

    def _rounded(self, one: Field, other: Field) -> Field:
        """Return the distance from two edges that meet in a round corner."""
        radius = self.radius
        short, long = np.maximum(radius - one, 0), np.maximum(radius - other, 0)
        inside = np.minimum(one, other)
        return np.where(
            (short > 0) & (long > 0), radius - np.sqrt(short * short + long * long), inside
        )


def _notched(one: Field, other: Field) -> Field:
    """Return the distance from a corner that is cut out of a wall."""
    both = (one > 0) & (other > 0)
    return np.where(both, np.sqrt(one * one + other * other), np.maximum(one, other))
