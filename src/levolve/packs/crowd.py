"""`Crowd`: the levels of a pack so far, and what another level lacks to be distinct from all of them."""

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.boards import WIDEST, pack_rows
from levolve.kernels.crowding import lacking_rows, lacking_tiles
from levolve.levels.batch import Batch
from levolve.levels.tileset import WALLS, Tileset

Tiles = NDArray[np.uint8]


def least_differing(share: float, cells: int) -> int:
    """The smallest number of cells that is at least this share of all, and never none: two levels of a pack are never the same."""
    return max(ceil(share * cells - 1e-9), 1)


def images_of(tiles: Tiles) -> Tiles:
    """`(n, height, width)` tiles turned and mirrored in every way but the one that changes nothing: seven images each, three where not square."""
    square = tiles.shape[1] == tiles.shape[2]
    turns = [np.rot90(tiles, quarters, (1, 2)) for quarters in range(0, 4, 1 if square else 2)]
    images = [*turns[1:], *(turned[:, :, ::-1] for turned in turns)]
    return np.ascontiguousarray(np.concatenate(images))


class Crowd:
    """Levels of one size and tileset. Two are distinct if `least` cells differ and neither is a turned or mirrored image of the other.

    A crowd does not change: `joined_by` gives a larger one, so that searches can go on looking at the one they began with.
    """

    def __init__(self, tiles: Tiles, images: Tiles, tileset: Tileset, least: int) -> None:
        """`(n, height, width)` tiles of the levels taken, and their images."""
        self.tiles = tiles
        self.images = images
        self.tileset = tileset
        self.least = least
        self._packed = tileset == WALLS and tiles.shape[2] <= WIDEST
        self._taken, self._images = self._form(tiles), self._form(images)

    @classmethod
    def empty(cls, height: int, width: int, tileset: Tileset, least: int) -> "Crowd":
        """A crowd of nobody."""
        none = np.empty((0, height, width), np.uint8)
        return cls(none, none, tileset, least)

    def joined_by(self, tiles: Tiles) -> "Crowd":
        """The crowd with one more level taken."""
        one = tiles[np.newaxis]
        # Of a level that is like its own image that image is not counted again.
        images = np.unique(images_of(one), axis=0)
        images = images[(images != one).any(axis=(1, 2))]
        return Crowd(np.concatenate((self.tiles, one)), np.concatenate((self.images, images)), self.tileset, self.least)

    def lacking(self, batch: Batch) -> NDArray[np.int64]:
        """How many more cells would have to differ, added up over the levels taken: `(n,)`, 0 for a level that is distinct from all."""
        lacking = np.empty(len(batch), np.int64)
        if self._packed:
            lacking_rows(batch.rows, self._taken, self._images, self.least, lacking)
        else:
            lacking_tiles(self._form(batch.tiles), self._taken, self._images, self.least, lacking)
        return lacking

    def _form(self, tiles: Tiles) -> NDArray[Any]:
        """As the kernels take them: rows of bits, or one row of cells a level."""
        if not self._packed:
            return np.ascontiguousarray(tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2]))
        rows = np.empty(tiles.shape[:2], np.uint64)
        pack_rows(np.ascontiguousarray(tiles), rows)
        return rows


def nearest_pair(tiles: Tiles) -> float | None:
    """The smallest share of differing cells between any two of `(n, height, width)` tiles; None for fewer than two."""
    flat = tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2])
    shares = [(flat[index + 1 :] != flat[index]).mean(axis=1).min() for index in range(len(flat) - 1)]
    return float(min(shares)) if shares else None
