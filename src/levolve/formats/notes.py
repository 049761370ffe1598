"""Notes: what a grid of cells cannot show, one `key: value` a line, for formats that have room for comments."""

import re
from collections.abc import Container, Iterable

from levolve.errors import InputError
from levolve.formats.facts import FACTS, facts_of
from levolve.levels.frame import Place, known_place
from levolve.levels.level import Level
from levolve.levels.text import CELL, read_place


def write_notes(level: Level, drawn: Container[str] = ()) -> list[str]:
    """The places that are not drawn, and what is said about the level."""
    places = [f"{name}: {x},{y}" for name, (x, y) in level.places.items() if name not in drawn]
    return places + [f"{name}: {value}" for name, value in facts_of(level).items()]


def read_notes(lines: Iterable[tuple[str, str]]) -> tuple[dict[str, Place], dict[str, str]]:
    """Places and facts from lines, each with a word on where it stands. A line about anything else is somebody's remark."""
    places: dict[str, Place] = {}
    facts: dict[str, str] = {}
    for where, line in lines:
        name, _, value = (part.strip() for part in line.partition(":"))
        key = name if known_place(name) else name.lower()
        if key in facts or key in places:
            message = f"{where}: expected one {key}, got a second"
            raise InputError(message)
        if key in FACTS:
            facts[key] = value
        elif known_place(key) or re.fullmatch(CELL, value):
            places[key] = read_place(key, value, where)
    return places, facts
