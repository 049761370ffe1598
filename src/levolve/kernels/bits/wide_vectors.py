"""Floods of several levels wider than 64 columns at once: a word of each level lies side by side
with those of the others, in the lanes of a vector.

A round is that of `wide_boards`, for every word of the levels. Unless paths have many steps back,
this is faster than to compute words with new cells only. A lane whose level is finished gets the
next one.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import full, zeros
from levolve.kernels.bits.vectors import LANES, load, spread, store
from levolve.kernels.compiler import kernel

Rows = NDArray[np.uint64]
Steps = NDArray[np.int32]
WORD = 64
# The steps of a level that is not searched yet.
UNKNOWN = -2
# Rounds between two looks for floods that are complete.
ROUNDS_TO_LOOK = 4
_0, _1, LAST, ALL_ONES = map(np.uint64, (0, 1, WORD - 1, 0xFFFFFFFFFFFFFFFF))


@kernel
def _sweep(
    here: Rows,
    open_cells: Rows,
    width: int,
    start_x: int,
    start_y: int,
    watched: bool,
    changed: Rows,
) -> None:
    """Advance the floods of all lanes by one round. Both arrays have an empty border row above and
    below, and a closed column at the end of a row.

    If `watched`, the new cells of each lane in any word are written to `changed`.
    """
    words = width // WORD + 1
    row, beside = np.uint64(words * LANES), np.uint64(LANES)
    start = _1 << np.uint64(start_x % WORD)
    grown = spread(_0)
    # Down one column of words after the other: the words on the left are of this round, those on
    # the right of the last one.
    for j in range((width + WORD - 1) // WORD):
        cell = np.uint64((words + j) * LANES)
        entered_at = start_y if j == start_x // WORD else -1
        above = spread(_0)
        own = load(here, cell)
        for y in range(here.size // (words * LANES) - 2):
            if y == entered_at:
                above = above | spread(start)
            free = load(open_cells, cell)
            below = load(here, cell + row)
            aside = (load(here, cell - beside) >> LAST) | (load(here, cell + beside) << LAST)
            entered = (own | (own >> _1) | aside | below | above) & free
            above = entered | (~(entered + free) & free)
            if watched:
                grown = grown | (above ^ own)
            store(here, cell, above)
            own = below
            cell += row
    store(changed, _0, grown)


@kernel
def _enter(
    walls: Rows, height: int, width: int, flipped: bool, lane: int, here: Rows, open_cells: Rows
) -> None:
    """Write the open cells of one level's `(height * words,)` rows into a lane, upside down if
    `flipped`, and clear the lane's flood.
    """
    packed = (width + WORD - 1) // WORD
    last = ALL_ONES >> np.uint64(packed * WORD - width)
    row = np.uint64((width // WORD + 1) * LANES)
    at, step = ((height - 1) * packed, -packed) if flipped else (0, packed)
    first = row + np.uint64(lane)
    for _ in range(height):
        cell = first
        for j in range(packed):
            open_cells[cell] = ~walls[np.uint64(at + j)] & (last if j == packed - 1 else ALL_ONES)
            here[cell] = _0
            cell += np.uint64(LANES)
        first += row
        at += step


@kernel
def flood_together(
    rows: Rows,
    width: int,
    flipped: bool,
    start_x: int,
    start_y: int,
    goal_x: int,
    goal_y: int,
    upcoming: int,
    most: int,
    steps: Steps,
) -> None:
    """Write the steps of the levels from `upcoming` on whose flood reaches the goal, or ends, in so
    many rounds; those of others remain `UNKNOWN`.

    In levels that are upside down if `flipped`, the goal is not left of the start, and not above.
    """
    height = rows.shape[1] // ((width + WORD - 1) // WORD)
    words = width // WORD + 1
    here = zeros((height + 2) * words * LANES, np.uint64)
    open_cells = zeros((height + 2) * words * LANES, np.uint64)
    changed = zeros(LANES, np.uint64)
    # The level of each lane, -1 if it has none, and the round in which that began.
    level_of = full(LANES, -1, np.int64)
    since = zeros(LANES, np.int64)
    apart = goal_x - start_x + goal_y - start_y
    goal_word = np.uint64(((goal_y + 1) * words + goal_x // WORD) * LANES)
    goal_shift = np.uint64(goal_x % WORD)
    rounds = 0
    busy = True
    while busy:
        busy = False
        for lane in range(LANES):
            level = level_of[lane]
            finished = level < 0 or rounds - since[lane] >= most
            if level >= 0 and (here[goal_word + np.uint64(lane)] >> goal_shift) & _1:
                steps[level] = apart + 2 * (rounds - since[lane] - 1)
                finished = True
            elif level >= 0 and rounds % ROUNDS_TO_LOOK == 0 and changed[lane] == _0:
                # Nothing new in the last round: the goal is unreachable.
                steps[level] = -1
                finished = True
            if finished:
                level_of[lane] = -1
                if upcoming < rows.shape[0]:
                    _enter(rows[upcoming], height, width, flipped, lane, here, open_cells)
                    level_of[lane] = upcoming
                    since[lane] = rounds
                    upcoming += 1
            busy |= level_of[lane] >= 0
        rounds += 1
        _sweep(here, open_cells, width, start_x, start_y, rounds % ROUNDS_TO_LOOK == 0, changed)
