"""Choke points of levels: cells that, if blocked, separate others from a start (articulation
points, Hopcroft and Tarjan 1973); and the shape of the cells around.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import inlined, kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Whole = int | np.integer[Any]
# Bits of the shape of a cell: a dead end, or the corner of an open area; in an open square of 3x3
# cells; in no open square of 2x2; with two ways, opposite each other.
DEAD_END, IN_ROOM, NARROW, PASSAGE = 1, 2, 4, 8
# Ways up and down, and to the left and right.
UPRIGHT, LEVEL = 3, 12


@inlined
def beside(cell: Whole, move: Whole, width: Whole) -> Whole:
    """Return the cell one step up (0), down (1), to the left (2) or to the right (3)."""
    return cell + (-width if move == 0 else width if move == 1 else -1 if move == 2 else 1)


@kernel
def find_ways(tiles: Bytes, linked: Bytes, ways: Bytes, shapes: Bytes) -> None:
    """Write the legal steps from each cell of one `(height, width)` level as bits (up 1, down 2,
    left 4, right 8), and the shapes of the cells; 0 for cells that nobody can stand on.

    `linked` is the table of steps that are legal in both directions.
    """
    height, width = tiles.shape
    for y in range(height):
        for x in range(width):
            kind = tiles[y, x]
            cell = y * width + x
            ways[cell] = shapes[cell] = 0
            if not linked[kind, kind]:
                continue
            way = 0
            if y > 0 and linked[kind, tiles[y - 1, x]]:
                way |= 1
            if y + 1 < height and linked[kind, tiles[y + 1, x]]:
                way |= 2
            if x > 0 and linked[kind, tiles[y, x - 1]]:
                way |= 4
            if x + 1 < width and linked[kind, tiles[y, x + 1]]:
                way |= 8
            ways[cell] = way
            shape = NARROW
            if way in (UPRIGHT, LEVEL):
                shape |= PASSAGE
            if way in (1, 2, 4, 8):
                shape |= DEAD_END
            shapes[cell] = shape
    for y in range(height - 1):
        for x in range(width - 1):
            cell = y * width + x
            # Each of the four cells has a way to the next one.
            below = cell + width
            if (
                ways[cell] & 2 != 0
                and ways[cell] & 8 != 0
                and ways[cell + 1] & 2 != 0
                and ways[below] & 8 != 0
            ):
                for square in (cell, cell + 1, below, below + 1):
                    shapes[square] &= ~NARROW & 255
                    if ways[square] in (5, 9, 6, 10):
                        shapes[square] |= DEAD_END
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            whole = True
            for k in range(9):
                inside = (y - 1 + k // 3) * width + x - 1 + k % 3
                whole &= ways[inside] != 0 and shapes[inside] & NARROW == 0
            if whole:
                for k in range(9):
                    shapes[(y - 1 + k // 3) * width + x - 1 + k % 3] |= IN_ROOM


@kernel
def find_cuts(
    ways: Bytes,
    blocked: Bytes,
    width: Whole,
    start: Whole,
    goal: Whole,
    number: Numbers,
    order: Numbers,
    work: Numbers,
    cuts: Numbers,
    ends: Bytes,
) -> Whole:
    """Number the cells that can be reached from `start` by a depth-first search, and return how
    many there are.

    `order` gets these cells. For each cell, `number` gets its place in `order` or -1, `cuts` how
    many cells can no longer be reached if it is blocked, itself not counted, and `ends` whether
    `goal` is among them. `blocked` cells cannot be entered. `work` is `(3, cells)`.
    """
    low, parent, turn = work[0], work[1], work[2]
    for cell in range(ways.size):
        number[cell] = -1
        cuts[cell] = 0
        ends[cell] = 0
    number[start] = 0
    order[0] = start
    low[0], parent[0], turn[0] = 0, -1, 0
    count, at = 1, 0
    while at >= 0:
        cell = order[at]
        if turn[at] < 4:
            move = turn[at]
            turn[at] += 1
            if not (ways[cell] >> move) & 1:
                continue
            other = beside(cell, move, width)
            if blocked[other]:
                continue
            if number[other] < 0:
                number[other] = count
                order[count] = other
                low[count], parent[count], turn[count] = count, at, 0
                at = count
                count += 1
            elif number[other] != parent[at]:
                low[at] = min(low[at], number[other])
            continue
        up = parent[at]
        if up >= 0:
            low[up] = min(low[up], low[at])
            if low[at] >= up:
                # What was numbered since belongs to this branch.
                cuts[order[up]] += count - at
                if number[goal] >= at:
                    ends[order[up]] = 1
        at = up
    return count


@kernel
def walk_from(ways: Bytes, width: Whole, start: Whole, steps: Numbers, queue: Numbers) -> Any:
    """Write the steps from a cell to each cell, -1 if there is no way; return the most."""
    for cell in range(ways.size):
        steps[cell] = -1
    steps[start] = 0
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        for move in range(4):
            if (ways[cell] >> move) & 1:
                other = beside(cell, move, width)
                if steps[other] < 0:
                    steps[other] = steps[cell] + 1
                    queue[tail] = other
                    tail += 1
    return steps[queue[tail - 1]]
