"""`Style`: what example levels have in common, as the distributions of their tile patterns.

Tile-pattern distributions compared by the Kullback-Leibler divergence in both directions are the
method of Lucas and Volz (2019). Here the outside of a level is a kind of tile of its own, in one
ring around it, so that closed borders are part of a style.
"""

from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.building.patterns import find_code, steady_logarithms, window_codes
from levolve.levels.frame import Examples
from levolve.levels.level import Level
from levolve.levels.tileset import Tileset

# The sides of windows, and the count that a pattern which never occurs has in their distribution.
WINDOWS = (2, 3, 4)
EPSILON = 1e-5


class Style:
    """The examples of a style as arrays for kernels. Use `style_of`, which builds each style once.

    Attributes
    ----------
    examples
        `(height, width)` uint8 tiles of each example.
    outside
        The kind of tile of the ring around a level.
    padded, layout
        The examples with their rings, one after the other, and (first, height, width) of each.
    sizes, keys, mass, log_mass
        For `kernels.patterns.style_divergences`.
    """

    def __init__(self, rows: Examples, tileset: Tileset) -> None:
        """Count the patterns of all examples together."""
        self.examples = [
            tiles_of(example, tileset, number) for number, example in enumerate(rows, 1)
        ]
        self.outside = len(tileset.characters)
        rings = [np.pad(tiles, 1, constant_values=self.outside) for tiles in self.examples]
        self.padded = np.concatenate([ring.ravel() for ring in rings])
        sizes = [ring.size for ring in rings]
        firsts = np.cumsum([0, *sizes[:-1]])
        self.layout = np.array(
            [(first, *ring.shape) for first, ring in zip(firsts, rings, strict=True)], np.int64
        )
        self.sizes = np.array(WINDOWS, np.int64)
        counts = [_count_patterns(rings, size) for size in WINDOWS]
        room = 1 << (4 * max(map(len, counts))).bit_length()
        self.keys = np.zeros((len(WINDOWS), room), np.uint64)
        self.mass = np.empty((len(WINDOWS), room))
        self._of_examples: list[NDArray[np.float64]] = []
        for keys, mass, found in zip(self.keys, self.mass, counts, strict=True):
            values = smoothed(np.array([0, *found.values()]), sum(found.values()))
            mass[:] = values[0]
            for code, value in zip(found, values[1:], strict=True):
                place = find_code(keys, np.uint64(code))
                keys[place], mass[place] = code, value
            self._of_examples.append(values[1:])
        self.log_mass = steady_logarithms(self.mass)

    @property
    def smallest(self) -> int:
        """The shortest side of an example."""
        return min(int(min(tiles.shape)) for tiles in self.examples)

    @property
    def variety(self) -> float:
        """How much unrelated levels with these shares of tiles differ, compared with levels half of
        which are walls: from 0 to 1.

        They differ in 1 - sum of p² of the cells, if p are the shares; half, if half are walls.
        """
        shares = np.bincount(np.concatenate([tiles.ravel() for tiles in self.examples]))
        return min(1.0, 2.0 * (1.0 - float(((shares / shares.sum()) ** 2).sum())))

    @lru_cache(maxsize=16)  # noqa: B019 styles are cached themselves
    def shares(
        self, height: int, width: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the shares of patterns that occur 0, 1, … times in levels of a size, their
        logarithms, and the divergences without patterns.
        """
        windows = [(height + 3 - size) * (width + 3 - size) for size in WINDOWS]
        table = np.array([smoothed(np.arange(max(windows) + 1), count) for count in windows])
        logs = steady_logarithms(table)
        absent = [
            float(
                (
                    (table[index, 0] - values) * (logs[index, 0] - steady_logarithms(values)) / 2
                ).sum()
            )
            for index, values in enumerate(self._of_examples)
        ]
        return table, logs, np.array(absent)


def smoothed(counts: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """Return the probabilities of patterns that occur `counts` times among `total` windows: (C(x) +
    ε) / ((C + ε)(1 + ε)).
    """
    return np.asarray((counts + EPSILON) / ((total + EPSILON) * (1 + EPSILON)), np.float64)


@lru_cache(maxsize=16)
def style_of(rows: Examples, tileset: Tileset) -> Style:
    """Return the style of example levels."""
    return Style(rows, tileset)


def rows_of(level: Level) -> tuple[str, ...]:
    """Return the tiles of a level as rows of characters, without its places."""
    characters = np.array(list(level.tileset.characters))
    return tuple("".join(row) for row in characters[level.tiles])


def tiles_of(rows: tuple[str, ...], tileset: Tileset, number: int = 1) -> NDArray[np.uint8]:
    """Return the `(height, width)` tiles of an example; raise `InputError` if it is of another
    tileset, too small, or of one kind of tile.
    """
    where = f"like: example {number}"
    if len({len(row) for row in rows}) != 1:
        raise InputError(
            f"{where}: expected rows of the same length, got lengths "
            f"{sorted({len(row) for row in rows})}"
        )
    unknown = sorted(set("".join(rows)) - set(tileset.characters))
    if unknown:
        raise InputError(
            f"{where}: expected tiles of the tileset {tileset.name!r} "
            f"({' '.join(tileset.characters)}), got {' '.join(unknown)}"
        )
    height, width = len(rows), len(rows[0])
    if min(height, width) < max(WINDOWS):
        raise InputError(
            f"{where}: expected at least {max(WINDOWS)}x{max(WINDOWS)} cells, the largest window "
            f"that is compared, got {width}x{height}"
        )
    tiles = np.array(
        [[tileset.characters.index(character) for character in row] for row in rows], np.uint8
    )
    if len(np.unique(tiles)) == 1:
        raise InputError(
            f"{where}: expected at least two kinds of tiles, got only "
            f"{tileset.names[tiles[0, 0]]}; there is no style to learn from it"
        )
    return tiles


def _count_patterns(rings: list[NDArray[np.uint8]], size: int) -> Counter[int]:
    """Count the codes of all windows of one size."""
    found: Counter[int] = Counter()
    for ring in rings:
        codes = np.empty((ring.shape[0] - size + 1) * (ring.shape[1] - size + 1), np.uint64)
        window_codes(ring, size, np.empty(ring.size, np.uint64), codes)
        found.update(codes.tolist())
    return found
