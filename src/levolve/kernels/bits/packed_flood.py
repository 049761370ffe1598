"""Levels as rows of bits: one 64-bit word contains a row of up to 64 cells, a set bit is a wall,
column 0 is the lowest bit.

The shortest path to an exit is found by its steps back. A path with r steps to the right, d down, l
to the left and u up leads r - l columns and d - u rows further. Its length is the sum of these two
plus 2 (l + u), so that the path with the fewest steps to the left and up is the shortest. A round
of a flood adds one such step, and any number of steps to the right and down, in one pass over the
rows from the first to the last. An empty level takes one round, and a maze about a third of the
rounds of a flood step by step.

Many levels are flooded at once: several narrow levels share a word, each in its own field, mostly
with a closed column between, and the words lie side by side in the lanes of a vector. A field whose
level is finished gets the next level, so that a long path does not delay short ones.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.vectors import LANES, load, spread, staggered, store
from levolve.kernels.bits.words import bit_count, lowest_bit
from levolve.kernels.compiler import inlined, kernel, level_kernel

WIDEST = 64  # the number of columns that fit into one word

Rows = NDArray[np.uint64]
_0, _1, ALL_ONES = map(np.uint64, (0, 1, 0xFFFFFFFFFFFFFFFF))


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
def link_rows(
    tiles: NDArray[np.uint8], allowed: NDArray[np.uint8], right: Rows, down: Rows
) -> None:
    """Write the legal steps of `(n, height, width)` tiles of any tileset as bits: to the right and
    back, and down and back.
    """
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


@kernel
def _sweep(
    here: Rows, open_cells: Rows, starts: np.uint64, start_y: int, watched: bool, changed: Rows
) -> None:
    """Advance the floods of all fields by one round. Between two fields there is a closed column.

    Every cell is entered anew: a cell that was reached before is reached again, by the same steps.
    So earlier cells need not be added. The first and last row of `here` are an empty border. If
    `watched`, the new cells of each lane in any row are written to `changed`.
    """
    row = np.uint64(LANES)
    cell = _0
    above = grown = spread(_0)
    own = load(here, row)
    last = start_y
    for _ in range(2):
        # The rows above the start, then the others.
        for _ in range(last):
            free = load(open_cells, cell)
            below = load(here, cell + row + row)
            # The cells that are not entered: neither from the right and from below, nor from above.
            outside = free & ~((own >> _1) | below) & ~above
            # The sum of the open and the entered cells carries through all open cells to the right
            # of an entered one, and leaves zeros.
            above = free & ~(outside & ((free + free) - outside))
            if watched:
                grown = grown | (above ^ own)
            cell += row
            store(here, cell, above)
            own = below
        above = above | spread(starts)
        last = open_cells.size // LANES - start_y
    store(changed, _0, grown)


@kernel
def _sweep_tight(
    here: Rows,
    open_cells: Rows,
    inner: np.uint64,
    starts: np.uint64,
    start_y: int,
    watched: bool,
    changed: Rows,
) -> None:
    """`_sweep` for fields without a closed column between: `inner` lacks the last column of each
    field, which is next to another level.
    """
    row = np.uint64(LANES)
    cell = _0
    above = grown = spread(_0)
    inside = spread(inner)
    own = load(here, row)
    for y in range(open_cells.size // LANES):
        if y == start_y:
            above = above | spread(starts)
        free = load(open_cells, cell)
        below = load(here, cell + row + row)
        entered = (((own >> _1) & inside) | below | above) & free
        # The sum carries into the last column at most, where it leaves a one.
        rising = free & inside
        above = entered | (((rising + (entered & inside)) ^ rising) & free)
        if watched:
            grown = grown | (above ^ own)
        cell += row
        store(here, cell, above)
        own = below
    store(changed, _0, grown)


@kernel
def _sweep_linked(
    here: Rows,
    right: Rows,
    down: Rows,
    starts: np.uint64,
    start_y: int,
    watched: bool,
    changed: Rows,
) -> None:
    """`_sweep` with a separate flag for every step. The last column of a field has no link to the
    right, the last row none down.
    """
    row = np.uint64(LANES)
    cell = _0
    above = grown = spread(_0)
    own = load(here, row)
    for y in range(right.size // LANES):
        if y == start_y:
            above = above | spread(starts)
        aside = load(right, cell)
        under = load(down, cell)
        below = load(here, cell + row + row)
        entered = ((own >> _1) & aside) | (below & under) | above
        # The sum carries along the links, and leaves a one where they end.
        reached = entered | ((aside + (entered & aside)) ^ aside)
        if watched:
            grown = grown | (reached ^ own)
        cell += row
        store(here, cell, reached)
        above = reached & under
        own = below
    store(changed, _0, grown)


@inlined
def _enter(
    words: Rows,
    invert: np.uint64,
    flipped: bool,
    lane: np.uint64,
    shift: np.uint64,
    field: np.uint64,
    lanes: Rows,
    here: Rows,
) -> None:
    """Write the rows of a level, inverted or not, upside down or not, into the field of a lane that
    starts at bit `shift`, and clear its flood.
    """
    others = ~(field << shift)
    cell = lane
    y, step = (words.size - 1, -1) if flipped else (0, 1)
    for _ in range(words.size):
        lanes[cell] = (lanes[cell] & others) | (((words[np.uint64(y)] ^ invert) & field) << shift)
        cell += np.uint64(LANES)
        here[cell] &= others
        y += step


@inlined
def _clear(lane: np.uint64, shift: np.uint64, field: np.uint64, lanes: Rows) -> None:
    """Clear the field of a lane that starts at bit `shift`."""
    others = ~(field << shift)
    cell = lane
    for _ in range(lanes.size // LANES):
        lanes[cell] &= others
        cell += np.uint64(LANES)


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
    """Compute the shortest path from start to exit for each of `(n, height)` packed levels; -1 if
    there is none.

    Without `down`, a set bit in `rows` is a wall. With it, `rows` and `down` are the links from
    `link_rows`. `reached`, if given, gets the number of reachable cells if the exit is unreachable.
    """
    count, height = rows.shape
    if start_x == exit_x and start_y == exit_y:
        for level in range(count):
            steps[level] = (
                0
                if down is not None
                else -np.int32((rows[level, start_y] >> np.uint64(start_x)) & _1)
            )
        return
    # The fewest rounds are needed if the exit is to the right of the start, and below. A path may
    # be walked from either end, but `reached` may not.
    if exit_x < start_x and reached is None:
        start_x, start_y, exit_x, exit_y = exit_x, exit_y, start_x, start_y
    flipped = exit_y < start_y
    if flipped:
        start_y, exit_y = height - 1 - start_y, height - 1 - exit_y
    forward = exit_x - start_x + exit_y - start_y
    # A field contains the level's columns and one closed column, and has at least as many bits as
    # there are lanes; see `waiting`. Without the closed column a round takes longer, which pays if
    # half as many levels more fit into a word.
    bits = min(max(width + 1, LANES), WIDEST)
    narrow = max(width, LANES)
    tight = 2 * (WIDEST // narrow) >= 3 * (WIDEST // bits)
    if tight or down is not None:
        bits = narrow
    fields = WIDEST // bits
    field = (_1 << np.uint64(width - 1)) * np.uint64(2) - _1
    last = np.uint64(bits - 1)
    # The lowest bit of each field; all bits but the highest; all columns but the last.
    lowest = _0
    for k in range(fields):
        lowest |= _1 << np.uint64(k * bits)
    lower = (lowest << last) - lowest
    inner = ~(lowest << np.uint64(width - 1))
    starts = lowest << np.uint64(start_x)
    here = zeros((height + 2) * LANES, np.uint64)
    aside = zeros(height * LANES, np.uint64)
    upright = zeros(height * LANES if down is not None else 0, np.uint64)
    # One array for several small ones, because an array takes longer to create than to fill.
    state = zeros(2 * LANES + 3 * WIDEST, np.uint64)
    changed, used = state[:LANES], state[LANES : 2 * LANES]
    # The field at bit s of lane k has number s + k. For each: s, its level, counted from 1, 0 if it
    # has none, and the round in which that began.
    shift_of, level_of, since = (
        state[2 * LANES :][:WIDEST],
        state[2 * LANES + WIDEST :][:WIDEST],
        state[2 * LANES + 2 * WIDEST :],
    )
    exit_row = np.uint64((exit_y + 1) * LANES)
    exit_shift = np.uint64(exit_x)
    upcoming = 0
    rounds = 0
    # The numbers of fields as bits: those that wait for a level, and those whose flood is at the
    # exit.
    waiting = arrived = _0
    for i in range(LANES):
        used[i] = lowest
        for k in range(fields):
            shift_of[k * bits + i] = np.uint64(k * bits)
            waiting |= _1 << np.uint64(k * bits + i)
    busy = LANES * fields
    while busy:
        while waiting:
            number = lowest_bit(waiting)
            waiting &= waiting - _1
            shift = shift_of[number]
            lane = number - shift
            level = int(level_of[number]) - 1
            if level >= 0:
                if (arrived >> number) & _1:
                    steps[level] = np.int32(forward + 2 * (rounds - int(since[number]) - 1))
                else:
                    steps[level] = -1
                    if reached is not None:
                        cells = _0
                        for y in range(1, height + 1):
                            cells += bit_count((here[np.uint64(y * LANES) + lane] >> shift) & field)
                        reached[level] = np.int32(cells)
            if upcoming < count:
                level_of[number] = np.uint64(upcoming + 1)
                since[number] = np.uint64(rounds)
                _enter(
                    rows[upcoming],
                    _0 if down is not None else ALL_ONES,
                    flipped,
                    lane,
                    shift,
                    field,
                    aside,
                    here,
                )
                if down is not None:
                    # Upside down, the links of a row lead to the one above: the last row, which has
                    # none, remains last.
                    _enter(
                        down[upcoming, : height - 1], _0, flipped, lane, shift, field, upright, here
                    )
                upcoming += 1
            else:
                # An empty field: nothing is flooded, and it is not checked again.
                level_of[number] = _0
                _clear(lane, shift, field, here)
                _clear(lane, shift, field, aside)
                _clear(lane, shift, field, upright)
                used[lane] &= ~(_1 << shift)
                busy -= 1
        while busy and not waiting:
            rounds += 1
            watched = rounds % 4 == 0
            if down is not None:
                _sweep_linked(here, aside, upright, starts, start_y, watched, changed)
            elif tight:
                _sweep_tight(here, aside, inner, starts, start_y, watched, changed)
            else:
                _sweep(here, aside, starts, start_y, watched, changed)
            arrived = waiting = staggered((load(here, exit_row) >> exit_shift) & load(used, _0))
            if watched:
                # A flood without a new cell is complete: its exit is unreachable.
                grown = load(changed, _0)
                # The highest bit of each field with a set bit: it is set itself, or the addition
                # carries into it.
                growing = ((grown & spread(lower)) + spread(lower)) | grown
                waiting |= staggered(~(growing >> last) & load(used, _0))
