"""Edits of a given level: lines, blocks and discs of one kind of tile, as long as not too many
cells differ from the level.

An edit is six genes: its form, its cell x, y, two lengths, and its kind of tile. Forms below
`LINES` change nothing.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel

GENES = 6
# Forms: nothing, a line across, a line down, a block, a disc. The lengths of lines, and of the
# sides of blocks.
LINES, DOWN, BLOCK, DISC, FORMS = 4, 5, 6, 7, 8
LONGEST, SIDE = 8, 3

Tiles = NDArray[np.uint8]


@kernel
def apply_edits(
    genes: NDArray[np.int64],
    given: Tiles,
    fixed: Tiles,
    most: int,
    across: bool,
    down: bool,
    discs: bool,
    tiles: Tiles,
) -> None:
    """Write n edited levels into `(n, height, width)` tiles.

    Parameters
    ----------
    genes
        `(n, GENES * edits)` genes.
    given, fixed
        `(height, width)` tiles of the level, and 1 for cells that are not changed.
    most
        The most cells that may differ. An edit after which more would differ is left out.
    across, down
        Whether each edit is repeated on the other side, left and right, above and below.
    discs
        Whether there are discs; otherwise they are lines down.
    """
    count, height, width = tiles.shape
    undo = empty((4 * (2 * LONGEST + 1) ** 2, 3), np.int64)
    for individual in range(count):
        level = tiles[individual]
        for y in range(height):
            for x in range(width):
                level[y, x] = given[y, x]
        changed = 0
        for first in range(0, genes.shape[1], GENES):
            form, at_x, at_y = (
                genes[individual, first],
                genes[individual, first + 1],
                genes[individual, first + 2],
            )
            if form < LINES:
                continue
            if form == DISC and not discs:
                form = np.int64(DOWN)
            long, wide = genes[individual, first + 3], genes[individual, first + 4]
            kind = np.uint8(genes[individual, first + 5])
            low_x, low_y, high_x, high_y = at_x, at_y, at_x + long, at_y
            if form == DOWN:
                high_x, high_y = at_x, at_y + long
            elif form == BLOCK:
                high_x, high_y = at_x + long % SIDE, at_y + wide % SIDE
            radius = 1 + wide % 2
            if form == DISC:
                low_x, low_y, high_x, high_y = (
                    at_x - radius,
                    at_y - radius,
                    at_x + radius,
                    at_y + radius,
                )
            before, written = changed, 0
            for y in range(max(low_y, 0), min(high_y, height - 1) + 1):
                for x in range(max(low_x, 0), min(high_x, width - 1) + 1):
                    if form == DISC and (
                        (x - at_x) ** 2 + (y - at_y) ** 2 > radius * radius + radius - 1
                    ):
                        continue
                    for image in range(4):
                        if (image & 1 and not across) or (image & 2 and not down):
                            continue
                        cell_x = width - 1 - x if image & 1 else x
                        cell_y = height - 1 - y if image & 2 else y
                        old = level[cell_y, cell_x]
                        if fixed[cell_y, cell_x] or old == kind:
                            continue
                        changed += int(old == given[cell_y, cell_x])
                        changed -= int(kind == given[cell_y, cell_x])
                        level[cell_y, cell_x] = kind
                        undo[written, 0], undo[written, 1], undo[written, 2] = cell_y, cell_x, old
                        written += 1
            if changed > most:
                changed = before
                for index in range(written - 1, -1, -1):
                    level[undo[index, 0], undo[index, 1]] = np.uint8(undo[index, 2])
