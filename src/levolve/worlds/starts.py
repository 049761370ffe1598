"""Start maps: every cell a hash of the seed and of where it is, so that any part of a map without
an edge can be made alone. Neighbourhoods: which cells around a cell count.
"""

import operator
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.kernels.bits.random_streams import TERRAIN
from levolve.kernels.fashion.starts import start_states
from levolve.worlds.scores import exact_number

FARTHEST = 1 << 62
MOST_CELLS = 1 << 32
# A map that is held in memory whole.
MOST_MAP_CELLS = 1 << 28
_WORD = 1 << 64


def checked_size(size: object, most_cells: int = MOST_MAP_CELLS) -> tuple[int, int]:
    """Width and height of a map from a pair of whole numbers or from text such as `100x80`."""
    if isinstance(size, str) and (
        match := re.fullmatch(r"\s*(\d{1,9})\s*[xX]\s*(\d{1,9})\s*", size)
    ):
        pair = int(match[1]), int(match[2])
    else:
        match size:
            case (int() | np.integer(), int() | np.integer()):
                pair = int(size[0]), int(size[1])
            case _:
                raise InputError(f"size: expected WIDTHxHEIGHT such as 100x80, got {size!r}")
    if min(pair) < 1 or pair[0] * pair[1] > most_cells:
        raise InputError(
            f"size: expected from 1x1 to {most_cells:,} cells, got {pair[0]}x{pair[1]}; write "
            "larger maps in tiles"
        )
    return pair


@lru_cache(maxsize=64)
def _thresholds(states: int, weights: tuple[float, ...] | None) -> NDArray[np.uint64]:
    """`thresholds_of`, once per map and not once per window of it."""
    return thresholds_of(states, weights)


def thresholds_of(states: int, weights: Sequence[float] | None = None) -> NDArray[np.uint64]:
    """The shares of the states added up, as fractions of 2**64; all equal without weights."""
    shares = (
        [Fraction(1)] * states
        if weights is None
        else [exact_number(weight, f"weights: state {k}") for k, weight in enumerate(weights)]
    )
    if len(shares) != states or min(shares) < 0 or sum(shares) == 0:
        raise InputError(
            f"weights: expected {states} numbers of at least 0, one per state and not all 0, got "
            f"{weights!r}"
        )
    total = sum(shares)
    sums = [sum(shares[: k + 1]) for k in range(states - 1)]
    # A share of everything would be 2**64 itself: a threshold one below it is passed by one cell in
    # 2**64.
    return np.array([min(int(part * _WORD / total), _WORD - 1) for part in sums], np.uint64)


def random_start(
    states: int,
    size: tuple[int, int],
    seed: int = 0,
    *,
    at: tuple[int, int] = (0, 0),
    weights: Sequence[float] | None = None,
    purpose: int = TERRAIN,
) -> NDArray[np.uint8]:
    """A part of the start map of a seed, `(height, width)` bytes.

    `states` is from 1 to 256, `size` (width, height), `seed` from 0 to 2**64 - 1. `at` is the
    part's upper left cell (x, y), from -2**62 to 2**62 either way. `weights` are the shares of the
    states, one number of at least 0 per state; equal by default. `purpose` tells maps of one seed
    apart.
    """
    width, height = size
    if min(width, height) < 1 or width * height > MOST_CELLS:
        raise InputError(f"size: expected from 1x1 to {MOST_CELLS:,} cells, got {width}x{height}")
    if not 0 <= seed < _WORD:
        raise InputError(f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r}")
    x, y = at
    out = np.empty((height, width), np.uint8)
    start_states(
        np.uint64(seed),
        purpose,
        np.uint64(x % _WORD),
        np.uint64(y % _WORD),
        _thresholds(states, None if weights is None else tuple(weights)),
        out,
    )
    return out


Offset = tuple[int, int]
VON_NEUMANN: tuple[Offset, ...] = ((0, 1), (0, -1), (-1, 0), (1, 0))
MOORE: tuple[Offset, ...] = (*VON_NEUMANN, (1, 1), (1, -1), (-1, -1), (-1, 1))
NEIGHBOURHOODS = {"von_neumann": VON_NEUMANN, "moore": MOORE}
MOST_NEIGHBOURS = 1024
FARTHEST_OFFSET = 1 << 20


def checked_neighbourhood(neighbourhood: Iterable[Iterable[int]] | str) -> tuple[Offset, ...]:
    """Offsets (dx, dy), from a list of them or a neighbourhood's name."""
    if isinstance(neighbourhood, str):
        if neighbourhood not in NEIGHBOURHOODS:
            raise InputError(
                "neighbourhood: expected a list of offsets (dx, dy) or one of "
                f"{', '.join(NEIGHBOURHOODS)}, got {shown(neighbourhood)}"
            )
        return NEIGHBOURHOODS[neighbourhood]
    offsets: list[Offset] = []
    try:
        listed = [list(entry) for entry in neighbourhood]
    except TypeError as problem:
        raise InputError(
            f"neighbourhood: expected a list of offsets (dx, dy), got {shown(neighbourhood)}"
        ) from problem
    for position, entry in enumerate(listed):
        try:
            dx, dy = (operator.index(part) for part in entry)
        except (TypeError, ValueError) as problem:
            raise InputError(
                "neighbourhood: expected offsets (dx, dy) of two whole numbers, got "
                f"{shown(tuple(entry))} at position {position}"
            ) from problem
        if max(abs(dx), abs(dy)) > FARTHEST_OFFSET:
            raise InputError(
                f"neighbourhood: expected offsets of at most {FARTHEST_OFFSET}, got "
                f"{shown((dx, dy))} at position {position}"
            )
        offsets.append((dx, dy))
    if not 1 <= len(offsets) <= MOST_NEIGHBOURS:
        raise InputError(
            f"neighbourhood: expected from 1 to {MOST_NEIGHBOURS} offsets (dx, dy), got "
            f"{len(offsets)}"
        )
    return tuple(offsets)
