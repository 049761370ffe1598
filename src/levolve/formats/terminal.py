"""Levels on the terminal: two tiles per character with half-blocks, in colour or without."""

from collections.abc import Sequence

from levolve.formats.colours import OTHER_PLACE, PLACE_COLOURS, WAY_BACK, sign_of
from levolve.formats.walks import walk_of
from levolve.levels.level import Level
from levolve.levels.tileset import Colour

UPPER, LOWER, FULL = "▀", "▄", "█"


def terminal_picture(level: Level, *, colour: bool = True, path: bool = True) -> str:
    """Return the picture of a level, with one line per two rows.

    Without colour, walls are blocks, floor is blank and places are letters; a level with another tileset is shown as text.
    """
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
            line += {(True, True): FULL, (True, False): UPPER, (False, True): LOWER, (False, False): " "}[upper, lower]
        lines.append(line)
    taken = set()
    for name, (x, y) in level.places.items():
        row, sign = y // 2, sign_of(name)
        if (x, row) not in taken:
            taken.add((x, row))
            lines[row] = lines[row][:x] + (sign if len(sign) == 1 else "*") + lines[row][x + 1 :]
    return "\n".join(frame + [f"▐{line}▌" for line in lines] + [f"▝{'▀' * level.width}▘"])
