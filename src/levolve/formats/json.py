"""JSON: everything about a level, for other programs."""

import json
from typing import Any

from levolve.errors import InputError
from levolve.formats.format import Format
from levolve.formats.origin import origin_from_data, origin_to_data
from levolve.levels.level import Level, level_from_rows
from levolve.levels.tileset import TILESETS
from levolve.version import VERSION


def level_to_data(level: Level) -> dict[str, Any]:
    """A level as plain data."""
    return {
        "format": "levolve level",
        "version": VERSION,
        "tileset": level.tileset.name,
        "width": level.width,
        "height": level.height,
        "tiles": ["".join(level.tileset.characters[kind] for kind in row) for row in level.tiles],
        "places": {name: list(place) for name, place in level.places.items()},
        "solution": level.solution,
        "digest": level.digest,
        **origin_to_data(level.origin),
    }


def level_from_data(data: object) -> Level:
    """What `level_to_data` gave."""
    if not isinstance(data, dict) or not isinstance(data.get("tiles"), list):
        message = "level JSON: expected an object with a list of rows called 'tiles'"
        raise InputError(message)
    tileset = TILESETS[str(data.get("tileset", "walls"))]
    places = data.get("places", {})
    if not isinstance(places, dict) or not all(_is_place(place) for place in places.values()):
        message = f"places: expected an object of name: [x, y] with whole numbers, got {places!r}"
        raise InputError(message)
    solution = data.get("solution")
    if solution is not None and not isinstance(solution, str):
        message = f"solution: expected a text of moves u, d, l, r, got {solution!r}"
        raise InputError(message)
    tiles = level_from_rows((str(row) for row in data["tiles"]), tileset)
    level = Level(tiles, {name: (x, y) for name, (x, y) in places.items()}, tileset, solution, origin_from_data(data))
    if data.get("digest") not in {None, level.digest}:
        message = "digest: does not fit the tiles and places: the file was changed after it was written; take the digest out to accept the change"
        raise InputError(message)
    return level


def _is_place(place: object) -> bool:
    return isinstance(place, list) and len(place) == 2 and all(isinstance(part, int) for part in place)  # noqa: PLR2004 x and y


def encode(level: Level) -> bytes:
    """A level as JSON."""
    return (json.dumps(level_to_data(level), indent=2) + "\n").encode()


def decode(content: bytes) -> Level:
    """A level from JSON."""
    try:
        data = json.loads(content)
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        message = f"level JSON: expected JSON, got something else: {problem}"
        raise InputError(message) from problem
    return level_from_data(data)


JSON = Format("everything about a level, for other programs", encode, decode)
