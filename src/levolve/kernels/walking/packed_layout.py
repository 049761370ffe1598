"""The layout of packed levels of floor and walls with two stops, entrance and exit: what
`structure` and `ways` count, in one pass.

Shapes are counted by bits, a row at a time. One flood from the entrance finds the way and all cells
that are reachable; what is left are pockets.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel

POCKETS, SPECKS, PLAZAS, BLOCKS, DIAGONALS, DEAD_ENDS, WAY_CELLS, TURNS = range(8)
PARTS = 8
# The distance of walls and of cells outside: farther than any cell.
CLOSED = 1 << 30

Words = NDArray[np.uint64]
Work = NDArray[np.int32]
Counts = NDArray[np.int64]
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def _count_shapes(
    rows: Words, whole: np.uint64, columns: int, stops: Counts, parts: Counts
) -> None:
    """Count the shapes of one level: a bit of `walls` and `ground` is a cell of this row, one of
    `walls_below` and `ground_below` that below it.
    """
    specks = plazas = blocks = diagonals = dead_ends = _0
    height = rows.size
    walls_above = ground_above = _0
    walls = rows[0] & whole
    ground = walls ^ whole
    for y in range(height):
        walls_below = rows[y + 1] & whole if y + 1 < height else _0
        ground_below = walls_below ^ whole if y + 1 < height else _0
        specks += bit_count(walls & ~((walls << _1) | (walls >> _1) | walls_above | walls_below))
        plazas += bit_count(ground & (ground >> _1) & ground_below & (ground_below >> _1))
        blocks += bit_count(walls & (walls >> _1) & walls_below & (walls_below >> _1))
        falling = walls & (walls_below >> _1) & (ground >> _1) & ground_below
        rising = ground & (ground_below >> _1) & (walls >> _1) & walls_below
        diagonals += bit_count(falling | rising)
        left, right = (ground << _1) & whole, ground >> _1
        odd = left ^ right ^ ground_above ^ ground_below
        # One link or three, and in the latter case two of them face each other.
        single = ground & odd & ~(left & right) & ~(ground_above & ground_below)
        for k in range(stops.size):
            if stops[k] >= 0 and stops[k] // columns == y:
                single &= ~(_1 << np.uint64(stops[k] % columns))
        dead_ends += bit_count(single)
        walls_above, ground_above = walls, ground
        walls, ground = walls_below, ground_below
    parts[SPECKS], parts[PLAZAS], parts[BLOCKS] = (
        np.int64(specks),
        np.int64(plazas),
        np.int64(blocks),
    )
    parts[DIAGONALS], parts[DEAD_ENDS] = np.int64(diagonals), np.int64(dead_ends)


@kernel
def _flood(distance: Work, stride: int, start: int, queue: Work) -> np.int64:
    """Write the distances from `start` to all cells of its region, which are -1 before, and return
    their number; 0 if the start is not such a cell.

    A cell is pushed without a branch: it is stored first, and the queue grows by the condition.
    """
    if distance[start] >= 0:
        return np.int64(0)
    distance[start] = 0
    queue[0] = start
    head, tail = _0, _1
    # Unsigned indices: a signed one would be checked for negative values at every access.
    row = np.uint64(stride)
    while head < tail:
        cell = np.uint64(queue[head])
        head += _1
        further = distance[cell] + 1
        for neighbour in (cell - row, cell + row, cell - _1, cell + _1):
            before = distance[neighbour]
            new = before < 0
            queue[tail] = neighbour
            distance[neighbour] = further if new else before
            tail += np.uint64(new)
    return np.int64(tail)


@kernel
def _follow(distance: Work, stride: int, goal: int, parts: Counts) -> None:
    """Write the cells and the turns of the way to a goal, traced backwards like `walking.trace`;
    both are -1 if the goal has not been reached.
    """
    steps = distance[goal]
    if steps < 0 or steps == CLOSED:
        parts[WAY_CELLS] = parts[TURNS] = -1
        return
    turns = np.int64(0)
    cell, row = np.uint64(goal), np.uint64(stride)
    heading = 0
    for step in range(steps - 1, -1, -1):
        if distance[cell + row] == step:
            cell, before = cell + row, 1
        elif distance[cell - row] == step:
            cell, before = cell - row, 2
        elif distance[cell + _1] == step:
            cell, before = cell + _1, 3
        else:
            cell, before = cell - _1, 4
        turns += heading not in (0, before)
        heading = before
    parts[WAY_CELLS], parts[TURNS] = steps + 1, turns


@kernel
def describe_layouts(rows: Words, width: int, stops: Counts, parts: Counts) -> None:
    """Describe the layout of each of `(n, height)` packed levels, a set bit is a wall, `(n, 8)` in
    the order of the constants above.

    `stops` are the cells of the entrance and the exit, numbered in reading order, -1 for none: `(n,
    2)`, or `(1, 2)` if all levels have the same. The parts are those of `structure.count_pockets`,
    `structure.count_shapes` and `ways.follow_ways`; the last two are -1 if there is no way.
    """
    count, height = rows.shape
    whole = ~_0 >> np.uint64(64 - width)
    stride = width + 2
    distance = full((height + 2) * stride, CLOSED, np.int32)
    queue = empty(distance.size + 1, np.int32)
    for level in range(count):
        own, found = stops[min(level, stops.shape[0] - 1)], parts[level]
        _count_shapes(rows[level], whole, width, own, found)
        left = np.int64(0)
        for y in range(height):
            word = rows[level, y]
            left += np.int64(bit_count(~word & whole))
            first = (y + 1) * stride + 1
            for x in range(width):
                distance[first + x] = np.int32((word >> np.uint64(x)) & _1) * np.int32(
                    CLOSED + 1
                ) - np.int32(1)
        start = (own[0] // width + 1) * stride + own[0] % width + 1
        goal = (own[1] // width + 1) * stride + own[1] % width + 1
        if own[0] >= 0:
            left -= _flood(distance, stride, start, queue)
        if own[0] >= 0 and own[1] >= 0:
            _follow(distance, stride, goal, found)
        else:
            found[WAY_CELLS] = found[TURNS] = -1
        if own[1] >= 0:
            left -= _flood(distance, stride, goal, queue)
        pockets = np.int64(0)
        cell = stride
        while left > 0:
            cell += 1
            if distance[cell] < 0:
                left -= _flood(distance, stride, cell, queue)
                pockets += 1
        # Without any stop, one of the regions is none.
        found[POCKETS] = pockets - 1 if own[0] < 0 and own[1] < 0 and pockets > 0 else pockets


@kernel
def weigh_layouts(
    parts: Counts,
    cells: int,
    weights: NDArray[np.float64],
    wanted: int,
    values: NDArray[np.float64],
) -> None:
    """Write the weighted sum of the `(n, 8)` parts of each layout, per cell: the value of
    `objectives.design`.

    `weights` are in the order of the constants above; `wanted` is the number of dead ends that are
    no flaw.
    """
    for level in range(parts.shape[0]):
        found = parts[level]
        penalties = weights[POCKETS] * (cells - found[POCKETS])
        penalties += weights[SPECKS] * (cells - found[SPECKS])
        penalties += weights[PLAZAS] * (cells - found[PLAZAS])
        penalties += weights[BLOCKS] * (cells - found[BLOCKS])
        penalties += weights[DIAGONALS] * (cells - found[DIAGONALS])
        penalties += weights[DEAD_ENDS] * (cells - abs(found[DEAD_ENDS] - wanted))
        rewards = weights[WAY_CELLS] * max(found[WAY_CELLS], 0)
        rewards += weights[TURNS] * max(found[TURNS], 0)
        values[level] = (penalties + rewards) / cells
