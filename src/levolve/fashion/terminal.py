"""Maps in the terminal: half blocks, two cells per character, scaled down by majority where a map is larger than the room for it."""

import numpy as np

from levolve.errors import InputError
from levolve.fashion.legend import Palette
from levolve.fashion.rule import Map
from levolve.kernels.fashion.pictures import most_common

UPPER, LOWER, FULL = "▀", "▄", "█"
# Without colour: two states as blocks, more as one character per two cells of a column.
SHADES = " #.:+*o%@&=-~x$?"


def scaled_down(tiles: Map, columns: int, rows: int) -> Map:
    """The map in at most `columns` x `rows` cells, each the most common state of a square of cells, the lowest of several."""
    if columns < 1 or rows < 1:
        message = f"columns and rows: expected at least 1 each, got {columns} and {rows}"
        raise InputError(message)
    height, width = tiles.shape
    scale = max(-(-width // columns), -(-height // rows))
    if scale == 1:
        return tiles
    padded = np.pad(tiles, [(0, -height % scale), (0, -width % scale)], mode="edge")
    out = np.empty((padded.shape[0] // scale, padded.shape[1] // scale), np.uint8)
    most_common(padded, int(tiles.max()) + 1, scale, out)
    return out


def terminal_picture(tiles: Map, palette: Palette, columns: int = 80, rows: int = 20, *, colour: bool = True) -> str:
    """A `(height, width)` map as at most `rows` lines of at most `columns` characters.

    With colour every character is two cells in the palette's colours. Without it, two states are blank and block; of more states each line shows one
    character per cell, and every second row of cells is left out.
    """
    small = scaled_down(tiles, columns, 2 * rows)
    if small.shape[0] % 2:
        small = np.vstack([small, small[-1:]])
    pairs = [list(zip(upper, lower, strict=True)) for upper, lower in zip(small[::2].tolist(), small[1::2].tolist(), strict=True)]
    if colour:
        return "\n".join("".join(_cell(palette, *pair) for pair in line) + "\x1b[0m" for line in pairs)
    if small.max() <= 1:
        blocks = {(0, 0): " ", (1, 0): UPPER, (0, 1): LOWER, (1, 1): FULL}
        return "\n".join("".join(blocks[pair] for pair in line) for line in pairs)
    return "\n".join("".join(SHADES[upper % len(SHADES)] for upper, _ in line) for line in pairs)


def _cell(palette: Palette, upper: int, lower: int) -> str:
    # More states than colours: the colours are used again.
    above, below = palette[upper % len(palette)], palette[lower % len(palette)]
    return f"\x1b[38;2;{above[0]};{above[1]};{above[2]}m\x1b[48;2;{below[0]};{below[1]};{below[2]}m{UPPER}"
