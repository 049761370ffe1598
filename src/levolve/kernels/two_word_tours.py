"""The longest tours through dungeons that fit into two words, computed only where they are long enough.

The even rows share one word and the odd rows the other, so that a step up or down needs one shift, and the flood of a level stays in registers.
"""

import math

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import bit_count
from levolve.kernels.compiler import kernel
from levolve.kernels.memory import empty

Words = NDArray[np.uint64]
WORD = 64
_0, _1, _2 = (np.uint64(n) for n in range(3))


def fits_two_words(width: int, height: int) -> bool:
    """Whether levels of this size fit: at least two rows share a word, and there are at most two words."""
    together = WORD // (width + 1)
    return together > 1 and height <= 2 * together


@kernel
def best_tour_steps(rows: Words, width: int, floors: NDArray[np.float64], steps: NDArray[np.int32]) -> None:
    """Compute the steps of the tour with B where it is longest, for each of `(n, height)` packed levels, where a set bit is a wall.

    Where there are fewer steps than the level's floor, and where there is no tour, -1 is written. The flood from A gives an upper bound: if only one
    cell is t steps from A, every shortest way to a cell further away leads over it. So if B is b steps from A and C is c, with t at most b and c, B
    and C are at most b + c - 2 t steps apart, and the tour has at most 2 (b + c - t). The flood from C follows where this reaches the floor.
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
        # The flood from A. `lag`: the steps since the last distance at which there was one cell; `spare`: the most of them up to C.
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
        # The flood from C. `longest`: the most steps from A to B and on to C; a cell makes it longer if A's flood arrives too late.
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
