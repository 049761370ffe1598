"""The structure of levels: pockets, specks, plazas, blocks, diagonals, dead ends, junctions,
corridors and rooms.

Two neighbouring cells are *linked* if a step between them is legal in at least one direction:
`linked` is the table of a tileset together with its transpose. A *wall* is a cell that is not
walkable. A *plaza* is a 2x2 square of cells whose four sides are links. A *room* is a group of
linked cells, each of which lies in a 3x3 square of cells that is made of four plazas.

Cells are flags in flat arrays with a margin, so that every property of a cell is computed from its
neighbours without a branch.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel, level_kernel
from levolve.kernels.walking.shortest_paths import flood, lay_margin

(
    SPECKS,
    PLAZAS,
    BLOCKS,
    DIAGONALS,
    DEAD_ENDS,
    JUNCTIONS,
    LINKS,
    OPEN_CELLS,
    PLAZA_CELLS,
    ROOM_CELLS,
) = range(10)
SHAPES = 10

Tiles = NDArray[np.uint8]
Flags = NDArray[np.uint8]

_0, _1 = np.uint8(0), np.uint8(1)
_FORK = 3


@kernel
def _link(
    tiles: Tiles,
    linked: Flags,
    stride: int,
    walls: Flags,
    right: Flags,
    down: Flags,
    is_open: Flags,
) -> None:
    """Flag the walls and open cells of one level, and the links of every cell to the right and
    downwards. The margin has no flag.
    """
    height, width = tiles.shape
    kinds = linked.shape[0] - 1
    walls[:] = _0
    right[:] = _0
    down[:] = _0
    is_open[:] = _0
    for y in range(height):
        first = (y + 1) * stride + 1
        below = min(y + 1, height - 1)
        for x in range(width):
            here = tiles[y, x]
            is_open[first + x] = linked[here, here]
            walls[first + x] = _1 - linked[here, here]
            right[first + x] = linked[here, tiles[y, x + 1] if x + 1 < width else kinds]
            down[first + x] = linked[here, tiles[below, x] if y + 1 < height else kinds]


@kernel
def _widen(flags: Flags, stride: int, out: Flags) -> None:
    """Flag the four cells of every square whose upper left cell is flagged."""
    out[:] = _0
    for cell in range(np.uint64(stride + 1), np.uint64(out.size)):
        out[cell] = (
            flags[cell]
            | flags[cell - np.uint64(1)]
            | flags[cell - np.uint64(stride)]
            | flags[cell - np.uint64(stride) - np.uint64(1)]
        )


@kernel
def _squares(
    right: Flags,
    down: Flags,
    stride: int,
    plazas: Flags,
    in_plaza: Flags,
    in_room: Flags,
    work: Flags,
) -> None:
    """Flag the upper left cell of every plaza, the cells of plazas, and the cells of rooms."""
    one, row = np.uint64(1), np.uint64(stride)
    plazas[:] = _0
    end = np.uint64(plazas.size - stride - 1)
    for cell in range(np.uint64(0), end):
        plazas[cell] = right[cell] & down[cell] & right[cell + row] & down[cell + one]
    in_room[:] = _0
    for cell in range(np.uint64(0), end):
        in_room[cell] = (
            plazas[cell] & plazas[cell + one] & plazas[cell + row] & plazas[cell + row + one]
        )
    _widen(in_room, stride, work)
    _widen(work, stride, in_room)
    _widen(plazas, stride, in_plaza)


@level_kernel
def count_shapes(
    tiles: Tiles, linked: Flags, stops: NDArray[np.int64], counts: NDArray[np.int64]
) -> None:
    """Count the shapes of each of `(n, height, width)` levels, `(n, 10)` in the order of the
    constants above.

    `stops` are `(n, s)` cells, numbered in reading order, -1 for none. Specks are walls without a
    wall beside them. Blocks are 2x2 squares of walls. Diagonals are 2x2 squares with walls in two
    opposite corners only. Dead ends are cells with one link, except stops. Junctions are cells with
    three or four links in no plaza.
    """
    count, height, width = tiles.shape
    stride = width + 2
    flags = empty((8, (height + 2) * stride), np.uint8)
    walls, right, down, is_open, plazas, in_plaza, in_room, work = (
        flags[0],
        flags[1],
        flags[2],
        flags[3],
        flags[4],
        flags[5],
        flags[6],
        flags[7],
    )
    one, row = np.uint64(1), np.uint64(stride)
    for level in range(count):
        _link(tiles[level], linked, stride, walls, right, down, is_open)
        _squares(right, down, stride, plazas, in_plaza, in_room, work)
        specks = dead_ends = junctions = links = blocks = diagonals = squares = np.int64(0)
        open_cells = plaza_cells = room_cells = np.int64(0)
        for y in range(np.uint64(1), np.uint64(height + 1)):
            for cell in range(y * row + one, y * row + one + np.uint64(width)):
                wall = walls[cell]
                ways = right[cell] + right[cell - one] + down[cell] + down[cell - row]
                beside = (
                    walls[cell - one] | walls[cell + one] | walls[cell - row] | walls[cell + row]
                )
                specks += wall & (_1 - beside)
                dead_ends += ways == _1
                junctions += (ways >= _FORK) & (in_plaza[cell] == _0)
                links += right[cell] + down[cell]
                other, below, far = walls[cell + one], walls[cell + row], walls[cell + row + one]
                blocks += wall & other & below & far
                free, free_other, free_below, free_far = (
                    is_open[cell],
                    is_open[cell + one],
                    is_open[cell + row],
                    is_open[cell + row + one],
                )
                diagonals += (wall & far & free_other & free_below) | (
                    free & free_far & other & below
                )
                squares += plazas[cell]
                open_cells += free
                plaza_cells += in_plaza[cell]
                room_cells += in_room[cell]
        for k in range(stops.shape[1]):
            stop = stops[level, k]
            again = False
            for before in range(k):
                again |= stops[level, before] == stop
            if stop >= 0 and not again:
                at = (stop // width + 1) * stride + stop % width + 1
                dead_ends -= right[at] + right[at - 1] + down[at] + down[at - stride] == _1
        found = counts[level]
        found[SPECKS], found[PLAZAS], found[BLOCKS], found[DIAGONALS], found[DEAD_ENDS] = (
            specks,
            squares,
            blocks,
            diagonals,
            dead_ends,
        )
        found[JUNCTIONS], found[LINKS], found[OPEN_CELLS], found[PLAZA_CELLS], found[ROOM_CELLS] = (
            junctions,
            links,
            open_cells,
            plaza_cells,
            room_cells,
        )


@level_kernel
def count_groups(
    tiles: Tiles, linked: Flags, corridors: NDArray[np.int64], rooms: NDArray[np.int64]
) -> None:
    """Count the corridors and rooms of each level. Corridors are groups of linked cells that are in
    no room and no junctions.
    """
    count, height, width = tiles.shape
    stride = width + 2
    flags = empty((8, (height + 2) * stride), np.uint8)
    walls, right, down, is_open, plazas, in_plaza, in_room, work = (
        flags[0],
        flags[1],
        flags[2],
        flags[3],
        flags[4],
        flags[5],
        flags[6],
        flags[7],
    )
    queue = empty(flags.shape[1], np.int32)
    for level in range(count):
        _link(tiles[level], linked, stride, walls, right, down, is_open)
        _squares(right, down, stride, plazas, in_plaza, in_room, work)
        for cell in range(stride + 1, walls.size - stride - 1):
            ways = right[cell] + right[cell - 1] + down[cell] + down[cell - stride]
            junction = ways >= _FORK and in_plaza[cell] == 0
            work[cell] = is_open[cell] != 0 and in_room[cell] == 0 and not junction
        corridors[level] = _erase_groups(work, right, down, stride, queue, queue[:0])
        rooms[level] = _erase_groups(in_room, right, down, stride, queue, queue[:0])


@level_kernel
def label_rooms(tiles: Tiles, linked: Flags, labels: NDArray[np.int32]) -> None:
    """Write the number of the room of each cell, from 1, to `(n, height, width)` labels; 0 for a
    cell in no room.
    """
    count, height, width = tiles.shape
    stride = width + 2
    flags = empty((7, (height + 2) * stride), np.uint8)
    walls, right, down, is_open, plazas, in_plaza, in_room = (
        flags[0],
        flags[1],
        flags[2],
        flags[3],
        flags[4],
        flags[5],
        flags[6],
    )
    work = empty(flags.shape[1], np.uint8)
    queue, numbers = empty(flags.shape[1], np.int32), empty(flags.shape[1], np.int32)
    for level in range(count):
        _link(tiles[level], linked, stride, walls, right, down, is_open)
        _squares(right, down, stride, plazas, in_plaza, in_room, work)
        numbers[:] = 0
        _erase_groups(in_room, right, down, stride, queue, numbers)
        for y in range(height):
            for x in range(width):
                labels[level, y, x] = numbers[(y + 1) * stride + x + 1]


@kernel
def _erase_groups(
    members: Flags,
    right: Flags,
    down: Flags,
    stride: int,
    queue: NDArray[np.int32],
    numbers: NDArray[np.int32],
) -> np.int64:
    """Count the groups of linked cells among the flagged ones, and clear their flags; unless
    `numbers` is empty, number their cells by group from 1.
    """
    found = np.int64(0)
    for start in range(stride + 1, members.size - stride - 1):
        if members[start] == 0:
            continue
        found += 1
        members[start] = 0
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            if numbers.size:
                numbers[cell] = found
            for there, link in (
                (cell - stride, down[cell - stride]),
                (cell + stride, down[cell]),
                (cell - 1, right[cell - 1]),
                (cell + 1, right[cell]),
            ):
                if link != 0 and members[there] != 0:
                    members[there] = 0
                    queue[tail] = there
                    tail += 1
    return found


@level_kernel
def count_pockets(
    tiles: Tiles, linked: Flags, stops: NDArray[np.int64], pockets: NDArray[np.int64]
) -> None:
    """Count the regions of each level that contain none of its `(n, s)` stops; all regions but one
    if it has no stop.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], linked.shape[0] - 1, padded)
        distance[:] = -1
        has_stops = False
        for k in range(stops.shape[1]):
            stop = stops[level, k]
            if stop >= 0:
                has_stops = True
                cell = (stop // width + 1) * stride + stop % width + 1
                if distance[cell] < 0:
                    flood(padded, linked, stride, cell, distance, queue)
        found = np.int64(0)
        for cell in range(stride + 1, padded.size - stride - 1):
            if distance[cell] < 0 and linked[padded[cell], padded[cell]] != 0:
                flood(padded, linked, stride, cell, distance, queue)
                found += 1
        pockets[level] = found if has_stops or found == 0 else found - 1
