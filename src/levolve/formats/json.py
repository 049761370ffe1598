"""JSON: the complete level, for other programs."""

import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.core.plugins import require_plugins
from levolve.formats.format import Format
from levolve.formats.metadata import (
    RIGHTS,
    YOURS,
    certificate_text,
    origin_from_data,
    origin_to_data,
    plugins_from_data,
    read_kinds,
)
from levolve.formats.reading.budgets import MOST_MOVES, check_amount, check_cells
from levolve.formats.reading.data import parse_json
from levolve.levels.areas import areas_from_data, areas_to_data
from levolve.levels.goal import GOALS, default_goal
from levolve.levels.level import Level
from levolve.levels.text_form import kinds_of
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.thing import MOST_THINGS, Thing
from levolve.levels.tileset import TILESETS, Tileset
from levolve.version import VERSION, WRITTEN_BY


def level_to_data(level: Level) -> dict[str, Any]:
    """Convert a level to plain data."""
    return {
        "format": "levolve level",
        "version": VERSION,
        "written_by": WRITTEN_BY,
        RIGHTS: YOURS,
        "tileset": level.tileset.name,
        "width": level.width,
        "height": level.height,
        "tiles": ["".join(level.tileset.characters[kind] for kind in row) for row in level.tiles],
        "places": {name: list(place) for name, place in level.places.items()},
        **({} if level.goal == default_goal(level.places) else {"goal": level.goal.name}),
        **({} if level.floors == 1 else {"floors": level.floors}),
        **({"areas": areas_to_data(level.areas)} if level.areas else {}),
        **({"things": [thing.to_data() for thing in level.things]} if level.things else {}),
        **({"kinds": [kind.to_data() for kind in level.kinds.values()]} if level.kinds else {}),
        "solution": level.solution,
        **_certificate_to_data(level),
        "digest": level.digest,
        **origin_to_data(level.origin),
    }


def level_from_data(data: object) -> Level:
    """Create a level from the result of `level_to_data`."""
    if not isinstance(data, dict) or not isinstance(data.get("tiles"), list):
        raise InputError("level JSON: expected an object with a list of rows called 'tiles'")
    name = str(data.get("tileset", "walls"))
    if name not in TILESETS:
        # The tileset of a plug-in: name the missing package.
        require_plugins(plugins_from_data(data))
    tileset = TILESETS[name]
    places = data.get("places", {})
    if not isinstance(places, dict) or not all(_is_place(place) for place in places.values()):
        raise InputError(
            f"places: expected an object of name: [x, y] with whole numbers, got {shown(places)}"
        )
    solution = data.get("solution")
    if solution is not None and not isinstance(solution, str):
        raise InputError(f"solution: expected a text of moves u, d, l, r, got {shown(solution)}")
    check_amount(len(solution or ""), MOST_MOVES, "moves", "solution")
    tiles = _tiles(data["tiles"], tileset)
    for name, length in (("height", len(tiles)), ("width", tiles.shape[1])):
        if data.get(name, length) != length:
            raise InputError(f"{name}: expected {length} like the tiles, got {shown(data[name])}")
    goal = GOALS[str(data["goal"])] if data.get("goal") is not None else default_goal(places)
    origin = origin_from_data(data)
    areas = areas_from_data(data.get("areas", []))
    certificate = data.get("certificate")
    level = Level(
        tiles,
        {name: (x, y) for name, (x, y) in places.items()},
        tileset,
        solution,
        goal=goal,
        areas=areas,
        things=_things(data.get("things", [])),
        kinds=read_kinds(json.dumps(data.get("kinds", []))),
        certificate=None if certificate is None else Certificate.from_data(certificate),
        floors=data.get("floors", 1),
    )
    if data.get("digest") is None:
        # Nothing shows that the origin belongs to these tiles.
        return level
    if data["digest"] != level.digest:
        raise InputError(
            "digest: does not match the tiles and places: the file was changed after it was "
            "written; remove the digest to accept the change, "
            "without the origin"
        )
    return level.with_origin(origin)


def _certificate_to_data(level: Level) -> dict[str, Any]:
    text = certificate_text(level.certificate)
    return {"certificate": json.loads(text)} if text else {}


def _things(data: object) -> tuple[Thing, ...]:
    if not isinstance(data, list):
        raise InputError(f"things: expected a list of objects, got {shown(data)}")
    check_amount(len(data), MOST_THINGS, "things", "things")
    return tuple(map(Thing.from_data, data))


def _is_place(place: object) -> bool:
    return (
        isinstance(place, list)
        and len(place) == 2  # x and y
        and all(isinstance(part, int) and not isinstance(part, bool) for part in place)
    )


def _tiles(rows: list[object], tileset: Tileset) -> NDArray[np.uint8]:
    known = set(tileset.characters)
    width = len(str(rows[0])) if rows else 0
    check_cells(width, len(rows))
    for number, row in enumerate(rows, 1):
        if not isinstance(row, str) or len(row) != width or not set(row) <= known:
            raise InputError(
                f"tiles: expected rows of equal length made of {' '.join(tileset.characters)}, "
                f"got {shown(row)} as row {number}"
            )
    return kinds_of("".join(map(str, rows)), tileset).reshape(len(rows), width)


def encode(level: Level) -> bytes:
    """Encode a level as JSON."""
    return (json.dumps(level_to_data(level), indent=2) + "\n").encode()


def decode(content: bytes) -> Level:
    """Decode a level from JSON."""
    return level_from_data(parse_json(content, "level JSON"))


def compact_json(data: object) -> bytes:
    """Format JSON with indentation, but lists of numbers on one line. JSON strings contain no line
    breaks, so they are not affected.
    """
    return (
        re.sub(
            r"\[\n[-0-9., \n]*\]",
            lambda numbers: "".join(numbers[0].split()),
            json.dumps(data, indent=1),
        )
        + "\n"
    ).encode()


JSON = Format("the complete level, for other programs", encode, decode)
