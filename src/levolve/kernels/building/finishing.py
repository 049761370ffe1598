"""Finishing of levels: pockets filled, small groups of walls dropped, diagonal contacts removed,
walls smoothed.

All kernels change `(n, height, width)` tiles in place. `fixed` is `(height, width)`, 1 for cells
that must not change. `walkable` has one entry per kind of tile. `floor` and `wall` are the kinds to
write.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full, zeros
from levolve.kernels.compiler import kernel
from levolve.kernels.walking.shortest_paths import flood, lay_margin

Tiles = NDArray[np.uint8]
Cells = NDArray[np.uint8]
Kinds = NDArray[np.uint8]

# Scans of a level for diagonal contacts: removing one may create another.
SCANS = 8
_MAJORITY = 5


@kernel
def fill_pockets(
    tiles: Tiles, linked: Kinds, stops: NDArray[np.int64], fixed: Cells, wall: int
) -> None:
    """Fill every region without a stop. If no region has a stop, all regions except the largest are
    filled.

    `linked` is the table of legal steps with its margin; `stops` are cells numbered in reading
    order.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    region = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    stays = empty(padded.size, np.uint8)
    for level in range(count):
        lay_margin(tiles[level], linked.shape[0] - 1, padded)
        distance[:] = -1
        found = 0
        largest, most = 0, np.int64(0)
        for start in range(stride + 1, padded.size - stride - 1):
            if distance[start] < 0 and linked[padded[start], padded[start]] != 0:
                size = flood(padded, linked, stride, start, distance, queue)
                for k in range(size):
                    region[queue[k]] = found
                stays[found] = 0
                if size > most:
                    largest, most = found, size
                found += 1
        if found == 0:
            continue
        any_stop = False
        for k in range(stops.size):
            cell = (stops[k] // width + 1) * stride + stops[k] % width + 1
            if distance[cell] >= 0:
                stays[region[cell]] = 1
                any_stop = True
        if not any_stop:
            stays[largest] = 1
        for y in range(height):
            for x in range(width):
                cell = (y + 1) * stride + x + 1
                if distance[cell] >= 0 and stays[region[cell]] == 0 and fixed[y, x] == 0:
                    tiles[level, y, x] = wall


@kernel
def join_halls(
    tiles: Tiles, linked: Kinds, stops: NDArray[np.int64], halls: Cells, floor: int
) -> None:
    """Open closed cells of halls, so that no open cell of a hall is cut off from the first open
    stop, or else from the largest region.

    `halls` is `(height, width)`, 1 for cells of halls. The shortest ways through halls are opened,
    one region after the other, the nearest first.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    parent = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    inside = zeros(padded.size, np.uint8)
    for y in range(height):
        for x in range(width):
            inside[(y + 1) * stride + x + 1] = halls[y, x]
    for level in range(count):
        lay_margin(tiles[level], linked.shape[0] - 1, padded)
        distance[:] = -1
        any_stop = False
        for k in range(stops.size):
            cell = (stops[k] // width + 1) * stride + stops[k] % width + 1
            if not any_stop and linked[padded[cell], padded[cell]] != 0:
                flood(padded, linked, stride, cell, distance, queue)
                any_stop = True
        if not any_stop:
            largest, most = -1, np.int64(0)
            for start in range(stride + 1, padded.size - stride - 1):
                if distance[start] < 0 and linked[padded[start], padded[start]] != 0:
                    size = flood(padded, linked, stride, start, distance, queue)
                    if size > most:
                        largest, most = start, size
            distance[:] = -1
            if largest >= 0:
                flood(padded, linked, stride, largest, distance, queue)
        while True:
            target = -1
            parent[:] = -1
            head, tail = 0, 0
            for cell in range(padded.size):
                if distance[cell] >= 0:
                    parent[cell] = cell
                    queue[tail] = cell
                    tail += 1
            while head < tail and target < 0:
                cell = queue[head]
                head += 1
                for neighbour in (cell - stride, cell + stride, cell - 1, cell + 1):
                    if inside[neighbour] == 0 or parent[neighbour] >= 0:
                        continue
                    parent[neighbour] = cell
                    if linked[padded[neighbour], padded[neighbour]] != 0:
                        target = neighbour
                        break
                    queue[tail] = neighbour
                    tail += 1
            if target < 0:
                break
            cell = parent[target]
            while parent[cell] != cell:
                padded[cell] = floor
                tiles[level, cell // stride - 1, cell % stride - 1] = floor
                cell = parent[cell]
            # An open cell beside the way may have no legal step to it: then only this region is
            # connected, as far as it can be.
            flood(padded, linked, stride, target, distance, queue)
            cell = parent[target]
            while parent[cell] != cell:
                if distance[cell] < 0:
                    flood(padded, linked, stride, cell, distance, queue)
                cell = parent[cell]


@kernel
def drop_specks(tiles: Tiles, walkable: Kinds, fixed: Cells, largest: int, floor: int) -> None:
    """Open every group of at most `largest` adjacent walls. A group that contains a fixed cell does
    not change.
    """
    count, height, width = tiles.shape
    seen = empty((height, width), np.uint8)
    queue_x = empty(height * width, np.int32)
    queue_y = empty(height * width, np.int32)
    for level in range(count):
        seen[:, :] = 0
        for first_y in range(height):
            for first_x in range(width):
                if seen[first_y, first_x] or walkable[tiles[level, first_y, first_x]]:
                    continue
                seen[first_y, first_x] = 1
                queue_x[0], queue_y[0] = first_x, first_y
                head, tail = 0, 1
                held = False
                while head < tail:
                    x, y = queue_x[head], queue_y[head]
                    head += 1
                    held |= fixed[y, x] != 0
                    for move in range(4):
                        next_x = x + (move == 0) - (move == 1)
                        next_y = y + (move == 2) - (move == 3)
                        if (
                            next_x < 0
                            or next_y < 0
                            or next_x >= width
                            or next_y >= height
                            or seen[next_y, next_x]
                        ):
                            continue
                        if not walkable[tiles[level, next_y, next_x]]:
                            seen[next_y, next_x] = 1
                            queue_x[tail], queue_y[tail] = next_x, next_y
                            tail += 1
                if tail <= largest and not held:
                    for k in range(tail):
                        tiles[level, queue_y[k], queue_x[k]] = floor


@kernel
def is_dispensable(tiles: Tiles, level: int, walkable: Kinds, x: int, y: int) -> bool:
    """Whether the walkable cells beside this walkable cell stay connected, within its eight
    neighbours, if it becomes a wall.
    """
    height, width = tiles.shape[1:]
    # The eight neighbours clockwise from the one above; those beside the cell have even numbers.
    ring = 0
    for k in range(8):
        near_x = x + (1 <= k <= 3) - (5 <= k <= 7)
        near_y = y + (3 <= k <= 5) - (k == 0 or k == 1 or k == 7)  # noqa: PLR1714 a set would be built in every call
        if 0 <= near_x < width and 0 <= near_y < height and walkable[tiles[level, near_y, near_x]]:
            ring |= 1 << k
    groups = 0
    for k in range(0, 8, 2):
        # A group of connected cells ends where the next cell beside is not reached over the corner
        # between.
        if ring >> k & 1 and not (ring >> (k + 1) & 1 and ring >> ((k + 2) % 8) & 1):
            groups += 1
    return groups <= 1


@kernel
def thicken(tiles: Tiles, walkable: Kinds, fixed: Cells, floor: int, wall: int) -> None:
    """Remove contacts of walls by a corner only: squares of 2x2 cells with walls in two opposite
    corners and nowhere else.

    One of the two open cells is filled if the cells beside it stay connected without it. Otherwise
    one of the two walls is opened. Each level is scanned in reading order until nothing changes, at
    most 8 times.
    """
    count, height, width = tiles.shape
    for level in range(count):
        for _ in range(SCANS):
            changed = False
            for y in range(height - 1):
                for x in range(width - 1):
                    first, second = walkable[tiles[level, y, x]], walkable[tiles[level, y, x + 1]]
                    third, fourth = (
                        walkable[tiles[level, y + 1, x]],
                        walkable[tiles[level, y + 1, x + 1]],
                    )
                    if first != fourth or second != third or first == second:
                        continue
                    # The open cells are (x + offset, y) and (x + 1 - offset, y + 1).
                    offset = 0 if first else 1
                    if not fixed[y, x + offset] and is_dispensable(
                        tiles, level, walkable, x + offset, y
                    ):
                        tiles[level, y, x + offset] = wall
                    elif not fixed[y + 1, x + 1 - offset] and is_dispensable(
                        tiles, level, walkable, x + 1 - offset, y + 1
                    ):
                        tiles[level, y + 1, x + 1 - offset] = wall
                    elif not fixed[y, x + 1 - offset]:
                        tiles[level, y, x + 1 - offset] = floor
                    elif not fixed[y + 1, x + offset]:
                        tiles[level, y + 1, x + offset] = floor
                    else:
                        continue
                    changed = True
            if not changed:
                break


@kernel
def smooth(
    tiles: Tiles, walkable: Kinds, fixed: Cells, passes: int, only: int, floor: int, wall: int
) -> None:
    """Apply a majority filter `passes` times: a cell becomes a wall if five or more of the 3x3
    cells around it are walls, otherwise floor.

    Cells outside count as walls. A cell that is already open or a wall, as required, keeps its
    kind. `only` is 0 for both changes, 1 for new walls only, 2 for new floor only.
    """
    count, height, width = tiles.shape
    walls = full((height + 2, width + 2), 1, np.uint8)
    for level in range(count):
        for _ in range(passes):
            for y in range(height):
                for x in range(width):
                    walls[y + 1, x + 1] = walkable[tiles[level, y, x]] == 0
            for y in range(height):
                for x in range(width):
                    around = 0
                    for row in range(3):
                        for column in range(3):
                            around += walls[y + row, x + column]
                    closed = around >= _MAJORITY
                    allowed = only == 0 or (only == 1) == closed
                    if allowed and fixed[y, x] == 0 and closed != walls[y + 1, x + 1]:
                        tiles[level, y, x] = wall if closed else floor
