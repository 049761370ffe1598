"""Parsing and formatting of sizes `20x20` and places `3,4`.

The places of a recipe: numbers that count from the far side, and whether walls to keep leave a way
between them.
"""

import re

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.levels.frame import ENTRANCE, EXIT, Frame, Place, check_size
from levolve.levels.level import Level
from levolve.levels.solver import explain_unwinnable, recertified
from levolve.levels.tileset import WALLS


def _pair(value: object, between: str) -> tuple[int, int] | None:
    """Parse two integers from a string or a pair; None if it is neither."""
    if isinstance(value, str) and (
        match := re.fullmatch(rf"\s*(-?\d{{1,9}})\s*{between}\s*(-?\d{{1,9}})\s*", value)
    ):
        return int(match[1]), int(match[2])
    match value:
        case (int() | np.integer(), int() | np.integer()) if not any(
            isinstance(part, bool) for part in value
        ):
            return int(value[0]), int(value[1])
    return None


def parse_size(value: object) -> tuple[int, int]:
    """Parse `WIDTHxHEIGHT`, or a pair of integers."""
    pair = _pair(value, "[xX]")
    if pair is None:
        message = f"size: expected WIDTHxHEIGHT such as 20x20, got {shown(value)}"
        raise InputError(message)
    check_size(*pair)
    return pair


def write_size(size: tuple[int, int]) -> str:
    """`20x20`."""
    return f"{size[0]}x{size[1]}"


def parse_place(value: object) -> Place:
    """Parse `x,y`, or a pair of integers."""
    pair = _pair(value, ",")
    if pair is None:
        message = f"expected x,y such as 3,4, got {shown(value)}"
        raise InputError(message)
    return pair


def write_place(place: Place) -> str:
    """`3,4`."""
    return f"{place[0]},{place[1]}"


def parse_places(value: object) -> tuple[Place, ...] | None:
    """Parse a list of places, or a string such as `3,4 10,12`."""
    if value is None:
        return None
    listed = value.split() if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        message = f"expected a list of places x,y, got {shown(value)}"
        raise InputError(message)
    return tuple(parse_place(entry) for entry in listed)


def write_places(places: tuple[Place, ...] | None) -> list[str] | None:
    """Format places as `["3,4", "10,12"]`."""
    return None if places is None else [f"{x},{y}" for x, y in places]


def from_the_far_side(place: Place, width: int, height: int) -> Place:
    """Resolve negative numbers, which count from the right and the bottom: -1 is the last column or
    row. Places outside stay outside.
    """
    x, y = place
    return (x + width if -width <= x < 0 else x), (y + height if -height <= y < 0 else y)


def check_way(frame: Frame) -> None:
    """Raise `InputError` if the walls to keep make every level unwinnable."""
    wall = WALLS.characters[1]
    tiles = np.array([[character == wall for character in row] for row in frame.kept], np.uint8)
    if (
        ENTRANCE in frame.places
        and EXIT in frame.places
        and recertified(open_level := Level(tiles, frame.places)).solution is None
    ):
        message = (
            f"keep: {explain_unwinnable(open_level)}, because of the walls to keep; open one, or "
            "keep less"
        )
        raise InputError(message)
