"""Floors: one level holds several floors as equal bands of its rows, each separated from the next
by one row of wall. Stairs or teleporters lead from one floor to another, so solvers, proofs and the
checker need no further rule.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.levels.places import ENTRANCE, EXIT, Place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing, kinds_of

if TYPE_CHECKING:
    from levolve.levels.level import Level

MOST_FLOORS = 100


def check_floors(floors: object, walkable: NDArray[np.bool_]) -> None:
    """Raise `InputError` unless a level with these `(height, width)` walkable cells has this number
    of floors.
    """
    if type(floors) is not int or not 1 <= floors <= MOST_FLOORS:
        raise InputError(
            f"floors: expected a whole number from 1 to {MOST_FLOORS}, got {shown(floors)}"
        )
    height = len(walkable)
    if (height + 1) % floors or height + 1 < 2 * floors:
        raise InputError(
            f"floors: expected rows for {floors} equal floors and {floors - 1} rows of wall "
            f"between them, such as {(height + 1) // floors * floors - 1} rows, got {height}"
        )
    band = (height + 1) // floors
    for row in range(band - 1, height - 1, band):
        if walkable[row].any():
            x = int(walkable[row].argmax())
            raise InputError(
                f"floors: expected a row of wall below each floor, got an open cell at {x},{row}; "
                "close it or change the number of floors"
            )


def floor_height(level: "Level") -> int:
    """Return the number of rows of each floor."""
    return (level.height + 1) // level.floors - 1


def floor_of(level: "Level", cell: Place) -> int:
    """Return the floor of a cell, from 0; a row of wall belongs to the floor above it."""
    return min(cell[1] // (floor_height(level) + 1), level.floors - 1)


def floor_rows(level: "Level", floor: int) -> tuple[int, int]:
    """Return the first row of a floor, and the row after its last."""
    top = floor * (floor_height(level) + 1)
    return top, top + floor_height(level)


def stacked(levels: Sequence["Level"]) -> "Level":
    """Return one level whose floors are these levels, without a solution.

    It begins at the entrance of the first and ends at the exit of the last; stairs lead from the
    exit of each floor to the entrance of the next, and back. Things keep their meaning; their ids
    get the number of the floor. A key opens the doors of its colour on all floors.
    """
    first = levels[0]
    wall = first.tileset.wall
    for number, level in enumerate(levels, 1):
        ends = [name for name in (ENTRANCE, EXIT) if name not in level.places]
        alike = level.tiles.shape == first.tiles.shape and level.tileset == first.tileset
        if not alike or wall is None or ends or level.floors != 1 or len(levels) > MOST_FLOORS:
            raise InputError(
                f"floors: expected at most {MOST_FLOORS} levels of one floor with the same size, a "
                f"tileset with walls, an entrance and an exit, got {level!r} as floor {number}"
            )
    band = first.height + 1
    row = np.full((1, first.width), wall, np.uint8)
    parts = [part for level in levels for part in (level.tiles, row)]
    things: list[Thing] = []
    kinds: dict[str, Kind] = {}
    for number, level in enumerate(levels):
        known = kinds_of(level.things, level.kinds)
        kinds |= level.kinds
        things += [
            _on_floor(thing, known, number, band)
            for thing in level.things
            if number == 0 or not (thing.kind in known and known[thing.kind].held)
        ]
        up, down = level.places[ENTRANCE], level.places[EXIT]
        if number > 0:
            things.append(_stairs(up, number, band, f"up{number}", f"down{number - 1}"))
        if number < len(levels) - 1:
            things.append(_stairs(down, number, band, f"down{number}", f"up{number + 1}"))
    end = levels[-1].places[EXIT]
    return replace(
        first,
        tiles=np.concatenate(parts[:-1]),
        places={
            ENTRANCE: first.places[ENTRANCE],
            EXIT: (end[0], end[1] + band * (len(levels) - 1)),
        },
        solution=None,
        certificate=None,
        origin=None,
        areas=tuple(
            area.moved(0, band * number)
            for number, level in enumerate(levels)
            for area in level.areas
        ),
        things=tuple(things),
        kinds=kinds,
        floors=len(levels),
    )


def _on_floor(thing: Thing, kinds: dict[str, Kind], number: int, band: int) -> Thing:
    moved = thing.moved(0, band * number)
    kind = kinds.get(thing.kind)
    fields = dict(moved.fields)
    for name in () if kind is None else (kind.gate, kind.leads):
        if fields.get(name):
            fields[name] = f"{fields[name]}-{number}"
    return Thing(moved.kind, moved.cell, f"{moved.id}-{number}" if moved.id else "", fields)


def _stairs(cell: Place, number: int, band: int, name: str, to: str) -> Thing:
    return Thing("stairs", (cell[0], cell[1] + band * number), name, {"to": to})
