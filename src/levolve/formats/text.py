"""Text files: the text form of a level, then its solution and its origin on a line each."""

import json

from levolve.errors import InputError
from levolve.formats.format import Format
from levolve.formats.json import parse_json
from levolve.formats.origin import origin_from_data, origin_to_data
from levolve.levels import text
from levolve.levels.level import Level


def encode(level: Level) -> bytes:
    """The text form with `solution:` and `origin:` lines below it."""
    lines = [level.to_text()]
    if level.solution is not None:
        lines.append(f"solution: {level.solution}")
    if level.origin is not None:
        lines.append(f"origin: {json.dumps(origin_to_data(level.origin), sort_keys=True)}")
    return ("\n".join(lines) + "\n").encode()


def decode(content: bytes) -> Level:
    """Read what `encode` writes, or a picture alone."""
    try:
        parsed = text.parse(content.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        message = f"level text: expected text in UTF-8: {problem}"
        raise InputError(message) from problem
    origin = origin_from_data(parse_json(parsed.origin, "origin")) if parsed.origin else None
    return Level(parsed.tiles, parsed.places, parsed.tileset, parsed.solution, origin)


TEXT = Format("one character a cell, as people read it", encode, decode)
