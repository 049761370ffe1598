"""Levels on the terminal: two tiles per character with half-blocks, in colour or without.

Several levels side by side in the terminal, each below its caption, in pages that fit.

A curve of best and mean scores on the terminal, drawn with braille characters: two by four dots per
character.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS, WAY_BACK, sign_of
from levolve.formats.pictures.walk_lines import walk_of
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.tileset import Colour

UPPER, LOWER, FULL = "▀", "▄", "█"


def terminal_picture(level: Level, *, colour: bool = True, path: bool = True) -> str:
    """Return the picture of a level, with one line per two rows.

    Without colour, walls are blocks, floor is blank and places are letters; a level with another
    tileset is shown as text. A level with things has a line per row, and a legend.
    """
    if level.things:
        # Loads Pillow, which levels without things do not need.
        from levolve.formats.pictures.sign_cells import things_picture

        return things_picture(level, colour=colour, path=path)
    return _coloured(level, path=path) if colour else _plain(level)


def _coloured(level: Level, *, path: bool) -> str:
    palette = level.tileset.colours
    cells: list[list[Colour]] = [[palette[kind] for kind in row] for row in level.tiles.tolist()]
    if path:
        walk = walk_of(level)
        for x, y in walk.back:
            cells[y][x] = WAY_BACK
        for x, y in walk.there:
            cells[y][x] = level.tileset.path
    for name, (x, y) in level.places.items():
        cells[y][x] = PLACE_COLOURS.get(name, OTHER_PLACE)
    return half_blocks(cells)


def half_blocks(cells: Sequence[Sequence[Colour]]) -> str:
    """Rows of colours, two rows per line."""
    lines = []
    for y in range(0, len(cells), 2):
        line = ""
        for x, upper in enumerate(cells[y]):
            line += f"\x1b[38;2;{upper[0]};{upper[1]};{upper[2]}m"
            if y + 1 < len(cells):
                lower = cells[y + 1][x]
                line += f"\x1b[48;2;{lower[0]};{lower[1]};{lower[2]}m"
            line += UPPER
        lines.append(line + "\x1b[0m")
    return "\n".join(lines)


def _plain(level: Level) -> str:
    if not level.tileset.packs:
        return level.to_text()
    frame = [f"▗{'▄' * level.width}▖"]
    lines = []
    for y in range(0, level.height, 2):
        line = ""
        for x in range(level.width):
            upper = bool(level.tiles[y, x])
            lower = y + 1 >= level.height or bool(level.tiles[y + 1, x])
            line += {
                (True, True): FULL,
                (True, False): UPPER,
                (False, True): LOWER,
                (False, False): " ",
            }[upper, lower]
        lines.append(line)
    taken = set()
    for name, (x, y) in level.places.items():
        row, sign = y // 2, sign_of(name)
        if (x, row) not in taken:
            taken.add((x, row))
            lines[row] = lines[row][:x] + (sign if len(sign) == 1 else "*") + lines[row][x + 1 :]
    return "\n".join(frame + [f"▐{line}▌" for line in lines] + [f"▝{'▀' * level.width}▘"])


GAP = 2
Part = TypeVar("Part")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def sheet_pages(
    levels: Sequence[Level],
    captions: Sequence[str],
    draw: Callable[[Level], str],
    columns: int = 80,
    lines: int | None = None,
) -> list[str]:
    """The levels as pages of text.

    Parameters
    ----------
    levels, captions
        What to show; a caption is one line.
    draw
        Draws one level as lines of text, in colour or without, such as `terminal_picture`.
    columns, lines
        The size of a page in characters; a level that is larger is drawn smaller. Without `lines`,
        there is one page of any length.
    """
    pictures = [
        _fitting(level, draw, columns, None if lines is None else lines - 1) for level in levels
    ]
    width = max(max(_width(line) for line in picture) for picture in pictures)
    width = min(max(width, *map(len, captions)), columns)
    height = max(len(picture) for picture in pictures)
    blocks = [
        [
            f"{caption:<{width}}"[:width],
            *(line + " " * (width - _width(line)) for line in picture),
            *[" " * width] * (height - len(picture)),
        ]
        for caption, picture in zip(captions, pictures, strict=True)
    ]
    in_row = max(1, (columns + GAP) // (width + GAP))
    rows = [
        "\n".join((" " * GAP).join(parts).rstrip(" ") for parts in zip(*row, strict=True))
        for row in _groups(blocks, in_row)
    ]
    on_page = len(rows) if lines is None else max(1, lines // (height + 1))
    # A blank line between rows, where that costs no row.
    between = "\n\n" if lines is None or on_page * (height + 2) - 1 <= lines else "\n"
    return [between.join(page) for page in _groups(rows, on_page)]


def _fitting(
    level: Level, draw: Callable[[Level], str], columns: int, lines: int | None
) -> list[str]:
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
    """A smaller level to look at: each tile is the most frequent one of `across` x `down` tiles. It
    has no solution.
    """
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


BLANK = 0x2800
# The bit of each dot of a braille character, by column and row.
DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
BEST: Colour = (120, 170, 245)
MEAN: Colour = (235, 160, 100)
LABEL = 9

Point = tuple[int, float, float]


def terminal_curve(points: Sequence[Point], width: int, height: int) -> str:
    """Return a picture of `height` lines: the best and the mean score of each generation, with the
    scale at the left.

    Parameters
    ----------
    points
        Generation, best and mean score; at least one, in the order of the generations.
    width, height
        In characters; at least 12 and 3.
    """
    rows, columns = height - 1, width - LABEL - 1
    finite = [
        score for _, best, mean in points for score in (best, mean) if abs(score) < float("inf")
    ]
    least, most = min(finite, default=0.0), max(finite, default=1.0)
    span = most - least or 1.0
    last = max(points[-1][0], 1)
    bits: dict[tuple[int, int], list[int]] = {}
    for which in (2, 1):
        before: tuple[int, int] | None = None
        for x, score in _columns(points, which, last, 2 * columns):
            here = x, round((most - score) / span * (4 * rows - 1))
            for dot_x, dot_y in _between(before or here, here):
                cell = bits.setdefault((dot_x // 2, dot_y // 4), [0, 0])
                cell[which - 1] |= DOTS[dot_x % 2][dot_y % 4]
            before = here
    lines = []
    for row in range(rows):
        label = (
            f"{most:>{LABEL}.6g}"
            if row == 0
            else f"{least:>{LABEL}.6g}"
            if row == rows - 1
            else " " * LABEL
        )
        lines.append(
            label[-LABEL:]
            + " "
            + "".join(_character(bits.get((column, row))) for column in range(columns))
        )
    axis = f"generation {points[-1][0]}"
    legend = f"{_coloured_curve('best', BEST)} {_coloured_curve('mean', MEAN)}"
    return "\n".join(
        [*lines, " " * (LABEL + 1) + legend + " " * max(columns - 9 - len(axis), 1) + axis]
    )


def _columns(points: Sequence[Point], which: int, last: int, count: int) -> list[tuple[int, float]]:
    """Return the mean score of the generations in each of `count` columns of dots; columns without
    a generation are left out.
    """
    sums: dict[int, tuple[float, int]] = {}
    for point in points:
        if abs(point[which]) < float("inf"):
            column = round(point[0] / last * (count - 1))
            total, number = sums.get(column, (0.0, 0))
            sums[column] = total + point[which], number + 1
    return [(column, total / number) for column, (total, number) in sums.items()]


def _between(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the dots of a line from start to end."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (
            start[0] + (end[0] - start[0]) * step // steps,
            start[1] + (end[1] - start[1]) * step // steps,
        )
        for step in range(steps + 1)
    ]


def _character(bits: list[int] | None) -> str:
    """Return the character of a cell, in the colour of the best score where both curves pass."""
    if bits is None:
        return " "
    best, mean = bits
    return _coloured_curve(chr(BLANK | best | mean), BEST if best else MEAN)


def _coloured_curve(text: str, colour: Colour) -> str:
    return f"\x1b[38;2;{colour[0]};{colour[1]};{colour[2]}m{text}\x1b[0m"
