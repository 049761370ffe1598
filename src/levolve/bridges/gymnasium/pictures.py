"""Pictures and texts of levels that are being played or designed."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from levolve.bridges.gymnasium.sources import LevelSource
from levolve.formats.colours import PAPER
from levolve.formats.drawing import draw_level, fitting_tile, path_colours
from levolve.formats.look import Look
from levolve.formats.marks import draw_disc
from levolve.formats.walks import path_cells
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.text import picture
from levolve.levels.tileset import Colour
from levolve.packs.members import Item
from levolve.puzzles.files import puzzle_of

PLAYER: Colour = (46, 104, 164)
SIGN = "@"
# The longer side of a picture, in pixels, unless a tile size is given.
MOST_SIDE = 640

Pixels = NDArray[np.uint8]


class PlayPictures:
    """Draws the levels of a source in play. All pictures have the size of the largest level."""

    def __init__(self, source: LevelSource, look: Look) -> None:
        """Set the look, which is that of levels; puzzles have one look."""
        self._source = source
        self._look = look
        self._ground: tuple[int, Image.Image] | None = None

    def pixels(self, number: int, moves: str) -> Pixels:
        """Return the picture of a level after some legal moves, `(height, width, 3)` uint8."""
        item = self._source.item(number)
        drawn = self._level(number, item, moves) if isinstance(item, Level) else puzzle_of(item).draw(item, moves)
        columns, rows = self._source.size
        width, height = drawn.width // item.width * columns, drawn.height // item.height * rows  # type: ignore[union-attr] # rounds and boards have a size
        if drawn.size != (width, height):
            canvas = Image.new("RGB", (width, height), PAPER)
            canvas.paste(drawn, (0, 0))
            drawn = canvas
        return np.asarray(drawn.convert("RGB")).copy()

    def _level(self, number: int, level: Level, moves: str) -> Image.Image:
        tile = self._look.tile or fitting_tile(level, MOST_SIDE, self._look.theme.own_tile)
        if self._ground is None or self._ground[0] != number:
            self._ground = number, draw_level(level, tile, path=False, theme=self._look.theme)
        image = self._ground[1].copy()
        pen = ImageDraw.Draw(image)
        cells = walked_cells(level, moves)
        colour, edge = path_colours(level.tileset, self._look.theme)
        for share, fill in ((4, edge), (6, colour)):
            for ends in pairwise(cells) if fill is not None else ():
                pen.line([((x + 0.5) * tile, (y + 0.5) * tile) for x, y in ends], fill=fill, width=max(1, tile // share))
        draw_disc(image, cells[-1], tile, PLAYER, share=0.8)
        return image

    def text(self, number: int, moves: str, steps: int, most: int) -> str:
        """Return a level after some legal moves as text, with `@` for the player, and a line with the level's number and the steps."""
        item = self._source.item(number)
        below = f"level {number}, step {steps} of {most}"
        return f"{_text_of(item, moves)}\n{below}\n"


def _text_of(item: Item, moves: str) -> str:
    if not isinstance(item, Level):
        return puzzle_of(item).terminal(item, moves, colour=False)
    rows, hidden = picture(item.tiles, item.places, item.tileset)
    return "\n".join([*marked(rows, walked_cells(item, moves)[-1], SIGN), *(f"{name}: {x},{y}" for name, (x, y) in hidden.items())])


def walked_cells(level: Level, moves: str) -> list[Place]:
    """Return the cells that legal moves lead over, the start included."""
    return list(path_cells(level.with_solution(moves)))


def marked(rows: list[str], cell: Place, sign: str) -> list[str]:
    """Return rows of characters with another one at a cell."""
    x, y = cell
    return [f"{row[:x]}{sign}{row[x + 1 :]}" if number == y else row for number, row in enumerate(rows)]
