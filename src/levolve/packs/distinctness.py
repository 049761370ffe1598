"""`Distinctness`: the levels accepted into a pack so far, and how many cells another level lacks to be distinct from them."""

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.boards import WIDEST, pack_rows
from levolve.kernels.distinctness import lacking_rows, lacking_tiles
from levolve.levels.batch import Batch
from levolve.levels.tileset import WALLS, Tileset

Tiles = NDArray[np.uint8]


def least_differing(share: float, cells: int) -> int:
    """Return the smallest number of cells that is at least this share of all; at least 1, because levels of a pack must differ."""
    return max(ceil(share * cells - 1e-9), 1)


def images_of(tiles: Tiles) -> Tiles:
    """Return all rotations and reflections of `(n, height, width)` tiles except the identity: seven images each, or three if not square."""
    square = tiles.shape[1] == tiles.shape[2]
    turns = [np.rot90(tiles, quarters, (1, 2)) for quarters in range(0, 4, 1 if square else 2)]
    images = [*turns[1:], *(turned[:, :, ::-1] for turned in turns)]
    return np.ascontiguousarray(np.concatenate(images))


class Distinctness:
    """Levels of one size and tileset. Two are distinct if at least `least` cells differ and neither is a rotation or reflection of the other.

    It is immutable: `joined_by` returns a larger one, so that running searches are not affected.
    """

    def __init__(self, tiles: Tiles, images: Tiles, tileset: Tileset, least: int) -> None:
        """Store the `(n, height, width)` tiles of the accepted levels, and their images."""
        self.tiles = tiles
        self.images = images
        self.tileset = tileset
        self.least = least
        self._packed = tileset == WALLS and tiles.shape[2] <= WIDEST
        self._accepted, self._images = self._form(tiles), self._form(images)

    @classmethod
    def empty(cls, height: int, width: int, tileset: Tileset, least: int) -> "Distinctness":
        """Return an instance without accepted levels."""
        none = np.empty((0, height, width), np.uint8)
        return cls(none, none, tileset, least)

    def emptied(self) -> "Distinctness":
        """Return an instance of the same kind without accepted levels."""
        return Distinctness(self.tiles[:0], self.images[:0], self.tileset, self.least)

    def joined_by(self, tiles: Tiles) -> "Distinctness":
        """Return a copy with one more accepted level."""
        one = tiles[np.newaxis]
        # An image that equals the level itself is not counted again.
        images = np.unique(images_of(one), axis=0)
        images = images[(images != one).any(axis=(1, 2))]
        return Distinctness(np.concatenate((self.tiles, one)), np.concatenate((self.images, images)), self.tileset, self.least)

    def lacking(self, batch: Batch) -> NDArray[np.int64]:
        """Return how many more cells would have to differ, summed over the accepted levels: `(n,)`, 0 for a level that is distinct from all."""
        lacking = np.empty(len(batch), np.int64)
        if self._packed:
            lacking_rows(batch.rows, self._accepted, self._images, self.least, lacking)
        else:
            lacking_tiles(self._form(batch.tiles), self._accepted, self._images, self.least, lacking)
        return lacking

    def _form(self, tiles: Tiles) -> NDArray[Any]:
        """Convert tiles for the kernels: rows of bits, or one row of cells per level."""
        if not self._packed:
            return np.ascontiguousarray(tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2]))
        rows = np.empty(tiles.shape[:2], np.uint64)
        pack_rows(np.ascontiguousarray(tiles), rows)
        return rows


def nearest_pair(tiles: Tiles) -> float | None:
    """Return the smallest share of differing cells between any two of `(n, height, width)` tiles; None for fewer than two."""
    flat = tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2])
    shares = [(flat[index + 1 :] != flat[index]).mean(axis=1).min() for index in range(len(flat) - 1)]
    return float(min(shares)) if shares else None
