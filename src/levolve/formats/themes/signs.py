"""`Marks`: the places of a level as painted signs: stairs, doors, flags, and medals with a number
or a letter.
"""

from dataclasses import dataclass

import numpy as np

from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS, sign_of
from levolve.formats.themes.glyphs import glyph
from levolve.formats.themes.painting import Paint, Point, Ramp, box, disc, polygon, ramp_of, stroke
from levolve.formats.themes.textures import Canvas, Field
from levolve.formats.themes.theme import Pixels
from levolve.levels.places import ENTRANCE, EXIT, TOUR
from levolve.levels.tileset import Colour

_PIXEL = 1 / 16
_INK: Colour = (24, 20, 32)
_LIGHT: Colour = (255, 252, 242)
_GOLD = Ramp((120, 78, 20), (228, 172, 64), (255, 232, 160))
_STEPS = Ramp((60, 56, 60), (176, 170, 158), (250, 246, 232))
_TOUR: Colour = (150, 72, 160)
# How far apart, how wide and how thick the letters of a sign are, in pixels of 16, by their number.
_LETTERS = ((0.0, 4.4, 1.9), (5.2, 3.6, 1.5), (3.8, 2.3, 1.2))
# Smaller tiles show a disc of one colour.
_LEAST_SIGN = 8


@dataclass(frozen=True)
class Marks:
    """How the places of a theme look: its exit is a door, a flag or a portal."""

    exit: str = "door"
    entrance: Colour = PLACE_COLOURS[ENTRANCE]
    leave: Colour = PLACE_COLOURS[EXIT]
    checkpoint: Colour = OTHER_PLACE

    def draw(self, name: str, canvas: Canvas) -> Pixels:
        """Draw the mark of a place."""
        paint = Paint(canvas)
        if canvas.tile < _LEAST_SIGN:
            colour = {ENTRANCE: self.entrance, EXIT: self.leave}.get(
                name, _TOUR if name in TOUR else self.checkpoint
            )
            paint.lay(paint.inside(disc(canvas, (0.5, 0.5), 0.48)), _LIGHT)
            paint.lay(paint.inside(disc(canvas, (0.5, 0.5), 0.38)), colour)
        elif name == ENTRANCE:
            _stairs(paint, ramp_of(self.entrance, 0.45))
        elif name == EXIT:
            {"door": _door, "flag": _flag, "portal": _portal}[self.exit](
                paint, ramp_of(self.leave, 0.45)
            )
        else:
            _medal(
                paint,
                ramp_of(_TOUR if name in TOUR else self.checkpoint, 0.42),
                sign_of(name),
                square=name in TOUR,
            )
        return paint.pixels()


def _shade(paint: Paint, shape: Field, strength: float = 0.5) -> None:
    paint.lay(paint.inside(shape) * strength, _INK)


def _stairs(paint: Paint, ramp: Ramp) -> None:
    """Stairs that lead down, in a frame."""
    canvas = paint.canvas
    _shade(
        paint,
        box(canvas, (0.5 * _PIXEL, 1.5 * _PIXEL), (15.5 * _PIXEL, 16 * _PIXEL), 2 * _PIXEL),
        0.35,
    )
    paint.lay(
        paint.inside(
            box(canvas, (0.5 * _PIXEL, 0.5 * _PIXEL), (15.5 * _PIXEL, 15.5 * _PIXEL), 2.5 * _PIXEL)
        ),
        _INK,
    )
    frame = box(canvas, (1 * _PIXEL, 1 * _PIXEL), (15 * _PIXEL, 15 * _PIXEL), 2 * _PIXEL)
    paint.lay(paint.inside(frame), ramp.at(1 - canvas.y * 1.6))
    hole = box(canvas, (3 * _PIXEL, 3 * _PIXEL), (13 * _PIXEL, 13 * _PIXEL), 0.5 * _PIXEL)
    paint.lay(paint.inside(hole), _INK)
    for step in range(4):
        upper, lower, edge = (
            (3 + 2.5 * step) * _PIXEL,
            (5.5 + 2.5 * step) * _PIXEL,
            (3 + 0.5 * step) * _PIXEL,
        )
        tread = box(canvas, (edge, upper), (1 - edge, lower - _PIXEL))
        paint.lay(paint.inside(tread), _STEPS.at(np.full(canvas.x.shape, 1 - 0.5 * step)))


def _arch(canvas: Canvas, grow: float) -> Field:
    """Return the shape of a doorway, larger by `grow` pixels of 16."""
    upper = disc(canvas, (0.5, 6.5 * _PIXEL), (4.5 + grow) * _PIXEL)
    lower = box(
        canvas,
        ((3.5 - grow) * _PIXEL, 6.5 * _PIXEL),
        ((12.5 + grow) * _PIXEL, (14 + min(grow, 1)) * _PIXEL),
    )
    return np.maximum(upper, lower)


