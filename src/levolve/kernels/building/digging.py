"""Generative representations of Ashlock, Lee and McGuinness (2011): barriers in an empty arena,
tunnels in a full one.

Genes are pairs (A, N) of 0 to 9999. N is a square: x = N mod width, y = N div width mod height.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel

# North, then clockwise.
DIRECTION_X = np.array([0, 1, 1, 1, 0, -1, -1, -1])
DIRECTION_Y = np.array([-1, -1, 0, 1, 1, 1, 0, -1])

Number = int | np.int64


@kernel
def lay_barriers(genes: NDArray[np.uint16], limit: int, tiles: NDArray[np.uint8]) -> None:
    """Lay `(n, 2 * pairs)` barriers into `(n, height, width)` tiles, which are cleared first.

    From A: the lowest bit (1: continues through existing walls, 0: stops at the first), three bits
    of direction, and the rest modulo the longer side for the length. After `limit` squares are
    filled, the remaining pairs are skipped.
    """
    height, width = tiles.shape[1:]
    longer = max(height, width)
    for level in range(len(genes)):
        tiles[level] = 0
        filled = 0
        for pair in range(0, genes.shape[1], 2):
            if filled >= limit:
                break
            shape, square = np.int64(genes[level, pair]), np.int64(genes[level, pair + 1])
            through = shape & 1
            step_x, step_y = DIRECTION_X[(shape >> 1) & 7], DIRECTION_Y[(shape >> 1) & 7]
            x, y = square % width, square // width % height
            for _ in range((shape >> 4) % longer):
                if x < 0 or y < 0 or x >= width or y >= height:
                    break
                if tiles[level, y, x]:
                    if not through:
                        break
                else:
                    tiles[level, y, x] = 1
                    filled += 1
                x += step_x
                y += step_y


@kernel
def dig_room(tiles: NDArray[np.uint8], x: Number, y: Number, width: Number, height: Number) -> None:
    """Open a rectangle of one `(height, width)` level, clipped to the level."""
    for row in range(max(y, 0), min(y + height, tiles.shape[0])):
        for column in range(max(x, 0), min(x + width, tiles.shape[1])):
            tiles[row, column] = 0


@kernel
def dig_tunnels(
    genes: NDArray[np.uint16], rooms: NDArray[np.int64], side: int, tiles: NDArray[np.uint8]
) -> None:
    """Dig `(n, 2 * pairs)` corridors and rooms out of `(n, height, width)` tiles, which are filled
    first.

    A square room of `side` is always dug at each upper-left corner (x, y) in `rooms`. From A: two
    bits {0 nothing, 1 a corridor downwards, 2 a corridor to the right, 3 a room}, and the rest R: a
    corridor of R modulo the level's height (or width) squares, or a room of R mod 4 + 2 by R div 4
    mod 4 + 2. N is the upper-left square.
    """
    height, width = tiles.shape[1:]
    for level in range(len(genes)):
        arena = tiles[level]
        arena[:, :] = 1
        for room in range(len(rooms)):
            dig_room(arena, rooms[room, 0], rooms[room, 1], side, side)
        for pair in range(0, genes.shape[1], 2):
            shape, square = np.int64(genes[level, pair]), np.int64(genes[level, pair + 1])
            kind, rest = shape & 3, shape >> 2
            x, y = square % width, square // width % height
            if kind == 1:
                dig_room(arena, x, y, 1, rest % height)
            elif kind == 2:
                dig_room(arena, x, y, rest % width, 1)
            elif kind == 3:
                dig_room(arena, x, y, rest % 4 + 2, rest // 4 % 4 + 2)
