"""Start maps: every cell a hash of the seed and of where it is, so that any part of a map without an edge can be made alone."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.fashion.scores import exact_number
from levolve.kernels import fashion as kernels

FARTHEST = 1 << 62
MOST_CELLS = 1 << 32
_WORD = 1 << 64


def thresholds_of(states: int, weights: Sequence[float] | None = None) -> NDArray[np.uint64]:
    """The shares of the states added up, as fractions of 2**64; all equal without weights."""
    shares = [Fraction(1)] * states if weights is None else [exact_number(weight, f"weights: state {k}") for k, weight in enumerate(weights)]
    if len(shares) != states or min(shares) < 0 or sum(shares) == 0:
        message = f"weights: expected {states} numbers of at least 0, one a state and not all 0, got {weights!r}"
        raise InputError(message)
    total = sum(shares)
    sums = [sum(shares[: k + 1]) for k in range(states - 1)]
    # A share of everything would be 2**64 itself: a threshold one below it is passed by one cell in 2**64.
    return np.array([min(int(part * _WORD / total), _WORD - 1) for part in sums], np.uint64)


def random_start(
    states: int, size: tuple[int, int], seed: int = 0, *, at: tuple[int, int] = (0, 0), weights: Sequence[float] | None = None
) -> NDArray[np.uint8]:
    """The `(height, width)` part of the start map of this seed whose upper left cell is `at`, (x, y). `weights` are the shares of the states."""
    width, height = size
    if min(width, height) < 1 or width * height > MOST_CELLS:
        message = f"size: expected from 1x1 to {MOST_CELLS:,} cells, got {width}x{height}"
        raise InputError(message)
    if not 0 <= seed < _WORD:
        message = f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r}"
        raise InputError(message)
    x, y = at
    out = np.empty((height, width), np.uint8)
    kernels.start_states(np.uint64(seed), np.uint64(x % _WORD), np.uint64(y % _WORD), thresholds_of(states, weights), out)
    return out
