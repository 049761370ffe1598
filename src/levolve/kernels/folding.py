"""Folded levels: tiles of a whole level from those of a part, with gates where the parts meet."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel


@kernel
def unfold(part: NDArray[np.uint8], sources: NDArray[np.int32], tiles: NDArray[np.uint8]) -> None:
    """Write `(n, height, width)` tiles: each cell is the one of `(n, ...)` part tiles that `sources` `(height, width)` numbers in reading order."""
    height, width = sources.shape
    columns = part.shape[2]
    for level in range(len(part)):
        for y in range(height):
            for x in range(width):
                tiles[level, y, x] = part[level, sources[y, x] // columns, sources[y, x] % columns]


@kernel
def steps_to_floor(part: NDArray[np.uint8], line: NDArray[np.int32], walkable: NDArray[np.uint8], fixed: NDArray[np.uint8]) -> int:
    """Return how many cells of a line in one level come before the first walkable one; a number beyond the line if none can be reached."""
    columns = part.shape[1]
    for step in range(line.size):
        cell = line[step]
        if cell < 0 or (fixed[cell // columns, cell % columns] and not walkable[part[cell // columns, cell % columns]]):
            break
        if walkable[part[cell // columns, cell % columns]]:
            return step
    return line.size + 1


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

    A gate is a line of cells from an edge of the part inwards together with its partner, the line that lies behind it in the whole level. Rows of
    `lines` `(k, m)` are cell numbers in reading order, -1 after the last. Gate g is one of the lines `ranges[g, 0]` to `ranges[g, 1] - 1`: the one
    that needs the fewest steps to a walkable cell, and of several the first in a circle from the one that the gene selects. Both lines are opened to
    their first walkable cells; fixed walls are not crossed. No line is used twice.
    """
    columns = part.shape[2]
    taken = np.empty(len(lines), np.uint8)
    for level in range(len(part)):
        picture = part[level]
        taken[:] = 0
        for gate in range(len(ranges)):
            first, count = ranges[gate, 0], ranges[gate, 1] - ranges[gate, 0]
            chosen, fewest = -1, lines.shape[1] + 1
            for k in range(count):
                line = first + (genes[level, gate] + k) % count
                if taken[line]:
                    continue
                steps = max(steps_to_floor(picture, lines[line], walkable, fixed), steps_to_floor(picture, lines[partners[line]], walkable, fixed))
                if steps < fewest:
                    chosen, fewest = line, steps
            if chosen < 0:
                continue
            taken[chosen] = taken[partners[chosen]] = 1
            for side in range(2):
                opened = lines[partners[chosen]] if side else lines[chosen]
                for step in range(steps_to_floor(picture, opened, walkable, fixed)):
                    cell = opened[step]
                    picture[cell // columns, cell % columns] = floor
