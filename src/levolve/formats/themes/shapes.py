"""`WallShape`: the outline of walls seen from above and a little from the south, for every neighbourhood.

A wall is a top and, below it on the screen, a front. The top leaves a margin to open sides; its corners are rounded. Distances are in tiles,
positive inside.
"""

from dataclasses import dataclass

import numpy as np

from levolve.formats.themes.neighbours import EAST, NORTH, SOUTH, WEST
from levolve.formats.themes.texture import Field

# Farther inside than any edge.
_FAR = 2.0
_NORTH_EAST, _SOUTH_EAST, _SOUTH_WEST, _NORTH_WEST = 2, 8, 32, 128


@dataclass(frozen=True)
class WallShape:
    """The margins to open sides, the height of the front, and the radius of corners; all in tiles."""

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
        return np.where((short > 0) & (long > 0), radius - np.sqrt(short * short + long * long), inside)


def _notched(one: Field, other: Field) -> Field:
    """Return the distance from a corner that is cut out of a wall."""
    both = (one > 0) & (other > 0)
    return np.where(both, np.sqrt(one * one + other * other), np.maximum(one, other))
