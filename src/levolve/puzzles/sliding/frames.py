"""What kernels need to know of a frame and its goal, made once per process."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.sliding.boards import BoardFrame, make_frame, rate_board
from levolve.puzzles.sliding.rules import Board, neighbours


def frame_of(board: Board) -> BoardFrame:
    """The frame of a board. With tiles renamed as in `Board.normal` only the blank's place is left of the goal."""
    return _frame(board.width, board.height, board.goal.index(0))


@lru_cache(maxsize=32)
def _frame(width: int, height: int, blank: int) -> BoardFrame:
    # On a 3x3 board one ring, as in the source: when it is right, four cells are left.
    return make_frame(neighbours(width, height), plain_goal(width, height, blank), width, max(1, min(width, height) - 2))


def plain_goal(width: int, height: int, blank: int) -> NDArray[np.uint8]:
    """The goal with the tile of each cell named after it, counted from 1."""
    goal = np.arange(1, width * height + 1, dtype=np.uint8)
    goal[blank] = 0
    return goal


def fitness(board: Board) -> float:
    """The fitness of a board in evolution, 1 at the goal: 1 - 0.01 * Manhattan - 0.2 * TopLeft.

    TopLeft counts a top row and a left column that differ from the goal's; on larger boards those of the inner rings too.
    """
    return float(rate_board(board.normal, frame_of(board)))
