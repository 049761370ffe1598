"""Shorter ways over the boards of known paths and those around them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import full, zeros
from levolve.kernels.bits.random_streams import Index
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.sliding_boards import (
    Board,
    BoardFrame,
    Moves,
    Numbers,
    Words,
    find_blank,
    print_after,
    print_board,
    same_boards,
    slide,
    spread,
)


class Held(NamedTuple):
    """A set of boards: each with its fingerprint, in the order they came, and a table of slots that
    finds them.
    """

    boards: NDArray[np.uint8]
    prints: Words
    slots: Numbers


@kernel
def _slot(held: Held, board: Board, printed: np.uint64) -> Index:
    """The slot of a board, or the empty one where it would go; boards are compared whole."""
    size = held.slots.shape[0]
    slot = spread(printed, size)
    while held.slots[slot] >= 0:
        number = held.slots[slot]
        if held.prints[number] == printed:
            same = True
            for cell in range(board.shape[0]):
                same &= held.boards[number, cell] == board[cell]
            if same:
                return slot
        slot = slot + 1 if slot + 1 < size else 0
    return slot


@kernel
def _hold(held: Held, board: Board, printed: np.uint64, count: int) -> int:
    """Add a board to a set of `count`, if it is new; gives how many there are then."""
    slot = _slot(held, board, printed)
    if held.slots[slot] >= 0:
        return count
    held.slots[slot] = count
    for cell in range(board.shape[0]):
        held.boards[count, cell] = board[cell]
    held.prints[count] = printed
    return count + 1


@kernel
def _fetch(held: Held, number: int, board: Board) -> int:
    """Copy a board of the set to `board`; gives the cell of its blank."""
    blank = 0
    for cell in range(board.shape[0]):
        board[cell] = held.boards[number, cell]
        blank += cell * int(board[cell] == 0)
    return blank


@kernel
def _hold_paths(
    held: Held, start: Board, frame: BoardFrame, moves: NDArray[np.int8], lengths: Numbers
) -> int:
    """Add all boards of all paths to an empty set, the start first; gives how many there are."""
    board = start.copy()
    home, begun = find_blank(start), print_board(start, frame)
    count = _hold(held, board, begun, 0)
    for who in range(moves.shape[0]):
        for cell in range(start.size):
            board[cell] = start[cell]
        blank, printed = home, begun
        for index in range(lengths[who]):
            other = frame.near[blank, moves[who, index]]
            printed = print_after(printed, board[other], blank, other, frame)
            slide(board, blank, other)
            blank = other
            count = _hold(held, board, printed, count)
    return count


@kernel
def _hold_around(held: Held, frame: BoardFrame, count: int, room: int) -> int:
    """Add the boards around those held, the nearest first, until there are as many as there is room
    for.
    """
    done = 0
    board = frame.goal.copy()
    while done < count < room:
        blank = _fetch(held, done, board)
        for move in range(4):
            other = frame.near[blank, move]
            if other < 0 or count == room:
                continue
            printed = print_after(held.prints[done], board[other], blank, other, frame)
            slide(board, blank, other)
            count = _hold(held, board, printed, count)
            slide(board, other, blank)
        done += 1
    return count


@kernel
def shorten(
    start: Board,
    frame: BoardFrame,
    moves: NDArray[np.int8],
    lengths: Numbers,
    room: int,
    way: Moves,
) -> int:
    """The shortest way from start to goal over boards that any of the paths holds; its moves are
    written to `way`, its length is given.

    All boards of all paths, and of those around them the nearest, as many as there is `room` for,
    are joined wherever two are one move apart: breadth-first from the start. -1 if no path holds
    the goal.
    """
    boards = 1
    for length in lengths:
        boards += length
    most = max(boards, room)
    held = Held(
        zeros((most, start.shape[0]), np.uint8),
        zeros(most, np.uint64),
        full(2 * most + 1, -1, np.int64),
    )
    count = _hold_around(held, frame, _hold_paths(held, start, frame, moves, lengths), room)
    # The start is board 0. A board that has been reached knows from where (the start from itself)
    # and by which move.
    came = full(count, -1, np.int64)
    by = zeros(count, np.int8)
    queue = zeros(count, np.int64)
    aim = print_board(frame.goal, frame)
    came[0] = 0
    queued = 1
    done = 0
    board = start.copy()
    while done < queued:
        at = queue[done]
        done += 1
        blank = _fetch(held, at, board)
        if held.prints[at] == aim and same_boards(board, frame.goal):
            return _trace(came, by, at, way)
        for move in range(4):
            other = frame.near[blank, move]
            if other < 0:
                continue
            printed = print_after(held.prints[at], board[other], blank, other, frame)
            slide(board, blank, other)
            number = held.slots[_slot(held, board, printed)]
            slide(board, other, blank)
            if number >= 0 and came[number] < 0:
                came[number] = at
                by[number] = move
                queue[queued] = number
                queued += 1
    return -1


@kernel
def _trace(came: Numbers, by: Moves, end: int, way: Moves) -> int:
    """Write the moves that lead to board `end`; gives how many."""
    length = 0
    back = end
    while back != 0:
        length += 1
        back = came[back]
    back = end
    for index in range(length - 1, -1, -1):
        way[index] = by[back]
        back = came[back]
    return length
