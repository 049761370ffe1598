"""Maps of states as rows of text: one hexadecimal digit per cell."""

import numpy as np

from levolve.errors import InputError
from levolve.fashion.rule import Map

DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)
VALUES = np.full(256, 255, np.uint8)
VALUES[DIGITS] = np.arange(len(DIGITS))


def state_rows(tiles: Map) -> list[str]:
    """Return one text per row."""
    return [row.tobytes().decode() for row in DIGITS[tiles]]


def read_state_rows(rows: list[str], most_cells: int) -> Map:
    """Return the map of some rows."""
    width, height = len(rows[0]), len(rows)
    if not width or width * height > most_cells or any(len(row) != width for row in rows):
        message = f"rows: expected rows of equal length, at most {most_cells:,} cells in all, got {height} rows, the first of {width}"
        raise InputError(message)
    tiles = VALUES[np.frombuffer("".join(rows).encode("latin-1", "replace"), np.uint8)].reshape(height, width)
    if tiles.max() >= len(DIGITS):
        message = "rows: expected one hexadecimal digit, 0 to 9 or a to f, per cell"
        raise InputError(message)
    return tiles
