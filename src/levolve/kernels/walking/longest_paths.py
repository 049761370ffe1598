"""The longest shortest path of levels in which only walls block, as far as it decides whether a
level meets its target.

The longest path as two sweeps find it: fast, exact for trees, and too short for some levels with
loops.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import kernel, level_kernel
from levolve.kernels.walking.shortest_paths import Table, Tiles, flood, lay_margin

Bytes = NDArray[np.uint8]
Indices = NDArray[np.uint32]
Numbers = NDArray[np.int32]


@kernel
def flood_walls(
    blocked: Bytes, stride: int, start: np.uint32, queue: Indices, steps: Numbers
) -> np.int64:
    """Write the cells that can be reached to `queue`, nearest first, and their distances to
    `steps`; return how many they are.

    `blocked` is 1 for cells that are closed, in a level with a margin; all cells that are reached
    are blocked afterwards. A neighbour is stored before it is known whether it counts: this takes
    less time than a branch.
    """
    row, column = np.uint32(stride), np.uint32(1)
    queue[0], steps[0], blocked[start] = start, 0, 1
    head, tail = np.uint64(0), np.uint64(1)
    while head < tail:
        cell, farther = queue[head], steps[head] + np.int32(1)
        head += np.uint64(1)
        for neighbour in (cell - row, cell + row, cell - column, cell + column):
            place = np.uint32(neighbour)
            queue[tail], steps[tail] = place, farther
            tail += np.uint64(1) - np.uint64(blocked[place])
            blocked[place] = 1
    return np.int64(tail)


@kernel
def longest_paths_within(
    rows: NDArray[np.uint64], width: int, low: float, high: float, out: Numbers
) -> None:
    """Compute the greatest distance between any two connected open cells of `(n, height)` row
    words; 0 if there are none.

    As soon as this distance is known to lie within `low` and `high`, any number within them may be
    the result. The bounds are those of `walking.longest_paths`.
    """
    height, stride = rows.shape[1], width + 2
    size = (height + 2) * stride
    blocked, seen = full(size, 1, np.uint8), empty(size, np.uint8)
    # One flood stores up to four neighbours behind its last cell.
    queue, steps, candidates = (
        empty(size + 4, np.uint32),
        empty(size + 4, np.int32),
        empty(size, np.uint32),
    )
    least, most = empty(size, np.int32), empty(size, np.int32)
    for level in range(rows.shape[0]):
        for y in range(height):
            for x in range(width):
                blocked[(y + 1) * stride + x + 1] = (rows[level, y] >> np.uint64(x)) & np.uint64(1)
        for cell in range(size):
            seen[cell] = blocked[cell]
        longest = np.int32(0)
        for first in range(stride + 1, size - stride - 1):
            if seen[first]:
                continue
            count = flood_walls(blocked, stride, np.uint32(first), queue, steps)
            far = steps[count - 1]
            longest = max(longest, far)
            for k in range(count):
                cell = queue[k]
                candidates[k] = cell
                seen[cell] = 1
                blocked[cell] = 0
                least[cell] = max(far - steps[k], steps[k])
                most[cell] = min(np.int32(count - 1), far + steps[k])
            want_far = True
            while count > 0:
                # Floods start in turn at the cell with the highest upper bound and at the one with
                # the lowest lower bound.
                chosen, kept, highest = candidates[0], np.int64(0), np.int32(0)
                for k in range(count):
                    cell = candidates[k]
                    if most[cell] <= longest:
                        continue
                    candidates[kept] = cell
                    kept += 1
                    highest = max(highest, most[cell])
                    if want_far:
                        better = most[cell] > most[chosen]
                    else:
                        better = least[cell] < least[chosen] or (
                            least[cell] == least[chosen] and most[cell] < most[chosen]
                        )
                    if kept == 1 or better:
                        chosen = cell
                count = kept
                if count == 0 or (low <= longest and highest <= high):
                    break
                reached = flood_walls(blocked, stride, chosen, queue, steps)
                far = steps[reached - 1]
                longest = max(longest, far)
                for k in range(reached):
                    cell = queue[k]
                    blocked[cell] = 0
                    least[cell] = max(least[cell], far - steps[k], steps[k])
                    most[cell] = min(most[cell], far + steps[k])
                most[chosen] = far
                want_far = not want_far
        out[level] = longest


@level_kernel
def sweep_paths(tiles: Tiles, allowed: Table, out: NDArray[np.int32]) -> None:
    """Compute the double sweep of each level: from the first cell of a region to the farthest one,
    and from there to the farthest again.

    The result is the greatest distance of the second sweep over all regions; 0 without walkable
    cells. Among equally far cells the first in reading order counts, as in the PCG Benchmark. Cells
    that a first sweep has reached start no other one.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = full(padded.size, -1, np.int32)
    queue = empty(padded.size + 1, np.int32)
    seen = empty(padded.size, np.uint8)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        seen[:] = 0
        longest = 0
        for first in range(stride + 1, padded.size - stride - 1):
            if seen[first] or allowed[padded[first], padded[first]] == 0:
                continue
            size = flood(padded, allowed, stride, first, distance, queue)
            far = distance[queue[size - 1]]
            end = padded.size
            for k in range(size):
                cell = queue[k]
                seen[cell] = 1
                if distance[cell] == far and cell < end:
                    end = int(cell)
                distance[cell] = -1
            size = flood(padded, allowed, stride, end, distance, queue)
            longest = max(longest, distance[queue[size - 1]])
            for k in range(size):
                distance[queue[k]] = -1
        out[level] = longest
