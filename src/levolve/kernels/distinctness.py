"""Distinctness: how many more cells of a level would have to differ from the accepted levels."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import bit_count
from levolve.kernels.compiled import kernel


@kernel
def lacking_rows(rows: NDArray[np.uint64], taken: NDArray[np.uint64], images: NDArray[np.uint64], least: int, lacking: NDArray[np.int64]) -> None:
    """Compute for each of `(n, height)` packed levels how many differing cells it lacks to be distinct from all `(m, height)` accepted levels.

    A level that differs from an accepted level in fewer than `least` cells lacks the rest; this is summed over all accepted levels. A level that
    equals one of the `(k, height)` `images`, the rotations and reflections of the accepted levels, lacks one cell for each.
    """
    for level in range(rows.shape[0]):
        total = np.int64(0)
        for other in range(taken.shape[0]):
            differing = np.uint64(0)
            for y in range(rows.shape[1]):
                differing += bit_count(rows[level, y] ^ taken[other, y])
            total += max(np.int64(least) - np.int64(differing), np.int64(0))
        for other in range(images.shape[0]):
            y = 0
            while y < rows.shape[1] and rows[level, y] == images[other, y]:
                y += 1
            total += y == rows.shape[1]
        lacking[level] = total


@kernel
def lacking_tiles(tiles: NDArray[np.uint8], taken: NDArray[np.uint8], images: NDArray[np.uint8], least: int, lacking: NDArray[np.int64]) -> None:
    """The same for `(n, cells)` tiles of any tileset and any size."""
    cells = tiles.shape[1]
    for level in range(tiles.shape[0]):
        total = np.int64(0)
        for other in range(taken.shape[0]):
            differing = np.int64(0)
            for cell in range(cells):
                differing += tiles[level, cell] != taken[other, cell]
            total += max(np.int64(least) - differing, np.int64(0))
        for other in range(images.shape[0]):
            cell = 0
            while cell < cells and tiles[level, cell] == images[other, cell]:
                cell += 1
            total += cell == cells
        lacking[level] = total
