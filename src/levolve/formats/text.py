"""Text files: the text form of a level, then its solution and its origin on a line each."""

import json
from dataclasses import replace

from levolve.errors import InputError
from levolve.formats.format import Format
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
        source = content.decode()
        origin = text.parse(source).origin
        return replace(Level.from_text(source), origin=origin_from_data(json.loads(origin)) if origin else None)
    except (UnicodeDecodeError, json.JSONDecodeError) as problem:
        message = f"level text: expected text with an origin in JSON, if any: {problem}"
        raise InputError(message) from problem


TEXT = Format("one character a cell, as people read it", encode, decode)
