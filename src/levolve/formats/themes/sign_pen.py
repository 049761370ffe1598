"""`Pen`: what signs of things are painted with: materials, and shapes with an edge of ink.

All lengths are in sixteenths of a tile.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from levolve.formats.themes.glyphs import glyph
from levolve.formats.themes.painting import Paint, Ramp, box, disc, polygon, ramp_of, stroke
from levolve.formats.themes.textures import Canvas, Field
from levolve.levels.tileset import Colour

PIXEL = 1 / 16
LIGHT: Colour = (255, 252, 242)
BLACK: Colour = (24, 20, 32)
WOOD = Ramp((84, 50, 30), (148, 98, 56), (204, 154, 98))
METAL = Ramp((74, 80, 96), (150, 158, 172), (232, 238, 246))
GOLD = Ramp((120, 78, 20), (228, 172, 64), (255, 232, 160))
STONE = Ramp((74, 74, 88), (136, 138, 154), (204, 206, 218))


@dataclass(frozen=True)
class Materials:
    """What the things of a theme are made of. With `flat`, every part has one colour."""

    stone: Ramp = STONE
    wood: Ramp = WOOD
    metal: Ramp = METAL
    ink: Colour = BLACK
    flat: bool = False


class Pen:
    """Shapes with an edge of ink, in sixteenths of a tile."""

    def __init__(self, fittings: Materials, canvas: Canvas) -> None:
        """Begin an empty picture."""
        self.fittings, self.canvas, self.paint = fittings, canvas, Paint(canvas)

    def disc(self, x: float, y: float, radius: float) -> Field:
        """A disc around a point."""
        return disc(self.canvas, (x * PIXEL, y * PIXEL), radius * PIXEL)

    def box(self, left: float, top: float, right: float, low: float, round_: float = 0) -> Field:
        """A box, with rounded corners if `round_` is given."""
        corners = (left * PIXEL, top * PIXEL), (right * PIXEL, low * PIXEL)
        return box(self.canvas, *corners, round_ * PIXEL)

    def line(self, width: float, *points: tuple[float, float]) -> Field:
        """A line through points."""
        ends = [(x * PIXEL, y * PIXEL) for x, y in points]
        return stroke(self.canvas, ends, width * PIXEL)

    def polygon(self, *points: tuple[float, float]) -> Field:
        """A polygon."""
        return polygon(self.canvas, [(x * PIXEL, y * PIXEL) for x, y in points])

    def ink(self, shape: Field, grow: float = 0.8, strength: float = 1.0) -> None:
        """Lay ink on a shape that is larger by `grow`."""
        self.paint.lay(self.paint.inside(shape + grow * PIXEL) * strength, self.fittings.ink)

    def fill(self, shape: Field, ramp: Ramp | Colour, lean: float = 1.0) -> None:
        """Fill a shape: light at the upper left, dark at the lower right."""
        ramp = ramp if isinstance(ramp, Ramp) else ramp_of(ramp, 0.42)
        slope = (0.9 - self.canvas.x * 0.6 - self.canvas.y * 1.2) * lean
        shade = np.zeros(self.canvas.x.shape) if self.fittings.flat else slope
        self.paint.lay(self.paint.inside(shape), ramp.at(shade))

    def edged(self, shapes: Sequence[Field], ramp: Ramp | Colour, grow: float = 0.8) -> None:
        """Fill shapes that have one common edge of ink."""
        whole = shapes[0]
        for shape in shapes[1:]:
            whole = np.maximum(whole, shape)
        self.ink(whole, grow)
        self.fill(whole, ramp)

    def shadow(self, left: float, right: float, y: float = 14.2) -> None:
        """A soft shadow on the floor."""
        if not self.fittings.flat:
            self.ink(self.line(2.4, (left, y), (right, y)), 0, 0.35)

    def text(self, text: str, x: float, y: float, height: float, colour: Colour = LIGHT) -> None:
        """Write at most two characters around a point."""
        wide = height * (0.58 if len(text) == 1 else 0.5)
        for place, character in enumerate(text):
            middle = x + (place - (len(text) - 1) / 2) * (wide + height * 0.3)
            for line in glyph(character, middle * PIXEL, y * PIXEL, wide * PIXEL, height * PIXEL):
                width = max(height * 0.2, 1.1) * PIXEL
                self.paint.lay(self.paint.inside(stroke(self.canvas, line, width)), colour)

    def badge(self, text: str) -> None:
        """A number at the lower right."""
        if text:
            left = 12.2 - 1.9 * len(text)
            self.edged([self.box(left, 8.8, 15.6, 15.6, 2)], BLACK, 0.6)
            self.text(text, (left + 15.6) / 2, 12.2, 4.6)


def emblem(pen: Pen, number: int, x: float, y: float, size: float) -> Field:
    """Return the shape of an emblem: disc, square, diamond, triangle, cross, hexagon."""
    if number == 1:
        return pen.box(x - size * 0.85, y - size * 0.85, x + size * 0.85, y + size * 0.85, 0.4)
    if number == 2:  # the third shape
        return pen.polygon(
            (x, y - size * 1.2), (x + size * 1.2, y), (x, y + size * 1.2), (x - size * 1.2, y)
        )
    if number == 3:  # the fourth shape
        return pen.polygon(
            (x, y - size), (x + size * 1.1, y + size * 0.9), (x - size * 1.1, y + size * 0.9)
        )
    if number == 4:  # the fifth shape
        upright = pen.box(x - size * 0.45, y - size, x + size * 0.45, y + size, 0.2)
        return np.maximum(
            upright, pen.box(x - size, y - size * 0.45, x + size, y + size * 0.45, 0.2)
        )
    if number == 5:  # the sixth shape
        half = size * 0.58
        return pen.polygon(
            (x - half, y - size),
            (x + half, y - size),
            (x + size * 1.1, y),
            (x + half, y + size),
            (x - half, y + size),
            (x - size * 1.1, y),
        )
    return pen.disc(x, y, size)
