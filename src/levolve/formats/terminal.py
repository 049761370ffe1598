"""A level in the terminal: two tiles a character by half-blocks, in colour or without."""

from levolve.formats.drawing import OTHER_PLACE, PAPER, PATH, PLACE_COLOURS, TILE_COLOURS, Colour, path_cells, sign_of
from levolve.levels.level import Level

UPPER, LOWER, FULL = "▀", "▄", "█"


def terminal_picture(level: Level, *, colour: bool = True, path: bool = True) -> str:
    """The level with half as many lines as it has rows. Without colour: walls are blocks, the rest is blank, places are letters."""
    return _coloured(level, path=path) if colour else _plain(level)


def _coloured(level: Level, *, path: bool) -> str:
    palette = TILE_COLOURS[level.tileset.name]
    cells: list[list[Colour]] = [[palette[kind] for kind in row] for row in level.tiles.tolist()]
    if path:
        for x, y in path_cells(level):
            cells[y][x] = PATH if level.tileset.name == "walls" else PAPER
    for name, (x, y) in level.places.items():
        cells[y][x] = PLACE_COLOURS.get(name, OTHER_PLACE)
    lines = []
    for y in range(0, level.height, 2):
        line = ""
        for x in range(level.width):
            upper = cells[y][x]
            line += f"\x1b[38;2;{upper[0]};{upper[1]};{upper[2]}m"
            if y + 1 < level.height:
                lower = cells[y + 1][x]
                line += f"\x1b[48;2;{lower[0]};{lower[1]};{lower[2]}m"
            line += UPPER
        lines.append(line + "\x1b[0m")
    return "\n".join(lines)


def _plain(level: Level) -> str:
    if level.tileset.name != "walls":
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
