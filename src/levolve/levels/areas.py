"""Areas: named parts of a level, such as rooms and doorways. They are optional, and are no part of a level's text form or digest."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from levolve.errors import InputError, shown

ROOM, DOORWAY = "room", "doorway"


@dataclass(frozen=True, order=True)
class Area:
    """A rectangle of cells with a kind, a word of lower-case letters: `x`, `y` is its upper left cell. A room need not fill its rectangle."""

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
        if not inside or area.x < 0 or area.y < 0 or area.x + area.width > width or area.y + area.height > height:
            message = f"areas: expected areas inside the {width}x{height} level, got {write_areas([area])}"
            raise InputError(message)
        if re.fullmatch(r"[a-z]+", area.kind) is None:
            message = f"areas: expected a kind of lower-case letters such as room, got {area.kind!r}"
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
    return [{"kind": area.kind, "x": area.x, "y": area.y, "width": area.width, "height": area.height} for area in areas]


def areas_from_data(data: object) -> tuple[Area, ...]:
    """Create areas from the result of `areas_to_data`."""
    keys = ("x", "y", "width", "height")
    if not isinstance(data, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("kind"), str) and all(type(entry.get(key)) is int for key in keys) for entry in data
    ):
        message = f"areas: expected a list of objects with a kind and whole numbers x, y, width and height, got {shown(data)}"
        raise InputError(message)
    return tuple(Area(entry["kind"], *(entry[key] for key in keys)) for entry in data)
