"""The walk of a level as pictures show it and captions count it: the solution, and the way back
where the goal counts it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.places import Place


def path_cells(level: Level) -> Iterator[Place]:
    """The cells that the solution goes through, from the first stop of the goal on."""
    start = next(
        (level.places[name] for name in level.goal.stops_in(level.places) if name in level.places),
        None,
    )
    if level.solution is None or start is None:
        return
    yield from _cells(start, level.solution)


def _cells(start: Place, moves: str) -> Iterator[Place]:
    """The cells that moves lead over, the first included."""
    x, y = start
    yield x, y
    for move in moves:
        x += (move == "r") - (move == "l")
        y += (move == "d") - (move == "u")
        yield x, y


@dataclass(frozen=True)
class Walk:
    """The walk that a level is measured by: the solution and, where the goal returns, the way back;
    each as cells, the first included.

    `there` is empty where the level has no solution, `back` where the goal does not return or there
    is no way back.
    """

    there: tuple[Place, ...] = ()
    back: tuple[Place, ...] = ()

    @property
    def steps(self) -> int:
        """How many steps there are, the way back included."""
        return max(len(self.there) - 1, 0) + max(len(self.back) - 1, 0)

    def first(self, steps: int) -> "Walk":
        """The first `steps` steps of the walk."""
        rest = steps + 1 - len(self.there)
        return Walk(self.there[: steps + 1], self.back[: rest + 1] if rest > 0 else ())


def walk_of(level: Level) -> Walk:
    """The walk of a level's solution, with the way back where the level's goal counts it."""
    there = tuple(path_cells(level))
    if not there or not level.goal.returns:
        return Walk(there)
    from levolve.levels.solver import way_back

    back = way_back(level)
    return Walk(there, () if back is None else tuple(_cells(there[-1], back)))


def caption_of(level: Level, unit: str = "steps") -> str:
    """The length of a level's walk in words, as the measures count it: that of a tour includes the
    way back.

    With the unit "tiles", steps and tiles: one tile more than steps for each leg, the way from one
    stop of the goal to the next. A level without a solution is named by its size.
    """
    if unit not in {"steps", "tiles"}:
        message = f"caption: expected steps or tiles, got {unit!r}"
        raise InputError(message)
    if level.solution is None or not level.goal.stops:
        return f"{level.width}x{level.height}"
    walk = walk_of(level)
    legs = len(level.goal.stops_in(level.places)) - 1 + bool(walk.back)
    return (
        f"{walk.steps} steps"
        if unit == "steps"
        else f"{walk.steps} steps, {walk.steps + legs} tiles"
    )
