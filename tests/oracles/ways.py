"""The way of a level by its definition: every choke point is found by closing the cell."""

from collections.abc import Sequence
from itertools import pairwise

from oracles.walking import MOVES, Cell, Level, Steps, exit_distance, trace


def way(level: Level, steps: Steps, stops: Sequence[Cell]) -> list[int]:
    """Turns, the longest straight run, choke points and cells; all -1 without a way."""
    moves: list[int] = []
    chokes: set[Cell] = set()
    visited: set[Cell] = set()
    for start, goal in pairwise(stops):
        if exit_distance(level, steps, start, goal) < 0:
            return [-1] * 4
        leg = trace(level, steps, start, goal)
        cell = start
        visited.add(cell)
        for move in leg:
            cell = cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]
            visited.add(cell)
            if cell != goal and exit_distance(*closed(level, steps, cell), start, goal) < 0:
                chokes.add(cell)
        moves += leg
    turns = sum(a != b for a, b in pairwise(moves))
    longest = max((sum(1 for _ in run) for run in runs(moves)), default=0)
    return [turns, longest, len(chokes), len(visited)]


def runs(moves: Sequence[int]) -> list[list[int]]:
    """Maximal runs of equal moves."""
    found: list[list[int]] = []
    for move in moves:
        if found and found[-1][-1] == move:
            found[-1].append(move)
        else:
            found.append([move])
    return found


def closed(level: Level, steps: Steps, cell: Cell) -> tuple[Level, Steps]:
    """The level with one cell of a new kind that no step leads to."""
    kinds = len(steps)
    rows = [list(row) for row in level]
    rows[cell[1]][cell[0]] = kinds
    return rows, [[*row, False] for row in steps] + [[False] * (kinds + 1)]
