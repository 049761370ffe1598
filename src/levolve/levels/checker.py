"""The independent checker: replays a solution move by move.

It shares no code with the kernels that find solutions, and knows nothing of shortest paths: it stands on a cell, takes a step, and looks
whether the step was legal. Plain lists, plain loops.
"""

from collections.abc import Mapping, Sequence

from levolve.errors import ProofError

_STEP = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}


def check(
    tiles: Sequence[Sequence[int]],
    steps: Sequence[Sequence[bool]],
    places: Mapping[str, tuple[int, int]],
    solution: str | None,
) -> None:
    """Raise `ProofError` unless the moves lead from the entrance to the exit, or from A over B to C, by legal steps only."""
    if "entrance" in places and "exit" in places:
        stops = [("entrance", places["entrance"]), ("exit", places["exit"])]
    elif all(name in places for name in "ABC"):
        stops = [(name, places[name]) for name in "ABC"]
    else:
        message = "proof: a level can be won only if it has an entrance and an exit, or the places A, B and C"
        raise ProofError(message)
    if solution is None:
        message = "proof: the level holds no solution"
        raise ProofError(message)
    x, y = stops[0][1]
    ahead = stops[1:]
    for count, move in enumerate(solution, 1):
        change_x, change_y = _STEP[move]
        to_x, to_y = x + change_x, y + change_y
        if not (0 <= to_y < len(tiles) and 0 <= to_x < len(tiles[0])):
            message = f"proof: move {count} ({move}) leaves the level from {x},{y}"
            raise ProofError(message)
        if not steps[tiles[y][x]][tiles[to_y][to_x]]:
            message = f"proof: move {count} ({move}) from {x},{y} to {to_x},{to_y} is not a legal step"
            raise ProofError(message)
        x, y = to_x, to_y
        if len(ahead) > 1 and (x, y) == ahead[0][1]:
            ahead = ahead[1:]
    name, goal = ahead[0]
    if len(ahead) > 1 or (x, y) != goal:
        message = f"proof: the solution ends after {len(solution)} moves at {x},{y} without reaching the {name} at {goal[0]},{goal[1]}"
        raise ProofError(message)
