"""Runs of fashion maps as lines, on a torus or bounded; and by adding up scores, neighbour by
neighbour, for sums of floats that no table holds and for exact sums of more than 63 bits.

Windows of an unbounded fashion map: a start map with a margin, of which every update needs a
part.

A cell depends on the cells within twice the reach of the neighbourhood one update before. So an
update leaves fewer rows and columns known, and computes only those. Where what is known repeats an
earlier map, the other updates are left out: they only take away more of the margin.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fashion.lines import CHUNK, Line, Plan, reaches, update_rows
from levolve.kernels.fashion.margins import OPEN, TORUS, close_rows, lay_out
from levolve.kernels.fashion.starts import DONE, TODO, Numbers, same, watch

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


@kernel
def differ(first: Line, second: Line) -> bool:
    """Whether two lines differ, whose lengths are multiples of eight; most that do differ early."""
    one, other = first.view(np.uint64), second.view(np.uint64)
    begin = 0
    while begin < len(one):
        difference = np.uint64(0)
        for j in range(begin, min(begin + CHUNK // 8, len(one))):
            difference |= one[j] ^ other[j]
        if difference:
            return True
        begin += CHUNK // 8
    return False


@kernel
def run_lines(
    tiles: NDArray[np.uint8],
    states: int,
    around: int,
    plan: Plan,
    tables: NDArray[Any],
    field: NDArray[Any],
    keys: NDArray[Any],
    until: int,
    saved: NDArray[np.uint8],
    courses: Numbers,
) -> None:
    """Run each of `(n, height, width)` maps by its tables up to the update `until`, in place, on a
    torus or bounded.

    `tables` are `(n, rules, entries)`; `field` is λ in 256ths, `(height, width)`, if there are
    several rules. `saved` and `courses` belong to the maps; see `courses`. The other parameters are
    those of `update_rows`.
    """
    count, height, width = tiles.shape
    up, side = reaches(plan.steps)
    stride = width + 2 * side
    rows = height + 4 * up
    # Whole words, to be compared faster.
    size = -(-rows * stride // 8) * 8
    now, following = empty(size, np.uint8), empty(size, np.uint8)
    several = tables.shape[1] > 1
    mixture = empty(size if several else 1, np.int32)
    if several:
        lay_out(field, up, side, 0, around, mixture)
    for level in range(count):
        course = courses[level]
        lay_out(tiles[level], up, side, states, around, now)
        for cell in range(len(now)):
            following[cell] = now[cell]
        while course[DONE] < course[TODO] and course[DONE] < until:
            update_rows(
                now,
                following,
                stride,
                around,
                states,
                plan,
                tables[level],
                mixture,
                2 * up,
                2 * up + height,
                keys,
            )
            if around == TORUS:
                close_rows(following, up, height, stride)
            changed = differ(now, following)
            now, following = following, now
            inside = now[: rows * stride].reshape(rows, stride)[
                2 * up : 2 * up + height, side : side + width
            ]
            watch(inside, saved[level], changed, course)
        for row in range(height):
            at = (row + 2 * up) * stride + side
            for column in range(width):
                tiles[level, row, column] = now[at + column]


@inlined
def _wrap(padded: NDArray[Any], reach: int, height: int, width: int) -> None:
    """Fill the margin of a padded map with what lies on the other side."""
    for row in range(reach, reach + height):
        for column in range(reach):
            padded[row, reach - 1 - column] = padded[row, reach + width - 1 - column % width]
            padded[row, reach + width + column] = padded[row, reach + column % width]
    for row in range(reach):
        padded[reach - 1 - row] = padded[reach + height - 1 - row % height]
        padded[reach + height + row] = padded[reach + row % height]


@kernel
def run_summed(
    tiles: Tiles,
    offsets: Numbers,
    scores: NDArray[Any],
    weights: NDArray[Any],
    lowest: Any,
    torus: bool,
    until: int,
    saved: Tiles,
    course: Numbers,
) -> None:
    """Run one `(height, width)` map in place up to the update `until` by adding scores up in the
    order of the neighbourhood.

    `scores` are `(rules, states, states + 1)` int64 or float64, the last column for cells outside;
    `weights` of the same type are `(rules, height, width)`: how much each rule counts at each cell;
    with one rule they are not used. `lowest` of the same type is below every sum. `saved` and
    `course` belong to the map; see `new_courses`.
    """
    height, width = tiles.shape
    near = offsets.shape[0]
    reach = np.abs(offsets).max()
    rules, states = scores.shape[0], scores.shape[1]
    padded = full((height + 2 * reach, width + 2 * reach), states, np.uint8)
    totals = full((height + 2 * reach, width + 2 * reach), lowest, scores.dtype)
    mixed, best = empty(width, scores.dtype), empty(width, scores.dtype)
    inside = padded[reach : reach + height, reach : reach + width]
    inside[:] = tiles
    chosen = empty(width, np.uint8)
    following = empty((height, width), np.uint8)
    while course[DONE] < course[TODO] and course[DONE] < until:
        if torus:
            _wrap(padded, reach, height, width)
        for row in range(height):
            here = padded[reach + row, reach : reach + width]
            total = totals[reach + row, reach : reach + width]
            total[:] = 0
            for k in range(near):
                left = reach + offsets[k, 1]
                there = padded[reach + row + offsets[k, 0], left : left + width]
                if rules == 1:
                    for column in range(width):
                        total[column] += scores[0, here[column], there[column]]
                else:
                    # The mixed score of this neighbour first: floats are added up neighbour by
                    # neighbour.
                    mixed[:] = 0
                    for rule in range(rules):
                        for column in range(width):
                            mixed[column] += (
                                weights[rule, row, column]
                                * scores[rule, here[column], there[column]]
                            )
                    for column in range(width):
                        total[column] += mixed[column]
        if torus:
            _wrap(totals, reach, height, width)
        for row in range(height):
            best[:] = totals[reach + row, reach : reach + width]
            chosen[:] = padded[reach + row, reach : reach + width]
            for k in range(near):
                left = reach + offsets[k, 1]
                total = totals[reach + row + offsets[k, 0], left : left + width]
                there = padded[reach + row + offsets[k, 0], left : left + width]
                for column in range(width):
                    if total[column] > best[column]:
                        best[column] = total[column]
                        chosen[column] = there[column]
            following[row] = chosen
        changed = not same(inside, following)
        inside[:] = following
        watch(inside, saved, changed, course)
    tiles[:] = inside
