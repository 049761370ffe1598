"""How levels under design are rendered: as text and as pictures, with the cursor."""

import numpy as np
from numpy.typing import NDArray
from PIL import ImageDraw

from levolve.bridges.gymnasium.design.designers import Designers
from levolve.bridges.gymnasium.pictures import MOST_SIDE, PLAYER, SIGN, marked
from levolve.formats.drawing import draw_level, fitting_tile
from levolve.formats.look import Look
from levolve.levels.places import Place
from levolve.levels.text import picture


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
        below = f"score {one.scores[which]:g}, {changes}, step {one.steps[which]} of {one.max_steps}"
        return "\n".join([*rows, *(f"{name}: {x},{y}" for name, (x, y) in hidden.items()), below, ""])
