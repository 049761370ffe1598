"""`World`: a map without an edge. Any window of it is computed alone, at once, and is always the same.

A cell after g updates depends only on the start map within 2 * g * reach cells. So a window is the start map of a larger one, made cell
by cell from a hash, run around a torus, and cut: what the torus joins wrongly has not yet come in.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from levolve.errors import InputError
from levolve.fashion.rule import DEFAULT_UPDATES, Map, Rule, checked_updates
from levolve.fashion.starts import FARTHEST, random_start, thresholds_of
from levolve.kernels import fashion as kernels

MOST_SCALE = 1 << 12
# A window is computed in pieces of about so many cells, margin and all.
PIECE = 1 << 24


class World:
    """An unbounded map: the rule, the seed of its start map, how many updates, and the shares of the states at the start.

    >>> world = World(Rule([[0, .5], [.2, .6]]), seed=3, updates=6)
    >>> big = world.window(-10, 2**61, 40, 30)
    >>> bool((world.window(-5, 2**61 + 7, 8, 9) == big[7:16, 5:13]).all())
    True
    """

    def __init__(self, rule: Rule, seed: int = 0, updates: int = DEFAULT_UPDATES, weights: Sequence[float] | None = None) -> None:
        """Nothing is computed yet."""
        if not isinstance(rule, Rule):
            message = f"rule: expected a fashion Rule, got {type(rule).__name__}"
            raise InputError(message)
        if rule.border != "torus":
            message = "rule: expected one for a torus, a world has no border; leave border as it is"
            raise InputError(message)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
            message = f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r}"
            raise InputError(message)
        self.rule = rule
        self.seed = int(seed)
        self.updates = checked_updates(updates)
        self.weights = None if weights is None else tuple(weights)
        thresholds_of(rule.states, self.weights)

    @property
    def halo(self) -> int:
        """How far a cell's past reaches."""
        return 2 * self.updates * self.rule.reach

    def window(self, x: int, y: int, width: int, height: int, scale: int = 1) -> Map:
        """The `(height, width)` window whose upper left cell is (x, y), from -2**62 to 2**62 either way.

        With `scale` k each cell of the result is the most common state of k x k cells, the lowest of several.
        """
        _check_window(x, y, width, height, scale)
        if scale == 1:
            return self._cells(x, y, width, height)
        out = np.empty((height, width), np.uint8)
        side = max(1, min(int(PIECE**0.5) // scale, max(width, height)))
        for top, left in _corners(height, width, side):
            rows, columns = min(side, height - top), min(side, width - left)
            piece = self._cells(x + left * scale, y + top * scale, columns * scale, rows * scale)
            small = np.empty((rows, columns), np.uint8)
            kernels.most_common(piece, self.rule.states, scale, small)
            out[top : top + rows, left : left + columns] = small
        return out

    def _cells(self, x: int, y: int, width: int, height: int) -> Map:
        """A window at full scale, in pieces where it is large."""
        side = max(int(PIECE**0.5), 4 * self.halo)
        if width <= side and height <= side:
            return self._piece(x, y, width, height)
        out = np.empty((height, width), np.uint8)
        for top, left in _corners(height, width, side):
            rows, columns = min(side, height - top), min(side, width - left)
            out[top : top + rows, left : left + columns] = self._piece(x + left, y + top, columns, rows)
        return out

    def _piece(self, x: int, y: int, width: int, height: int) -> Map:
        halo = self.halo
        # A height of whole words can be run 64 cells at a time.
        tall = -(-(height + 2 * halo) // kernels.WORD) * kernels.WORD if self.rule.is_packed else height + 2 * halo
        start = random_start(self.rule.states, (width + 2 * halo, tall), self.seed, at=(x - halo, y - halo), weights=self.weights)
        return np.ascontiguousarray(self.rule.run(start, self.updates)[halo : halo + height, halo : halo + width])


def _corners(height: int, width: int, side: int) -> Iterator[tuple[int, int]]:
    return ((top, left) for top in range(0, height, side) for left in range(0, width, side))


def _check_window(x: int, y: int, width: int, height: int, scale: int) -> None:
    for name, value, low, high in (
        ("x", x, -FARTHEST, FARTHEST),
        ("y", y, -FARTHEST, FARTHEST),
        ("width", width, 1, 1 << 20),
        ("height", height, 1, 1 << 20),
        ("scale", scale, 1, MOST_SCALE),
    ):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
            message = f"{name}: expected a whole number from {low} to {high}, got {value!r}"
            raise InputError(message)
