"""Text files: the text form of a level, then one line each for its solution and its origin."""

import json

from levolve.formats.format import Format
from levolve.formats.metadata import (
    RIGHTS,
    YOURS,
    certificate_text,
    origin_from_data,
    origin_to_data,
    read_certificate,
)
from levolve.formats.reading.budgets import MOST_MOVES, check_amount, check_cells
from levolve.formats.reading.data import decode_text, parse_json
from levolve.levels import text_form
from levolve.levels.level import Level


def encode(level: Level) -> bytes:
    """Encode a level: the text form with `solution:`, `certificate:`, `digest:`, `origin:` and
    `rights:` lines below.
    """
    lines = [level.to_text()]
    if level.solution is not None:
        lines.append(f"solution: {level.solution}")
    if certificate := certificate_text(level.certificate):
        lines.append(f"certificate: {certificate}")
    if level.origin is not None:
        lines.append(f"digest: {level.digest}")
        lines.append(f"origin: {json.dumps(origin_to_data(level.origin), sort_keys=True)}")
    lines.append(f"{RIGHTS}: {YOURS}")
    return ("\n".join(lines) + "\n").encode()


def decode(content: bytes) -> Level:
    """Decode the output of `encode`, or a picture alone. The origin is dropped if the digest does
    not match the level.
    """
    parsed = text_form.parse(decode_text(content, "level text"))
    check_cells(parsed.tiles.shape[1], parsed.tiles.shape[0])
    check_amount(len(parsed.solution or ""), MOST_MOVES, "moves", "solution")
    level = Level.from_parsed(parsed, read_certificate(parsed.certificate))
    origin = origin_from_data(parse_json(parsed.origin, "origin")) if parsed.origin else None
    if parsed.digest == level.digest:
        level = level.with_origin(origin)
    return level


TEXT = Format("plain text, one character per cell", encode, decode, edited=True)
