"""Boards one at a time: where the blank is, ranks, fingerprints, and fitness."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import Index, mix
from levolve.kernels.compiler import kernel, level_kernel

Board = NDArray[np.uint8]
Near = NDArray[np.int64]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]
Moves = NDArray[np.int8]

_32 = np.uint64(32)


class BoardFrame(NamedTuple):
    """All that boards of one goal have in common.

    `near[cell, move]` is the cell whose tile slides into a blank at `cell` by that move, or -1.
    `away[tile, cell]` are the steps of a tile on a cell to its goal, none for the blank;
    `marks[cell, tile]` a random word for each tile on each cell. `rings` is how far `rate_board`
    looks.
    """

    near: Near
    goal: Board
    away: Numbers
    marks: Words
    width: int
    rings: int


@level_kernel
def make_frame(near: Near, goal: Board, width: int, rings: int) -> BoardFrame:
    """A frame with its tables."""
    cells = goal.shape[0]
    away = zeros((cells + 1, cells), np.int64)
    marks = zeros((cells, cells + 1), np.uint64)
    for home in range(cells):
        tile = goal[home]
        for cell in range(cells):
            if tile != 0:
                away[tile, cell] = abs(cell // width - home // width) + abs(
                    cell % width - home % width
                )
            marks[cell, tile] = mix(np.uint64(cell * 32 + np.int64(tile) + 1))
    return BoardFrame(near, goal, away, marks, width, rings)


@kernel
def find_blank(board: Board) -> int:
    """The cell of the blank."""
    blank = 0
    while board[blank] != 0:
        blank += 1
    return blank


@kernel
def slide(board: Board, blank: int, other: int) -> None:
    """Slide the tile at `other` into the blank."""
    board[blank] = board[other]
    board[other] = 0


@kernel
def same_boards(one: Board, other: Board) -> bool:
    """Whether two boards are the same."""
    same = True
    for cell in range(one.shape[0]):
        same &= one[cell] == other[cell]
    return same


@level_kernel
def rank_board(board: Board) -> int:
    """The place of a board among all orders of its tiles, by Lehmer's code."""
    cells = board.shape[0]
    rank = 0
    for cell in range(cells):
        smaller = 0
        for later in range(cell + 1, cells):
            if board[later] < board[cell]:
                smaller += 1
        rank = rank * (cells - cell) + smaller
    return rank


@kernel
def print_board(board: Board, frame: BoardFrame) -> np.uint64:
    """A fingerprint of a board: the marks of its tiles, joined by exclusive or (Zobrist)."""
    joined = np.uint64(0)
    for cell in range(board.shape[0]):
        joined ^= frame.marks[cell, board[cell]]
    return joined


@kernel
def print_after(
    printed: np.uint64, tile: int, blank: int, other: int, frame: BoardFrame
) -> np.uint64:
    """The fingerprint after a tile slid from `other` to `blank`."""
    marks = frame.marks
    return np.uint64(
        printed ^ marks[blank, 0] ^ marks[other, tile] ^ marks[blank, tile] ^ marks[other, 0]
    )


@kernel
def spread(printed: np.uint64, size: int) -> Index:
    """A fingerprint's place in a table of `size` slots, fewer than 2**32: its upper half as a
    fraction of it. Quicker than a remainder.
    """
    return np.int64(((printed >> _32) * np.uint64(size)) >> _32)


@kernel
def rate_board(board: Board, frame: BoardFrame) -> float:
    """The source's fitness, 1 - 0.01 * Manhattan - 0.2 * TopLeft; 1 at the goal.

    TopLeft counts a top row and a left column that are not as in the goal. On larger boards what is
    left without them has a top row and a left column of its own, and so on for as many `rings` as
    there are; a 3x3 board has one, as in the source.
    """
    cells, width, goal = board.shape[0], frame.width, frame.goal
    manhattan = 0
    for cell in range(cells):
        manhattan += frame.away[board[cell], cell]
    wrong = 0
    for ring in range(frame.rings):
        for column in range(ring, width):
            if board[ring * width + column] != goal[ring * width + column]:
                wrong += 1
                break
        for row in range(ring, cells // width):
            if board[row * width + ring] != goal[row * width + ring]:
                wrong += 1
                break
    return 1.0 - 0.01 * manhattan - 0.2 * wrong
