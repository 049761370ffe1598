"""The text form of a round: one character per cell, top row first, as on the screen.

`.` gap, `1`-`9` the visits a tile bears, `*` a tile that never falls, `F` the flag, `S` the start where its tile bears one visit. What cannot be
drawn stands below the picture, one `key: value` per line: `start: x,y` on any other tile; and, in files, `solution:` and `facts:`.
"""

import re

import numpy as np

from levolve.errors import InputError, shown
from levolve.kernels.flag.field import NEVER
from levolve.puzzles.flag.rules import Place, Round, check_side
from levolve.puzzles.puzzle import read_facts, read_solution

CHARACTERS = {".": 0, "*": NEVER, "F": NEVER, "S": 1, **{str(visits): visits for visits in range(1, 10)}}
SIGNS = {0: ".", NEVER: "*", **{visits: str(visits) for visits in range(1, 10)}}


def draw(drawn: Round) -> str:
    """The picture, and a line for the start where the picture cannot show it."""
    picture = [[SIGNS[int(visits)] for visits in row] for row in drawn.tiles]
    picture[drawn.flag[1]][drawn.flag[0]] = "F"
    x, y = drawn.start
    below = []
    if picture[y][x] == "1":
        picture[y][x] = "S"
    else:
        below.append(f"start: {x},{y}")
    return "\n".join(["".join(row) for row in picture] + below)


def parse(source: str) -> Round:
    """Read what `draw` gives, with `solution:` and `facts:` lines below it as in files; an error names the line."""
    lines = [(number, line.strip()) for number, line in enumerate(source.splitlines(), 1) if line.strip()]
    picture = [(number, line) for number, line in lines if ":" not in line]
    if not picture:
        message = "round text: expected lines of cells such as 'S12F', got none"
        raise InputError(message)
    tiles, places = _read_picture(picture)
    below: dict[str, str] = {}
    for number, line in lines:
        if ":" in line:
            key, value = (part.strip() for part in line.split(":", 1))
            if key not in {"start", "solution", "facts"} or number < picture[-1][0] or key in below:
                message = f"round text, line {number}: expected cells, or below them one line each of start:, solution: and facts:, got {shown(line)}"
                raise InputError(message)
            below[key] = value
    starts = places["S"] + ([_read_place(below["start"])] if "start" in below else [])
    return Round(
        np.array(tiles, np.uint8),
        only("start", starts),
        only("flag", places["F"]),
        read_solution(below.get("solution")),
        read_facts(below.get("facts")),
    )


def only(name: str, found: list[Place]) -> Place:
    """The one place of its kind; none or two are refused."""
    if len(found) != 1:
        where = f": {', '.join(f'{x},{y}' for x, y in found[:4])}" if found else ""
        message = f"{name}: expected one {name}, got {len(found) or 'none'}{where}"
        raise InputError(message)
    return found[0]


def _read_picture(picture: list[tuple[int, str]]) -> tuple[list[list[int]], dict[str, list[Place]]]:
    width = len(picture[0][1])
    check_side(width, len(picture))
    places: dict[str, list[Place]] = {"S": [], "F": []}
    tiles = np.zeros((len(picture), width), int).tolist()
    for y, (number, line) in enumerate(picture):
        if len(line) != width:
            message = f"round text, line {number}: expected {width} cells like the first line, got {len(line)}"
            raise InputError(message)
        for x, character in enumerate(line):
            if character not in CHARACTERS:
                message = f"round text, line {number}, column {x + 1}: unknown tile {character!r}; expected one of . 1-9 * F S"
                raise InputError(message)
            tiles[y][x] = CHARACTERS[character]
            if character in places:
                places[character].append((x, y))
    return tiles, places


def _read_place(value: str) -> Place:
    match = re.fullmatch(r"([0-9]{1,4})\s*,\s*([0-9]{1,4})", value)
    if match is None:
        message = f"start: expected 'start: x,y' with whole numbers, got {shown(value)}"
        raise InputError(message)
    return int(match[1]), int(match[2])
