"""Values of levels whose packed rows are known, and the templates that compose them: weighted sums,
and nearness to targets.

A value is a kernel `value(settings, rows, steps, values)`: the `(n, height)` rows of levels and the
steps to their exits, -1 without a path, give `(n,)` float64 values.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.packed_flood import unpack_rows
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel
from levolve.kernels.fused.address_calls import call
from levolve.kernels.walking.dead_ends import count_ends_of_walls
from levolve.kernels.walking.packed_layout import PARTS, describe_layouts, weigh_layouts
from levolve.kernels.walking.packed_longest_paths import longest_paths_on_boards

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]
Steps = NDArray[np.int32]
Settings = tuple[Any, ...]
Kernel = Callable[..., Any]


@kernel
def value_exit_path(settings: Settings, rows: Words, steps: Steps, values: Scores) -> None:
    """The steps to the exit. Settings: none."""
    for level in range(steps.size):
        values[level] = steps[level]


@kernel
def value_walls(settings: Settings, rows: Words, steps: Steps, values: Scores) -> None:
    """The number of walls. Settings: none."""
    for level in range(rows.shape[0]):
        walls = np.uint64(0)
        for word in range(rows.shape[1]):
            walls += bit_count(rows[level, word])
        values[level] = walls


@kernel
def value_ends(
    settings: tuple[int, int, int, int], rows: Words, steps: Steps, values: Scores
) -> None:
    """Culs-de-sac. Settings: 0 for their number, 1 for their total length, 2 for junctions; the
    width, and the x and y of the entrance.
    """
    which, width, start_x, start_y = settings
    count, height = rows.shape
    tiles = empty((count, height, width), np.uint8)
    unpack_rows(rows, tiles)
    found = empty((3, count), np.int64)
    count_ends_of_walls(tiles, start_x, start_y, found[0], found[1], found[2])
    for level in range(count):
        values[level] = found[which, level]


@kernel
def value_layout(
    settings: tuple[int, int, NDArray[np.int64]], rows: Words, steps: Steps, values: Scores
) -> None:
    """A part of the layout, see `kernels.layouts`. Settings: which one, the width, and the cells of
    entrance and exit, `(1, 2)`.
    """
    which, width, stops = settings
    parts = empty((rows.shape[0], PARTS), np.int64)
    describe_layouts(rows, width, stops, parts)
    for level in range(rows.shape[0]):
        values[level] = parts[level, which]


@kernel
def value_design(
    settings: tuple[int, NDArray[np.int64], Scores, int], rows: Words, steps: Steps, values: Scores
) -> None:
    """The weighted parts of the layout. Settings: the width, the cells of entrance and exit, the
    weights, and the number of dead ends wanted.
    """
    width, stops, weights, wanted = settings
    parts = empty((rows.shape[0], PARTS), np.int64)
    describe_layouts(rows, width, stops, parts)
    weigh_layouts(parts, width * rows.shape[1], weights, wanted, values)


@kernel
def value_longest_path(
    settings: tuple[int, float, float], rows: Words, steps: Steps, values: Scores
) -> None:
    """The longest path. Settings: the width, and the range in which the result may be any number of
    the range.
    """
    width, low, high = settings
    found = empty(rows.shape[0], np.int32)
    longest_paths_on_boards(rows, width, low, high, found)
    for level in range(found.size):
        values[level] = found[level]


@kernel
def weigh(settings: Settings, rows: Words, steps: Steps, work: Scores, total: Scores) -> None:
    """Add a weighted value. Settings: the weight, and the value: its address and its settings."""
    weight, value = settings
    call(value[0], value[1], rows, steps, work)
    for level in range(total.size):
        total[level] += weight * work[level]


@kernel
def near(settings: Settings, rows: Words, steps: Steps, work: Scores, total: Scores) -> None:
    """Add the nearness of a value to its target. Settings: the lowest and the highest value of the
    target, and the value.
    """
    low, high, value = settings
    call(value[0], value[1], rows, steps, work)
    for level in range(total.size):
        total[level] += 1.0 / (1.0 + max(low - work[level], work[level] - high, 0.0))


@kernel
def miss(settings: Settings, rows: Words, steps: Steps, work: Scores, total: Scores) -> None:
    """Add how far a value misses its target, relative to the missed bound. Settings: those of
    `near`.
    """
    low, high, value = settings
    call(value[0], value[1], rows, steps, work)
    for level in range(total.size):
        below, above = max(low - work[level], 0.0), max(work[level] - high, 0.0)
        total[level] += below / (1.0 + abs(low)) + above / (1.0 + abs(high))


@lru_cache(maxsize=64)
def summed(add: Kernel, count: int) -> Kernel:
    """Compose a kernel that adds `count` terms to a total, in order: `weigh`, `near` or `miss`."""
    if count == 0:
        return nothing
    rest = summed(add, count - 1)

    @kernel
    def add_all(settings: Settings, rows: Words, steps: Steps, work: Scores, total: Scores) -> None:
        """Settings: those of each term."""
        add(settings[0], rows, steps, work, total)
        rest(settings[1:], rows, steps, work, total)

    return add_all


@kernel
def nothing(settings: Settings, rows: Words, steps: Steps, work: Scores, total: Scores) -> None:
    """Add nothing: the end of a sum."""


@lru_cache(maxsize=64)
def mean(add: Kernel, count: int) -> Kernel:
    """Compose a value of `count` terms: their sum, divided by a number."""
    add_all = summed(add, count)

    @kernel
    def value(settings: Settings, rows: Words, steps: Steps, values: Scores) -> None:
        """Settings: the number, and those of each term."""
        work = empty(values.size, np.float64)
        for level in range(values.size):
            values[level] = 0.0
        add_all(settings[1], rows, steps, work, values)
        for level in range(values.size):
            values[level] /= settings[0]

    return value
