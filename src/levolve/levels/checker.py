"""The independent checker, which replays a solution move by move. Levels in which things act have
one with more rules, `levels/things/checking.py`.

It shares no code with `goal` or with the kernels that find solutions, and computes no shortest
paths. It only applies each move and checks that the step is legal, with plain lists and loops.
"""

from collections.abc import Mapping, Sequence

from levolve.core.errors import ProofError

STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}


def check(
    tiles: Sequence[Sequence[int]],
    steps: Sequence[Sequence[bool]],
    places: Mapping[str, tuple[int, int]],
    stops: Sequence[str],
    solution: str | None,
) -> None:
    """Raise `ProofError` unless the moves visit all stops in order, by legal steps only.

    Parameters
    ----------
    tiles
        `tiles[y][x]` is the kind of a tile.
    steps
        `steps[a][b]` is true if a step from kind a to kind b is legal.
    places
        Cells (x, y) by name.
    stops
        Names of places in the order to visit them. "checkpoints" stands for all checkpoints in
        order of number. Without stops, only an empty solution is valid.
    solution
        Moves u, d, l, r.
    """
    if not stops:
        if solution:
            raise ProofError(
                f"proof: expected no moves, because the goal has no stops, got {len(solution)}"
            )
        return
    ahead = stops_of(places, stops)
    if solution is None:
        raise ProofError("proof: the level has no solution")
    x, y = ahead[0][1]
    while len(ahead) > 1 and (x, y) == ahead[0][1]:
        ahead = ahead[1:]
    for count, move in enumerate(solution, 1):
        x, y = _moved(tiles, steps, (x, y), count, move)
        while len(ahead) > 1 and (x, y) == ahead[0][1]:
            ahead = ahead[1:]
    name, goal = ahead[0]
    if len(ahead) > 1 or (x, y) != goal:
        raise ProofError(
            f"proof: the solution ends after {len(solution)} moves at {x},{y} without reaching "
            f"the {name} at {goal[0]},{goal[1]}"
        )


def _moved(
    tiles: Sequence[Sequence[int]],
    steps: Sequence[Sequence[bool]],
    cell: tuple[int, int],
    count: int,
    move: str,
) -> tuple[int, int]:
    x, y = cell
    if move not in STEPS:
        raise ProofError(f"proof: move {count} ({move}) at {x},{y} uses nothing")
    to_x, to_y = x + STEPS[move][0], y + STEPS[move][1]
    if not (0 <= to_y < len(tiles) and 0 <= to_x < len(tiles[0])):
        raise ProofError(f"proof: move {count} ({move}) leaves the level from {x},{y}")
    if not steps[tiles[y][x]][tiles[to_y][to_x]]:
        raise ProofError(
            f"proof: move {count} ({move}) from {x},{y} to {to_x},{to_y} is not a legal step"
        )
    return to_x, to_y


def stops_of(
    places: Mapping[str, tuple[int, int]], names: Sequence[str]
) -> list[tuple[str, tuple[int, int]]]:
    """Return the stops that are in a level with these places, with their cells, in order."""
    found: list[tuple[str, tuple[int, int]]] = []
    for name in names:
        if name == "checkpoints":
            numbers = sorted(
                int(place.split()[1]) for place in places if place.startswith("checkpoint ")
            )
            found += [
                (f"checkpoint {number}", places[f"checkpoint {number}"]) for number in numbers
            ]
        elif name in places:
            found.append((name, places[name]))
        else:
            raise ProofError(
                f"proof: expected a level with {' and '.join(names)}, the stops of its goal, got "
                f"{', '.join(places) or 'no places'}"
            )
    if not found:
        raise ProofError(f"proof: expected a level with {' and '.join(names)}, got none")
    return found
