"""`Distinctness`: the levels accepted into a pack so far, and how many cells another level lacks to be distinct from them."""

from functools import lru_cache
from math import ceil
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.boards import WIDEST, pack_rows
from levolve.kernels.distinctness import digest_words, lacking_tiles, lacking_words, merge_rows
from levolve.levels.batch import Batch
from levolve.levels.tileset import WALLS, Tileset

Tiles = NDArray[np.uint8]
Cell = TypeVar("Cell", bound=np.integer[Any])


def least_differing(share: float, cells: int) -> int:
    """Return the smallest number of cells that is at least this share of all; at least 1, because levels of a pack must differ."""
    return max(ceil(share * cells - 1e-9), 1)


def images_of(tiles: NDArray[Cell]) -> NDArray[Cell]:
    """Return all rotations and reflections of `(n, height, width)` tiles except the identity: seven images each, or three if not square."""
    square = tiles.shape[1] == tiles.shape[2]
    turns = [np.rot90(tiles, quarters, (1, 2)) for quarters in range(0, 4, 1 if square else 2)]
    images = [*turns[1:], *(turned[:, :, ::-1] for turned in turns)]
    return np.ascontiguousarray(np.concatenate(images))


@lru_cache(maxsize=16)
def _image_cells(height: int, width: int) -> NDArray[np.int64]:
    """Return `images_of` a level as the `(images, height, width)` cells, in reading order, that their tiles come from."""
    return images_of(np.arange(height * width).reshape(1, height, width))


class Distinctness:
    """Levels of one size and tileset. Two are distinct if at least `least` cells differ and neither is a rotation or reflection of the other.

    It is immutable: `joined_by` returns a larger one, so that running searches are not affected.
    """

    def __init__(self, tiles: Tiles, tileset: Tileset, least: int, forms: tuple[NDArray[Any], NDArray[Any], NDArray[np.uint64]]) -> None:
        """Store the `(n, height, width)` tiles of the accepted levels, and `forms`: for kernels, these levels, their images, and digests of those."""
        self.tiles = tiles
        self.tileset = tileset
        self.least = least
        self._accepted, self._images, self._digests = forms

    @classmethod
    def empty(cls, height: int, width: int, tileset: Tileset, least: int) -> "Distinctness":
        """Return an instance without accepted levels."""
        none = np.empty((0, height, width), np.uint8)
        form = _form(none, tileset)
        return cls(none, tileset, least, (form.T if _packs(none, tileset) else form, form, np.empty(0, np.uint64)))

    def emptied(self) -> "Distinctness":
        """Return an instance of the same kind without accepted levels."""
        return Distinctness.empty(self.tiles.shape[1], self.tiles.shape[2], self.tileset, self.least)

    def joined_by(self, tiles: Tiles) -> "Distinctness":
        """Return a copy with one more accepted level."""
        one = tiles[np.newaxis]
        # An image that equals another, or the level itself, is not counted again.
        images = {image.tobytes(): image for image in tiles.reshape(-1)[_image_cells(*tiles.shape)]}
        images.pop(tiles.tobytes(), None)
        accepted, turned = _form(one, self.tileset), _form(np.array(list(images.values()), np.uint8).reshape(-1, *tiles.shape), self.tileset)
        digests = np.empty(len(turned), np.uint64)
        if _packs(one, self.tileset):
            digest_words(turned, digests)
            accepted = np.concatenate((self._accepted, accepted.T), axis=1)
        else:
            accepted = np.concatenate((self._accepted, accepted))
        digests.sort()
        digests = np.insert(self._digests, np.searchsorted(self._digests, digests), digests)
        forms = accepted, np.concatenate((self._images, turned)), digests
        return Distinctness(np.concatenate((self.tiles, one)), self.tileset, self.least, forms)

    @property
    def words(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]] | None:
        """The accepted levels, their images and the digests of these, as `lacking_words` takes them; None if levels are not compared as words."""
        if not _packs(self.tiles, self.tileset):
            return None
        return np.ascontiguousarray(self._accepted), np.ascontiguousarray(self._images), self._digests

    def lacking(self, batch: Batch) -> NDArray[np.int64]:
        """Return how many more cells would have to differ, summed over the accepted levels: `(n,)`, 0 for a level that is distinct from all."""
        lacking = np.empty(len(batch), np.int64)
        if _packs(self.tiles, self.tileset):
            words = _merged(batch.rows, self.tiles.shape[2])
            lacking_words(words, self._accepted, self._images, self._digests, self.least, lacking)
        else:
            lacking_tiles(_form(batch.tiles, self.tileset), self._accepted, self._images, self.least, lacking)
        return lacking


def _packs(tiles: Tiles, tileset: Tileset) -> bool:
    """Whether levels are compared as words of bits."""
    return tileset == WALLS and tiles.shape[2] <= WIDEST


def _form(tiles: Tiles, tileset: Tileset) -> NDArray[Any]:
    """Convert tiles for the kernels: words of bits, or one row of cells per level."""
    tiles = np.ascontiguousarray(tiles)
    if not _packs(tiles, tileset):
        return tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2])
    rows = np.empty(tiles.shape[:2], np.uint64)
    pack_rows(tiles, rows)
    return _merged(rows, tiles.shape[2])


def _merged(rows: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """Return `(n, words)` words of `(n, height)` row words."""
    merged: NDArray[np.uint64] = np.empty((len(rows), -(-rows.shape[1] // (WIDEST // width))), np.uint64)
    merge_rows(rows, width, merged)
    return merged


def nearest_pair(tiles: Tiles) -> float | None:
    """Return the smallest share of differing cells between any two of `(n, height, width)` tiles; None for fewer than two."""
    flat = tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2])
    shares = [(flat[index + 1 :] != flat[index]).mean(axis=1).min() for index in range(len(flat) - 1)]
    return float(min(shares)) if shares else None
