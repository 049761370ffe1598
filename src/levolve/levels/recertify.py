"""Recertification of edited levels: keep a valid solution, find a new one, or explain why there is none."""

import itertools

from levolve.errors import ProofError
from levolve.levels.level import Level


def recertified(level: Level) -> Level:
    """Return the level with a valid solution: its own if it is valid, otherwise a shortest one, or None if the level cannot be won."""
    from levolve.levels.solving import shortest_solution  # noqa: PLC0415 only edited levels need the kernels

    try:
        level.check()
    except ProofError:
        found = level.with_solution(shortest_solution(level))
        if found.solution is not None:
            found.check()
        return found
    return level


def explain_unwinnable(level: Level) -> str:
    """Explain why a level without a solution cannot be won, such as "it has no exit"."""
    from levolve.levels.solving import shortest_leg  # noqa: PLC0415 only edited levels need the kernels

    goal, places = level.goal, level.places
    missing = goal.missing(places)
    if missing:
        return f"it has no {' and no '.join(missing)}"
    for start, end in itertools.pairwise(goal.stops_in(places)):
        (x, y), (to_x, to_y) = places[start], places[end]
        if shortest_leg(level, (x, y), (to_x, to_y)) is None:
            return f"there is no path from the {start} at {x},{y} to the {end} at {to_x},{to_y}"
    return "it has no solution"
