"""Paths in levels of any size and tileset: distances, members, shortest paths, and the longest
shortest path.

The table of a tileset defines the legal steps: `allowed[a, b]` is 1 if a step from a tile of kind a
to one of kind b is legal. The table has an extra row and column of zeros for the border around
every level, which makes checks for the edge unnecessary. The order of steps is up, down, left,
right; `|x|` is the number of steps of a shortest path from the start, -1 if there is none.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full, zeros
from levolve.kernels.compiler import kernel, level_kernel

Tiles = NDArray[np.uint8]
Table = NDArray[np.uint8]
Work = NDArray[np.int32]


@kernel
def lay_margin(tiles: Tiles, margin: int, padded: NDArray[np.uint8]) -> None:
    """Copy one `(height, width)` level into a flat `((height + 2) * (width + 2),)` array with a
    border of kind `margin`.
    """
    height, width = tiles.shape
    padded[:] = margin
    for y in range(height):
        row = (y + 1) * (width + 2) + 1
        for x in range(width):
            padded[row + x] = tiles[y, x]


@kernel
def flood(
    padded: NDArray[np.uint8], allowed: Table, stride: int, start: int, distance: Work, queue: Work
) -> np.int64:
    """Breadth-first search from `start`: write `distance`, which must be -1 in all cells before,
    and list the reached cells in `queue`.

    Return the number of reached cells. A cell is pushed without a branch: it is stored first, and
    the queue grows by the condition.
    """
    if allowed[padded[start], padded[start]] == 0:
        return np.int64(0)
    distance[start] = 0
    queue[0] = start
    head = np.uint64(0)
    tail = np.uint64(1)
    # Unsigned indices: a signed one would be checked for negative values at every access.
    row, column = np.uint64(stride), np.uint64(1)
    while head < tail:
        cell = np.uint64(queue[head])
        head += np.uint64(1)
        steps = allowed[padded[cell]]
        further = distance[cell] + 1
        for neighbour in (cell - row, cell + row, cell - column, cell + column):
            before = distance[neighbour]
            new = (before < 0) & (steps[padded[neighbour]] != 0)
            queue[tail] = neighbour
            distance[neighbour] = further if new else before
            tail += np.uint64(new)
    return np.int64(tail)


@level_kernel
def distances(
    tiles: Tiles, allowed: Table, start_x: int, start_y: int, out: NDArray[np.int32]
) -> None:
    """Write |x| of every cell of `(n, height, width)` tiles to `out` of the same shape."""
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        flood(padded, allowed, stride, (start_y + 1) * stride + start_x + 1, distance, queue)
        for y in range(height):
            row = (y + 1) * stride + 1
            for x in range(width):
                out[level, y, x] = distance[row + x]


@kernel
def exit_distances(
    tiles: Tiles,
    allowed: Table,
    start_x: int,
    start_y: int,
    exit_x: int,
    exit_y: int,
    out: NDArray[np.int32],
    reached: NDArray[np.int32] | None,
) -> None:
    """Write |e| of each of `(n, height, width)` levels to `(n,)` `out`. For levels at most 64 wide,
    `boards` is faster.

    `reached`, if given, gets the number of reachable cells if the exit is unreachable.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        cells = flood(
            padded, allowed, stride, (start_y + 1) * stride + start_x + 1, distance, queue
        )
        out[level] = distance[(exit_y + 1) * stride + exit_x + 1]
        if reached is not None and out[level] < 0:
            reached[level] = cells


