"""The longest shortest path of packed levels by floods of bits, eight levels side by side in SIMD
lanes.

A flood that starts at v and takes e steps shows that no path from a cell at a distance of d from v
is longer than d + e. So cells within `longest - e` of v are no ends of a longer path than the
longest so far, and no flood has to start there. The flood from the middle of a long path, where e
is small, rules out most cells of a region. Floods from the remaining cells follow, until none
remains.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import full, zeros
from levolve.kernels.bits.packed_flood import Rows
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel

LANES = 8
_0, _1, _LANES = np.uint64(0), np.uint64(1), np.uint64(LANES)
NO_LIMIT = 1 << 40
# What the flood of a lane is for: to find a region; a long path from its last cell; the cells near
# one end of that path, and those near the other, to find the middle; the distances from the middle,
# and the cells that it rules out; the same two for another cell.
REGION, FAR, NEAR_END, NEAR_START, MIDDLE, MIDDLE_BALL, CELL, CELL_BALL, NOTHING = range(9)


@kernel
def _spread(here: Rows, there: Rows, left: Rows, quarter: int, folded: Rows, gained: Rows) -> None:
    """Advance all lanes by one step: `there` becomes the cells of `left` next to those of `here`,
    and is removed from `left`.

    `gained` becomes the new cells of all rows of a lane, joined by or; four rows at a time, because
    one after the other would wait for memory.
    """
    for i in range(left.size):
        above = np.uint64(
            i
            # unsigned: a signed index would be checked for negative values, which prevents
            # vectorisation
        )
        cell = here[above + _LANES]
        new = ((cell << _1) | (cell >> _1) | here[above] | here[above + _LANES + _LANES]) & left[
            above
        ]
        there[above + _LANES] = new
        left[above] ^= new
    part = np.uint64(quarter)
    for i in range(quarter):
        first = np.uint64(i) + _LANES
        folded[np.uint64(i)] = (
            there[first]
            | there[first + part]
            | there[first + part + part]
            | there[first + part + part + part]
        )
    for lane in range(LANES):
        gained[lane] = folded[lane]
    for i in range(LANES, quarter, LANES):
        for lane in range(LANES):
            gained[lane] |= folded[np.uint64(i + lane)]


@kernel
def _lowest(word: np.uint64) -> np.uint64:
    """Return the lowest set bit of a word."""
    return word & (_0 - word)


@kernel
def _row_of_first(words: Rows, base: int, lane: int) -> np.int64:
    """Return the first row of a lane that has a set bit. Row 0 is at `base`; there must be one."""
    place = np.uint64(base + lane)
    while words[place] == _0:
        place += _LANES
    return (np.int64(place) - base) // LANES


@kernel
def _begin(
    lane: int, row: np.int64, cell: np.uint64, open_cells: Rows, left: Rows, layers: Rows, base: int
) -> None:
    """Let the flood of a lane start at a cell. `layers` has a border row at `base`."""
    place, ahead = np.uint64(lane), np.uint64(base + LANES)
    while place < np.uint64(left.size):
        left[place] = open_cells[place]
        layers[place + ahead] = _0
        place += _LANES
    left[row * LANES + lane] ^= cell
    layers[base + (row + 1) * LANES + lane] = cell


@kernel
def longest_paths_on_boards(
    rows: Rows, width: int, low: float, high: float, out: NDArray[np.int32]
) -> None:
    """Compute the greatest distance between any two connected open cells of `(n, height)` row words
    of at most 64 columns; 0 if there are none.

    As soon as this distance is known to lie within `low` and `high`, any number within them may be
    the result. The time of a flood is in proportion to its steps and to the height, not to the open
    cells: up to 50 columns a queue is slower, and at 64 faster only where one path fills the level.
    """
    count, height = rows.shape
    ceiling = np.int64(min(high, float(NO_LIMIT)))
    columns = ~_0 >> np.uint64(64 - width)
    quarter = (height + 3) // 4 * LANES
    # Two buffers in one array for the last two steps of all floods, each with a border row above
    # and below.
    half = 4 * quarter + 2 * LANES
    layers = zeros(2 * half, np.uint64)
    one, other = layers[:half], layers[half:]
    # By row and lane: open cells; those that the flood has not reached; those of no region so far;
    # where floods may start; the middle of a path.
    open_cells, left, unexplored = (
        zeros(height * LANES, np.uint64),
        zeros(height * LANES, np.uint64),
        zeros(height * LANES, np.uint64),
    )
    wanted, middle = zeros(height * LANES, np.uint64), zeros(height * LANES, np.uint64)
    folded, gained = zeros(quarter, np.uint64), zeros(LANES, np.uint64)
    level, phase = full(LANES, -1, np.int64), full(LANES, NOTHING, np.int64)
    steps, limit, longest = (
        zeros(LANES, np.int64),
        full(LANES, NO_LIMIT, np.int64),
        zeros(LANES, np.int64),
    )
    # Rows and bits of cells: the start and the end of a long path, its middle, and the cell of a
    # flood. The steps of the flood from the middle, and the radius around it that is ruled out;
    # before, the length of the path.
    start_row, end_row, middle_row, cell_row = zeros((4, LANES), np.int64)
    start_bit, end_bit, middle_bit, cell_bit = zeros((4, LANES), np.uint64)
    from_middle, radius = zeros((2, LANES), np.int64)
    upcoming = busy = 0
    even, began = True, False
    while True:
        if began:
            if even:
                _spread(one, other, left, quarter, folded, gained)
            else:
                _spread(other, one, left, quarter, folded, gained)
            ended = 0
            for lane in range(LANES):
                steps[lane] += gained[lane] != _0
                ended += (gained[lane] == _0) | (steps[lane] == limit[lane])
            if ended <= LANES - busy:
                even = not even
                continue
        # The buffer that was flooded from: the last cells of a flood that has gained nothing. The
        # next step starts from `target`.
        last = 0 if even else half
        target = half - last if began else 0
        for lane in range(LANES):
            if began and (level[lane] < 0 or (gained[lane] != _0 and steps[lane] < limit[lane])):
                continue
            now, taken = phase[lane], steps[lane]
            while True:
                row, bit, most = np.int64(0), _0, np.int64(NO_LIMIT)
                if now in (REGION, FAR, MIDDLE, CELL):
                    longest[lane] = max(longest[lane], taken)
                # No path of interest is longer: where the target is met, none within it.
                enough = longest[lane] if longest[lane] < low else max(longest[lane], ceiling)
                finished = now == NOTHING or (now in (REGION, FAR, MIDDLE) and 2 * taken <= enough)
                place = np.uint64(lane)
                if now == REGION:
                    size = _0
                    for _ in range(height):
                        wanted[place] = open_cells[place] & ~left[place]
                        unexplored[place] &= left[place]
                        size += bit_count(wanted[place])
                        place += _LANES
                    if not finished and np.int64(size) - 1 > enough:
                        row = start_row[lane] = _row_of_first(layers, last + LANES, lane)
                        bit = start_bit[lane] = _lowest(layers[last + LANES + row * LANES + lane])
                        now = FAR
                    else:
                        finished = True
                elif finished:
                    pass
                elif now == FAR:
                    row = end_row[lane] = _row_of_first(layers, last + LANES, lane)
                    bit = end_bit[lane] = _lowest(layers[last + LANES + row * LANES + lane])
                    radius[lane] = taken
                    now, most = NEAR_END, taken // 2
                elif now == NEAR_END:
                    for _ in range(height):
                        middle[place] = open_cells[place] & ~left[place]
                        place += _LANES
                    row, bit = start_row[lane], start_bit[lane]
                    now, most = NEAR_START, radius[lane] - radius[lane] // 2
                elif now == NEAR_START:
                    total = _0
                    for _ in range(height):
                        middle[place] &= ~left[place]
                        total += bit_count(middle[place])
                        place += _LANES
                    # Of several middles, the one in the middle.
                    skipped = np.int64(total) // 2
                    place = np.uint64(lane)
                    while np.int64(bit_count(middle[place])) <= skipped:
                        skipped -= np.int64(bit_count(middle[place]))
                        place += _LANES
                    cells = middle[place]
                    for _ in range(skipped):
                        cells &= cells - _1
                    row = middle_row[lane] = np.int64(place) // LANES
                    bit = middle_bit[lane] = _lowest(cells)
                    now = MIDDLE
                elif now == MIDDLE:
                    from_middle[lane], radius[lane] = taken, enough - taken
                    row, bit = middle_row[lane], middle_bit[lane]
                    now, most = MIDDLE_BALL, radius[lane]
                elif now == CELL:
                    row, bit = cell_row[lane], cell_bit[lane]
                    now, most = CELL_BALL, enough - taken
                else:
                    remaining = _0
                    for _ in range(height):
                        wanted[place] &= left[place]
                        remaining |= wanted[place]
                        place += _LANES
                    if remaining == _0:
                        finished = True
                    elif enough - from_middle[lane] > radius[lane]:
                        # A longer path was found since: the middle rules out more cells.
                        row, bit = middle_row[lane], middle_bit[lane]
                        radius[lane] = enough - from_middle[lane]
                        now, most = MIDDLE_BALL, radius[lane]
                    else:
                        row = cell_row[lane] = _row_of_first(wanted, 0, lane)
                        bit = cell_bit[lane] = _lowest(wanted[row * LANES + lane])
                        now = CELL
                if finished:
                    row = np.int64(0)
                    if level[lane] >= 0:
                        while row < height and unexplored[row * LANES + lane] == _0:
                            row += 1
                    if level[lane] < 0 or row == height:
                        if level[lane] >= 0:
                            out[level[lane]] = longest[lane]
                            busy -= 1
                        longest[lane], level[lane], now = 0, -1, np.int64(NOTHING)
                        if upcoming == count:
                            # Nothing is flooded any more.
                            place = np.uint64(lane)
                            for _ in range(height):
                                left[place] = _0
                                place += _LANES
                            break
                        level[lane] = upcoming
                        upcoming += 1
                        busy += 1
                        place = np.uint64(lane)
                        for y in range(height):
                            open_cells[place] = unexplored[place] = ~rows[level[lane], y] & columns
                            place += _LANES
                        continue
                    now, bit = np.int64(REGION), _lowest(unexplored[row * LANES + lane])
                _begin(lane, row, bit, open_cells, left, layers, target)
                taken = np.int64(0)
                if most > 0:
                    phase[lane], steps[lane], limit[lane] = now, taken, most
                    break
        if busy == 0:
            break
        even = not even if began else even
        began = True
