"""The text form of a level: one character a cell.

`#` wall, `.` floor, `S` entrance, `E` exit, `1`-`9` checkpoints, `A` `B` `C` tour places; `R O Y G B V` the colours of a chromatic
level. What cannot be drawn stands below the picture, one `key: value` a line: places of a chromatic level, checkpoints inside a wall
or past the ninth, places that share a cell; and, in files, `solution:` and `origin:`.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, TOUR, Place, checkpoint, known_place
from levolve.levels.tileset import RAINBOW, WALLS, Tileset

SIGNS = {ENTRANCE: "S", EXIT: "E", **{checkpoint(n): str(n) for n in range(1, 10)}, **{name: name for name in TOUR}}
CELL = r"(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})"
PLACES = {sign: name for name, sign in SIGNS.items()}


class Parsed(NamedTuple):
    """What a text says."""

    tiles: NDArray[np.uint8]
    places: dict[str, Place]
    tileset: Tileset
    solution: str | None
    origin: str | None


def draw(tiles: NDArray[np.uint8], places: Mapping[str, Place], tileset: Tileset) -> str:
    """The picture, and a line for each place that it cannot show."""
    characters = np.array(list(tileset.characters))
    picture = characters[tiles]
    below: list[str] = []
    for name, (x, y) in places.items():
        if tileset == WALLS and name in SIGNS and picture[y, x] == ".":
            picture[y, x] = SIGNS[name]
        else:
            below.append(f"{name}: {x},{y}")
    return "\n".join(["".join(row) for row in picture] + below)


def parse(source: str) -> Parsed:
    """Read what `draw` writes; an error names the line."""
    lines = [(number, line.rstrip()) for number, line in enumerate(source.splitlines(), 1) if line.strip()]
    picture = [(number, line) for number, line in lines if ":" not in line]
    if not picture:
        message = "level text: expected at least two lines of cells such as 'S.#', got none"
        raise InputError(message)
    tileset = RAINBOW if all(set(line) <= set(RAINBOW.characters) for _, line in picture) else WALLS
    tiles, places = _read_picture(picture, tileset)
    solution = origin = None
    for number, line in lines:
        if ":" not in line:
            continue
        if number < picture[-1][0]:
            message = f"level text, line {number}: expected cells, got {line!r}; 'key: value' lines stand below the picture"
            raise InputError(message)
        key, value = (part.strip() for part in line.split(":", 1))
        if (key == "solution" and solution is not None) or (key == "origin" and origin is not None):
            message = f"level text, line {number}: expected one {key}, got a second"
            raise InputError(message)
        if key == "solution":
            solution = value
        elif key == "origin":
            origin = value
        else:
            _add(places, key, read_place(key, value, f"level text, line {number}"), number)
    return Parsed(tiles, places, tileset, solution, origin)


def _read_picture(picture: list[tuple[int, str]], tileset: Tileset) -> tuple[NDArray[np.uint8], dict[str, Place]]:
    width = len(picture[0][1])
    tiles = np.zeros((len(picture), width), np.uint8)
    places: dict[str, Place] = {}
    for y, (number, line) in enumerate(picture):
        if len(line) != width:
            message = f"level text, line {number}: expected {width} cells like the first line, got {len(line)}"
            raise InputError(message)
        for x, character in enumerate(line):
            if character in tileset.characters:
                tiles[y, x] = tileset.characters.index(character)
            elif tileset == WALLS and character in PLACES:
                _add(places, PLACES[character], (x, y), number)
            else:
                known = f"{' '.join(WALLS.characters)} S E 1-9 A B C, or only the colours {' '.join(RAINBOW.characters)}"
                message = f"level text, line {number}, column {x + 1}: expected one of {known}, got {character!r}"
                raise InputError(message)
    return tiles, places


def read_place(key: str, value: str, where: str) -> Place:
    """The cell in a line `key: x,y`; an error says where the line is."""
    if not known_place(key):
        message = f"{where}: expected a place (entrance, exit, A, B, C, 'checkpoint N'), solution or origin, got {key!r}"
        raise InputError(message)
    match = re.fullmatch(CELL, value)
    if match is None:
        message = f"{where}: expected '{key}: x,y' with whole numbers, got {value!r}"
        raise InputError(message)
    return int(match[1]), int(match[2])


def _add(places: dict[str, Place], name: str, place: Place, number: int) -> None:
    if name in places:
        message = f"level text, line {number}: expected one {name}, got a second at {place[0]},{place[1]}"
        raise InputError(message)
    places[name] = place
