"""Windows of an unbounded fashion map: a start map with a margin, of which every update needs a
part.

A cell depends on the cells within twice the reach of the neighbourhood one update before. So an
update leaves fewer rows and columns known, and computes only those. Where what is known repeats an
earlier map, the other updates are left out: they only take away more of the margin.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fashion.lines import Line, Plan, update_rows
from levolve.kernels.fashion.margins import OPEN

Tiles = NDArray[np.uint8]

# A row is cut shorter once so many of its cells are no longer known.
CUT = 24


@inlined
def _cut(line: NDArray[Any], rows: int, stride: int, begin: int, width: int) -> None:
    """Move the cells from `begin` on of each row together, so that rows of `width` cells follow
    each other.
    """
    for row in range(rows):
        for column in range(width):
            line[row * width + column] = line[row * stride + begin + column]


@inlined
def _equal(
    first: Line,
    at: int,
    stride: int,
    second: Line,
    other_at: int,
    other_stride: int,
    height: int,
    width: int,
) -> bool:
    """Whether two rectangles of lines are equal; most that are not differ in the first row."""
    for row in range(height):
        one = first[at + row * stride : at + row * stride + width]
        other = second[other_at + row * other_stride : other_at + row * other_stride + width]
        difference = np.uint8(0)
        for column in range(width):
            difference |= one[column] ^ other[column]
        if difference:
            return False
    return True


@kernel
def run_window(
    tiles: Tiles,
    plan: Plan,
    tables: NDArray[Any],
    field: NDArray[np.int32],
    keys: NDArray[Any],
    up: int,
    side: int,
    updates: int,
) -> Tiles:
    """The part of a map that is known after so many updates, of `(height, width)` start tiles of
    which nothing else is known.

    It has `4 * up * updates` rows and `4 * side * updates` columns less, where `up` and `side` are
    how far neighbours are along columns and rows; at least one of each has to be left. `tables` are
    `(rules, entries)`, `field` is λ in 256ths, `(height, width)`, if there are several rules; see
    `lines`.
    """
    height, width = tiles.shape
    several = len(tables) > 1
    now, following, saved = (
        empty(height * width, np.uint8),
        empty(height * width, np.uint8),
        empty(height * width, np.uint8),
    )
    mixture = empty(height * width if several else 1, np.int32)
    for row in range(height):
        for column in range(width):
            now[row * width + column] = tiles[row, column]
            if several:
                mixture[row * width + column] = field[row, column]
    for cell in range(height * width):
        following[cell] = now[cell]
    # The line has the columns from `origin` on; known are the rows from `top` to before `bottom`,
    # and the columns from `left` to before `right`.
    origin, stride = 0, width
    top, bottom, left, right = 0, height, 0, width
    saved_origin, saved_stride, saved_update, next_save = 0, 0, 0, 1
    update, last = 0, updates
    repeats = False
    while update < last:
        update_rows(
            now,
            following,
            stride,
            OPEN,
            0,
            plan,
            tables,
            mixture,
            top + 2 * up,
            bottom - 2 * up,
            keys,
        )
        update += 1
        top, bottom, left, right = top + 2 * up, bottom - 2 * up, left + 2 * side, right - 2 * side
        now, following = following, now
        at, rows, columns = top * stride + left - origin, bottom - top, right - left
        if not repeats:
            if _equal(now, at, stride, following, at, stride, rows, columns):
                repeats, last = True, update
            elif saved_stride and _equal(
                now,
                at,
                stride,
                saved,
                top * saved_stride + left - saved_origin,
                saved_stride,
                rows,
                columns,
            ):
                repeats, last = True, update + (updates - update) % (update - saved_update)
            elif update == next_save:
                for cell in range(height * stride):
                    saved[cell] = now[cell]
                saved_origin, saved_stride, saved_update, next_save = (
                    origin,
                    stride,
                    update,
                    2 * update,
                )
        if left - origin >= CUT:
            _cut(now, height, stride, left - origin, columns)
            if several:
                _cut(mixture, height, stride, left - origin, columns)
            origin, stride = left, columns
    left_out = updates - update
    top, left = top + 2 * up * left_out, left + 2 * side * left_out
    known = empty((height - 4 * up * updates, width - 4 * side * updates), np.uint8)
    for row in range(known.shape[0]):
        for column in range(known.shape[1]):
            known[row, column] = now[(top + row) * stride + left - origin + column]
    return known
