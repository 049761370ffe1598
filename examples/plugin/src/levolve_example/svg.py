"""The format: SVG, a scalable picture that also contains the level."""

import json
import re
from html import escape, unescape

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data
from levolve.levels.level import Level

MOVES = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
METADATA = re.compile(r"<metadata>(.*?)</metadata>", re.DOTALL)


def encode(level: Level) -> bytes:
    """Encode a level as SVG, one unit per cell: tiles, the solution as a line, and the first
    letters of the places.
    """
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {level.width} {level.height}" '
            'shape-rendering="crispEdges">'
        ),
        f"<metadata>{escape(json.dumps(level_to_data(level)))}</metadata>",
    ]
    for y, row in enumerate(level.tiles.tolist()):
        for x, kind in enumerate(row):
            red, green, blue = level.tileset.colours[kind]
            lines.append(
                f'<rect x="{x}" y="{y}" width="1" height="1" '
                f'fill="#{red:02x}{green:02x}{blue:02x}"/>'
            )
    lines += _walk(level)
    for name, (x, y) in level.places.items():
        lines.append(
            f'<text x="{x + 0.5}" y="{y + 0.8}" font-size="0.8" '
            f'text-anchor="middle">{escape(name[0].upper())}</text>'
        )
    return ("\n".join([*lines, "</svg>"]) + "\n").encode()


def _walk(level: Level) -> list[str]:
    """Draw the solution as a line that starts at the entrance."""
    if level.solution is None or level.entrance is None:
        return []
    x, y = level.entrance
    points = [f"{x + 0.5},{y + 0.5}"]
    for move in level.solution:
        x, y = x + MOVES[move][0], y + MOVES[move][1]
        points.append(f"{x + 0.5},{y + 0.5}")
    return [
        f'<polyline points="{" ".join(points)}" fill="none" stroke="#faf8f3" stroke-width="0.2"/>'
    ]


def decode(content: bytes) -> Level:
    """Read the level inside an SVG file that `encode` wrote."""
    try:
        found = METADATA.search(content.decode())
        data = json.loads(unescape(found[1])) if found else None
    except ValueError as problem:
        message = f"SVG: expected a level inside it, got something else: {problem}"
        raise InputError(message) from problem
    if data is None:
        message = "SVG: expected a level inside it, got a picture alone"
        raise InputError(message)
    return level_from_data(data)


SVG = Format("a scalable picture that also contains the level", encode, decode)
