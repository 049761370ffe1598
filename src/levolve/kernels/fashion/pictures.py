"""What is done to a finished map before it is shown: the majority filter, and smaller scales.

The paint bucket: regions of equal cells.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.compiler import kernel

Tiles = NDArray[np.uint8]

# The cells of smaller blocks are counted in 16 bits.
MOST_COUNTED = 256
# The most of nine cells that are no majority.
MINORITY = np.uint8(4)


@kernel
def _add_state(line: NDArray[np.uint8], state: np.uint8, counts: NDArray[np.uint8]) -> None:
    for j in range(line.size):
        counts[j] += np.uint8(line[j] == state)


@kernel
def _take_majority(counts: NDArray[np.uint8], state: np.uint8, out: NDArray[np.uint8]) -> None:
    for j in range(out.size):
        # Without a branch, which would prevent vector instructions.
        most = np.uint8(np.uint8(counts[j] + counts[j + 1] + counts[j + 2]) > MINORITY)
        out[j] = out[j] * (np.uint8(1) - most) + state * most


@kernel
def smooth(tiles: Tiles, states: int, torus: bool, out: Tiles) -> None:
    """The majority filter: a cell takes the state that more than four of the nine cells around and
    on it have, where there is one.
    """
    height, width = tiles.shape
    # How many of three cells of a column have a state; with the columns beyond both ends.
    counts = empty(width + 2, np.uint8)
    for row in range(height):
        for column in range(width):
            out[row, column] = tiles[row, column]
        # State by state, so that each loop runs over whole rows.
        for state in range(states):
            for column in range(width + 2):
                counts[column] = 0
            for y in range(row - 1, row + 2):
                if torus or 0 <= y < height:
                    _add_state(tiles[y % height], np.uint8(state), counts[1 : width + 1])
            if torus:
                counts[0], counts[width + 1] = counts[width], counts[1]
            _take_majority(counts, np.uint8(state), out[row])


@kernel
def _count_states(line: NDArray[np.uint8], state: np.uint8, counts: NDArray[np.uint16]) -> None:
    for j in range(line.size):
        counts[j] += np.uint16(line[j] == state)


@kernel
def _sum_pairs(counts: NDArray[np.uint16], sums: NDArray[np.uint16]) -> None:
    # Two counts are one word: that is faster than every second one.
    pairs = counts.view(np.uint32)
    for j in range(sums.size):
        sums[j] = (pairs[j] & np.uint32(0xFFFF)) + (pairs[j] >> np.uint32(16))


@kernel
def _sum_blocks(counts: NDArray[np.uint16], scale: int, sums: NDArray[np.uint16]) -> None:
    for j in range(sums.size):
        total = 0
        for k in range(scale):
            total += counts[j * scale + k]
        sums[j] = total


@kernel
def _take_larger(
    sums: NDArray[np.uint16], state: np.uint8, most: NDArray[np.uint16], out: NDArray[np.uint8]
) -> None:
    for j in range(out.size):
        # Without a branch, which would prevent vector instructions.
        larger = np.uint8(sums[j] > most[j])
        out[j] = out[j] * (np.uint8(1) - larger) + state * larger
        most[j] = max(sums[j], most[j])


@kernel
def _most_common_of_large(tiles: Tiles, states: int, scale: int, out: Tiles) -> None:
    counts = zeros(states, np.int64)
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            counts[:] = 0
            for y in range(row * scale, (row + 1) * scale):
                for x in range(column * scale, (column + 1) * scale):
                    counts[tiles[y, x]] += 1
            out[row, column] = counts.argmax()


@kernel
def most_common(tiles: Tiles, states: int, scale: int, out: Tiles) -> None:
    """The most common state of each `scale` x `scale` block, the lowest of several."""
    if scale >= MOST_COUNTED:
        _most_common_of_large(tiles, states, scale, out)
        return
    height, width = out.shape
    counts = empty(width * scale, np.uint16)
    sums = empty(width * scale, np.uint16)
    most = empty(width, np.uint16)
    for row in range(height):
        # State by state, so that each loop runs over whole rows.
        for column in range(width):
            most[column] = 0
        for state in range(states):
            for column in range(width * scale):
                counts[column] = 0
            for y in range(row * scale, (row + 1) * scale):
                _count_states(tiles[y, : width * scale], np.uint8(state), counts)
            left = scale
            while left % 2 == 0:
                left //= 2
                _sum_pairs(counts[: 2 * width * left], sums[: width * left])
                counts, sums = sums, counts
            if left > 1:
                _sum_blocks(counts, left, sums[:width])
                counts, sums = sums, counts
            _take_larger(counts[:width], np.uint8(state), most, out[row])


@kernel
def pour(tiles: Tiles, x: int, y: int, state: int) -> int:
    """Turn the region of equal cells around (x, y) into another state, in place, as a paint bucket
    does. Gives how many cells it had.
    """
    height, width = tiles.shape
    old = tiles[y, x]
    if old == state:
        return 0
    queue = empty(height * width, np.int64)
    queue[0] = y * width + x
    tiles[y, x] = state
    head, tail = 0, 1
    while head < tail:
        row, column = queue[head] // width, queue[head] % width
        head += 1
        for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            v, u = row + dy, column + dx
            if 0 <= v < height and 0 <= u < width and tiles[v, u] == old:
                tiles[v, u] = state
                queue[tail] = v * width + u
                tail += 1
    return tail
