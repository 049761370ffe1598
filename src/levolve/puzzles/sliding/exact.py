"""Exact search for the sliding puzzle: the least number of moves.

Up to nine cells a table holds the distance of every board (181,440 for 3x3), built once a process by breadth-first search from the goal.
Larger boards are searched by iterative deepening A* on additive pattern databases (Korf and Felner 2002), looked up as the board and
as its reflection.
"""

import time
from functools import lru_cache
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import sliding as kernels
from levolve.puzzles.puzzle import Solution, check_range
from levolve.puzzles.sliding.rules import MOVES, NINE, Board, neighbours

BUDGET = 1_000_000_000
LONGEST = 250
UNREACHED = 255
MOST_ENTRIES = 1 << 20


@lru_cache(maxsize=8)
def distances(width: int, height: int, blank: int) -> NDArray[np.uint8]:
    """The distance of every board from a goal with the blank in the cell `blank`, by rank; 255 for boards of the other parity."""
    table = np.zeros(factorial(width * height), np.uint8)
    kernels.distance_table(_plain_goal(width, height, blank), neighbours(width, height), table)
    table.setflags(write=False)
    return table


def _plain_goal(width: int, height: int, blank: int) -> NDArray[np.uint8]:
    goal = np.arange(1, width * height + 1, dtype=np.uint8)
    goal[blank] = 0
    return goal


class Patterns(NamedTuple):
    """Pattern databases of one frame and goal: tile t counts `weight[t]` a cell in the table `group[t]`."""

    tables: NDArray[np.uint8]
    group: NDArray[np.int64]
    weight: NDArray[np.int64]
    mirror: NDArray[np.int64]


@lru_cache(maxsize=4)
def patterns(width: int, height: int, blank: int) -> Patterns:
    """Pattern databases for a goal with the blank in the cell `blank`: groups of as many tiles as a table of a million entries can hold."""
    cells = width * height
    tiles = 1
    while cells ** (tiles + 1) <= MOST_ENTRIES:
        tiles += 1
    homes = [cell for cell in range(cells) if cell != blank]
    count = -(-len(homes) // tiles)
    parts = [homes[len(homes) * part // count : len(homes) * (part + 1) // count] for part in range(count)]
    tables = np.zeros((count, cells ** max(len(part) for part in parts)), np.uint8)
    group, weight = np.zeros(cells + 1, np.int64), np.zeros(cells + 1, np.int64)
    for number, part in enumerate(parts):
        kernels.pattern_table(np.array(part, np.int64), blank, neighbours(width, height), tables[number, : cells ** len(part)])
        for digit, cell in enumerate(part):
            group[cell + 1], weight[cell + 1] = number, cells ** (len(part) - 1 - digit)
    mirror = np.full(2 * cells + 1, -1, np.int64)
    if width == height and blank % width == blank // width:
        for cell in range(cells):
            mirror[cell] = cell % width * width + cell // width
            mirror[cells + cell + 1] = mirror[cell] + 1
    return Patterns(tables, group, weight, mirror)


def optimal_length(board: Board) -> int | None:
    """The least number of moves where a table knows it, else None."""
    if board.cells > NINE or not board.solvable:
        return None
    table = distances(board.width, board.height, board.goal.index(0))
    return int(table[kernels.rank_board(board.normal.tiles)])


def solve(board: Board, *, budget: int = BUDGET) -> Solution:
    """The shortest solution; none where `budget` positions did not bring it out. A board of the wrong parity is refused at once."""
    check_range("budget", budget, 1, 1 << 60)
    board.check_solvable()
    began = time.perf_counter()
    moves, looked = _by_table(board) if board.cells <= NINE else _by_deepening(board, budget)
    seconds = time.perf_counter() - began
    if moves is not None:
        board.check(moves)
    return Solution("sliding", "exact", moves, 0, looked, None, seconds, optimal=None if moves is None else len(moves))


def _by_table(board: Board) -> tuple[str, int]:
    table = distances(board.width, board.height, board.goal.index(0))
    tiles, _, _, near = board.normal
    tiles = tiles.copy()
    blank = board.blank
    moves = ""
    distance = int(table[kernels.rank_board(tiles)])
    looked = 1
    while distance:
        for move, other in enumerate(near[blank].tolist()):
            if other < 0:
                continue
            looked += 1
            tiles[blank], tiles[other] = tiles[other], 0
            if table[kernels.rank_board(tiles)] == distance - 1:
                moves += MOVES[move]
                distance -= 1
                blank = other
                break
            tiles[other], tiles[blank] = tiles[blank], 0
    return moves, looked


def _by_deepening(board: Board, budget: int) -> tuple[str | None, int]:
    way = np.zeros(LONGEST, np.int8)
    outcome, length, looked = kernels.deepen(
        board.normal.tiles, board.normal.near, *patterns(board.width, board.height, board.goal.index(0)), budget, way
    )
    return ("".join(MOVES[move] for move in way[:length]) if outcome == kernels.FOUND else None), looked
