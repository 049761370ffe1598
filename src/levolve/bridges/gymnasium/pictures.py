"""Pictures and texts of levels that are being played or designed.

How levels under design are rendered: as text and as pictures, with the cursor.

`Window`: shows pictures on the screen with pygame, as Gymnasium's own environments do.
"""

from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from levolve.bridges.gymnasium.designers import Designers
from levolve.bridges.gymnasium.sources import LevelSource
from levolve.formats.look import Look
from levolve.formats.pictures.colours import PAPER
from levolve.formats.pictures.drawing import draw_level, fitting_tile, path_colours
from levolve.formats.pictures.marks import draw_disc
from levolve.formats.pictures.walk_lines import path_cells
from levolve.jobs.packs.members import Item
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.text_form import picture
from levolve.levels.tileset import Colour
from levolve.puzzles.load_save import puzzle_of

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
        drawn = (
            self._level(number, item, moves)
            if isinstance(item, Level)
            else puzzle_of(item).draw(item, moves)
        )
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
                pen.line(
                    [((x + 0.5) * tile, (y + 0.5) * tile) for x, y in ends],
                    fill=fill,
                    width=max(1, tile // share),
                )
        draw_disc(image, cells[-1], tile, PLAYER, share=0.8)
        return image

    def text(self, number: int, moves: str, steps: int, most: int) -> str:
        """Return a level after some legal moves as text, with `@` for the player, and a line with
        the level's number and the steps.
        """
        item = self._source.item(number)
        below = f"level {number}, step {steps} of {most}"
        return f"{_text_of(item, moves)}\n{below}\n"


def _text_of(item: Item, moves: str) -> str:
    if not isinstance(item, Level):
        return puzzle_of(item).terminal(item, moves, colour=False)
    rows, hidden = picture(item.tiles, item.places, item.tileset)
    return "\n".join(
        [
            *marked(rows, walked_cells(item, moves)[-1], SIGN),
            *(f"{name}: {x},{y}" for name, (x, y) in hidden.items()),
        ]
    )


def walked_cells(level: Level, moves: str) -> list[Place]:
    """Return the cells that legal moves lead over, the start included."""
    return list(path_cells(level.with_solution(moves)))


def marked(rows: list[str], cell: Place, sign: str) -> list[str]:
    """Return rows of characters with another one at a cell."""
    x, y = cell
    return [
        f"{row[:x]}{sign}{row[x + 1 :]}" if number == y else row for number, row in enumerate(rows)
    ]


class DesignPictures:
    """The levels of some designers as texts and pictures."""

    def __init__(self, designers: Designers, look: Look) -> None:
        """Set whose levels are drawn, and how."""
        self._designers, self._look = designers, look

    def _cursor(self, which: int) -> Place:
        y, x = divmod(int(self._designers.edits.cursors[which]), self._designers.edits.width)
        return x, y

    def pixels(self, which: int) -> NDArray[np.uint8]:
        """Return a picture of a level, `(height, width, 3)`."""
        level = self._designers.drafts.level(which)
        tile = self._look.tile or fitting_tile(level, MOST_SIDE, self._look.theme.own_tile)
        image = draw_level(level, tile, theme=self._look.theme)
        if self._designers.edits.has_cursor:
            x, y = self._cursor(which)
            box = (x * tile, y * tile, (x + 1) * tile - 1, (y + 1) * tile - 1)
            ImageDraw.Draw(image).rectangle(box, outline=PLAYER, width=max(1, tile // 6))
        return np.asarray(image.convert("RGB")).copy()

    def text(self, which: int) -> str:
        """Return a level as text, with a line about the episode below."""
        one = self._designers
        level = one.drafts.level(which)
        rows, hidden = picture(level.tiles, level.places, level.tileset)
        if one.edits.has_cursor:
            rows = marked(rows, self._cursor(which), SIGN)
        changes = f"{one.changes[which]} of {one.most_changes} changes"
        below = (
            f"score {one.scores[which]:g}, {changes}, step {one.steps[which]} of {one.max_steps}"
        )
        return "\n".join(
            [*rows, *(f"{name}: {x},{y}" for name, (x, y) in hidden.items()), below, ""]
        )


class Window:
    """A window that is opened by the first picture. A later picture of another size changes the
    window's size.
    """

    def __init__(self, title: str, frames_per_second: int) -> None:
        """Import pygame; raise `DependencyNotInstalled` where it is missing."""
        try:
            self._pygame: Any = import_module("pygame")
        except ImportError as problem:
            message = (
                "render_mode 'human': requires pygame, which is not installed; run: pip install "
                "pygame"
            )
            raise DependencyNotInstalled(message) from problem
        self._title, self._rate = title, frames_per_second
        self._screen: Any = None
        self._clock: Any = None

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a `(height, width, 3)` picture, and wait until the next one is due."""
        pygame = self._pygame
        size = (pixels.shape[1], pixels.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            pygame.display.init()
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
            self._clock = self._clock or pygame.time.Clock()
        self._screen.blit(pygame.surfarray.make_surface(pixels.transpose(1, 0, 2)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window; closing again does nothing."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
