"""The walk of a level as pictures show it and captions count it: the solution, and the way back
where the goal counts it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from levolve.core.errors import InputError
from levolve.levels.grid import USE
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.things.thing import kinds_of


def path_cells(level: Level) -> Iterator[Place]:
    """The cells that the solution goes through, from the first stop of the goal on."""
    start = next(
        (level.places[name] for name in level.goal.stops_in(level.places) if name in level.places),
        None,
    )
    if level.solution is None or start is None:
        return
    yield from _cells(start, level.solution, ways_by_use(level))


def ways_by_use(level: Level) -> dict[Place, Place]:
    """The cells that the move x leads away from, such as stairs, and where each leads to."""
    kinds = kinds_of(level.things, level.kinds)
    ids = {thing.id: thing.cell for thing in level.things if thing.id}
    return {
        thing.cell: ids[thing.value(kinds[thing.kind].leads, kinds)]
        for thing in level.things
        if thing.kind in kinds and kinds[thing.kind].leads
    }


def _cells(
    start: Place, moves: str, by_use: Mapping[Place, Place] | None = None
) -> Iterator[Place]:
    """The cells that moves lead over, the first included; a move x that leads nowhere stays."""
    x, y = start
    yield x, y
    for move in moves:
        if move == USE:
            x, y = (by_use or {}).get((x, y), (x, y))
        x += (move == "r") - (move == "l")
        y += (move == "d") - (move == "u")
        yield x, y


def joined_lines(cells: Sequence[Place]) -> list[list[Place]]:
    """The lines that a walk consists of: where stairs lead away, another line begins."""
    lines: list[list[Place]] = []
    for x, y in cells:
        if lines and lines[-1][-1] == (x, y):
            continue
        if lines and abs(lines[-1][-1][0] - x) + abs(lines[-1][-1][1] - y) == 1:
            lines[-1].append((x, y))
        else:
            lines.append([(x, y)])
    return lines


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
        raise InputError(f"caption: expected steps or tiles, got {unit!r}")
    if level.solution is None or not level.goal.stops:
        return f"{level.width}x{level.height}"
    walk = walk_of(level)
    legs = len(level.goal.stops_in(level.places)) - 1 + bool(walk.back)
    return (
        f"{walk.steps} steps"
        if unit == "steps"
        else f"{walk.steps} steps, {walk.steps + legs} tiles"
    )
