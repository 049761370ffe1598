"""Text files: the text form of a level, then one line each for its solution and its origin."""

import json

from levolve.errors import InputError
from levolve.formats.format import Format
from levolve.formats.json import parse_json
from levolve.formats.metadata import origin_from_data, origin_to_data
from levolve.levels import text
from levolve.levels.level import Level
from levolve.levels.recertify import recertified


def encode(level: Level) -> bytes:
    """Encode a level: the text form with `solution:` and `origin:` lines below."""
    lines = [level.to_text()]
    if level.solution is not None:
        lines.append(f"solution: {level.solution}")
    if level.origin is not None:
        lines.append(f"origin: {json.dumps(origin_to_data(level.origin), sort_keys=True)}")
    return ("\n".join(lines) + "\n").encode()


def decode(content: bytes) -> Level:
    """Decode the output of `encode`, or a picture alone. A drawing in a frame, which holds no solution, comes with a shortest one."""
    try:
        parsed = text.parse(content.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        message = f"level text: expected text in UTF-8: {problem}"
        raise InputError(message) from problem
    origin = origin_from_data(parse_json(parsed.origin, "origin")) if parsed.origin else None
    level = Level(parsed.tiles, parsed.places, parsed.tileset, parsed.solution, origin, parsed.goal)
    return recertified(level) if parsed.framed and parsed.solution is None else level


TEXT = Format("plain text, one character per cell", encode, decode)
