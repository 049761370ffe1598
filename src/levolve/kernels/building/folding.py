"""Folded levels: tiles of a whole level from those of a part, with gates where the parts meet."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel


@kernel
def unfold(part: NDArray[np.uint8], sources: NDArray[np.int32], tiles: NDArray[np.uint8]) -> None:
    """Write `(n, height, width)` tiles: each cell is the one of `(n, ...)` part tiles that
    `sources` `(height, width)` numbers in reading order.
    """
    # Flat arrays: a division per cell would take longer than everything else.
    flat_part, flat_sources = (
        part.reshape(len(part), part.shape[1] * part.shape[2]),
        sources.reshape(sources.size),
    )
    flat_tiles = tiles.reshape(len(tiles), sources.size)
    for level in range(len(part)):
        for cell in range(flat_sources.size):
            flat_tiles[level, cell] = flat_part[level, flat_sources[cell]]


@kernel
def steps_to_floor(
    cells: NDArray[np.uint8],
    lines: NDArray[np.int32],
    line: int,
    walkable: NDArray[np.uint8],
    fixed: NDArray[np.uint8],
) -> int:
    """Return how many cells of a line in one level come before the first walkable one; a number
    beyond the line if none can be reached.
    """
    for step in range(lines.shape[1]):
        cell = lines[line, step]
        if cell < 0:
            break
        if walkable[cells[cell]]:
            return step
        if fixed[cell]:
            break
    return int(lines.shape[1] + 1)


@kernel
def open_gates(
    part: NDArray[np.uint8],
    genes: NDArray[np.int64],
    lines: NDArray[np.int32],
    partners: NDArray[np.int32],
    ranges: NDArray[np.int32],
    walkable: NDArray[np.uint8],
    fixed: NDArray[np.uint8],
    floor: int,
) -> None:
    """Open one gate per gene in `(n, height, width)` part tiles.

    A gate is a line of cells from an edge of the part inwards together with its partner, the line
    that lies behind it in the whole level. Rows of `lines` `(k, m)` are cell numbers in reading
    order, -1 after the last. Gate g is one of the lines `ranges[g, 0]` to `ranges[g, 1] - 1`: the
    one that needs the fewest steps to a walkable cell, and of several the first in a circle from
    the one that the gene selects. Both lines are opened to their first walkable cells; fixed walls
    are not crossed. No line is used twice.
    """
    flat_part, held = part.reshape(len(part), fixed.size), fixed.reshape(fixed.size)
    taken = empty(len(lines), np.uint8)
    for level in range(len(part)):
        cells = flat_part[level]
        taken[:] = 0
        for gate in range(len(ranges)):
            first, count = ranges[gate, 0], ranges[gate, 1] - ranges[gate, 0]
            chosen, fewest = -1, lines.shape[1] + 1
            for k in range(count):
                line = first + (genes[level, gate] + k) % count
                if taken[line]:
                    continue
                steps = steps_to_floor(cells, lines, line, walkable, held)
                if steps < fewest and partners[line] != line:
                    steps = max(steps, steps_to_floor(cells, lines, partners[line], walkable, held))
                if steps < fewest:
                    chosen, fewest = line, steps
            if chosen < 0:
                continue
            taken[chosen] = taken[partners[chosen]] = 1
            for side in range(2):
                opened = partners[chosen] if side else chosen
                for step in range(steps_to_floor(cells, lines, opened, walkable, held)):
                    cells[lines[opened, step]] = floor
