"""Exact search for the sliding puzzle: the least number of moves.

Up to nine cells a table holds the distance of every board (181,440 for 3x3), built once per process by breadth-first search from the goal.
Larger boards are searched by iterative deepening A* on additive pattern databases (Korf and Felner 2002), looked up for the board and
for its reflection.
"""

import time
from collections.abc import Mapping
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.sliding.boards import rank_board
from levolve.kernels.sliding.deepening import FOUND, LENGTH, NODES, OUTCOME, PAUSED, Deepening, deepen, new_deepening
from levolve.kernels.sliding.tables import UNKNOWN, distance_table
from levolve.levels.grid import MOVES
from levolve.puzzles.exact import ExactSearch
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
    if board.cells > NINE:
        return SlidingDeepening(board, budget).solve()
    began = time.perf_counter()
    way, looked = _by_table(board)
    return _solved(board, way, looked, time.perf_counter() - began)


def _solved(board: Board, way: str, looked: int, seconds: float) -> Solution:
    board.with_solution(way).check()
    return Solution("sliding", "exact", way, 0, looked, None, seconds, optimal=len(way))


def _by_table(board: Board) -> tuple[str, int]:
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
    return moves, looked


class SlidingDeepening(ExactSearch[Board]):
    """Iterative deepening A* for a board of more than nine cells."""

    first_piece = 1 << 20

    def __init__(self, board: Board, budget: int) -> None:
        """Find the tables; nothing is examined yet."""
        super().__init__(board, budget)
        self._near = neighbours(board.width, board.height)
        self._patterns = patterns_of(board.width, board.height, board.goal.index(0))
        self._search = new_deepening(board.normal, self._patterns, LONGEST)

    @property
    def evaluations(self) -> int:
        """The positions examined so far."""
        return int(self._search.numbers[NODES])

    def advance(self, positions: int) -> bool:
        """Examine so many more positions; return whether the search goes on."""
        deepen(self._near, self._patterns, self.budget, self.evaluations + positions, self._search)
        return bool(self._search.numbers[OUTCOME] == PAUSED)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The search as the kernel holds it."""
        return self._search._asdict()

    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over the search."""
        self._search = Deepening(**arrays)

    def solution(self) -> Solution:
        """The shortest solution, or how many moves are too few."""
        length = int(self._search.numbers[LENGTH])
        if self._search.numbers[OUTCOME] != FOUND:
            return Solution("sliding", "exact", None, 0, self.evaluations, None, self.seconds, facts={"longer_than": length})
        way = "".join([MOVES[move] for move in self._search.moves[:length].tolist()])
        return _solved(self.position, way, self.evaluations, self.seconds)
