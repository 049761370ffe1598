"""The effort to find a path: wrong turns along a shortest path, and the steps lost in the branches they lead into.

For one leg of a path, from a start to a goal, a cell is *right* if it lies on a shortest path between the two, and *wrong* if it is reachable but not
right. If there are several shortest paths, no step along any of them is a mistake, so an open hall is easy.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import level_kernel
from levolve.kernels.memory import empty
from levolve.kernels.walking import flood, lay_margin

STEPS, STRAIGHT, WRONG_TURNS, BRANCHES, LOST = range(5)
PARTS = 5


@level_kernel
def weigh_walks(
    tiles: NDArray[np.uint8], allowed: NDArray[np.uint8], allowed_back: NDArray[np.uint8], stops: NDArray[np.int64], parts: NDArray[np.int64]
) -> None:
    """Compute for each of `(n, height, width)` levels the parts of its difficulty, `(n, 5)`, summed over the legs between its `(n, s)` stops.

    Stops are cells numbered in reading order; `allowed_back` is the transpose of `allowed`. The parts are: the steps of the shortest path; the
    Manhattan distance between the stops; wrong turns, the steps from a cell of the path (the one from `walking.trace`) to a wrong cell; wrong
    branches, the sets of wrong cells that those turns lead to through wrong cells only; and the steps lost in them, for each branch the number of
    distances from its nearest to its farthest cell, inclusive. All parts are -1 if there is no path.
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
            start_x, start_y, goal_x, goal_y = start % width, start // width, goal % width, goal // width
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
            parts[level, STRAIGHT] += abs(start_x - goal_x) + abs(start_y - goal_y)
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
                            wrong = onward[there] >= 0 and (homeward[there] < 0 or onward[there] + homeward[there] != length)
                            if wrong and not is_lost[there] and allowed[padded[here], padded[there]] != 0:
                                is_lost[there] = 1
                                queue[tail] = there
                                tail += 1
                    parts[level, BRANCHES] += 1
                    parts[level, LOST] += farthest - nearest + 1
