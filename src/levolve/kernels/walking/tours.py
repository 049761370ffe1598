"""Tours through a dungeon: from A, the first floor tile in reading order, via B to C, the last one,
and back to A.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel
from levolve.kernels.walking.shortest_paths import flood, lay_margin

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
