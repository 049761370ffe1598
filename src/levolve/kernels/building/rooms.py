"""Rooms on a lattice: candidates are placed in the order of their genes if they overlap no room
placed before.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.random_streams import mix
from levolve.kernels.compiler import kernel

Number = int | np.int64

# Genes of a candidate: column, row, width, height, and shape.
GENES = 5
RECTANGLE, CROSS, CORNER, ROUND, CAVERN = range(5)
# The label of a room is a byte above 0.
MOST_ROOMS = 255
_VALUES = 256
_WORD = 64
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
# An ellipse slightly smaller than its rectangle, in hundredths, so that rooms of 3x3 cells lose
# their corners.
_ELLIPSE = 85


@kernel
def in_shape(
    shape: Number,
    spin: Number,
    column: Number,
    row: Number,
    width: Number,
    height: Number,
    salt: Number,
) -> bool:
    """Whether a cell of a rectangle is part of a room of this shape. `spin` (0 to 3) turns a
    corner; `salt` varies caverns.
    """
    if shape == CROSS and width > 2 and height > 2:
        return bool(column * 3 // width == 1 or row * 3 // height == 1)
    if shape == CORNER and width > 1 and height > 1:
        across = column if spin & 1 else width - 1 - column
        down = row if spin & 2 else height - 1 - row
        return bool(across >= width // 2 or down >= height // 2)
    if shape == ROUND:
        x, y = 2 * column + 1 - width, 2 * row + 1 - height
        return bool(
            100 * (x * x * height * height + y * y * width * width)
            <= _ELLIPSE * width * width * height * height
        )
    if shape == CAVERN and width > 1 and height > 1:
        edge = column == 0 or row == 0 or column == width - 1 or row == height - 1
        bits = mix(np.uint64(salt * 4099 + row * 64 + column))
        return not edge or bool((bits >> np.uint64(40)) & np.uint64(7) > np.uint64(2))
    return True


@kernel
def place_rooms(
    genes: NDArray[np.uint8],
    columns: int,
    rows: int,
    sizes: NDArray[np.int64],
    shapes: NDArray[np.int64],
    most: int,
    share: int,
    alive: NDArray[np.bool_],
    labels: NDArray[np.uint8],
) -> None:
    """Write the numbers of the rooms of n levels to `labels` `(n, columns * rows)`: from 1 in the
    order of placing, 0 for no room.

    `genes` `(n, ...)` begin with five bytes per candidate: column, row, width, height, shape.
    `sizes` are the least and the greatest width, then the same for the height, in cells. A room is
    one of `shapes`. Placing ends after `most` rooms, or when rooms cover `share` / 256 of all
    cells.
    """
    candidates = min(MOST_ROOMS, genes.shape[1] // GENES)
    narrow = columns <= _WORD
    # The cells of rooms as one word per row, and rows below the last, so that a test of all rows
    # that a room may have needs no branch.
    taken = empty(rows + sizes[3] if narrow else 0, np.uint64)
    for level in range(len(genes)):
        home = labels[level]
        home[:] = 0
        taken[:] = 0
        placed, covered = 0, 0
        for candidate in range(candidates):
            if placed >= most or covered * _VALUES >= share * columns * rows:
                break
            first = candidate * GENES
            width = (
                sizes[0] + np.int64(genes[level, first + 2]) * (sizes[1] - sizes[0] + 1) // _VALUES
            )
            height = (
                sizes[2] + np.int64(genes[level, first + 3]) * (sizes[3] - sizes[2] + 1) // _VALUES
            )
            left = np.int64(genes[level, first]) * (columns - width + 1) // _VALUES
            top = np.int64(genes[level, first + 1]) * (rows - height + 1) // _VALUES
            kind = np.int64(genes[level, first + 4])
            overlap = np.uint64(0)
            if narrow:
                span = (_ALL >> np.uint64(_WORD - width)) << np.uint64(left)
                for row in range(sizes[3]):
                    overlap |= taken[top + row] & (span * np.uint64(row < height))
            else:
                for row in range(top, top + height):
                    for column in range(left, left + width):
                        overlap |= np.uint64(home[row * columns + column])
            if overlap:
                continue
            placed += 1
            shape, spin = shapes[(kind >> 2) % shapes.size], kind & 3
            salt = (
                np.int64(genes[level, first]) * 65536
                + np.int64(genes[level, first + 1]) * 256
                + kind
            )
            for row in range(height):
                word = np.uint64(0)
                for column in range(width):
                    cell = (top + row) * columns + left + column
                    if alive[cell] and in_shape(shape, spin, column, row, width, height, salt):
                        home[cell] = placed
                        word |= np.uint64(1) << np.uint64((left + column) & (_WORD - 1))
                        covered += 1
                if narrow:
                    taken[top + row] |= word
