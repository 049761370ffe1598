"""The way of a level: its shortest path through the stops of the goal, leg by leg, the one that
`walking.trace` returns.

The effort to find a path: wrong turns along a shortest path, and the steps lost in the branches
they lead into. Tours through a dungeon: from A, the first floor tile in reading order, via B to C,
the last one, and back to A.

For one leg of a path, from a start to a goal, a cell is *right* if it lies on a shortest path
between the two, and *wrong* if it is reachable but not right. If there are several shortest paths,
no step along any of them is a mistake, so an open hall is easy.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel, level_kernel
from levolve.kernels.walking.shortest_paths import flood, lay_margin

TURNS, STRAIGHT, CHOKE_POINTS, WAY_CELLS = range(4)
PARTS = 4


@level_kernel
def follow_ways(
    tiles: NDArray[np.uint8],
    allowed: NDArray[np.uint8],
    stops: NDArray[np.int64],
    parts: NDArray[np.int64],
) -> None:
    """Describe the way of each of `(n, height, width)` levels, `(n, 4)`, through its `(n, s)`
    stops; all parts are -1 if there is no way.

    The parts are: the turns, where a step has another direction than the step before; the steps of
    the longest straight run; the choke points, cells that every path of some leg passes, except its
    two stops; and the number of different cells of the way.

    Choke points by one sweep along a leg: all cells that can be reached without the cells of the
    leg from position i on are explored. If no step leads from them to a later cell of the leg than
    i, then cell i is a choke point.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    path = empty(padded.size, np.int32)
    position = empty(padded.size, np.int32)
    seen = empty(padded.size, np.uint8)
    on_way = empty(padded.size, np.uint8)
    choke = empty(padded.size, np.uint8)
    moves = np.array([-stride, stride, -1, 1])
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        on_way[:] = 0
        choke[:] = 0
        turns = longest = run = 0
        direction = 0
        broken = False
        for leg in range(stops.shape[1] - 1):
            start, goal = stops[level, leg], stops[level, leg + 1]
            if start < 0 or goal < 0:
                broken = True
                break
            begin = (start // width + 1) * stride + start % width + 1
            cell = (goal // width + 1) * stride + goal % width + 1
            distance[:] = -1
            flood(padded, allowed, stride, begin, distance, queue)
            length = distance[cell]
            if length < 0:
                broken = True
                break
            position[:] = -1
            path[length] = cell
            position[cell] = length
            for step in range(length - 1, -1, -1):
                for move in range(4):
                    before = cell - moves[move]
                    if distance[before] == step and allowed[padded[before], padded[cell]] != 0:
                        cell = before
                        break
                path[step] = cell
                position[cell] = step
            for step in range(length + 1):
                on_way[path[step]] = 1
                if step == length:
                    break
                heading = path[step + 1] - path[step]
                turns += run > 0 and heading != direction
                run = run + 1 if heading == direction else 1
                direction = heading
                longest = max(longest, run)
            seen[:] = 0
            farthest = 0
            for step in range(length):
                if step > 0 and farthest == step:
                    choke[path[step]] = 1
                queue[0] = path[step]
                head, tail = 0, 1
                while head < tail:
                    here = queue[head]
                    head += 1
                    for move in range(4):
                        there = here + moves[move]
                        if allowed[padded[here], padded[there]] == 0:
                            continue
                        farthest = max(farthest, position[there])
                        if position[there] < 0 and not seen[there]:
                            seen[there] = 1
                            queue[tail] = there
                            tail += 1
        if broken:
            parts[level] = -1
            continue
        chokes = cells = np.int64(0)
        for cell in range(padded.size):
            chokes += choke[cell]
            cells += on_way[cell]
        (
            parts[level, TURNS],
            parts[level, STRAIGHT],
            parts[level, CHOKE_POINTS],
            parts[level, WAY_CELLS],
        ) = turns, longest, chokes, cells


STEPS, EFFORT_STRAIGHT, WRONG_TURNS, BRANCHES, LOST = range(5)
EFFORT_PARTS = 5


@level_kernel
def weigh_walks(
    tiles: NDArray[np.uint8],
    allowed: NDArray[np.uint8],
    allowed_back: NDArray[np.uint8],
    stops: NDArray[np.int64],
    parts: NDArray[np.int64],
) -> None:
    """Compute for each of `(n, height, width)` levels the parts of its difficulty, `(n, 5)`, summed
    over the legs between its `(n, s)` stops.

    Stops are cells numbered in reading order; `allowed_back` is the transpose of `allowed`. The
    parts are: the steps of the shortest path; the Manhattan distance between the stops; wrong
    turns, the steps from a cell of the path (the one from `walking.trace`) to a wrong cell; wrong
    branches, the sets of wrong cells that those turns lead to through wrong cells only; and the
    steps lost in them, for each branch the number of distances from its nearest to its farthest
    cell, inclusive. All parts are -1 if there is no path.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    onward = empty(padded.size, np.int32)
    homeward = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    is_lost = empty(padded.size, np.uint8)
    # In the order of the moves up, down, left, right.
    moves = np.array([-stride, stride, -1, 1])
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        parts[level] = 0
        for leg in range(stops.shape[1] - 1):
            start, goal = stops[level, leg], stops[level, leg + 1]
            if start < 0 or goal < 0:
                parts[level] = -1
                break
            start_x, start_y, goal_x, goal_y = (
                start % width,
                start // width,
                goal % width,
                goal // width,
            )
            begin = (start_y + 1) * stride + start_x + 1
            cell = (goal_y + 1) * stride + goal_x + 1
            onward[:] = -1
            homeward[:] = -1
            is_lost[:] = 0
            flood(padded, allowed, stride, begin, onward, queue)
            flood(padded, allowed_back, stride, cell, homeward, queue)
            length = onward[cell]
            if length < 0:
                parts[level] = -1
                break
            parts[level, STEPS] += length
            parts[level, EFFORT_STRAIGHT] += abs(start_x - goal_x) + abs(start_y - goal_y)
            for position in range(length - 1, -1, -1):
                for move in range(4):
                    before = cell - moves[move]
                    if onward[before] == position and allowed[padded[before], padded[cell]] != 0:
                        cell = before
                        break
                for move in range(4):
                    aside = cell + moves[move]
                    on_way = homeward[aside] >= 0 and onward[aside] + homeward[aside] == length
                    if onward[aside] < 0 or on_way or allowed[padded[cell], padded[aside]] == 0:
                        continue
                    parts[level, WRONG_TURNS] += 1
                    if is_lost[aside]:
                        continue
                    is_lost[aside] = 1
                    queue[0] = aside
                    head, tail = 0, 1
                    nearest = farthest = onward[aside]
                    while head < tail:
                        here = queue[head]
                        head += 1
                        nearest, farthest = min(nearest, onward[here]), max(farthest, onward[here])
                        for further in range(4):
                            there = here + moves[further]
                            wrong = onward[there] >= 0 and (
                                homeward[there] < 0 or onward[there] + homeward[there] != length
                            )
                            if (
                                wrong
                                and not is_lost[there]
                                and allowed[padded[here], padded[there]] != 0
                            ):
                                is_lost[there] = 1
                                queue[tail] = there
                                tail += 1
                    parts[level, BRANCHES] += 1
                    parts[level, LOST] += farthest - nearest + 1


Tiles = NDArray[np.uint8]


@kernel
def place_tours(
    tiles: Tiles,
    allowed: NDArray[np.uint8],
    marks: NDArray[np.int64],
    best: bool,
    tours: NDArray[np.int64],
    steps: NDArray[np.int32],
) -> None:
    """Write for each of `(n, height, width)` levels the cells A, B, C, numbered in reading order,
    to `(n, 3)` `tours`, and the steps of the tour.

    B is the first floor tile between A and C, cyclically in reading order, from the level's mark;
    or, if `best`, the one with the longest tour (the first of several). A missing cell and an
    impossible tour are -1.
    """
    count, height, width = tiles.shape
    stride = width + 2
    cells = width * height
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    other = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        first = last = -1
        for cell in range(cells):
            kind = tiles[level, cell // width, cell % width]
            if allowed[kind, kind]:
                last = cell
                if first < 0:
                    first = cell
        tours[level, 0], tours[level, 1], tours[level, 2] = first, -1, last if last > first else -1
        steps[level] = -1
        if last <= first:
            continue
        at_first = (first // width + 1) * stride + first % width + 1
        at_last = (last // width + 1) * stride + last % width + 1
        distance[:] = -1
        flood(padded, allowed, stride, at_first, distance, queue)
        back = distance[at_last]
        if best:
            if back < 0:
                continue
            other[:] = -1
            flood(padded, allowed, stride, at_last, other, queue)
            for cell in range(first + 1, last):
                at = (cell // width + 1) * stride + cell % width + 1
                if distance[at] >= 0 and distance[at] + other[at] + back > steps[level]:
                    tours[level, 1] = cell
                    steps[level] = distance[at] + other[at] + back
            continue
        for k in range(cells):
            cell = (marks[level] + k) % cells
            kind = tiles[level, cell // width, cell % width]
            if first < cell < last and allowed[kind, kind]:
                tours[level, 1] = cell
                at = (cell // width + 1) * stride + cell % width + 1
                if back >= 0 and distance[at] >= 0:
                    away = distance[at]
                    other[:] = -1
                    flood(padded, allowed, stride, at, other, queue)
                    steps[level] = away + other[at_last] + back
                break


@kernel
def walk_tours(
    tiles: Tiles, allowed: NDArray[np.uint8], tours: NDArray[np.int64], steps: NDArray[np.int32]
) -> None:
    """Compute the steps from A via B and C back to A of each level for given cells; -1 if there is
    no such tour.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    at = empty(3, np.int64)
    for level in range(count):
        steps[level] = -1
        if tours[level, 0] < 0 or tours[level, 1] < 0 or tours[level, 2] < 0:
            continue
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        for k in range(3):
            at[k] = (tours[level, k] // width + 1) * stride + tours[level, k] % width + 1
        distance[:] = -1
        flood(padded, allowed, stride, at[0], distance, queue)
        there, back = distance[at[1]], distance[at[2]]
        distance[:] = -1
        flood(padded, allowed, stride, at[1], distance, queue)
        if there >= 0 and back >= 0:
            steps[level] = there + distance[at[2]] + back
