"""Exact search for the sliding puzzle: the least number of moves.

Up to nine cells a table holds the distance of every board (181,440 for 3x3), built once per process by breadth-first search from the goal.
Larger boards are searched by iterative deepening A* on additive pattern databases (Korf and Felner 2002), looked up for the board and
for its reflection.
"""

import time
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.sliding.boards import rank_board
from levolve.kernels.sliding.deepening import FOUND, deepen
from levolve.kernels.sliding.tables import UNKNOWN, distance_table
from levolve.levels.grid import MOVES
from levolve.puzzles.settings import check_range
from levolve.puzzles.sliding.frames import plain_goal
from levolve.puzzles.sliding.patterns import patterns_of
from levolve.puzzles.sliding.rules import NINE, Board, neighbours
from levolve.puzzles.sliding.settings import SlidingExactSettings
from levolve.puzzles.solution import Solution

BUDGET = SlidingExactSettings().budget
LONGEST = 250


@lru_cache(maxsize=8)
def distances(width: int, height: int, blank: int) -> NDArray[np.uint8]:
    """The distance of every board from a goal with the blank in the cell `blank`, by rank; 255 for boards of the other parity."""
    table = np.zeros(factorial(width * height), np.uint8)
    distance_table(plain_goal(width, height, blank), neighbours(width, height), table)
    table.setflags(write=False)
    return table


def farthest(width: int, height: int, blank: int) -> int:
    """The most moves that any board needs, where a table knows it: 31 for 3x3."""
    table = distances(width, height, blank)
    return int(table[table != UNKNOWN].max())


def optimal_length(board: Board) -> int | None:
    """The least number of moves where a table knows it, else None."""
    if board.cells > NINE or not board.solvable:
        return None
    table = distances(board.width, board.height, board.goal.index(0))
    return int(table[rank_board(board.normal)])


def solve(board: Board, *, budget: int = BUDGET) -> Solution:
    """The shortest solution. A board of the wrong parity is refused at once.

    None where `budget` positions were not enough, as on most boards of 5x5; the fact `longer_than` then says how many moves are too few.
    """
    check_range("budget", budget, 1, 1 << 60)
    board.check_solvable()
    began = time.perf_counter()
    way, looked, longer_than = _by_table(board) if board.cells <= NINE else _by_deepening(board, budget)
    seconds = time.perf_counter() - began
    if way is None:
        return Solution("sliding", "exact", None, 0, looked, None, seconds, facts={"longer_than": longer_than})
    board.with_solution(way).check()
    return Solution("sliding", "exact", way, 0, looked, None, seconds, optimal=len(way))


def _by_table(board: Board) -> tuple[str, int, int]:
    table = distances(board.width, board.height, board.goal.index(0))
    tiles, near = board.normal.copy(), neighbours(board.width, board.height)
    blank = board.blank
    moves = ""
    distance = int(table[rank_board(tiles)])
    looked = 1
    while distance:
        for move, other in enumerate(near[blank].tolist()):
            if other < 0:
                continue
            looked += 1
            tiles[blank], tiles[other] = tiles[other], 0
            if table[rank_board(tiles)] == distance - 1:
                moves += MOVES[move]
                distance -= 1
                blank = other
                break
            tiles[other], tiles[blank] = tiles[blank], 0
    return moves, looked, len(moves) - 1


def _by_deepening(board: Board, budget: int) -> tuple[str | None, int, int]:
    way = np.zeros(LONGEST, np.int8)
    patterns = patterns_of(board.width, board.height, board.goal.index(0))
    outcome, length, looked = deepen(board.normal, neighbours(board.width, board.height), patterns, budget, way)
    if outcome != FOUND:
        return None, looked, length
    return "".join(MOVES[move] for move in way[:length]), looked, length - 1
