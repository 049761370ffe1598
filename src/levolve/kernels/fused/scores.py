"""Scores of levels whose genes are their packed rows: the shortest forms of the most frequent ones;
see `grades` for all others.

Scores of levels with an entrance and an exit: a value for levels that meet all constraints, and
something below for the others.

A grade is a kernel `grade(settings, rows, steps, reached, scores)`: the rows of levels, the steps
to their exits and the numbers of cells that are reachable without an exit give `(n,)` scores. A
score is a kernel of the rows alone: a walk to the exits, then a grade. Walks, grades and values are
called by address: settings contain pairs of an address and its settings.
"""

from functools import lru_cache

import numpy as np

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel
from levolve.kernels.fused.address_calls import Address, call
from levolve.kernels.fused.values import Kernel, Scores, Settings, Steps, Words, miss, summed
from levolve.kernels.variation.distances import lacking_words, merge_rows
from levolve.kernels.walking.packed_tours import place_best_small_tours, place_small_tours


@kernel
def score_exit_paths(
    settings: tuple[Address, int, int, int, int, int], rows: Words, scores: Scores
) -> None:
    """The steps to the exit, 0 without a path. Settings: the address of `boards.exit_steps`, the
    width, the x and y of the entrance and the exit.
    """
    flood, width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    call(flood, rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(0, steps[level])


@kernel
def score_wide_exit_paths(
    settings: tuple[Address, int, int, int, int, int], rows: Words, scores: Scores
) -> None:
    """`score_exit_paths` for levels of more than 64 columns, by the address of
    `wide_boards.exit_steps_wide`.
    """
    flood, width, start_x, start_y, exit_x, exit_y = settings
    steps = empty(rows.shape[0], np.int32)
    call(flood, rows, width, start_x, start_y, exit_x, exit_y, steps, None)
    for level in range(steps.size):
        scores[level] = max(0, steps[level])


@kernel
def score_tours(settings: tuple[int], rows: Words, scores: Scores) -> None:
    """The steps of the tour, -1 without one. Settings: the width. The last word of `rows` is the
    gene of B.
    """
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
    """The steps of the tour with B where it is longest, -1 without one. Settings: the width. The
    last word of `rows`, the gene of B, is not used.
    """
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


SMALLEST_MISS = 1e-9
FAR_BELOW = -1e300


@kernel
def walk(settings: Settings, rows: Words, steps: Steps, reached: Steps) -> None:
    """The steps to the exit. Settings: the address of `boards.exit_steps`, the width, and the x and
    y of the entrance and of the exit.
    """
    flood, width, start_x, start_y, exit_x, exit_y = settings
    call(flood, rows, None, width, start_x, start_y, exit_x, exit_y, steps, None)


@kernel
def walk_and_count(settings: Settings, rows: Words, steps: Steps, reached: Steps) -> None:
    """The steps to the exit, and the cells that are reachable without one. Settings: those of
    `walk`.
    """
    flood, width, start_x, start_y, exit_x, exit_y = settings
    call(flood, rows, None, width, start_x, start_y, exit_x, exit_y, steps, reached)


@kernel
def walk_wide(settings: Settings, rows: Words, steps: Steps, reached: Steps) -> None:
    """`walk_and_count` for levels of more than 64 columns. Settings: the address of
    `wide_boards.exit_steps_wide`, and the same numbers.
    """
    flood, width, start_x, start_y, exit_x, exit_y = settings
    call(flood, rows, width, start_x, start_y, exit_x, exit_y, steps, reached)


@kernel
def score_walks(settings: Settings, rows: Words, scores: Scores) -> None:
    """The grade of levels after a walk. Settings: the walk and the grade."""
    walking, grading = settings
    steps = empty(rows.shape[0], np.int32)
    reached = zeros(rows.shape[0], np.int32)
    call(walking[0], walking[1], rows, steps, reached)
    call(grading[0], grading[1], rows, steps, reached, scores[: rows.shape[0]])


@kernel
def grade_winnable(
    settings: Settings, rows: Words, steps: Steps, reached: Steps, scores: Scores
) -> None:
    """A value without other constraints than a path to the exit. Settings: the score of a level
    without a path, and the value.
    """
    infeasible, value = settings
    call(value[0], value[1], rows, steps, scores)
    for level in range(steps.size):
        if steps[level] < 0:
            scores[level] = infeasible


@kernel
def grade_constrained(
    settings: Settings, rows: Words, steps: Steps, reached: Steps, scores: Scores
) -> None:
    """A value with all constraints of `objectives.reward` but checkpoints. Settings: the
    constraints, and the value.

    The constraints are the lowest and the highest share of walls, whether they count, whether
    infeasible levels are ranked, the number of cells, the score of infeasible levels that are not
    ranked, and what the ranks are below: at most 0, or above 0 for far below everything.
    """
    low, high, is_bounded, is_ranked, cells, infeasible, least = settings[0]
    value = settings[1]
    call(value[0], value[1], rows, steps, scores)
    for level in range(steps.size):
        feasible = steps[level] >= 0
        closeness = 1.0 if feasible else reached[level] / cells
        if is_bounded:
            walls = np.uint64(0)
            for word in range(rows.shape[1]):
                walls += bit_count(rows[level, word])
            share = float(walls) / cells
            outside = max(low - share, share - high, 0.0)
            feasible = feasible and outside == 0
            closeness = (closeness + (1.0 - outside)) / 2
        if feasible:
            continue
        missing = min(closeness - 1.0, -SMALLEST_MISS)
        if not is_ranked:
            scores[level] = infeasible
        else:
            scores[level] = FAR_BELOW * (1.0 - missing) if least > 0 else missing + least


@kernel
def grade_nothing(
    settings: Settings, rows: Words, steps: Steps, reached: Steps, scores: Scores
) -> None:
    """Grade nothing: only misses count."""


@lru_cache(maxsize=64)
def grade_distinct(targets: int) -> Kernel:
    """Compose the grade of a level of a pack with so many targets: distinct from others, all
    targets met, and then another grade.
    """
    add_misses = summed(miss, targets)

    @kernel
    def grade(
        settings: Settings, rows: Words, steps: Steps, reached: Steps, scores: Scores
    ) -> None:
        """Compute the score of `packs.objective.PackObjective`.

        Settings, each a tuple: the width and the number of cells; what levels are compared with,
        see `lacking_words`; whether there is another grade, and the score of a level that misses
        something, from which its misses are subtracted; those of the targets; the other grade.
        """
        width, cells = settings[0]
        taken, images, digests, least = settings[1]
        has_grade, missed = settings[2]
        other = settings[4]
        count = rows.shape[0]
        words = empty((count, taken.shape[0]), np.uint64)
        merge_rows(rows, width, words)
        lacking = empty(count, np.int64)
        lacking_words(words, taken, images, digests, least, lacking)
        short, work = empty(count, np.float64), empty(count, np.float64)
        for level in range(count):
            short[level] = lacking[level] / least + (
                2.0 - reached[level] / cells if steps[level] < 0 else 0.0
            )
        add_misses(settings[3], rows, steps, work, short)
        call(other[0], other[1], rows, steps, reached, scores)
        for level in range(count):
            if not has_grade:
                scores[level] = -short[level]
            elif short[level] > 0:
                scores[level] = missed - short[level]

    return grade