def _door(paint: Paint, ramp: Ramp) -> None:
    """A wooden door in an arch of stone."""
    canvas = paint.canvas
    _shade(
        paint,
        box(canvas, (1.5 * _PIXEL, 13.5 * _PIXEL), (14.5 * _PIXEL, 16 * _PIXEL), 1 * _PIXEL),
        0.4,
    )
    paint.lay(paint.inside(_arch(canvas, 2.2)), _INK)
    paint.lay(paint.inside(_arch(canvas, 1.6)), _GOLD.at(0.9 - canvas.y * 1.6))
    paint.lay(paint.inside(_arch(canvas, 0.3)), _INK)
    plank = canvas.x * 16 / 3 - np.floor(canvas.x * 16 / 3)
    gap = np.where(plank < 1 / 3, 0.55, 0.0)
    paint.lay(paint.inside(_arch(canvas, -0.2)), ramp.at(0.35 - canvas.y * 0.5 - gap))
    for y in (6.5, 11.0):
        band = box(canvas, (3.7 * _PIXEL, y * _PIXEL), (12.3 * _PIXEL, (y + 1) * _PIXEL))
        paint.lay(paint.inside(band) * 0.75, _INK)
    paint.lay(paint.inside(disc(canvas, (10.7 * _PIXEL, 9.3 * _PIXEL), 1.1 * _PIXEL)), _GOLD.light)


def _flag(paint: Paint, ramp: Ramp) -> None:
    """A flag on a pole."""
    canvas = paint.canvas
    _shade(
        paint,
        stroke(
            canvas, [(4.5 * _PIXEL, 14.6 * _PIXEL), (9.5 * _PIXEL, 14.6 * _PIXEL)], 2.2 * _PIXEL
        ),
        0.4,
    )
    cloth: list[Point] = [
        (5 * _PIXEL, 1.6 * _PIXEL),
        (14.4 * _PIXEL, 5.2 * _PIXEL),
        (5 * _PIXEL, 9.2 * _PIXEL),
    ]
    fold = polygon(canvas, cloth)
    paint.lay(paint.inside(fold + 0.9 * _PIXEL), _INK)
    paint.lay(
        paint.inside(
            stroke(
                canvas, [(4.6 * _PIXEL, 1.6 * _PIXEL), (4.6 * _PIXEL, 14.4 * _PIXEL)], 3.2 * _PIXEL
            )
        ),
        _INK,
    )
    paint.lay(paint.inside(fold), ramp.at(0.5 - (canvas.x + canvas.y) * 0.8))
    paint.lay(
        paint.inside(
            stroke(
                canvas, [(4.6 * _PIXEL, 1.8 * _PIXEL), (4.6 * _PIXEL, 14.2 * _PIXEL)], 1.6 * _PIXEL
            )
        ),
        _GOLD.at(0.9 - canvas.y),
    )


def _portal(paint: Paint, ramp: Ramp) -> None:
    """A ring of light."""
    canvas = paint.canvas
    away = disc(canvas, (0.5, 0.5), 0.47)
    paint.lay(paint.inside(away), _INK)
    paint.lay(paint.inside(away - 0.7 * _PIXEL), ramp.at(0.9 - canvas.y))
    paint.lay(paint.inside(away - 2.4 * _PIXEL), _INK)
    paint.lay(paint.inside(away - 3 * _PIXEL), ramp.at((away - 3 * _PIXEL) * 9 - 0.6))
    paint.lay(paint.inside(disc(canvas, (0.5, 0.5), 1.6 * _PIXEL)), _LIGHT)


def _medal(paint: Paint, ramp: Ramp, sign: str, *, square: bool) -> None:
    """A medal with a sign: round, or a shield with cut corners."""
    canvas = paint.canvas

    def shape(grow: float) -> Field:
        side = 7.2 + grow
        if not square:
            return disc(canvas, (0.5, 0.5), side * _PIXEL)
        return box(
            canvas,
            (0.5 - side * _PIXEL, 0.5 - side * _PIXEL),
            (0.5 + side * _PIXEL, 0.5 + side * _PIXEL),
            3 * _PIXEL,
        )

    paint.lay(paint.inside(shape(0.3)), _INK)
    paint.lay(paint.inside(shape(-0.3)), _LIGHT)
    paint.lay(paint.inside(shape(-1.4)), ramp.at(0.25 - canvas.y * 0.75))
    characters = sign[-len(_LETTERS) :]
    apart, wide, thick = (pixels * _PIXEL for pixels in _LETTERS[len(characters) - 1])
    for number, character in enumerate(characters):
        middle = 0.5 + (number - (len(characters) - 1) / 2) * apart
        for line in glyph(character, middle, 0.5, wide, 8 * _PIXEL):
            paint.lay(paint.inside(stroke(canvas, line, thick)), _LIGHT)
