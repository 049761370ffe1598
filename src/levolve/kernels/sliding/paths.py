"""Paths of boards, and how they change: grow, replace the last board, cut, join."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.sliding.boards import Board, BoardFrame, Numbers, Words, find_blank, print_after, print_board, rate_board, slide
from levolve.kernels.streams import START, Index, draw_below, open_stream

BEST, RANDOM, REPLACE, CUT = range(4)


class Paths(NamedTuple):
    """A population of paths, none of which holds a board twice: moves, fingerprints of the boards from the start on, the last board and its blank,
    and how many moves.
    """  # noqa: D205 one sentence

    moves: NDArray[np.int8]
    prints: Words
    boards: NDArray[np.uint8]
    blanks: Numbers
    lengths: Numbers


@kernel
def _find(prints: Words, length: int, sought: np.uint64) -> int:
    """Where a board stands in a path, from the end; -1 if nowhere."""
    for index in range(length, -1, -1):
        if prints[index] == sought:
            return index
    return -1


@kernel
def _step(paths: Paths, who: int, move: Index, printed: np.uint64, frame: BoardFrame) -> None:
    """Add a move to a path that has room for it."""
    blank, length = paths.blanks[who], paths.lengths[who]
    other = frame.near[blank, move]
    slide(paths.boards[who], blank, other)
    paths.moves[who, length] = move
    paths.prints[who, length + 1] = printed
    paths.blanks[who] = other
    paths.lengths[who] = length + 1


@kernel
def cut_path(paths: Paths, who: int, length: Index, frame: BoardFrame) -> None:
    """Take moves back until `length` are left."""
    board, blank = paths.boards[who], paths.blanks[who]
    for index in range(paths.lengths[who] - 1, length - 1, -1):
        other = frame.near[blank, paths.moves[who, index] ^ 1]
        slide(board, blank, other)
        blank = other
    paths.blanks[who] = blank
    paths.lengths[who] = length


@kernel
def grow_path(paths: Paths, who: int, frame: BoardFrame, best: bool, turn: Index, barred: Index) -> bool:
    """One more move, not the `barred` one, that leads to no board of the path: the best of them, or a random one. False where there is none.

    Moves are tried from the turn-th on, round the four: a random move is the first that will do, and so is the best of equals.
    """
    moves, prints, board = paths.moves[who], paths.prints[who], paths.boards[who]
    blank, length = paths.blanks[who], paths.lengths[who]
    if length == moves.shape[0]:
        return False
    chosen = -1
    chosen_print = np.uint64(0)
    chosen_score = -np.inf
    for attempt in range(4):
        move = (turn + attempt) & 3
        other = frame.near[blank, move]
        if other < 0 or move == barred or (length > 0 and moves[length - 1] == move ^ 1):
            continue
        printed = print_after(prints[length], board[other], blank, other, frame)
        if _find(prints, length, printed) >= 0:
            continue
        score = 0.0
        if best:
            slide(board, blank, other)
            score = rate_board(board, frame)
            slide(board, other, blank)
        if score > chosen_score:
            chosen, chosen_print, chosen_score = move, printed, score
        if not best:
            break
    if chosen < 0:
        return False
    _step(paths, who, chosen, chosen_print, frame)
    return True


@kernel
def start_paths(seed: np.uint64, generation: int, start: Board, frame: BoardFrame, grown: int, paths: Paths) -> None:
    """A population of paths from the start, each grown by `grown` random moves that close no cycle."""
    blank = find_blank(start)
    printed = print_board(start, frame)
    for who in range(paths.moves.shape[0]):
        stream = open_stream(seed, START, generation, who)
        for cell in range(start.size):
            paths.boards[who, cell] = start[cell]
        paths.blanks[who] = blank
        paths.lengths[who] = 0
        paths.prints[who, 0] = printed
        for step in range(grown):
            grow_path(paths, who, frame, False, draw_below(stream, step, 4), -1)


@kernel
def join_paths(paths: Paths, who: int, elite: Index, frame: BoardFrame) -> None:
    """Crossover: from the elite's end back to its start, the first board that the weaker path holds too; the elite's end is put there.

    The source could close a cycle this way. Here a board that comes up a second time takes the path back to where it came up first.
    """
    prints, elite_prints, elite_length = paths.prints[who], paths.prints[elite], paths.lengths[elite]
    joint = elite_length
    at = _find(prints, paths.lengths[who], elite_prints[joint])
    while at < 0:
        # Both begin with the same board, so there is an end to this.
        joint -= 1
        at = _find(prints, paths.lengths[who], elite_prints[joint])
    cut_path(paths, who, at, frame)
    for index in range(joint, elite_length):
        known = _find(prints, paths.lengths[who], elite_prints[index + 1])
        if known >= 0:
            cut_path(paths, who, known, frame)
        elif paths.lengths[who] == paths.moves.shape[1]:
            return
        else:
            # The same type as in other calls: another version of a kernel takes a second to compile.
            _step(paths, who, np.int64(paths.moves[elite, index]), elite_prints[index + 1], frame)


@kernel
def mutate_path(paths: Paths, who: int, frame: BoardFrame, kind: Index, turn: Index, cut: Index) -> None:
    """One of the four mutations: grow by the best move, grow by a random one, replace the last board, or cut to the length `cut`."""
    length = paths.lengths[who]
    if kind == CUT:
        cut_path(paths, who, cut, frame)
    elif kind != REPLACE:
        grow_path(paths, who, frame, kind == BEST, turn, -1)
    elif length > 0:
        last, printed = np.int64(paths.moves[who, length - 1]), paths.prints[who, length]
        cut_path(paths, who, length - 1, frame)
        if not grow_path(paths, who, frame, False, turn, last):
            # There is no other board: all stays as it was.
            _step(paths, who, last, printed, frame)
