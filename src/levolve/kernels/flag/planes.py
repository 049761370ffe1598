"""Walks of a whole population at once, on rounds that fit into a machine word.

A cell is a bit. Rows lie a gap apart, and the word ends in a row of gaps, so that a step over any edge, counted modulo 64, meets a gap. How many
visits a cell still bears is a number of two bits, one in each of two words. A step of one individual is then a few shifts and no branch (whether a
step meets a tile is a coin flip, which no processor foresees), and those of several individuals go side by side in the processor's lanes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import bit_count
from levolve.kernels.compiler import kernel
from levolve.kernels.flag.field import NEVER, Field, Places
from levolve.kernels.memory import zeros

Words = NDArray[np.uint64]

A_WORD = 32
MOST_VISITS = 3
_0, _1, _2, _3, _63 = (np.uint64(n) for n in (0, 1, 2, 3, 63))


class Planes(NamedTuple):
    """A round as words, where it fits.

    Words: the two bits of the visits left, the start's taken off; cells that never fall; the four steps, a byte each; the start. Each cell's steps to
    the flag. The other arrays are room for a population of walks: where each stands, what is left for it, and how many moves it has made.
    """

    fits: bool
    low: np.uint64
    high: np.uint64
    never: np.uint64
    steps: np.uint64
    start: np.uint64
    away: Places
    here: Words
    low_left: Words
    high_left: Words
    moves: Words


@kernel
def _fits(field: Field) -> bool:
    """Whether a round is small enough, and no tile bears more visits than two bits can count."""
    width, height = field.width - 2, field.left.shape[0] // field.width - 2
    fits = (width + 1) * (height + 1) <= 64  # noqa: PLR2004 bits of a word
    for cell in range(field.left.shape[0]):
        fits &= field.left[cell] <= MOST_VISITS or field.left[cell] == NEVER
    return bool(fits)


@kernel
def lay_planes(field: Field, population: int) -> Planes:
    """A round as words; nothing but the room where it does not fit."""
    fits = _fits(field)
    low = high = never = start = _0
    away = zeros(64, np.int64)
    stride = field.width - 1
    flag_y, flag_x = field.flag // field.width - 1, field.flag % field.width - 1
    for cell in range(64):
        away[cell] = abs(cell // stride - flag_y) + abs(cell % stride - flag_x)
    for cell in range(field.left.shape[0]):
        visits = np.uint64(field.left[cell])
        if fits and visits > _0:
            place = np.uint64((cell // field.width - 1) * stride + cell % field.width - 1)
            bit = _1 << place
            if cell == field.start:
                start = place
            if visits == NEVER:
                never |= bit
            else:
                if cell == field.start:
                    visits -= _1
                low |= bit * (visits & _1)
                high |= bit * (visits >> _1)
    steps = np.uint64((64 - stride) | (stride << 8) | (63 << 16) | (1 << 24))
    room = zeros((4, population), np.uint64)
    return Planes(fits, low, high, never, steps, start, away, room[0], room[1], room[2], room[3])


@kernel
def walk_planes(packed: Words, length: int, planes: Planes) -> None:
    """Play all genes of all individuals; `packed` has a column for each."""
    never, steps = planes.never, planes.steps
    here, low_left, high_left, moves = planes.here, planes.low_left, planes.high_left, planes.moves
    for who in range(here.shape[0]):
        here[who] = planes.start
        low_left[who] = planes.low
        high_left[who] = planes.high
        moves[who] = _0
    for index in range(length):
        genes = packed[index // A_WORD]
        shift = np.uint64(index % A_WORD * 2)
        for who in range(here.shape[0]):
            step = (steps >> ((genes[who] >> shift & _3) << _3)) & _63
            near = (here[who] + step) & _63
            solid = ((low_left[who] | high_left[who] | never) >> near) & _1
            paid = (solid << near) & ~never
            high_left[who] ^= paid & ~low_left[who]
            low_left[who] ^= paid
            moves[who] += solid
            here[who] += step & (_0 - solid)


@kernel
def left_over(planes: Planes, who: int) -> np.int64:
    """How many visits an individual has left over."""
    return np.int64(bit_count(planes.low_left[who]) + _2 * bit_count(planes.high_left[who]))
