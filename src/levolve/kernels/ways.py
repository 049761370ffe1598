"""The way of a level: its shortest path through the stops of the goal, leg by leg, the one that `walking.trace` returns."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import level_kernel
from levolve.kernels.memory import empty
from levolve.kernels.walking import flood, lay_margin

TURNS, STRAIGHT, CHOKE_POINTS, WAY_CELLS = range(4)
PARTS = 4


@level_kernel
def follow_ways(tiles: NDArray[np.uint8], allowed: NDArray[np.uint8], stops: NDArray[np.int64], parts: NDArray[np.int64]) -> None:
    """Describe the way of each of `(n, height, width)` levels, `(n, 4)`, through its `(n, s)` stops; all parts are -1 if there is no way.

    The parts are: the turns, where a step has another direction than the step before; the steps of the longest straight run; the choke points, cells
    that every path of some leg passes, except its two stops; and the number of different cells of the way.

    Choke points by one sweep along a leg: all cells that can be reached without the cells of the leg from position i on are explored. If no step
    leads from them to a later cell of the leg than i, then cell i is a choke point.
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
        parts[level, TURNS], parts[level, STRAIGHT], parts[level, CHOKE_POINTS], parts[level, WAY_CELLS] = turns, longest, chokes, cells
