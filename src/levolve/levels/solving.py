"""Solving a level: finding the proof that it can be won. The independent checker verifies the result."""

import itertools

import numpy as np

from levolve.kernels.walking import distances, trace
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.places import Place


def shortest_solution(level: Level) -> str | None:
    """Return a shortest path through the stops of the level's goal; None if there is none or a stop is missing. Without stops it is empty."""
    route = level.goal.route(level.places)
    if route is None:
        return None
    moves = ""
    for start, goal in itertools.pairwise(route):
        leg = shortest_leg(level, start, goal)
        if leg is None:
            return None
        moves += leg
    return moves


def way_back(level: Level) -> str | None:
    """A shortest walk from the goal's last stop back to its first, where its measured tour returns; None if there is none.

    Where the goal does not return, it is no moves at all.
    """
    if not level.goal.returns:
        return ""
    route = level.goal.route(level.places)
    return None if route is None else shortest_leg(level, route[-1], route[0])


def shortest_leg(level: Level, start: Place, goal: Place) -> str | None:
    """Return the moves of a shortest path between two cells (x, y); None if there is none."""
    steps = np.empty((1, level.height, level.width), np.int32)
    distances(level.tiles[np.newaxis], level.tileset.table, *start, steps)
    if steps[0, goal[1], goal[0]] < 0:
        return None
    return "".join(MOVES[move] for move in trace(level.tiles, level.tileset.table, steps[0], *goal))
