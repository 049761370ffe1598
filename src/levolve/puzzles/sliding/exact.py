"""Exact search for the sliding puzzle: the least number of moves.

Up to nine cells a table holds the distance of every board (181,440 for 3x3), built once per process
by breadth-first search from the goal. Larger boards are searched by iterative deepening A* on
additive pattern databases (Korf and Felner 2002), looked up for the board and for its reflection.

Pattern databases for exact search: built in a few seconds, then stored on disk beside the compiled
kernels.

The tiles of a frame are divided into groups as large as a table of a million entries can hold: five
tiles per table on 4x4, four on 5x5.

What kernels need to know of a frame and its goal, made once per process.
"""

from collections.abc import Mapping
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import CACHE_FOLDER, read_entry, write_entry
from levolve.kernels.puzzles.sliding_boards import BoardFrame, make_frame, rank_board, rate_board
from levolve.kernels.puzzles.sliding_exact import (
    FOUND,
    LENGTH,
    NODES,
    OUTCOME,
    PAUSED,
    UNKNOWN,
    Deepening,
    Patterns,
    deepen,
    distance_table,
    new_deepening,
    pattern_table,
)
from levolve.levels.grid import MOVES
from levolve.puzzles.position import Solution
from levolve.puzzles.settings import check_range
from levolve.puzzles.sliding.rules import NINE, Board, neighbours
from levolve.puzzles.sliding.settings import SlidingExactSettings
from levolve.puzzles.solvers import ExactSearch
from levolve.search.clock import work_clock

MOST_ENTRIES = 1 << 20
# Tables of fewer entries are built faster than a person notices.
KEPT_FROM = 1 << 18

Tables = NDArray[np.uint8]


@lru_cache(maxsize=4)
def patterns_of(width: int, height: int, blank: int) -> Patterns:
    """Pattern databases for a goal with the blank in the cell `blank`."""
    cells = width * height
    parts = _parts(cells, blank)
    group, weight = np.zeros(cells + 1, np.int64), np.zeros(cells + 1, np.int64)
    for number, part in enumerate(parts):
        for digit, cell in enumerate(part):
            group[cell + 1], weight[cell + 1] = number, cells ** (len(part) - 1 - digit)
    # Reflected in the diagonal, a square goal is itself if its blank lies on it.
    mirrored = width == height and blank % width == blank // width
    mirror = np.arange(cells)
    if mirrored:
        mirror = mirror % width * width + mirror // width
    return Patterns(
        _tables(width, height, blank, parts),
        group,
        weight,
        mirror,
        np.concatenate(([0], mirror + 1)),
        mirrored,
    )


def _parts(cells: int, blank: int) -> list[list[int]]:
    """The cells but the blank's, in groups that are as large as can be and about equal."""
    tiles = 1
    while cells ** (tiles + 1) <= MOST_ENTRIES:
        tiles += 1
    homes = [cell for cell in range(cells) if cell != blank]
    count = -(-len(homes) // tiles)
    return [
        homes[len(homes) * part // count : len(homes) * (part + 1) // count]
        for part in range(count)
    ]


def _tables(width: int, height: int, blank: int, parts: list[list[int]]) -> Tables:
    """A table for each group, from disk where they are kept."""
    cells = width * height
    shape = (len(parts), cells ** max(len(part) for part in parts))
    stored = CACHE_FOLDER if shape[1] >= KEPT_FROM else None
    name, key = f"patterns-{width}x{height}-{blank}.table", str(shape)
    content = None if stored is None else read_entry(stored, name, key)
    if content is not None and len(content) == shape[0] * shape[1]:
        # A copy, because kernels are compiled for arrays that can be written.
        return np.frombuffer(content, np.uint8).reshape(shape).copy()
    tables = np.zeros(shape, np.uint8)
    for number, part in enumerate(parts):
        pattern_table(
            np.array(part, np.int64),
            blank,
            neighbours(width, height),
            tables[number, : cells ** len(part)],
        )
    if stored is not None:
        write_entry(stored, name, key, tables.tobytes())
    return tables


def frame_of(board: Board) -> BoardFrame:
    """The frame of a board. With tiles renamed as in `Board.normal` only the blank's place is left
    of the goal.
    """
    return _frame(board.width, board.height, board.goal.index(0))


@lru_cache(maxsize=32)
def _frame(width: int, height: int, blank: int) -> BoardFrame:
    # On a 3x3 board one ring, as in the source: when it is right, four cells are left.
    return make_frame(
        neighbours(width, height),
        plain_goal(width, height, blank),
        width,
        max(1, min(width, height) - 2),
    )


def plain_goal(width: int, height: int, blank: int) -> NDArray[np.uint8]:
    """The goal with the tile of each cell named after it, counted from 1."""
    goal = np.arange(1, width * height + 1, dtype=np.uint8)
    goal[blank] = 0
    return goal


def fitness(board: Board) -> float:
    """The fitness of a board in evolution, 1 at the goal: 1 - 0.01 * Manhattan - 0.2 * TopLeft.

    TopLeft counts a top row and a left column that differ from the goal's; on larger boards those
    of the inner rings too.
    """
    return float(rate_board(board.normal, frame_of(board)))


BUDGET = SlidingExactSettings().budget
LONGEST = 250


@lru_cache(maxsize=8)
def distances(width: int, height: int, blank: int) -> NDArray[np.uint8]:
    """The distance of every board from a goal with the blank in the cell `blank`, by rank; 255 for
    boards of the other parity.
    """
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

    None where `budget` positions were not enough, as on most boards of 5x5; the fact `longer_than`
    then says how many moves are too few.
    """
    check_range("budget", budget, 1, 1 << 60)
    board.check_solvable()
    if board.cells > NINE:
        return SlidingDeepening(board, budget).solve()
    began = work_clock()
    way, looked = _by_table(board)
    return _solved(board, way, looked, work_clock() - began)


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
            return Solution(
                "sliding",
                "exact",
                None,
                0,
                self.evaluations,
                None,
                self.seconds,
                facts={"longer_than": length},
            )
        way = "".join([MOVES[move] for move in self._search.moves[:length].tolist()])
        return _solved(self.position, way, self.evaluations, self.seconds)
