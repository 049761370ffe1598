"""Counting bits."""

import numpy as np

from levolve.kernels.compiled import kernel

_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_EIGHTS, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_1, _2, _4, _56 = (np.uint64(n) for n in (1, 2, 4, 56))


@kernel
def bit_count(z: np.uint64) -> np.uint64:
    """Count the set bits of `z`: sums of pairs, then fours, then eights, added by one multiplication."""
    z = z - ((z >> _1) & _PAIRS)
    z = (z & _FOURS) + ((z >> _2) & _FOURS)
    return (((z + (z >> _4)) & _EIGHTS) * _BYTES) >> _56
