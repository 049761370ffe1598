"""Places: the named cells of a level, and their order.

Areas: named parts of a level, such as rooms and doorways. They are optional, and are no part of a
level's text form or digest.
"""

import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from levolve.core.errors import InputError, shown

Place = tuple[int, int]

ENTRANCE, EXIT = "entrance", "exit"
# Stands for all checkpoints of a level in lists of place names.
CHECKPOINTS = "checkpoints"
TOUR = ("A", "B", "C")
MOST_CHECKPOINTS = 64
# Where entrance and exit may lie if every level has its own; see `levolve.search.genotypes.placed`.
PlacesRule = Literal["anywhere", "border", "sides", "rooms", "farthest"]


def checkpoint(number: int) -> str:
    """Return the name of checkpoint `number`, counted from 1."""
    return f"checkpoint {number}"


def is_checkpoint(name: str) -> bool:
    """Whether this is the name of a checkpoint."""
    return name.startswith("checkpoint ")


def known_place(name: str) -> bool:
    """Whether `name` is a valid name of a place."""
    return (
        name in {ENTRANCE, EXIT, *TOUR}
        or re.fullmatch(r"checkpoint [1-9][0-9]{0,8}", name) is not None
    )


def _order(name: str) -> tuple[int, int, str]:
    if name in {ENTRANCE, EXIT}:
        return (0, 0, name)
    if is_checkpoint(name):
        return (1, int(name.removeprefix("checkpoint ")), name)
    return (2, 0, name)


def ordered_places(places: Mapping[str, Iterable[int]]) -> Mapping[str, Place]:
    """Return the places, read-only, in the fixed order: entrance, exit, checkpoints by number,
    tour. Unknown names raise `InputError`.
    """
    for name in places:
        if not known_place(name):
            message = (
                f"unknown place {shown(name)}: expected entrance, exit, A, B, C or 'checkpoint "
                "N' with N from 1"
            )
            raise InputError(message)
    checked: dict[str, Place] = {}
    for name in sorted(places, key=_order):
        try:
            x, y = (operator.index(part) for part in places[name])
        except (TypeError, ValueError) as problem:
            message = (
                f"{name}: expected a place (x, y) of two whole numbers, got {shown(places[name])}"
            )
            raise InputError(message) from problem
        checked[name] = (x, y)
    return MappingProxyType(checked)


def check_places(places: Mapping[str, Place], width: int, height: int) -> None:
    """Raise `InputError` for places outside a level of this size, and if entrance and exit are the
    same cell.
    """
    for name, (x, y) in places.items():
        if not (0 <= x < width and 0 <= y < height):
            message = (
                f"{name}: expected a cell inside the {width}x{height} level, x from 0 to "
                f"{width - 1} and y from 0 to {height - 1}, got {x},{y}"
            )
            raise InputError(message)
    checkpoints = [name for name in places if is_checkpoint(name)]
    if len(checkpoints) > MOST_CHECKPOINTS:
        message = f"checkpoints: expected at most {MOST_CHECKPOINTS}, got {len(checkpoints)}"
        raise InputError(message)
    if ENTRANCE in places and places[ENTRANCE] == places.get(EXIT):
        message = (
            "exit: expected a cell other than the entrance, got "
            f"{places[EXIT][0]},{places[EXIT][1]} for both"
        )
        raise InputError(message)


def default_checkpoints(width: int, height: int, taken: Iterable[Place]) -> list[Place]:
    """Return default checkpoints: the centres of the level and of its four quarters, except
    duplicates and cells in `taken`.
    """
    left, right, top, bottom = (
        (width - 1) // 4,
        width - 1 - (width - 1) // 4,
        (height - 1) // 4,
        height - 1 - (height - 1) // 4,
    )
    centres = [
        (left, top),
        (right, top),
        ((width - 1) // 2, (height - 1) // 2),
        (left, bottom),
        (right, bottom),
    ]
    free = dict.fromkeys(centres)
    for place in taken:
        free.pop(place, None)
    return list(free)


ROOM, DOORWAY = "room", "doorway"


@dataclass(frozen=True, order=True)
class Area:
    """A rectangle of cells with a kind, a word of lower-case letters: `x`, `y` is its upper left
    cell. A room need not fill its rectangle.
    """

    kind: str
    x: int
    y: int
    width: int
    height: int

    def moved(self, x: int, y: int) -> "Area":
        """Return the area moved by some columns and rows."""
        return Area(self.kind, self.x + x, self.y + y, self.width, self.height)

    def contains(self, x: int, y: int) -> bool:
        """Whether a cell is in the rectangle."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


def check_areas(areas: Iterable[Area], width: int, height: int) -> None:
    """Raise `InputError` for an area outside a level of this size, or whose kind is no word."""
    for area in areas:
        inside = area.width >= 1 and area.height >= 1 and area.contains(area.x, area.y)
        if (
            not inside
            or area.x < 0
            or area.y < 0
            or area.x + area.width > width
            or area.y + area.height > height
        ):
            message = (
                f"areas: expected areas inside the {width}x{height} level, got "
                f"{write_areas([area])}"
            )
            raise InputError(message)
        if re.fullmatch(r"[a-z]+", area.kind) is None:
            message = (
                f"areas: expected a kind of lower-case letters such as room, got {area.kind!r}"
            )
            raise InputError(message)


def write_areas(areas: Iterable[Area]) -> str:
    """Return areas as text, such as `room 1,1,5x3; doorway 6,2,1x1`."""
    return "; ".join(f"{area.kind} {area.x},{area.y},{area.width}x{area.height}" for area in areas)


def read_areas(text: str) -> tuple[Area, ...]:
    """Parse the result of `write_areas`."""
    found = []
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        match = re.fullmatch(r"([a-z]+) (\d{1,9}),(\d{1,9}),(\d{1,9})x(\d{1,9})", entry)
        if match is None:
            message = f"areas: expected entries such as 'room 1,1,5x3', got {entry[:40]!r}"
            raise InputError(message)
        found.append(Area(match[1], *(int(number) for number in match.groups()[1:])))
    return tuple(found)


def areas_to_data(areas: Iterable[Area]) -> list[dict[str, Any]]:
    """Return areas as plain data."""
    return [
        {"kind": area.kind, "x": area.x, "y": area.y, "width": area.width, "height": area.height}
        for area in areas
    ]


def areas_from_data(data: object) -> tuple[Area, ...]:
    """Create areas from the result of `areas_to_data`."""
    keys = ("x", "y", "width", "height")
    if not isinstance(data, list) or not all(
        isinstance(entry, dict)
        and isinstance(entry.get("kind"), str)
        and all(type(entry.get(key)) is int for key in keys)
        for entry in data
    ):
        message = (
            "areas: expected a list of objects with a kind and whole numbers x, y, width and "
            f"height, got {shown(data)}"
        )
        raise InputError(message)
    return tuple(Area(entry["kind"], *(entry[key] for key in keys)) for entry in data)
