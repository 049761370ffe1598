"""Scores of levels whose genes are their packed rows: the shortest forms of the most frequent ones; see `grades` for all others."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.fused.calls import Address, call
from levolve.kernels.memory import empty
from levolve.kernels.small_tours import place_best_small_tours, place_small_tours

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]


@kernel
def score_exit_paths(settings: tuple[Address, int, int, int, int, int], rows: Words, scores: Scores) -> None:
    """The steps to the exit, 0 without a path. Settings: the address of `boards.exit_steps`, the width, the x and y of the entrance and the exit."""
    flood, width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    call(flood, rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(0, steps[level])


@kernel
def score_wide_exit_paths(settings: tuple[Address, int, int, int, int, int], rows: Words, scores: Scores) -> None:
    """`score_exit_paths` for levels of more than 64 columns, by the address of `wide_boards.exit_steps_wide`."""
    flood, width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    call(flood, rows, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(0, steps[level])


@kernel
def score_tours(settings: tuple[int], rows: Words, scores: Scores) -> None:
    """The steps of the tour, -1 without one. Settings: the width. The last word of `rows` is the gene of B."""
    count, height = rows.shape[0], rows.shape[1] - 1
    marks = empty(count, np.int64)
    for level in range(count):
        marks[level] = np.int64(rows[level, height])
    tours = empty((count, 3), np.int64)
    steps = empty(count, np.int32)
    place_small_tours(rows[:, :height], settings[0], marks, tours, steps)
    for level in range(count):
        scores[level] = steps[level]


@kernel
def score_best_tours(settings: tuple[int], rows: Words, scores: Scores) -> None:
    """The steps of the tour with B where it is longest, -1 without one. Settings: the width. The last word of `rows`, the gene of B, is not used."""
    count = rows.shape[0]
    tours = empty((count, 3), np.int64)
    steps = empty(count, np.int32)
    place_best_small_tours(rows[:, : rows.shape[1] - 1], settings[0], tours, steps)
    for level in range(count):
        scores[level] = steps[level]


@kernel
def best_index(scores: Scores, count: int) -> int:
    """Return the index of the first highest of the first `count` scores; -1 if there are none."""
    best = -1
    for i in range(count):
        if best < 0 or scores[i] > scores[best]:
            best = i
    return best
