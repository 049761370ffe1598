"""The variant of a tile that a cell shows: a number drawn from its position, as the auto-layer rules of LDtk draw it.

So LDtk chooses the same tiles when it applies our rules again, and a level looks the same in every format. LDtk computes with the numbers of
JavaScript: products are 64-bit floats, and shifts and exclusive ors take their lowest 32 bits.
"""

import numpy as np
from numpy.typing import NDArray

# Of a hundred cells, about this many do not show the first variant.
VARIED = 16
# The random seed for kind 0; kind n has the seed SEED + n.
SEED = 1_000_000


def draws(rows: NDArray[np.int64], columns: NDArray[np.int64], seeds: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Return a whole number from 0 to 2**31 - 1 per cell."""
    mixed = _lowest(seeds + columns * 374761393 + rows * 668265263)
    product = (mixed ^ (mixed >> 13)).astype(np.float64) * 1274126177.0
    mixed = _lowest(product.astype(np.int64))
    return mixed ^ (mixed >> 16)


def _lowest(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lowest 32 bits, as numbers with a sign."""
    return ((numbers + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def variants_of(kinds: NDArray[np.uint8], count: int) -> NDArray[np.int32]:
    """Return the variant, from 0 to `count` - 1, of each cell of `(height, width)` kinds. Editing a cell does not change the others."""
    if count == 1:
        return np.zeros(kinds.shape, np.int32)
    places: NDArray[np.int64] = np.indices(kinds.shape, np.int64)
    drawn = draws(places[0], places[1], SEED + kinds.astype(np.int64))
    return np.where(drawn % 100 < VARIED, 1 + drawn % (count - 1), 0).astype(np.int32)
