"""Several levels side by side in the terminal, each below its caption, in pages that fit."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from levolve.levels.level import Level
from levolve.levels.places import Place

GAP = 2
Part = TypeVar("Part")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def sheet_pages(
    levels: Sequence[Level], captions: Sequence[str], draw: Callable[[Level], str], columns: int = 80, lines: int | None = None
) -> list[str]:
    """The levels as pages of text.

    Parameters
    ----------
    levels, captions
        What to show; a caption is one line.
    draw
        Draws one level as lines of text, in colour or without, such as `terminal_picture`.
    columns, lines
        The size of a page in characters; a level that is larger is drawn smaller. Without `lines`, there is one page of any length.
    """
    pictures = [_fitting(level, draw, columns, None if lines is None else lines - 1) for level in levels]
    width = max(max(_width(line) for line in picture) for picture in pictures)
    width = min(max(width, *map(len, captions)), columns)
    height = max(len(picture) for picture in pictures)
    blocks = [
        [f"{caption:<{width}}"[:width], *(line + " " * (width - _width(line)) for line in picture), *[" " * width] * (height - len(picture))]
        for caption, picture in zip(captions, pictures, strict=True)
    ]
    in_row = max(1, (columns + GAP) // (width + GAP))
    rows = ["\n".join((" " * GAP).join(parts).rstrip(" ") for parts in zip(*row, strict=True)) for row in _groups(blocks, in_row)]
    on_page = len(rows) if lines is None else max(1, lines // (height + 1))
    # A blank line between rows, where that costs no row.
    between = "\n\n" if lines is None or on_page * (height + 2) - 1 <= lines else "\n"
    return [between.join(page) for page in _groups(rows, on_page)]


def _fitting(level: Level, draw: Callable[[Level], str], columns: int, lines: int | None) -> list[str]:
    """The lines of a picture of the level, or of a smaller one that fits."""
    across, down = 1, 1
    while True:
        # Of the text form, only the cells are drawn, not the lines about places that follow.
        shown = level if across == down == 1 else reduced(level, across, down)
        picture = draw(shown).split("\n")[: shown.height + 2]
        picture = [line for line in picture if not re.match(r"[a-z]+[ 0-9]*: ", line)]
        too_wide = max(map(_width, picture)) > columns and across < level.width
        too_high = lines is not None and len(picture) > lines and down < level.height
        if not too_wide and not too_high:
            return picture
        across, down = across + too_wide, down + too_high


def reduced(level: Level, across: int, down: int) -> Level:
    """A smaller level to look at: each tile is the most frequent one of `across` x `down` tiles. It has no solution."""
    height, width = max(-(-level.height // down), 2), max(-(-level.width // across), 2)
    tiles = np.zeros((height, width), np.uint8)
    for y, x in np.ndindex(height, width):
        part = level.tiles[y * down : (y + 1) * down, x * across : (x + 1) * across]
        tiles[y, x] = np.bincount(part.ravel(), minlength=1).argmax()
    places: dict[str, Place] = {}
    for name, (x, y) in level.places.items():
        place = x // across, y // down
        if place not in places.values():
            places[name] = place
            tiles[place[1], place[0]] = level.tiles[y, x]
    return Level(tiles, places, level.tileset)


def _width(line: str) -> int:
    """How many characters of a line are visible."""
    return len(_COLOUR.sub("", line))


def _groups(parts: Sequence[Part], size: int) -> Iterator[Sequence[Part]]:
    """The parts in groups of `size`; the last may have fewer."""
    return (parts[first : first + size] for first in range(0, len(parts), size))
