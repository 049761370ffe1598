"""Scores of levels whose genes are their packed rows."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.boards import exit_steps
from levolve.kernels.compiled import kernel

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]


@kernel
def score_exit_paths(settings: tuple[int, int, int, int, int], rows: Words, scores: Scores) -> None:
    """The steps to the exit, 0 without a path. Settings: the width, the x and y of the entrance, and the x and y of the exit."""
    width, start_x, start_y, exit_x, exit_y = settings
    steps = np.empty(rows.shape[0], np.int32)
    exit_steps(rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(steps[level], 0)


@kernel
def best_index(scores: Scores, count: int) -> int:
    """Return the index of the first highest of the first `count` scores; -1 if there are none."""
    best = -1
    for i in range(count):
        if best < 0 or scores[i] > scores[best]:
            best = i
    return best
