"""Certifying a level that somebody changed: its solution holds, or a new one is found, or it is said why there is none."""

import itertools

from levolve.errors import ProofError
from levolve.levels.frame import ENTRANCE, EXIT, TOUR
from levolve.levels.level import Level


def certified(level: Level) -> Level:
    """The level with a solution that holds: its own, a shortest one where that does not, none where it cannot be won."""
    try:
        level.check()
    except ProofError:
        found = level.with_solution(_solve(level))
        if found.solution is not None:
            found.check()
        return found
    return level


def why_not(level: Level) -> str:
    """Why a level without a solution cannot be won."""
    places = level.places
    tour = any(name in places for name in TOUR) and not (ENTRANCE in places and EXIT in places)
    stops = TOUR if tour else (ENTRANCE, EXIT)
    missing = [name for name in stops if name not in places]
    if missing:
        return f"it has no {' and no '.join(missing)}"
    for start, goal in itertools.pairwise(stops):
        if places[start] == places[goal]:
            continue
        if _solve(Level(level.tiles, {ENTRANCE: places[start], EXIT: places[goal]}, level.tileset)) is None:
            (x, y), (to_x, to_y) = places[start], places[goal]
            return f"no way leads from the {start} at {x},{y} to the {goal} at {to_x},{to_y}"
    return "it holds no solution"


def _solve(level: Level) -> str | None:
    from levolve.levels.solving import shortest_solution  # noqa: PLC0415 only a level that was changed needs the kernels

    return shortest_solution(level)
