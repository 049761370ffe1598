"""Solving a level: finding the proof that it can be won. The independent checker verifies the
result.

Recertification of edited levels: keep a valid solution, find a new one, or explain why there is
none.
"""

import itertools

import numpy as np

from levolve.core.errors import ProofError
from levolve.kernels.walking.shortest_paths import distances, trace
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.things.barriers import barriers

# The most states of a proof when a level is read, edited or found: about a second of work.
READ = 2**18


def shortest_solution(level: Level) -> str | None:
    """Return a shortest path through the stops of the level's goal; None if there is none or a stop
    is missing. Without stops it is empty. It keeps to the rules of the level's things.
    """
    if level.has_mechanics:
        return level.prove(READ).solution
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


def proven(level: Level) -> Level | None:
    """Return the level with a shortest solution, checked; None if it cannot be won. A level with
    things gets a certificate if it cannot be lost.
    """
    if level.has_mechanics:
        proof = level.prove(READ)
        solution, certificate = proof.solution, proof.certificate
    else:
        solution, certificate = shortest_solution(level), None
    if solution is None:
        return None
    solved = level.with_solution(solution, certificate)
    solved.check(loss=certificate is None)
    return solved


def way_back(level: Level) -> str | None:
    """A shortest walk from the goal's last stop back to its first, where its measured tour returns;
    None if there is none.

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


def recertified(level: Level) -> Level:
    """Return the level with a valid solution: its own if it is valid, otherwise a shortest one, or
    None if the level cannot be won. If things act in it, it has a certificate unless it can be
    lost.
    """
    try:
        level.check()
    except ProofError:
        found = proven(level)
        if (found is None or found.certificate is None) and level.has_mechanics and _is_won(level):
            return level.with_solution(level.solution)
        return found or level.with_solution(None)
    return level


def _is_won(level: Level) -> bool:
    try:
        level.check(loss=True)
    except ProofError:
        return False
    return True


def writable(level: Level, *, allow_loss: bool = False) -> Level:
    """Return the level as it may be written: with a valid solution or none and, if things act in
    it, with a certificate.

    Raises `ProofError` if its solution is wrong. With `allow_loss`, a level that can be lost may be
    written too.
    """
    if level.has_mechanics and level.certificate is None and not allow_loss:
        proof = level.prove(READ)
        allow = "allow a loss (allow_loss=True, --allow-loss)"
        if proof.losing_moves:
            loss = proof.losing_moves[0].text
            raise ProofError(f"proof: the level can be lost by {loss}; change it, or {allow}")
        if proof.undecided or (proof.winnable and not proof.safe):
            raise ProofError(f"proof: it is undecided whether the level can be lost; {allow}")
        level = level.with_solution(level.solution or proof.solution, proof.certificate)
    if level.solution is not None:
        level.check(loss=allow_loss)
    return level


def explain_unwinnable(level: Level) -> str:
    """Explain why a level without a solution cannot be won, such as "it has no exit"."""
    goal, places = level.goal, level.places
    missing = goal.missing(places)
    if missing:
        return f"it has no {' and no '.join(missing)}"
    if level.has_mechanics and level.prove(READ).undecided:
        return "it has too many states to decide whether it can be won"
    if level.has_mechanics and (barred := barriers(level)):
        return barred
    for start, end in itertools.pairwise(goal.stops_in(places)):
        (x, y), (to_x, to_y) = places[start], places[end]
        if shortest_leg(level, (x, y), (to_x, to_y)) is None:
            return f"there is no path from the {start} at {x},{y} to the {end} at {to_x},{to_y}"
    return "its things bar the way" if level.has_mechanics else "it has no solution"
