"""Finding a solution: the proof that a level can be won. Whether it holds is for the independent checker to say."""

import itertools

import numpy as np

from levolve.kernels.walking import distances, trace
from levolve.levels.frame import ENTRANCE, EXIT, TOUR, Place
from levolve.levels.grid import MOVES
from levolve.levels.level import Level


def shortest_solution(level: Level) -> str | None:
    """A shortest walk from the entrance to the exit, or from A over B to C; None if there is none, or no such places."""
    if level.entrance is not None and level.exit is not None:
        stops = [level.places[ENTRANCE], level.places[EXIT]]
    elif all(name in level.places for name in TOUR):
        stops = [level.places[name] for name in TOUR]
    else:
        return None
    moves = ""
    for start, goal in itertools.pairwise(stops):
        leg = _leg(level, start, goal)
        if leg is None:
            return None
        moves += leg
    return moves


def _leg(level: Level, start: Place, goal: Place) -> str | None:
    steps = np.empty((1, level.height, level.width), np.int32)
    distances(level.tiles[np.newaxis], level.tileset.table, *start, steps)
    if steps[0, goal[1], goal[0]] < 0:
        return None
    return "".join(MOVES[move] for move in trace(level.tiles, level.tileset.table, steps[0], *goal))
