"""Digits and letters as lines, so that signs are the same on every machine.

Labels on tiles, such as the numbers of a sliding puzzle.
"""

import numpy as np

from levolve.formats.themes.painting import Paint, Point, stroke
from levolve.formats.themes.textures import canvas_of
from levolve.formats.themes.theme import Pixels
from levolve.levels.tileset import Colour

# Points on a grid of 4 x 6, from the upper left; each list is one line.
_GLYPHS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "0": (
        ((1.2, 0), (2.8, 0), (4, 1.4), (4, 4.6), (2.8, 6), (1.2, 6), (0, 4.6), (0, 1.4), (1.2, 0)),
    ),
    "1": (((0.8, 1.2), (2.2, 0), (2.2, 6)), ((0.8, 6), (3.6, 6))),
    "2": (((0, 1.4), (0.9, 0.1), (3, 0), (4, 1.2), (3.8, 2.4), (0, 6), (4, 6)),),
    "3": (
        (
            (0.2, 0),
            (4, 0),
            (1.8, 2.5),
            (3.2, 2.7),
            (4, 3.8),
            (3.8, 5.2),
            (2.7, 6),
            (1, 6),
            (0, 5.2),
        ),
    ),
    "4": (((3, 6), (3, 0), (0, 4.2), (4.2, 4.2)),),
    "5": (
        (
            (3.8, 0),
            (0.4, 0),
            (0.2, 2.6),
            (2.6, 2.3),
            (4, 3.4),
            (4, 4.7),
            (2.8, 6),
            (1, 6),
            (0, 5.2),
        ),
    ),
    "6": (
        (
            (3.4, 0),
            (1.6, 0.5),
            (0.2, 2.8),
            (0, 4.5),
            (1, 6),
            (3, 6),
            (4, 4.9),
            (4, 3.7),
            (3, 2.6),
            (1.2, 2.6),
            (0.1, 3.8),
        ),
    ),
    "7": (((0, 0), (4, 0), (1.6, 6)),),
    "8": (
        (
            (1.2, 2.8),
            (0.3, 1.9),
            (0.3, 0.9),
            (1.2, 0),
            (2.8, 0),
            (3.7, 0.9),
            (3.7, 1.9),
            (2.8, 2.8),
            (1.2, 2.8),
            (0, 3.9),
            (0, 5),
            (1.1, 6),
            (2.9, 6),
        ),
        ((2.9, 6), (4, 5), (4, 3.9), (2.8, 2.8)),
    ),
    "9": (
        (
            (0.6, 6),
            (2.4, 5.5),
            (3.8, 3.2),
            (4, 1.5),
            (3, 0),
            (1, 0),
            (0, 1.1),
            (0, 2.3),
            (1, 3.4),
            (2.8, 3.4),
            (3.9, 2.2),
        ),
    ),
    "A": (((0, 6), (2, 0), (4, 6)), ((0.8, 4), (3.2, 4))),
    "B": (
        (
            (0.2, 3),
            (2.8, 3),
            (3.8, 2.2),
            (3.8, 0.8),
            (2.8, 0),
            (0.2, 0),
            (0.2, 6),
            (3, 6),
            (4, 5.2),
            (4, 3.8),
            (2.8, 3),
        ),
    ),
    "C": (((4, 1.2), (3, 0), (1.2, 0), (0, 1.4), (0, 4.6), (1.2, 6), (3, 6), (4, 4.8)),),
}


def glyph(character: str, x: float, y: float, width: float, height: float) -> list[list[Point]]:
    """Return the lines of a digit or letter around a centre; nothing for any other character."""
    return [
        [(x + (across / 4 - 0.5) * width, y + (down / 6 - 0.5) * height) for across, down in line]
        for line in _GLYPHS.get(character, ())
    ]


_LIGHT: Colour = (255, 252, 242)
_INK: Colour = (24, 20, 32)


def labelled(pixels: Pixels, text: str) -> Pixels:
    """Return a tile with a text of one or two digits or letters in its middle; the same tile for an
    empty text.
    """
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
    mixed = (
        letters[..., :3] * opacity + pixels[..., :3].astype(np.uint16) * (255 - opacity) + 127
    ) // 255
    return np.dstack([mixed.astype(np.uint8), pixels[..., 3]])