@kernel
def distances_from(
    tiles: Tiles, allowed: Table, starts: NDArray[np.int64], out: NDArray[np.int32]
) -> None:
    """Write |x| of every cell of `(n, height, width)` tiles to `out`. `starts` `(n,)` are cells
    numbered in reading order, one per level.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        flood(
            padded,
            allowed,
            stride,
            (starts[level] // width + 1) * stride + starts[level] % width + 1,
            distance,
            queue,
        )
        for y in range(height):
            row = (y + 1) * stride + 1
            for x in range(width):
                out[level, y, x] = distance[row + x]


@kernel
def end_distances(
    tiles: Tiles,
    allowed: Table,
    ends: NDArray[np.int64],
    out: NDArray[np.int32],
    reached: NDArray[np.int32] | None,
) -> None:
    """Write |e| of each of `(n, height, width)` levels to `(n,)` `out`. `ends` `(n, 2)` are the
    cells of each level's entrance and exit.

    `reached`, if given, gets the number of reachable cells if the exit is unreachable.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        start, end = ends[level, 0], ends[level, 1]
        cells = flood(
            padded,
            allowed,
            stride,
            (start // width + 1) * stride + start % width + 1,
            distance,
            queue,
        )
        out[level] = distance[(end // width + 1) * stride + end % width + 1]
        if reached is not None and out[level] < 0:
            reached[level] = cells


@kernel
def members(
    tiles: Tiles,
    allowed: Table,
    start_x: int,
    start_y: int,
    checkpoints: NDArray[np.int64],
    out: NDArray[np.int32],
    out_members: NDArray[np.uint64],
) -> None:
    """Write |x| and M(x) of every cell: bit i of M(x) is set if checkpoint i, row `(x, y)` of
    `checkpoints`, lies on a shortest path to x.

    One pass in order of distance: M(x) is the cell's own bit together with M(y) of every neighbour
    y one step nearer.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = empty(padded.size, np.int32)
    queue = empty(padded.size + 1, np.int32)
    own = zeros(padded.size, np.uint64)
    found = empty(padded.size, np.uint64)
    row, column = np.uint64(stride), np.uint64(1)
    for i in range(checkpoints.shape[0]):
        own[(checkpoints[i, 1] + 1) * stride + checkpoints[i, 0] + 1] |= np.uint64(1) << np.uint64(
            i
        )
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        distance[:] = -1
        found[:] = 0
        reached = flood(
            padded, allowed, stride, (start_y + 1) * stride + start_x + 1, distance, queue
        )
        for k in range(reached):
            cell = np.uint64(queue[k])
            gathered = own[cell]
            for neighbour in (cell - row, cell + row, cell - column, cell + column):
                nearer = (distance[neighbour] == distance[cell] - 1) & (
                    allowed[padded[neighbour], padded[cell]] != 0
                )
                gathered |= found[neighbour] if nearer else np.uint64(0)
            found[cell] = gathered
        for y in range(height):
            first = (y + 1) * stride + 1
            for x in range(width):
                out[level, y, x] = distance[first + x]
                out_members[level, y, x] = found[first + x]


@level_kernel
def trace(
    tiles: Tiles, allowed: Table, distance: NDArray[np.int32], goal_x: int, goal_y: int
) -> NDArray[np.uint8]:
    """Return a shortest path to the goal in one level, as moves 0 up, 1 down, 2 left, 3 right, from
    the `(height, width)` distances of its start.

    The path is traced backwards from the goal; if several cells are nearer, the first in the order
    above is used. The goal must be reachable.
    """
    height, width = tiles.shape
    x, y = goal_x, goal_y
    moves = empty(distance[y, x], np.uint8)
    for position in range(moves.size - 1, -1, -1):
        for move in range(4):
            back_x = x + (move == 2) - (move == 3)
            back_y = y + (move == 0) - (move == 1)
            if back_x < 0 or back_y < 0 or back_x >= width or back_y >= height:
                continue
            if (
                distance[back_y, back_x] == position
                and allowed[tiles[back_y, back_x], tiles[y, x]] != 0
            ):
                moves[position] = move
                x, y = back_x, back_y
                break
    return moves


@level_kernel
def longest_paths(tiles: Tiles, allowed: Table, out: NDArray[np.int32]) -> None:
    """Compute the greatest distance between any two connected walkable cells of each level; 0 if
    there are none.

    Exact without a flood from every cell (Takes, Kosters 2011): a flood from c bounds the farthest
    distance of every cell v it reaches, max(far(c) - |cv|, |cv|) <= far(v) <= far(c) + |cv|, and
    only cells that may still exceed the best need a flood. Requires a table in which every step is
    also legal in the opposite direction.
    """
    count, height, width = tiles.shape
    stride = width + 2
    padded = empty((height + 2) * stride, np.uint8)
    distance = full(padded.size, -1, np.int32)
    queue = empty(padded.size + 1, np.int32)
    candidates = empty(padded.size, np.int32)
    seen = empty(padded.size, np.uint8)
    least = empty(padded.size, np.int32)
    most = empty(padded.size, np.int32)
    for level in range(count):
        lay_margin(tiles[level], allowed.shape[0] - 1, padded)
        seen[:] = 0
        longest = 0
        for first in range(stride + 1, padded.size - stride - 1):
            if seen[first] or allowed[padded[first], padded[first]] == 0:
                continue
            size = flood(padded, allowed, stride, first, distance, queue)
            for k in range(size):
                cell = queue[k]
                candidates[k] = cell
                seen[cell] = 1
                distance[cell] = -1
                least[cell] = 0
                most[cell] = size - 1
            want_far = True
            while size > 0:
                # Floods start in turn at the cell with the highest upper bound and at the one with
                # the lowest lower bound.
                chosen = candidates[0]
                kept = 0
                for k in range(size):
                    cell = candidates[k]
                    if most[cell] <= longest:
                        continue
                    candidates[kept] = cell
                    kept += 1
                    if want_far:
                        better = most[cell] > most[chosen]
                    else:
                        better = least[cell] < least[chosen] or (
                            least[cell] == least[chosen] and most[cell] < most[chosen]
                        )
                    if kept == 1 or better:
                        chosen = cell
                size = np.int64(kept)
                if size == 0:
                    break
                reached = flood(padded, allowed, stride, chosen, distance, queue)
                far = distance[queue[reached - 1]]
                longest = max(longest, far)
                for k in range(reached):
                    cell = queue[k]
                    steps = distance[cell]
                    distance[cell] = -1
                    least[cell] = max(least[cell], far - steps, steps)
                    most[cell] = min(most[cell], far + steps)
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
