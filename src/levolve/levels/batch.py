"""`Batch`: many levels of one size, tileset and set of places, as arrays. What genotypes give and measures count."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import boards, walking
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS, Tileset


class Batch:
    """`(n, height, width)` tiles, or the same packed into `(n, height)` row words; either is made from the other when first asked for."""

    def __init__(
        self,
        frame: Frame,
        tiles: NDArray[np.uint8] | None = None,
        rows: NDArray[np.uint64] | None = None,
        tileset: Tileset = WALLS,
    ) -> None:
        """Give the tiles, or row words of a level with walls at most 64 wide."""
        self.frame = frame
        self.tileset = tileset
        if tiles is not None:
            self.tiles = tiles
        if rows is not None:
            self.rows = rows
        self._given = rows if rows is not None else tiles

    def __len__(self) -> int:
        """How many levels there are."""
        return 0 if self._given is None else len(self._given)

    @property
    def packs(self) -> bool:
        """Whether a row fits into a machine word, so that the measures for packed rows can be used."""
        return self.tileset is WALLS and self.frame.width <= boards.WIDEST

    @cached_property
    def tiles(self) -> NDArray[np.uint8]:
        """`(n, height, width)` tiles."""
        tiles = np.empty((len(self), self.frame.height, self.frame.width), np.uint8)
        boards.unpack_rows(self.rows, tiles)
        return tiles

    @cached_property
    def rows(self) -> NDArray[np.uint64]:
        """`(n, height)` row words; only where `packs`."""
        rows = np.empty((len(self), self.frame.height), np.uint64)
        boards.pack_rows(self.tiles, rows)
        return rows

    @cached_property
    def distances(self) -> NDArray[np.int32]:
        """|x| of every cell from the entrance, -1 where it cannot be reached: `(n, height, width)`."""
        out = np.empty(self.tiles.shape, np.int32)
        walking.distances(self.tiles, self.tileset.table, *self.frame.entrance, out)
        return out
