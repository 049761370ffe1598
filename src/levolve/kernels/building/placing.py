"""Entrance and exit of each level, placed on walkable cells by two numbers from 0 to 65,535, and
checkpoints on the cells nearest to where they are wanted.

Cells are numbered in reading order. A number selects a position; the first suitable cell from there
on, in a circle, is taken.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel
from levolve.kernels.walking.shortest_paths import flood, lay_margin

ANYWHERE, BORDER, SIDES, ROOMS, FARTHEST = range(5)
_VALUES, _SIDES, _VALUES_OF_SIDE = 65536, 4, 16384
# Sweeps for the farthest cells: each begins where the last ended.
_SWEEPS = 8

Cells = NDArray[np.uint8]
Number = int | np.int64


@kernel
def next_cell(suitable: Cells, start: Number, taken: Number) -> np.int64:
    """Return the first suitable cell from `start` on, in a circle, other than `taken`; -1 if there
    is none.
    """
    for k in range(suitable.size):
        cell = (start + k) % suitable.size
        if suitable[cell] and cell != taken:
            return np.int64(cell)
    return np.int64(-1)


@kernel
def cell_on_side(
    open_cells: Cells, width: int, side: Number, position: Number, taken: Number
) -> np.int64:
    """Return a cell of the outermost line on a side (0 left, 1 top, 2 right, 3 bottom) that has an
    open cell other than `taken`; -1 if none has.

    `position`, from 0 to 16,383, selects the place on the line.
    """
    height = open_cells.size // width
    upright = side % 2 == 0
    lines, length = (width, height) if upright else (height, width)
    for depth in range(lines):
        line = depth if side < 2 else lines - 1 - depth
        for k in range(length):
            along = (position * length // _VALUES_OF_SIDE + k) % length
            cell = along * width + line if upright else line * width + along
            if open_cells[cell] and cell != taken:
                return np.int64(cell)
    return np.int64(-1)


@kernel
def find_rooms(
    open_cells: Cells, width: int, rooms: NDArray[np.int32], queue: NDArray[np.int32]
) -> int:
    """Number the rooms of one level from 1, and return how many there are: groups of adjacent cells
    that are in open 3x3 squares.
    """
    height = open_cells.size // width
    rooms[:] = 0
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            whole = True
            for k in range(9):
                whole &= open_cells[(y - 1 + k // 3) * width + x - 1 + k % 3] != 0
            if whole:
                for k in range(9):
                    rooms[(y - 1 + k // 3) * width + x - 1 + k % 3] = -1
    found = 0
    for first in range(rooms.size):
        if rooms[first] >= 0:
            continue
        found += 1
        rooms[first] = found
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            x, y = cell % width, cell // width
            for move in range(4):
                next_x = x + (move == 0) - (move == 1)
                next_y = y + (move == 2) - (move == 3)
                if (
                    0 <= next_x < width
                    and 0 <= next_y < height
                    and rooms[next_y * width + next_x] < 0
                ):
                    rooms[next_y * width + next_x] = found
                    queue[tail] = next_y * width + next_x
                    tail += 1
    return found


@kernel
def place_ends(
    tiles: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    rule: int,
    linked: NDArray[np.uint8],
    floor: int,
    ends: NDArray[np.int64],
) -> None:
    """Write the cells of entrance and exit of n levels to `ends` `(n, 2)`: always two different
    walkable cells.

    `numbers` `(n, 2)` select them. `rule` is one of the constants above: anywhere; on the outermost
    open line of any side; on those of opposite sides; in different rooms, or anywhere if there is
    only one room; or the ends of a longest shortest path of the largest region, found by sweeps
    from the farthest cell to the farthest cell until none is farther, at most 8. `linked` is the
    table of steps with its margin. In a level with fewer than two walkable cells, the cells at the
    numbers are opened.
    """
    count, height, width = tiles.shape
    stride, cells = width + 2, height * width
    open_cells = empty(cells, np.uint8)
    suitable = empty(cells, np.uint8)
    rooms = empty(cells, np.int32)
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        first, second = numbers[level, 0], numbers[level, 1]
        number_open = 0
        for cell in range(cells):
            kind = tiles[level, cell // width, cell % width]
            open_cells[cell] = linked[kind, kind] != 0
            number_open += open_cells[cell]
        start, start_of_exit = first * cells // _VALUES, second * cells // _VALUES
        if number_open < 2:
            start_of_exit = (start + 1) % cells if start_of_exit == start else start_of_exit
            for cell in (start, start_of_exit):
                tiles[level, cell // width, cell % width] = floor
                open_cells[cell] = 1
        if rule in {BORDER, SIDES}:
            side = first // _VALUES_OF_SIDE
            other = second // _VALUES_OF_SIDE if rule == BORDER else (side + 2) % _SIDES
            ends[level, 0] = cell_on_side(open_cells, width, side, first % _VALUES_OF_SIDE, -1)
            ends[level, 1] = cell_on_side(
                open_cells, width, other, second % _VALUES_OF_SIDE, ends[level, 0]
            )
            continue
        ends[level, 0] = next_cell(open_cells, start, -1)
        ends[level, 1] = next_cell(open_cells, start_of_exit, ends[level, 0])
        if rule == ROOMS and find_rooms(open_cells, width, rooms, queue) > 1:
            for cell in range(cells):
                suitable[cell] = rooms[cell] > 0
            ends[level, 0] = next_cell(suitable, start, -1)
            for cell in range(cells):
                suitable[cell] = rooms[cell] > 0 and rooms[cell] != rooms[ends[level, 0]]
            ends[level, 1] = next_cell(suitable, start_of_exit, -1)
        if rule == FARTHEST:
            lay_margin(tiles[level], linked.shape[0] - 1, padded)
            distance[:] = -1
            largest, begin = np.int64(0), np.int64(-1)
            for cell in range(stride + 1, padded.size - stride - 1):
                if distance[cell] < 0 and linked[padded[cell], padded[cell]] != 0:
                    size = flood(padded, linked, stride, cell, distance, queue)
                    if size > largest:
                        largest, begin = size, np.int64(cell)
            if largest < 2:
                continue
            longest = -1
            for _ in range(_SWEEPS):
                distance[:] = -1
                size = flood(padded, linked, stride, int(begin), distance, queue)
                end = queue[size - 1]
                if distance[end] <= longest:
                    break
                longest = distance[end]
                ends[level, 0] = (begin // stride - 1) * width + begin % stride - 1
                ends[level, 1] = (end // stride - 1) * width + end % stride - 1
                begin = np.int64(end)


@kernel
def place_checkpoints(
    tiles: NDArray[np.uint8],
    allowed: NDArray[np.uint8],
    ends: NDArray[np.int64],
    wanted: NDArray[np.int64],
    floor: int,
    checkpoints: NDArray[np.int64],
) -> None:
    """Write the cells of the checkpoints of n levels to `checkpoints` `(n, k)`.

    In order, each takes the nearest cell (by rows and columns, the first in reading order of
    several) to its cell in `wanted` `(k,)` that can be reached from the entrance and is no other
    place; if there is none, the nearest walkable cell that is no other place; if there is none,
    its cell in `wanted`, which is opened. `allowed` is the table of steps with its margin.
    """
    count, height, width = tiles.shape
    stride, cells = width + 2, height * width
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    # 2 for cells that can be reached, 1 for other walkable ones, 0 for walls and places.
    rank = empty(cells, np.uint8)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        entrance = ends[level, 0]
        begin = (entrance // width + 1) * stride + entrance % width + 1
        flood(padded, allowed, stride, int(begin), distance, queue)
        for cell in range(cells):
            at = (cell // width + 1) * stride + cell % width + 1
            rank[cell] = 2 if distance[at] >= 0 else allowed[padded[at], padded[at]] != 0
        rank[entrance], rank[ends[level, 1]] = 0, 0
        for number in range(wanted.size):
            x, y = wanted[number] % width, wanted[number] // width
            best, nearest, taken = 0, np.int64(0), wanted[number]
            for cell in range(cells):
                away = abs(cell % width - x) + abs(cell // width - y)
                if rank[cell] > best or (best > 0 and rank[cell] == best and away < nearest):
                    best, nearest, taken = rank[cell], away, np.int64(cell)
            rank[taken] = 0
            checkpoints[level, number] = taken
            if best == 0:
                tiles[level, y, x] = floor
