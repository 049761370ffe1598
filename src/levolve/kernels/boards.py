"""Levels as rows of bits: one 64-bit word contains a row of up to 64 cells, a set bit is a wall, column 0 is the lowest bit.

A row advances in four directions with two shifts and its two neighbour rows. Many levels are flooded at once: several narrow levels share a word,
each in its own field, mostly with a closed column between, and the words lie side by side in SIMD lanes. A field whose level is finished gets the
next level, so that a long path does not delay short ones.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import bit_count
from levolve.kernels.compiled import inlined, kernel, level_kernel
from levolve.kernels.memory import zeros

LANES = 4
WIDEST = 64  # the number of columns that fit into one word

Rows = NDArray[np.uint64]
_0, _1, _2, _3, ALL_ONES = (np.uint64(n) for n in (0, 1, 2, 3, 0xFFFFFFFFFFFFFFFF))


@level_kernel
def pack_rows(tiles: NDArray[np.uint8], rows: Rows) -> None:
    """Pack `(n, height, width)` tiles, width at most 64, into `(n, height)` words."""
    for level in range(tiles.shape[0]):
        for y in range(tiles.shape[1]):
            word = _0
            for x in range(tiles.shape[2]):
                word |= np.uint64(tiles[level, y, x] != 0) << np.uint64(x)
            rows[level, y] = word


@level_kernel
def unpack_rows(rows: Rows, tiles: NDArray[np.uint8]) -> None:
    """Unpack `(n, height)` words into `(n, height, width)` tiles of 0 and 1."""
    for level in range(tiles.shape[0]):
        for y in range(tiles.shape[1]):
            word = rows[level, y]
            for x in range(tiles.shape[2]):
                tiles[level, y, x] = (word >> np.uint64(x)) & _1


@kernel
def link_rows(tiles: NDArray[np.uint8], allowed: NDArray[np.uint8], right: Rows, down: Rows) -> None:
    """Write the legal steps of `(n, height, width)` tiles of any tileset as bits: to the right and back, and down and back."""
    count, height, width = tiles.shape
    for level in range(count):
        for y in range(height):
            aside = below = _0
            for x in range(width):
                steps = allowed[tiles[level, y, x]]
                if x + 1 < width:
                    aside |= np.uint64(steps[tiles[level, y, x + 1]]) << np.uint64(x)
                if y + 1 < height:
                    below |= np.uint64(steps[tiles[level, y + 1, x]]) << np.uint64(x)
            right[level, y] = aside
            down[level, y] = below


@inlined
def _spread(here: Rows, there: Rows, open_cells: Rows) -> None:
    """Advance all lanes by one step: `there` becomes the open cells in or next to `here`. The first and last row are an empty border."""
    row = np.uint64(LANES)
    for i in range(open_cells.size):
        above = np.uint64(i)  # unsigned: a signed index would be checked for negative values, which prevents vectorisation
        cell = here[above + row]
        there[above + row] = (cell | (cell << _1) | (cell >> _1) | here[above] | here[above + row + row]) & open_cells[above]


@inlined
def _spread_tight(here: Rows, there: Rows, open_cells: Rows, inner: np.uint64) -> None:
    """`_spread` for fields without a closed column between: `inner` lacks the last column of each field, which is next to another level."""
    row = np.uint64(LANES)
    for i in range(open_cells.size):
        above = np.uint64(i)
        cell = here[above + row]
        there[above + row] = (cell | ((cell & inner) << _1) | ((cell >> _1) & inner) | here[above] | here[above + row + row]) & open_cells[above]


@inlined
def _spread_linked(here: Rows, there: Rows, right: Rows, down: Rows) -> None:
    """`_spread` with a separate flag for every step. `down` has a border row above, like `here`."""
    row = np.uint64(LANES)
    for i in range(right.size):
        above = np.uint64(i)
        cell = here[above + row]
        aside = right[above]
        upright = (here[above] & down[above]) | (here[above + row + row] & down[above + row])
        there[above + row] = cell | ((cell & aside) << _1) | ((cell >> _1) & aside) | upright


@inlined
def wait(flooded: Rows, exit_row: np.uint64, exit_x: np.uint64, lowest: np.uint64, waited: Rows) -> None:
    """Count one more step for each field whose flood has not reached the exit. Each field counts in its own bits of `waited`."""
    for lane in range(LANES):
        waited[lane] += ~(flooded[exit_row + np.uint64(lane)] >> exit_x) & lowest


@inlined
def _changes(here: Rows, there: Rows, height: int, changed: Rows) -> None:
    """Write the cells of each lane that the last step added in any row."""
    # One accumulator per lane: an array of them would be stored and loaded for every row.
    first = second = third = fourth = _0
    cell = np.uint64(LANES)
    for _ in range(height):
        first |= here[cell] ^ there[cell]
        second |= here[cell + _1] ^ there[cell + _1]
        third |= here[cell + _2] ^ there[cell + _2]
        fourth |= here[cell + _3] ^ there[cell + _3]
        cell += np.uint64(LANES)
    changed[0], changed[1], changed[2], changed[3] = first, second, third, fourth


@kernel
def _enter(words: Rows, lane: int, shift: np.uint64, field: np.uint64, lanes: Rows) -> None:
    """Write the rows of a level into the field of a lane that starts at bit `shift`."""
    for y in range(words.size):
        cell = y * LANES + lane
        lanes[cell] = (lanes[cell] & ~(field << shift)) | ((words[y] & field) << shift)


@inlined
def _replace(rows: Rows, level: int, lane: int, shift: np.uint64, field: np.uint64, here: Rows, lanes: Rows) -> None:
    """`_enter` the open cells of a level, and `_clear` its flood, in one pass."""
    others = ~(field << shift)
    cell = np.uint64(lane)
    for y in range(rows.shape[1]):
        lanes[cell] = (lanes[cell] & others) | ((~rows[level, y] & field) << shift)
        cell += np.uint64(LANES)
        here[cell] &= others


@kernel
def _clear(lane: int, shift: np.uint64, field: np.uint64, lanes: Rows) -> None:
    """Clear the field of a lane that starts at bit `shift`."""
    for cell in range(lane, lanes.size, LANES):
        lanes[cell] &= ~(field << shift)


@kernel
def exit_steps(
    rows: Rows,
    down: Rows | None,
    width: int,
    start_x: int,
    start_y: int,
    exit_x: int,
    exit_y: int,
    steps: NDArray[np.int32],
    reached: NDArray[np.int32] | None,
) -> None:
    """Compute the shortest path from start to exit for each of `(n, height)` packed levels; -1 if there is none.

    Without `down`, a set bit in `rows` is a wall. With it, `rows` and `down` are the links from `link_rows`. `reached`, if given, gets the number of
    reachable cells if the exit is unreachable.
    """
    count, height = rows.shape
    if start_x == exit_x and start_y == exit_y:
        for level in range(count):
            steps[level] = 0 if down is not None else -np.int32((rows[level, start_y] >> np.uint64(start_x)) & _1)
        return
    # A field contains the level's columns and one closed column, and needs enough bits to count slightly more steps than there are cells.
    enough = 1
    while enough < WIDEST and (width * height + 32) >> enough > 0:
        enough += 1
    bits = max(width + 1, enough)
    fields = max(1, WIDEST // bits)
    # Without the closed column a step takes about a quarter longer, which pays if a third more levels fit into a word.
    narrow = max(width, enough)
    tight = down is None and 3 * (WIDEST // narrow) >= 4 * fields
    if tight:
        bits, fields = narrow, WIDEST // narrow
    field = (_1 << np.uint64(width - 1)) * np.uint64(2) - _1
    last = np.uint64(min(bits, WIDEST) - 1)
    counter = (_1 << last) * np.uint64(2) - _1
    # The lowest bit of each field, and the highest.
    lowest = whole = _0
    for k in range(fields):
        lowest |= _1 << np.uint64(k * bits)
        whole |= counter << np.uint64(k * bits)
    highest = lowest << last
    here = zeros((height + 2) * LANES, np.uint64)
    there = zeros((height + 2) * LANES, np.uint64)
    aside = zeros(height * LANES, np.uint64)
    upright = zeros((height + 1) * LANES, np.uint64)
    # One array for several small ones, because an array takes longer to create than to fill.
    state = zeros((5 + fields) * LANES, np.uint64)
    waited, changed = state[:LANES], state[LANES : 2 * LANES]
    inner = ~(lowest << np.uint64(width - 1))
    start = _1 << np.uint64(start_x)
    start_row = (start_y + 1) * LANES
    exit_row = np.uint64((exit_y + 1) * LANES)
    exit_shift = np.uint64(exit_x)
    upcoming = 0
    rounds = 0
    busy = LANES * fields
    # The lowest bits of the fields: those whose flood is at the exit, those that need another level, and those with a level.
    arrived, finished, used = state[2 * LANES : 3 * LANES], state[3 * LANES : 4 * LANES], state[4 * LANES : 5 * LANES]
    # The number of each field's level, counted from 1; 0 if it has none.
    level_of = state[5 * LANES :]
    for lane in range(LANES):
        finished[lane] = used[lane] = lowest
    while True:
        for lane in range(LANES):
            if finished[lane] == _0:
                continue
            for k in range(fields):
                shift = np.uint64(k * bits)
                if not (finished[lane] >> shift) & _1:
                    continue
                level = int(level_of[lane * fields + k]) - 1
                if level >= 0:
                    if (arrived[lane] >> shift) & _1:
                        steps[level] = np.int32((waited[lane] >> shift) & counter) + 1
                    else:
                        steps[level] = -1
                        if reached is not None:
                            cells = _0
                            for y in range(1, height + 1):
                                cells += bit_count((here[y * LANES + lane] >> shift) & field)
                            reached[level] = np.int32(cells)
                waited[lane] &= ~(counter << shift)
                if upcoming < count:
                    level_of[lane * fields + k] = np.uint64(upcoming + 1)
                    if down is None:
                        _replace(rows, upcoming, lane, shift, field, here, aside)
                        here[start_row + lane] |= (start & ~rows[upcoming, start_y]) << shift
                    else:
                        _clear(lane, shift, field, here)
                        _enter(rows[upcoming], lane, shift, field, aside)
                        _enter(down[upcoming], lane, shift, field, upright[LANES:])
                        here[start_row + lane] |= start << shift
                    upcoming += 1
                else:
                    # An empty field: nothing is flooded, and it is not checked again.
                    _clear(lane, shift, field, here)
                    _clear(lane, shift, field, aside)
                    _clear(lane, shift, field, upright)
                    used[lane] &= ~(_1 << shift)
                    busy -= 1
            finished[lane] = _0
        if busy == 0:
            break
        for _ in range(2):
            if tight:
                _spread_tight(here, there, aside, inner)
            elif down is None:
                _spread(here, there, aside)
            else:
                _spread_linked(here, there, aside, upright)
            wait(there, exit_row, exit_shift, lowest, waited)
            if tight:
                _spread_tight(there, here, aside, inner)
            elif down is None:
                _spread(there, here, aside)
            else:
                _spread_linked(there, here, aside, upright)
            wait(here, exit_row, exit_shift, lowest, waited)
        for lane in range(LANES):
            arrived[lane] = finished[lane] = (here[exit_row + np.uint64(lane)] >> exit_shift) & used[lane]
        rounds += 1
        if rounds % 4 == 0:
            # A flood without a new cell in its last step is complete: its exit is unreachable.
            _changes(here, there, height, changed)
            for lane in range(LANES):
                # The highest bit of each field with a set bit: it is set itself, or the addition carries into it.
                growing = (((changed[lane] & ~highest) + (whole & ~highest)) | changed[lane]) & highest
                finished[lane] |= ~(growing >> last) & used[lane]
