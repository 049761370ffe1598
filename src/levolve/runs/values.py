"""Values as people write them: sizes `20x20`, places `3,4`."""

import re

from levolve.errors import InputError
from levolve.levels.frame import Place, check_size


def parse_size(value: object) -> tuple[int, int]:
    """`WIDTHxHEIGHT`, or a pair of whole numbers."""
    pair: tuple[int, int] | None = None
    if isinstance(value, str) and (match := re.fullmatch(r"\s*(-?\d+)\s*[xX]\s*(-?\d+)\s*", value)):
        pair = int(match[1]), int(match[2])
    elif isinstance(value, tuple | list) and len(value) == 2 and all(isinstance(part, int) and not isinstance(part, bool) for part in value):  # noqa: PLR2004
        pair = value[0], value[1]
    if pair is None:
        message = f"size: expected WIDTHxHEIGHT such as 20x20, got {value!r}"
        raise InputError(message)
    check_size(*pair)
    return pair


def write_size(size: tuple[int, int]) -> str:
    """`20x20`."""
    return f"{size[0]}x{size[1]}"


def parse_place(value: object) -> Place | None:
    """`x,y`, or a pair of whole numbers."""
    if value is None:
        return None
    if isinstance(value, str) and (match := re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", value)):
        return int(match[1]), int(match[2])
    if isinstance(value, tuple | list) and len(value) == 2 and all(isinstance(part, int) and not isinstance(part, bool) for part in value):  # noqa: PLR2004
        return value[0], value[1]
    message = f"place: expected x,y such as 3,4, got {value!r}"
    raise InputError(message)


def write_place(place: Place | None) -> str | None:
    """`3,4`."""
    return None if place is None else f"{place[0]},{place[1]}"


def parse_places(value: object) -> tuple[Place, ...] | None:
    """A list of places, or a text such as `3,4 10,12`."""
    if value is None:
        return None
    listed = value.split() if isinstance(value, str) else value
    if not isinstance(listed, list | tuple):
        message = f"checkpoints: expected a list of places x,y, got {value!r}"
        raise InputError(message)
    places = [parse_place(entry) for entry in listed]
    return tuple(place for place in places if place is not None)


def write_places(places: tuple[Place, ...] | None) -> list[str] | None:
    """`["3,4", "10,12"]`."""
    return None if places is None else [f"{x},{y}" for x, y in places]
