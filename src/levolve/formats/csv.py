"""CSV: one number per cell, and everything else in comment lines that begin with `#`, which NumPy
and pandas can skip.
"""

import csv
import re

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.metadata import level_from_parts, read_lines, write_lines
from levolve.formats.reading.budgets import MOST_CELLS, check_amount
from levolve.formats.reading.data import decode_text
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS, WALLS, Tileset

TILESET = "tileset"


def encode(level: Level) -> bytes:
    """Encode a level: the meaning of the numbers, the places, the things, the solution and the
    origin as comments, then one line per row.
    """
    kinds = ", ".join(f"{kind} {name}" for kind, name in enumerate(level.tileset.names))
    notes = [f"{TILESET}: {level.tileset.name} ({kinds})", *write_lines(level)]
    rows = [",".join(map(str, row)) for row in level.tiles.tolist()]
    return ("\n".join([_comment(note) for note in notes] + rows) + "\n").encode()


def _comment(note: str) -> str:
    """Return a line that `_note` reads, in quotes if parts of it look like quoted cells."""
    line = f"# {note}"
    if _note(line) == note:
        return line
    return '"' + line.replace('"', '""') + '"'


def decode(content: bytes) -> Level:
    """Decode a level: numbers of tiles, one line per row, with comments anywhere."""
    lines = decode_text(content, "CSV").splitlines()
    notes: list[tuple[str, str]] = []
    rows: list[list[int]] = []
    tileset = WALLS
    for number, line in enumerate(lines, 1):
        if not line.strip(" ,;\t"):
            continue
        note = _note(line)
        if note is None:
            rows.append(_row(line, number, rows))
        elif note.partition(":")[0].strip() == TILESET:
            tileset = TILESETS[note.partition(":")[2].split("(")[0].strip()]
        else:
            notes.append((f"CSV, line {number}", note))
    places, metadata = read_lines(notes)
    return level_from_parts(_tiles(rows, tileset), places, tileset, metadata)


def _note(line: str) -> str | None:
    """Return a comment's text; None for other lines. Spreadsheets put quotes around comments, and
    commas after them.
    """
    if not line.lstrip(' "').startswith("#"):
        return None
    try:
        cells = next(csv.reader([line]))
    except (csv.Error, StopIteration):
        cells = [line]
    return ",".join(cells).strip().rstrip(",").removeprefix("#").strip()


def _row(line: str, number: int, before: list[list[int]]) -> list[int]:
    separated = line.strip().replace(";", ",").replace("\t", ",")
    width = separated.count(",") + 1
    if before and width != len(before[0]):
        raise InputError(
            f"CSV, line {number}: expected {len(before[0])} cells like the first row, got {width}"
        )
    check_amount((len(before) + 1) * width, MOST_CELLS, "cells", f"CSV, line {number}")
    cells = separated.split(",")
    numbers: dict[str, int] = {}
    for cell in set(cells):
        bare = cell.strip(' "')
        if re.fullmatch(r"[0-9]{1,3}", bare) is None:
            raise InputError(
                f"CSV, line {number}: expected numbers of tiles such as 0,1,0, got {bare[:20]!r}"
            )
        numbers[cell] = int(bare)
    return [numbers[cell] for cell in cells]


def _tiles(rows: list[list[int]], tileset: Tileset) -> np.ndarray:
    if not rows:
        raise InputError("CSV: expected rows of numbers such as 0,1,0, got none")
    tiles = np.array(rows)
    if tileset == WALLS and tiles.max() >= len(WALLS.names):
        raise InputError(
            f"CSV: expected 0 for floor and 1 for wall, got {tiles.max()}; others need a line "
            f"such as '# {TILESET}: rainbow' above the rows"
        )
    return tiles


CSV = Format(
    "one number per cell, with places, solution and origin as comments", encode, decode, edited=True
)
