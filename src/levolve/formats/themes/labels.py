"""Labels on tiles, such as the numbers of a sliding puzzle."""

import numpy as np

from levolve.formats.themes.glyphs import glyph
from levolve.formats.themes.painting import Paint, stroke
from levolve.formats.themes.texture import canvas_of
from levolve.formats.themes.theme import Pixels
from levolve.levels.tileset import Colour

_LIGHT: Colour = (255, 252, 242)
_INK: Colour = (24, 20, 32)


def labelled(pixels: Pixels, text: str) -> Pixels:
    """Return a tile with a text of one or two digits or letters in its middle; the same tile for an empty text."""
    if not text:
        return pixels
    paint = Paint(canvas_of(len(pixels)))
    width = 0.34 if len(text) == 1 else 0.26
    for thickness, colour in ((0.24, _INK), (0.12, _LIGHT)):
        for place, character in enumerate(text):
            x = 0.5 + (place - (len(text) - 1) / 2) * (width + 0.14)
            for line in glyph(character, x, 0.5, width, 0.52):
                paint.lay(paint.inside(stroke(paint.canvas, line, thickness)), colour)
    letters = paint.pixels().astype(np.uint16)
    opacity = letters[..., 3:]
    mixed = (letters[..., :3] * opacity + pixels[..., :3].astype(np.uint16) * (255 - opacity) + 127) // 255
    return np.dstack([mixed.astype(np.uint8), pixels[..., 3]])
