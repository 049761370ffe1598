"""Levels wider than 64 columns as rows of bits: each row starts a new word of `(n, height * words)` packed rows; a set bit is a wall.

A flood fill works on words that overlap: neighbouring words share some columns, and each computes its own. A flood that enters from the neighbour is
missing at first in the shared columns near the edge, one more column per step, so that the shared columns are joined before half of them are
outdated. Between two such exchanges a step is that of `boards`. Levels with very long paths are searched with a queue instead.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import bit_count
from levolve.kernels.compiled import inlined, kernel
from levolve.kernels.memory import empty, full, zeros

Rows = NDArray[np.uint64]
Steps = NDArray[np.int32]
WORD = 64
LANES = 4
# The fewest and the most columns that two words share, and steps per round: the shared columns are joined after half as many steps as columns.
FEWEST, MOST, ROUND = 8, 32, 4
# Rounds between two looks for floods that are complete.
ROUNDS_TO_LOOK = 4
# After this many steps a queue takes less time than the flood; wider levels have longer paths.
MOST_STEPS = 768
WIDEST_FLOOD = 384
_0, _1, _2, _3, ALL_ONES = (np.uint64(n) for n in (0, 1, 2, 3, 0xFFFFFFFFFFFFFFFF))


@inlined
def wait(flooded: Rows, exit_row: np.uint64, exit_x: np.uint64, lowest: np.uint64, waited: Rows) -> None:
    """Count one more step for each field whose flood has not reached the exit. Each field counts in its own bits of `waited`."""
    for lane in range(LANES):
        waited[lane] += ~(flooded[exit_row + np.uint64(lane)] >> exit_x) & lowest


@kernel
def overlapping(width: int) -> tuple[int, int]:
    """Return the number of words for a row of `width` columns, above 64, and the number of columns that neighbouring words share."""
    words = -((FEWEST - width) // (WORD - FEWEST))
    return words, min((words * WORD - width) // (words - 1), MOST) // (2 * ROUND) * 2 * ROUND


@kernel
def _enter_wide(walls: Rows, height: int, width: int, words: int, shared: int, lane: int, here: Rows, lanes: Rows) -> None:
    """Write the open cells of one level's `(height * packed words,)` rows into a lane, and clear the lane's flood."""
    packed = (width + WORD - 1) // WORD
    row = np.uint64(words * LANES)
    for j in range(words):
        first = j * (WORD - shared)
        shift = np.uint64(first % WORD)
        columns = ALL_ONES >> np.uint64(WORD - min(width - first, WORD))
        at = np.uint64(first // WORD)
        # The last word has no right neighbour; it is then its own, of which no bit is used.
        beside = min(at + _1, np.uint64(packed - 1))
        # A shift by 64 is not defined, so that it is done in two parts.
        back = np.uint64(WORD - 1) - shift
        cell = np.uint64(j * LANES + lane)
        for _ in range(height):
            bits = (walls[at] >> shift) | ((walls[beside] << back) << _1)
            lanes[cell] = ~bits & columns
            cell += row
            here[cell] = _0
            at += np.uint64(packed)
            beside += np.uint64(packed)


@inlined
def _spread_words(here: Rows, there: Rows, open_cells: Rows, row: np.uint64) -> None:
    """Advance all lanes by one step; a row has `row` words."""
    for i in range(open_cells.size):
        above = np.uint64(i)
        cell = here[above + row]
        there[above + row] = (cell | (cell << _1) | (cell >> _1) | here[above] | here[above + row + row]) & open_cells[above]


@kernel
def _join(here: Rows, height: int, words: int, shared: int) -> None:
    """Join the columns that neighbouring words share."""
    upper = np.uint64(WORD - shared)
    low = ALL_ONES >> upper
    for y in range(1, height + 1):
        for j in range(words - 1):
            first = np.uint64((y * words + j) * LANES)
            for i in range(LANES):
                left = first + np.uint64(i)
                right = left + np.uint64(LANES)
                a, b = here[left], here[right]
                here[left] = a | (b << upper)
                here[right] = b | ((a >> upper) & low)


@kernel
def _look_for_changes(here: Rows, there: Rows, height: int, words: int, shared: int, changed: Rows) -> None:
    """Set `changed` of the lanes with a new cell in the last step, or with shared columns that differ: the flood of all others is complete."""
    upper = np.uint64(WORD - shared)
    low = ALL_ONES >> upper
    lanes = np.uint64(LANES)
    # One accumulator per lane: an array of them would be stored and loaded for every word.
    first = second = third = fourth = _0
    for y in range(1, height + 1):
        cell = np.uint64(y * words * LANES)
        for j in range(words):
            first |= here[cell] ^ there[cell]
            second |= here[cell + _1] ^ there[cell + _1]
            third |= here[cell + _2] ^ there[cell + _2]
            fourth |= here[cell + _3] ^ there[cell + _3]
            if j > 0:
                left = cell - lanes
                first |= (here[left] >> upper) ^ (here[cell] & low)
                second |= (here[left + _1] >> upper) ^ (here[cell + _1] & low)
                third |= (here[left + _2] >> upper) ^ (here[cell + _2] & low)
                fourth |= (here[left + _3] >> upper) ^ (here[cell + _3] & low)
            cell += lanes
    changed[0], changed[1], changed[2], changed[3] = first, second, third, fourth


@kernel
def _search(walls: Rows, height: int, width: int, start: int, goal: int, closed: NDArray[np.uint8], now: Steps, later: Steps) -> tuple[int, np.int64]:
    """Return the steps from start to goal, -1 without a path, and the number of reached cells, by two queues: the cells of this step and of the next.

    `closed` has `(height + 2) * (width + 2)` bytes; start and goal are indices in it. A cell is closed when it is reached. A byte per cell stays in
    the processor's cache where a number per cell would not.
    """
    packed = (width + WORD - 1) // WORD
    stride = width + 2
    closed[:] = 1
    for y in range(height):
        for x in range(width):
            closed[(y + 1) * stride + 1 + x] = (walls[y * packed + x // WORD] >> np.uint64(x % WORD)) & _1
    if closed[start]:
        return -1, np.int64(0)
    goal_open = closed[goal] == 0
    closed[start] = 1
    now[0] = start
    count = np.uint64(1)
    reached = np.int64(1)
    steps = 0
    row, column = np.uint64(stride), np.uint64(1)
    goal_reached = start == goal
    while count > _0 and not goal_reached:
        tail = _0
        for k in range(count):
            cell = np.uint64(now[np.uint64(k)])
            for near in (cell - row, cell + row, cell - column, cell + column):
                # Stored without a branch; the queue grows by the condition.
                later[tail] = near
                tail += np.uint64(1 - closed[near])
                closed[near] = 1
        steps += 1
        reached += np.int64(tail)
        count = tail
        now, later = later, now
        goal_reached = goal_open and closed[goal] == 1
    return (steps if goal_reached else -1), reached


@kernel
def exit_steps_wide(rows: Rows, width: int, start_x: int, start_y: int, exit_x: int, exit_y: int, steps: Steps, reached: Steps | None) -> None:
    """`boards.exit_steps` for `(n, height * words)` packed levels of more than 64 columns."""
    count = rows.shape[0]
    packed = (width + WORD - 1) // WORD
    height = rows.shape[1] // packed
    if start_x == exit_x and start_y == exit_y:
        for level in range(count):
            steps[level] = -np.int32((rows[level, start_y * packed + start_x // WORD] >> np.uint64(start_x % WORD)) & _1)
        return
    unfinished = -2
    for level in range(count):
        steps[level] = unfinished
    if width <= WIDEST_FLOOD:
        _flood(rows, height, width, start_x, start_y, exit_x, exit_y, steps, reached)
    stride = width + 2
    cells = (height + 2) * stride
    closed = empty(cells, np.uint8)
    now = empty(cells + 1, np.int32)
    later = empty(cells + 1, np.int32)
    start, goal = (start_y + 1) * stride + start_x + 1, (exit_y + 1) * stride + exit_x + 1
    for level in range(count):
        if steps[level] == unfinished:
            found, area = _search(rows[level], height, width, start, goal, closed, now, later)
            steps[level] = found
            if reached is not None and found < 0:
                reached[level] = area


@kernel
def _flood(rows: Rows, height: int, width: int, start_x: int, start_y: int, exit_x: int, exit_y: int, steps: Steps, reached: Steps | None) -> None:
    """Write the steps of levels whose flood reaches the exit, or ends, within `MOST_STEPS` steps; do not write those of others."""
    count = rows.shape[0]
    words, shared = overlapping(width)
    own = WORD - shared
    row = np.uint64(words * LANES)
    here = zeros((height + 2) * words * LANES, np.uint64)
    there = zeros((height + 2) * words * LANES, np.uint64)
    open_cells = zeros(height * words * LANES, np.uint64)
    changed = zeros(LANES, np.uint64)
    level_of = full(LANES, -1, np.int64)
    began = zeros(LANES, np.int64)
    # Of the words that share the column of the exit, the one in which it is never outdated.
    exit_word = min(max(exit_x - shared // 2, 0) // own, words - 1)
    exit_cell = np.uint64(((exit_y + 1) * words + exit_word) * LANES)
    exit_shift = np.uint64(exit_x - exit_word * own)
    waited = zeros(LANES, np.uint64)
    rounds_to_join = shared // (2 * ROUND)
    upcoming = 0
    rounds = 0
    busy = LANES
    finished = full(LANES, 1, np.uint8)
    while True:
        for lane in range(LANES):
            if finished[lane] == 0:
                continue
            finished[lane] = 0
            waited[lane] = _0
            began[lane] = rounds
            if upcoming < count:
                level_of[lane] = upcoming
                _enter_wide(rows[upcoming], height, width, words, shared, lane, here, open_cells)
                for j in range(words):
                    column = start_x - j * own
                    if 0 <= column < WORD:
                        cell = (start_y * words + j) * LANES + lane
                        here[cell + words * LANES] = (_1 << np.uint64(column)) & open_cells[cell]
                upcoming += 1
            else:
                level_of[lane] = -1
                for cell in range(lane, here.size, LANES):
                    here[cell] = _0
                busy -= 1
        if busy == 0:
            return
        for _ in range(ROUND // 2):
            _spread_words(here, there, open_cells, row)
            wait(there, exit_cell, exit_shift, _1, waited)
            _spread_words(there, here, open_cells, row)
            wait(here, exit_cell, exit_shift, _1, waited)
        rounds += 1
        # A flood that is complete has an unreachable exit. To look for one takes about as long as a step.
        look_for_stalled = rounds % ROUNDS_TO_LOOK == 0
        if look_for_stalled:
            _look_for_changes(here, there, height, words, shared, changed)
        if rounds % rounds_to_join == 0:
            _join(here, height, words, shared)
        for lane in range(LANES):
            level = level_of[lane]
            if level < 0:
                continue
            if (here[exit_cell + np.uint64(lane)] >> exit_shift) & _1:
                steps[level] = np.int32(waited[lane]) + 1
                finished[lane] = 1
            elif look_for_stalled and changed[lane] == _0:
                steps[level] = -1
                finished[lane] = 1
                if reached is not None:
                    area = _0
                    for y in range(1, height + 1):
                        for j in range(words):
                            bits = here[(y * words + j) * LANES + lane]
                            area += bit_count(bits if j == words - 1 else bits & (ALL_ONES >> np.uint64(shared)))
                    reached[level] = np.int64(area)
            elif (rounds - began[lane]) * ROUND >= MOST_STEPS:
                finished[lane] = 1
