"""Tours through small dungeons: several rows share a word, so that a level is a few words and one
step of the flood a few shifts.

A closed column after each row keeps horizontal steps within the row. A flood takes one round per
step of the path, so this is faster than a queue only for few words: see `fits`.

The longest tours through dungeons that fit into two words, computed only where they are long
enough.

The even rows share one word and the odd rows the other, so that a step up or down needs one shift,
and the flood of a level stays in registers.
"""

import math

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import inlined, kernel

Words = NDArray[np.uint64]
WORD = 64
# With more words, the queue of `tours` is faster.
MOST_WORDS = 10


def fits(width: int, height: int) -> bool:
    """Whether levels of this size are small: at least two rows share a word, and there are few
    words.
    """
    together = WORD // (width + 1)
    return together > 1 and -(-height // together) <= MOST_WORDS


@inlined
def _spread(flooded: Words, open_cells: Words, stride: np.uint64, across: np.uint64) -> np.uint64:
    """Advance by one step, in place: `flooded` grows by the adjacent open cells. Return the new
    bits.

    `across` is the bit at which the last row of a word begins; the first and last word of `flooded`
    are an empty border.
    """
    gained = above = _0
    for word in range(open_cells.size):
        i = np.uint64(word)
        cell = flooded[i + _1]
        beside = cell | (cell << _1) | (cell >> _1) | (cell << stride) | (cell >> stride)
        reached = (beside | (above >> across) | (flooded[i + np.uint64(2)] << across)) & open_cells[
            i
        ]
        gained |= reached ^ cell
        flooded[i + _1] = reached
        above = cell
    return gained


@inlined
def _below(word: np.uint64) -> np.uint64:
    """Return the bits below the lowest set bit of a word: as many as its number."""
    return (word & (_0 - word)) - _1


@inlined
def _highest(word: np.uint64) -> np.int64:
    """Return the number of the highest set bit of a word."""
    for shift in (1, 2, 4, 8, 16, 32):
        word |= word >> np.uint64(shift)
    return np.int64(bit_count(word)) - 1


@kernel
def place_small_tours(
    rows: Words,
    width: int,
    marks: NDArray[np.int64],
    tours: NDArray[np.int64],
    steps: NDArray[np.int32],
) -> None:
    """`tours.place_tours` for `(n, height)` packed small levels, where a set bit is a wall and B is
    given by the level's mark.
    """
    count, height = rows.shape
    cells = width * height
    stride = np.uint64(width + 1)
    together = WORD // (width + 1)
    across = np.uint64((together - 1) * (width + 1))
    words = (height + together - 1) // together
    row_mask = (_1 << np.uint64(width)) - _1
    open_cells = empty(words, np.uint64)
    flooded = zeros(words + 2, np.uint64)
    at = empty(3, np.int64)  # the word of A, B and C, and
    bit = empty(3, np.uint64)  # their bit in it
    for level in range(count):
        open_cells[:] = _0
        first = last = np.int64(-1)
        for y in range(height):
            row = ~rows[level, y] & row_mask
            open_cells[y // together] |= row << (np.uint64(y % together) * stride)
            if row == _0:
                continue
            if first < 0:
                x = 0
                while not (row >> np.uint64(x)) & _1:
                    x += 1
                first = np.int64(y * width + x)
            x = width - 1
            while not (row >> np.uint64(x)) & _1:
                x -= 1
            last = np.int64(y * width + x)
        tours[level, 0], tours[level, 1], tours[level, 2] = first, -1, last if last > first else -1
        steps[level] = -1
        if last <= first:
            continue
        cell = marks[level] % cells
        for _ in range(cells):
            if (
                first < cell < last
                and not (rows[level, cell // width] >> np.uint64(cell % width)) & _1
            ):
                tours[level, 1] = cell
                break
            cell += 1
            if cell == cells:
                cell = np.int64(0)
        if tours[level, 1] < 0:
            continue
        for k in range(3):
            y, x = tours[level, k] // width, tours[level, k] % width
            at[k] = y // together
            bit[k] = _1 << (np.uint64(y % together) * stride + np.uint64(x))
        length = np.int32(0)
        # From A until both B and C are reached, then from B until C is reached.
        for leg in range(2):
            flooded[:] = _0
            flooded[at[leg] + 1] = bit[leg]
            walked = np.int32(0)
            to_b, to_c = leg == 1, False
            while not (to_b and to_c):
                gained = _spread(flooded, open_cells, stride, across)
                if gained == _0:
                    break
                walked += np.int32(1)
                if not to_b and flooded[at[1] + 1] & bit[1]:
                    to_b = True
                    length += walked
                if not to_c and flooded[at[2] + 1] & bit[2]:
                    to_c = True
                    length += walked
            if not (to_b and to_c):
                length = np.int32(-1)
                break
        steps[level] = length


@kernel
def place_best_small_tours(
    rows: Words, width: int, tours: NDArray[np.int64], steps: NDArray[np.int32]
) -> None:
    """`tours.place_tours` for `(n, height)` packed small levels, with B where it makes the tour
    longest (the first of several).

    Distances are read off the new bits of each step: the flood from A stores them, and the flood
    from C adds its own.
    """
    count, height = rows.shape
    stride = np.uint64(width + 1)
    together = WORD // (width + 1)
    across = np.uint64((together - 1) * (width + 1))
    words = (height + together - 1) // together
    row_mask = (_1 << np.uint64(width)) - _1
    open_cells, before = empty(words, np.uint64), empty(words, np.uint64)
    flooded = zeros(words + 2, np.uint64)
    # By word and bit: the distance from A, and the cell.
    away, cell_of = zeros(words * WORD, np.int32), zeros(words * WORD, np.int64)
    for y in range(height):
        for x in range(width):
            cell_of[y // together * WORD + y % together * (width + 1) + x] = y * width + x
    for level in range(count):
        open_cells[:] = _0
        first = last = np.int64(-1)
        for y in range(height):
            row = ~rows[level, y] & row_mask
            open_cells[y // together] |= row << (np.uint64(y % together) * stride)
            if row == _0:
                continue
            if first < 0:
                first = y * width + np.int64(bit_count(_below(row)))
            last = y * width + _highest(row)
        tours[level, 0], tours[level, 1], tours[level, 2] = first, -1, last if last > first else -1
        steps[level] = -1
        if last <= first:
            continue
        back = longest = np.int32(-1)
        for leg in range(2):
            start, goal = (first, last) if leg == 0 else (last, first)
            flooded[:] = _0
            flooded[start // width // together + 1] = _1 << (
                np.uint64(start // width % together) * stride + np.uint64(start % width)
            )
            goal_word, goal_bit = (
                goal // width // together + 1,
                _1 << (np.uint64(goal // width % together) * stride + np.uint64(goal % width)),
            )
            walked = np.int32(0)
            while True:
                for word in range(words):
                    before[word] = flooded[word + 1]
                if _spread(flooded, open_cells, stride, across) == _0:
                    break
                walked += np.int32(1)
                if leg == 0 and back < 0 and flooded[goal_word] & goal_bit:
                    back = walked
                for word in range(words):
                    new = flooded[word + 1] ^ before[word]
                    while new:
                        place = word * WORD + np.int64(bit_count(_below(new)))
                        new &= new - _1
                        if leg == 0:
                            away[place] = walked
                        elif away[place] + walked >= longest and first < cell_of[place] < last:
                            if away[place] + walked > longest or cell_of[place] < tours[level, 1]:
                                tours[level, 1] = cell_of[place]
                            longest = away[place] + walked
            if back < 0:
                break
        if longest >= 0:
            steps[level] = longest + back


_0, _1, _2 = map(np.uint64, range(3))


def fits_two_words(width: int, height: int) -> bool:
    """Whether levels of this size fit: at least two rows share a word, and there are at most two
    words.
    """
    together = WORD // (width + 1)
    return together > 1 and height <= 2 * together


@kernel
def best_tour_steps(
    rows: Words, width: int, floors: NDArray[np.float64], steps: NDArray[np.int32]
) -> None:
    """Compute the steps of the tour with B where it is longest, for each of `(n, height)` packed
    levels, where a set bit is a wall.

    Where there are fewer steps than the level's floor, and where there is no tour, -1 is written.
    The flood from A gives an upper bound: if only one cell is t steps from A, every shortest way to
    a cell further away leads over it. So if B is b steps from A and C is c, with t at most b and c,
    B and C are at most b + c - 2 t steps apart, and the tour has at most 2 (b + c - t). The flood
    from C follows where this reaches the floor.
    """
    count, height = rows.shape
    stride = np.uint64(width + 1)
    row_mask = (_1 << np.uint64(width)) - _1
    # The cells within 0, 1, 2... steps of A, two words each.
    within = empty(2 * (width * height + 1), np.uint64)
    for level in range(count):
        steps[level] = -1
        even = odd = start_even = start_odd = last = _0
        last_row = 0
        for y in range(height):
            row = ~rows[level, y] & row_mask
            if row == _0:
                continue
            shift = np.uint64(y >> 1) * stride
            last, last_row = row << shift, y
            first = (row & (_0 - row)) << shift
            if even | odd == _0:
                start_even, start_odd = (_0, first) if y & 1 else (first, _0)
            if y & 1:
                odd |= last
            else:
                even |= last
        for smear in (1, 2, 4, 8, 16, 32):
            last |= last >> np.uint64(smear)
        last ^= last >> _1
        goal_even, goal_odd = (_0, last) if last_row & 1 else (last, _0)
        # The flood from A. `lag`: the steps since the last distance at which there was one cell;
        # `spare`: the most of them up to C.
        near, far = start_even, start_odd
        within[0], within[1] = near, far
        place = _2
        away = lag = spare = lag_at_goal = 0
        back = -1
        while True:
            next_near = (near | (near << _1) | (near >> _1) | far | (far << stride)) & even
            next_far = (far | (far << _1) | (far >> _1) | near | (near >> stride)) & odd
            gained_near, gained_far = next_near ^ near, next_far ^ far
            if gained_near | gained_far == _0:
                break
            near, far = next_near, next_far
            within[place], within[place + _1] = near, far
            place += _2
            away += 1
            lag = 0 if bit_count(gained_near) + bit_count(gained_far) == _1 else lag + 1
            if back < 0:
                spare = max(spare, lag)
                if (gained_near & goal_even) | (gained_far & goal_odd):
                    back = away
                    lag_at_goal = lag
        # Without a cell beside A and C there is no place for B.
        if back < 0 or (back == 1 and bit_count(near) + bit_count(far) == _2):
            continue
        most = 2 * (back + max(spare, away - back + lag_at_goal))
        if most < floors[level]:
            continue
        # The flood from C. `longest`: the most steps from A to B and on to C; a cell makes it
        # longer if A's flood arrives too late.
        enough = math.ceil(max(floors[level], 0.0)) - back
        longest = max(back, enough - 1)
        near, far = goal_even, goal_odd
        walked = 0
        while longest + back < most:
            next_near = (near | (near << _1) | (near >> _1) | far | (far << stride)) & even
            next_far = (far | (far << _1) | (far >> _1) | near | (near >> stride)) & odd
            gained_near, gained_far = next_near ^ near, next_far ^ far
            if gained_near | gained_far == _0:
                break
            near, far = next_near, next_far
            walked += 1
            longest = max(longest, walked)
            while longest - walked < away:
                place = np.uint64(2 * (longest - walked))
                if (gained_near & ~within[place]) | (gained_far & ~within[place + _1]) == _0:
                    break
                longest += 1
        if longest >= enough:
            steps[level] = longest + back
