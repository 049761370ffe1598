"""Scores of levels whose genes are their packed rows."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.boards import exit_steps, unpack_rows
from levolve.kernels.compiled import kernel
from levolve.kernels.memory import empty
from levolve.kernels.small_tours import place_best_small_tours
from levolve.kernels.walls import count_ends_of_walls
from levolve.kernels.wide_boards import exit_steps_wide

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]


@kernel
def score_exit_paths(settings: tuple[int, int, int, int, int], rows: Words, scores: Scores) -> None:
    """The steps to the exit, 0 without a path. Settings: the width, the x and y of the entrance, and the x and y of the exit."""
    width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    exit_steps(rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(0, steps[level])


@kernel
def score_wide_exit_paths(settings: tuple[int, int, int, int, int], rows: Words, scores: Scores) -> None:
    """`score_exit_paths` for levels of more than 64 columns."""
    width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    exit_steps_wide(rows, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(0, steps[level])


@kernel
def score_culs_de_sac(settings: tuple[bool, int, int, int, int, int], rows: Words, scores: Scores) -> None:
    """The number of culs-de-sac, 0 without a path to the exit. Settings: whether their lengths count instead, and those of `score_exit_paths`."""
    by_length, width, start_x, start_y, exit_x, exit_y = settings
    count, height = rows.shape
    steps = empty(count, np.int32)
    exit_steps(rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)
    tiles = empty((count, height, width), np.uint8)
    unpack_rows(rows, tiles)
    ends = empty(count, np.int64)
    lengths = empty(count, np.int64)
    junctions = empty(count, np.int64)
    count_ends_of_walls(tiles, start_x, start_y, ends, lengths, junctions)
    for level in range(count):
        scores[level] = 0 if steps[level] < 0 else lengths[level] if by_length else ends[level]


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
