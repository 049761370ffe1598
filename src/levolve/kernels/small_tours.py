"""Tours through small dungeons: several rows share a word, so that a level is a few words and one step of the flood a few shifts.

A closed column after each row keeps horizontal steps within the row. A flood takes one round per step of the path, so this is faster than a queue
only for few words: see `fits`.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import bit_count
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.memory import empty, zeros

Words = NDArray[np.uint64]
WORD = 64
# With more words, the queue of `tours` is faster.
MOST_WORDS = 10
_0, _1 = np.uint64(0), np.uint64(1)


def fits(width: int, height: int) -> bool:
    """Whether levels of this size are small: at least two rows share a word, and there are few words."""
    together = WORD // (width + 1)
    return together > 1 and -(-height // together) <= MOST_WORDS


@inlined
def _spread(flooded: Words, open_cells: Words, stride: np.uint64, across: np.uint64) -> np.uint64:
    """Advance by one step, in place: `flooded` grows by the adjacent open cells. Return the new bits.

    `across` is the bit at which the last row of a word begins; the first and last word of `flooded` are an empty border.
    """
    gained = above = _0
    for word in range(open_cells.size):
        i = np.uint64(word)
        cell = flooded[i + _1]
        beside = cell | (cell << _1) | (cell >> _1) | (cell << stride) | (cell >> stride)
        reached = (beside | (above >> across) | (flooded[i + np.uint64(2)] << across)) & open_cells[i]
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
def place_small_tours(rows: Words, width: int, marks: NDArray[np.int64], tours: NDArray[np.int64], steps: NDArray[np.int32]) -> None:
    """`tours.place_tours` for `(n, height)` packed small levels, where a set bit is a wall and B is given by the level's mark."""
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
            if first < cell < last and not (rows[level, cell // width] >> np.uint64(cell % width)) & _1:
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
def place_best_small_tours(rows: Words, width: int, tours: NDArray[np.int64], steps: NDArray[np.int32]) -> None:
    """`tours.place_tours` for `(n, height)` packed small levels, with B where it makes the tour longest (the first of several).

    Distances are read off the new bits of each step: the flood from A stores them, and the flood from C adds its own.
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
            flooded[start // width // together + 1] = _1 << (np.uint64(start // width % together) * stride + np.uint64(start % width))
            goal_word, goal_bit = goal // width // together + 1, _1 << (np.uint64(goal // width % together) * stride + np.uint64(goal % width))
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
