"""Repair: a level that can be lost is changed by one thing at a time until it cannot.

What is tried follows from the first losing move: one more key of the kind that was used up, a key
moved to where the player starts, a one-way turned around, or more health. The change after which
the smallest share of states is lost stays.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from levolve.levels.solver import proven
from levolve.levels.things.proof import Proof
from levolve.levels.things.thing import Thing, kinds_of, resources

if TYPE_CHECKING:
    from levolve.levels.level import Level
    from levolve.levels.places import Place
    from levolve.levels.things.kinds import Kind

MOST_REPAIRS = 8
# The most states of a level that is tried.
TRIED = 2**16
_OPPOSITE = {"u": "d", "d": "u", "l": "r", "r": "l"}
_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def secured(level: "Level", *, allow_loss: bool = False) -> "Level | None":
    """Return the level with a checked solution and a certificate; repaired, if it can be lost.

    None if it cannot be won, or if no repair is found. With `allow_loss`, a level that can be lost
    is returned as it is, with its solution.
    """
    found = proven(level)
    if found is None or allow_loss or not found.has_mechanics or found.certificate is not None:
        return found
    repaired, proof = level, level.prove()
    if proof.safe:
        # Nothing acts, so that there is nothing to certify.
        return found
    for _ in range(MOST_REPAIRS):
        tried = [(one, one.prove(TRIED)) for one in _repairs(repaired, proof)]
        tried = [(one, result) for one, result in tried if result.winnable]
        if not tried:
            return None
        repaired, proof = min(tried, key=lambda pair: _lost_share(pair[1]))
        if proof.safe:
            return proven(repaired)
    return None


def _lost_share(proof: Proof) -> float:
    return proof.lost / max(proof.states, 1)


def _repairs(level: "Level", proof: Proof) -> "Iterator[Level]":
    """Yield levels that differ in one thing: one that has to do with the first losing move or, if
    that is not known, any.
    """
    kinds = kinds_of(level.things, level.kinds)
    near = _cells_at_the_start(level)
    cells = {move.cell for move in proof.losing_moves}
    blamed = {
        name
        for thing in level.things
        if thing.cell in cells and thing.kind in kinds
        for name, number in resources(thing, kinds[thing.kind].spends, kinds).items()
        if number
    }
    for index, thing in enumerate(level.things):
        kind = kinds.get(thing.kind)
        if kind is None or kind.counts:
            continue
        others = [*level.things[:index], *level.things[index + 1 :]]
        gives = resources(thing, kind.gives, kinds)
        if blamed and not blamed & set(gives):
            continue
        if kind.held:
            # Enough for all that spends it.
            spent = {
                name: str(int(thing.value(name, kinds)) + _spent(level, name))
                for name in kind.fields
                if thing.value(name, kinds).isdigit()
            }
            more = Thing(thing.kind, thing.cell, thing.id, {**thing.fields, **spent})
            yield level.with_things([*others, more])
        elif kind.direction:
            way = _OPPOSITE[thing.value(kind.direction, kinds)]
            fields = {**thing.fields, kind.direction: way}
            yield level.with_things([*others, Thing(thing.kind, thing.cell, thing.id, fields)])
        elif near and (gives or kind.switch):
            moved = replace(thing, cell=near[-1])
            yield level.with_things([*others, moved])
            if not thing.id:
                yield level.with_things([*level.things, moved])


def _spent(level: "Level", resource: str) -> int:
    kinds = kinds_of(level.things, level.kinds)
    return sum(
        resources(thing, kinds[thing.kind].spends, kinds).get(resource, 0)
        for thing in level.things
        if thing.kind in kinds
    )


def _cells_at_the_start(level: "Level") -> "list[Place]":
    """Return the free cells that are reached from the start before anything else, the farthest
    last.
    """
    route = level.goal.route(level.places)
    if not route:
        return []
    kinds = kinds_of(level.things, level.kinds)
    taken = {thing.cell for thing in level.things} | set(level.places.values())
    barred = {thing.cell for thing in level.things if _bars(kinds.get(thing.kind))}
    steps, tiles = level.tileset.steps, level.tiles
    seen, waiting, found = {route[0]}, deque([route[0]]), []
    while waiting:
        x, y = waiting.popleft()
        if (x, y) not in taken:
            found.append((x, y))
        for change_x, change_y in _STEPS:
            cell = (x + change_x, y + change_y)
            inside = 0 <= cell[0] < level.width and 0 <= cell[1] < level.height
            if (
                inside
                and cell not in seen
                and cell not in barred
                and cell != route[-1]
                and steps[tiles[y, x]][tiles[cell[1], cell[0]]]
            ):
                seen.add(cell)
                waiting.append(cell)
    return found


def _bars(kind: "Kind | None") -> bool:
    """Whether a thing of this kind can be in the way."""
    if kind is None:
        return False
    return bool(kind.needs or kind.gate or kind.direction or kind.hidden or kind.forced)
