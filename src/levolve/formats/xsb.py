"""XSB, the text format of Sokoban: `#` wall, space floor, `@` entrance, `.` exit; with a border of
walls, which does not belong to the level.

Checkpoints, tours, things and the metadata follow below, one `key: value` per line.
"""

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.metadata import level_from_parts, read_lines, write_lines
from levolve.formats.reading.budgets import MOST_CELLS, check_amount
from levolve.formats.reading.data import decode_text
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, Place
from levolve.levels.tileset import WALLS

WALL, FLOORS = "#", " -_"
SIGNS = {ENTRANCE: "@", EXIT: "."}
BOXES = "$*+"
PLAIN = {WALL, *FLOORS}


def encode(level: Level) -> bytes:
    """Encode a level with a border of walls, and lines of metadata below."""
    if level.tileset != WALLS:
        raise InputError(
            f"xsb: expected a level of walls and floor, got {level.tileset.name}; choose another "
            "format, such as .json"
        )
    cells = [
        [WALL if kind else FLOORS[0] for kind in row]
        for row in np.pad(level.tiles, 1, constant_values=1).tolist()
    ]
    for name, sign in SIGNS.items():
        if name in level.places:
            x, y = level.places[name]
            cells[y + 1][x + 1] = sign
    return (
        "\n".join(["".join(row) for row in cells] + ["", *write_lines(level, SIGNS)]) + "\n"
    ).encode()


def decode(content: bytes) -> Level:
    """Decode one level. Spaces outside its outermost walls are walls too. A border of walls is
    removed if all four sides are complete.
    """
    lines = decode_text(content, "XSB").splitlines()
    board: list[tuple[int, str]] = []
    notes: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(";"):
            continue
        if ":" in line:
            notes.append((f"XSB, line {number}", line))
        elif board and number != board[-1][0] + 1:
            raise InputError(f"XSB, line {number}: expected one level in the file, got a second")
        else:
            board.append((number, line.rstrip()))
    if not board:
        raise InputError("XSB: expected lines of cells such as '#@ .#', got none")
    width = max(len(line) for _, line in board)
    # The border does not belong to the level, which is checked again without it.
    check_amount(len(board) * width, MOST_CELLS + 2 * (len(board) + width), "cells", "XSB")
    tiles = np.ones((len(board), width), np.uint8)
    drawn: dict[str, Place] = {}
    for y, (number, line) in enumerate(board):
        _read_line(line, number, tiles[y], drawn, y)
    places, metadata = read_lines(notes)
    # A line that does not begin and end with a wall leaves the border open, even if a longer line
    # is next to it.
    closed = all(line.lstrip()[0] == line[-1] == WALL for _, line in board)
    edge = int(closed and tiles[0].all() and tiles[-1].all())
    inside = tiles[edge : len(tiles) - edge, edge : width - edge]
    places = {name: (x - edge, y - edge) for name, (x, y) in drawn.items()} | places
    return level_from_parts(inside, places, WALLS, metadata)


def _read_line(line: str, number: int, row: np.ndarray, drawn: dict[str, Place], y: int) -> None:
    begin = len(line) - len(line.lstrip())
    cells = line[begin:]
    if not set(cells) <= PLAIN:
        _read_signs(cells, number, begin, drawn, y)
    row[begin : len(line)] = np.array([character == WALL for character in cells], np.uint8)


def _read_signs(cells: str, number: int, begin: int, drawn: dict[str, Place], y: int) -> None:
    """Store the places of a line; raise `InputError` for signs that cannot be read."""
    for x, character in enumerate(cells, begin):
        if character in PLAIN:
            continue
        name = next((name for name, sign in SIGNS.items() if sign == character), None)
        if character in BOXES:
            raise InputError(
                f"XSB, line {number}, column {x + 1}: expected a level without boxes, got "
                f"{character!r}"
            )
        if name is None:
            raise InputError(
                f"XSB, line {number}, column {x + 1}: expected one of # @ . or a space, got "
                f"{character!r}"
            )
        if name in drawn:
            raise InputError(
                f"XSB, line {number}, column {x + 1}: expected one {name}, got a second"
            )
        drawn[name] = (x, y)


XSB = Format(
    "Sokoban's text format; only for the tileset walls",
    encode,
    decode,
    edited=True,
    tilesets=("walls",),
    blind="programs for Sokoban",
)
