"""Features of flooded levels: culs-de-sac, junctions, and reconvergences.

Connected regions of cells.

Culs-de-sac of levels that consist of floor and walls: no table of steps, and a byte per cell, which
stays in the processor's cache.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.compiler import kernel, level_kernel
from levolve.kernels.walking.shortest_paths import flood, lay_margin

_1 = np.uint64(1)


@level_kernel
def count_ends(
    tiles: NDArray[np.uint8],
    allowed: NDArray[np.uint8],
    distance: NDArray[np.int32],
    ends: NDArray[np.int64],
    lengths: NDArray[np.int64],
    junctions: NDArray[np.int64],
) -> None:
    """Compute for each level the number of culs-de-sac, the sum of their |x|, and the number of
    cells with three or more legal steps.

    A reachable cell x is a cul-de-sac if no neighbour y one step away is farther: |x| >= |y|.
    """
    count, height, width = tiles.shape
    for level in range(count):
        found = total = crossings = 0
        for y in range(height):
            for x in range(width):
                here = distance[level, y, x]
                if here < 0:
                    continue
                ways = 0
                farthest = True
                for move in range(4):
                    to_x = x + (move == 3) - (move == 2)
                    to_y = y + (move == 1) - (move == 0)
                    if to_x < 0 or to_y < 0 or to_x >= width or to_y >= height:
                        continue
                    if allowed[tiles[level, y, x], tiles[level, to_y, to_x]]:
                        ways += 1
                        farthest &= distance[level, to_y, to_x] <= here
                if farthest:
                    found += 1
                    total += here
                crossings += ways >= 3
        ends[level], lengths[level], junctions[level] = found, total, crossings


@kernel
def sum_reconvergences(
    distance: NDArray[np.int32],
    members: NDArray[np.uint64],
    checkpoints: int,
    sums: NDArray[np.int64],
    isolated: NDArray[np.int64],
) -> None:
    """Compute for each level the sums of prc(Ci, Cj) and of iprc(Ci, Cj) over all pairs of
    checkpoints.

    prc is the smallest |x| of the cells with both as members, 0 if there is none; iprc is prc if
    one of the cells at exactly that distance has no other member, else 0.
    """
    count, height, width = distance.shape
    nearest = empty((checkpoints, checkpoints), np.int64)
    alone = empty((checkpoints, checkpoints), np.uint8)
    for level in range(count):
        nearest[:, :] = -1
        alone[:, :] = 0
        for y in range(height):
            for x in range(width):
                both = members[level, y, x]
                if both & (both - _1) == np.uint64(0):
                    continue
                here = distance[level, y, x]
                for i in range(checkpoints):
                    if not (both >> np.uint64(i)) & _1:
                        continue
                    rest = both ^ (_1 << np.uint64(i))
                    only_one_more = rest & (rest - _1) == np.uint64(0)
                    for j in range(i + 1, checkpoints):
                        if not (both >> np.uint64(j)) & _1:
                            continue
                        if nearest[i, j] < 0 or here < nearest[i, j]:
                            nearest[i, j] = here
                            alone[i, j] = only_one_more
                        elif here == nearest[i, j]:
                            alone[i, j] |= only_one_more
        total = lonely = np.int64(0)
        for i in range(checkpoints):
            for j in range(i + 1, checkpoints):
                if nearest[i, j] > 0:
                    total += nearest[i, j]
                    if alone[i, j]:
                        lonely += nearest[i, j]
        sums[level], isolated[level] = total, lonely


@level_kernel
def count_regions(
    tiles: NDArray[np.uint8],
    allowed: NDArray[np.uint8],
    out: NDArray[np.int32],
    largest: NDArray[np.int32],
) -> None:
    """Count the regions of each of `(n, height, width)` levels, and the cells of the largest."""
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        found = 0
        most = np.int64(0)
        for cell in range(stride + 1, padded.size - stride - 1):
            if distance[cell] < 0 and allowed[padded[cell], padded[cell]] != 0:
                most = max(most, flood(padded, allowed, stride, cell, distance, queue))
                found += 1
        out[level] = found
        largest[level] = most


Tiles = NDArray[np.uint8]
# The state of a cell: closed, open, or reached, with the last two bits of its distance.
CLOSED, OPEN, REACHED = 0, 1, 4


@kernel
def count_ends_of_walls(
    tiles: Tiles,
    start_x: int,
    start_y: int,
    ends: NDArray[np.int64],
    lengths: NDArray[np.int64],
    junctions: NDArray[np.int64],
) -> None:
    """`features.count_ends` for levels of floor and walls, by one flood with two queues: the cells
    of this step and of the next.

    Neighbours differ by one step, so that two bits of a distance tell which of them is farther.
    """
    count, height, width = tiles.shape
    stride = width + 2
    state = zeros((height + 2) * stride, np.uint8)
    now = empty(state.size + 1, np.int32)
    later = empty(state.size + 1, np.int32)
    row, column = np.uint64(stride), np.uint64(1)
    start = (start_y + 1) * stride + start_x + 1
    for level in range(count):
        for y in range(height):
            first = (y + 1) * stride + 1
            for x in range(width):
                state[first + x] = np.uint8(tiles[level, y, x] == 0)
        found = total = crossings = np.int64(0)
        length = np.uint64(state[start])
        state[start] = REACHED * length
        now[0] = start
        steps = np.int64(0)
        while length > np.uint64(0):
            farther = np.uint8(REACHED + (steps + 1) % REACHED)
            tail = np.uint64(0)
            for k in range(length):
                cell = np.uint64(now[np.uint64(k)])
                for near in (cell - row, cell + row, cell - column, cell + column):
                    before = state[near]
                    new = before == OPEN
                    later[tail] = near
                    state[near] = farther if new else before
                    tail += np.uint64(new)
            for k in range(length):
                cell = np.uint64(now[np.uint64(k)])
                a, b, c, d = (
                    state[cell - row],
                    state[cell + row],
                    state[cell - column],
                    state[cell + column],
                )
                is_end = farther not in (a, b, c, d)
                found += is_end
                total += steps if is_end else np.int64(0)
                crossings += (
                    np.int64(a != CLOSED)
                    + np.int64(b != CLOSED)
                    + np.int64(c != CLOSED)
                    + np.int64(d != CLOSED)
                    > 2
                )
            now, later = later, now
            length = tail
            steps += 1
        ends[level], lengths[level], junctions[level] = found, total, crossings
