"""Surfaces: how the shade of a material varies over a tile, and the details of floors.

A surface takes the coordinates of samples and returns shades from -1 (dark) to 1 (light). Every
surface repeats from tile to tile.
"""

from collections.abc import Callable

import numpy as np

from levolve.formats.themes.painting import Paint, Ramp, stroke
from levolve.formats.themes.textures import Field, bricks, cells, eased, hashed, layered, noise

Surface = Callable[[Field, Field], Field]
Detail = Callable[[Paint, Ramp], None]
_PIXEL = 1 / 16
# Of all blades of grass, those above this share stand out.
FEW = 0.72


def grain(period: int = 4, amount: float = 0.25, salt: int = 1) -> Surface:
    """A rough surface."""
    return lambda x, y: layered(x, y, period, salt) * amount


def masonry(
    across: int = 2, rows: int = 2, height: float = 1.0, salt: int = 3, depth: float = 0.9
) -> Surface:
    """Courses of cut stones or bricks with dark seams; `height` is what the courses take, in
    tiles.
    """

    def surface(x: Field, y: Field) -> Field:
        number, edge = bricks(x, y / height, across, rows, salt)
        joint = np.where(edge < 0.5 * _PIXEL, 1.0, 0.0)
        return (number - 0.5) * 0.5 + noise(x, y, 8, salt + 5) * 0.08 - joint * depth

    return surface


def boulders(
    period: int = 3, depth: float = 0.7, salt: int = 11, rows: int | None = None
) -> Surface:
    """Irregular stones or lumps, each lit from above."""

    def surface(x: Field, y: Field) -> Field:
        bent_x, bent_y = (
            x + noise(x, y, 4, salt + 8) * 0.2 / period,
            y + noise(x, y, 4, salt + 9) * 0.2 / period,
        )
        number, edge = cells(bent_x, bent_y, period, salt, rows)
        above = cells(bent_x, bent_y - 0.5 * _PIXEL, period, salt, rows)[1]
        joint = 1 - eased(edge * 3.5)
        return (number - 0.5) * 0.5 + (edge - above) * 2.2 - joint * depth

    return surface


def facets(period: int = 2, salt: int = 17) -> Surface:
    """Flat faces of ice or crystal, with thin light edges."""

    def surface(x: Field, y: Field) -> Field:
        number, edge = cells(x, y, period, salt)
        streak = noise(x + y, x - y, 4, salt + 4) * 0.12
        return (number - 0.5) * 0.7 + streak + (1 - eased(edge * 6)) * 0.45

    return surface


def planks(rows: int = 4, salt: int = 23, *, upright: bool = False) -> Surface:
    """Boards with fine grain and dark gaps."""

    def surface(x: Field, y: Field) -> Field:
        along, across = (y, x) if upright else (x, y)
        row = np.floor(across * rows).astype(np.int64)
        inside = across * rows - row
        gap: Field = 1 - np.clip(np.minimum(inside, 1 - inside) / rows / (0.45 * _PIXEL), 0, 1)
        tone: Field = hashed(row % rows, row * 0, salt) - 0.5
        lines: Field = noise(along, across, 2, salt + 1, rows * 4)
        return tone * 0.5 + lines * 0.18 - gap * 0.85

    return surface


def slabs(
    seam: float = _PIXEL,
    depth: float = 0.55,
    bevel: float = 0.25,
    roughness: float = 0.12,
    salt: int = 29,
) -> Surface:
    """One slab per tile, with a seam at the top and at the left."""

    def surface(x: Field, y: Field) -> Field:
        joint = np.where((x < seam) | (y < seam), 1.0, 0.0)
        lit = np.where((x < 2 * seam) | (y < 2 * seam), 1.0, 0.0) - joint
        shade: Field = layered(x, y, 3, salt) * roughness + lit * bevel
        return shade - joint * depth

    return surface


def ripples() -> Surface:
    """Sand blown into soft waves."""

    def surface(x: Field, y: Field) -> Field:
        bent = y * 4 + noise(x, y, 2, 31) * 0.35
        phase = bent - np.floor(bent)
        return (eased(np.minimum(phase, 1 - phase) * 2) - 0.5) * 0.18 + noise(x, y, 16, 32) * 0.08

    return surface


def traces() -> Surface:
    """A board with faint conductors along the middle lines."""

    def surface(x: Field, y: Field) -> Field:
        grid = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
        line = np.where(grid < 0.5 * _PIXEL, 1.0, 0.0)
        return noise(x, y, 4, 37) * 0.06 + line * 0.35

    return surface


def panels() -> Surface:
    """Dark plates with a row of lights."""

    def surface(x: Field, y: Field) -> Field:
        column = x * 4 - np.floor(x * 4)
        gap = np.where(column * 4 < 1, 1.0, 0.0)
        light = np.where(
            (np.abs(column - 0.6) * 6 < 1) & (np.abs(y - 2 * _PIXEL) < 0.6 * _PIXEL), 1.6, 0.0
        )
        return light - gap * 0.5

    return surface


def blades() -> Surface:
    """Short grass: soft patches and a few lighter blades."""

    def surface(x: Field, y: Field) -> Field:
        number, edge = cells(x, y, 6, 41, 3)
        return (
            layered(x, y, 2, 48) * 0.22 + np.where(number > FEW, 1 - eased(edge * 2.2), 0.0) * 0.3
        )

    return surface


def crack(paint: Paint, ground: Ramp) -> None:
    """A crack across the floor."""
    points = [(0.22, 0.3), (0.38, 0.42), (0.44, 0.58), (0.62, 0.66), (0.72, 0.82)]
    branch = [(0.44, 0.58), (0.36, 0.74)]
    for line in (points, branch):
        paint.lay(
            paint.inside(
                stroke(
                    paint.canvas,
                    [(x + 0.6 * _PIXEL, y + 0.6 * _PIXEL) for x, y in line],
                    0.9 * _PIXEL,
                )
            )
            * 0.6,
            ground.light,
        )
        paint.lay(paint.inside(stroke(paint.canvas, line, 0.9 * _PIXEL)) * 0.75, ground.dark)


def pebbles(paint: Paint, ground: Ramp) -> None:
    """Three small stones with their shadows."""
    for x, y, radius in ((0.3, 0.64, 1.5), (0.52, 0.78, 1.0), (0.68, 0.36, 1.2)):
        size = radius * 2 * _PIXEL
        paint.lay(
            paint.inside(stroke(paint.canvas, [(x - 0.02, y + 0.05), (x + 0.06, y + 0.05)], size))
            * 0.45,
            ground.dark,
        )
        paint.lay(
            paint.inside(stroke(paint.canvas, [(x, y), (x + 0.03, y)], size)),
            ground.at(np.array(-0.35)),
        )
        paint.lay(
            paint.inside(stroke(paint.canvas, [(x - 0.02, y - 0.03), (x, y - 0.03)], size * 0.5)),
            ground.light,
        )


def worn(paint: Paint, ground: Ramp) -> None:
    """A worn patch."""
    canvas = paint.canvas
    spot = 0.36 + noise(canvas.x, canvas.y, 4, 47) * 0.14
    away = np.sqrt((canvas.x - 0.55) * (canvas.x - 0.55) + (canvas.y - 0.5) * (canvas.y - 0.5))
    paint.lay(eased((spot - away) * 5) * 0.22, ground.dark)


def toned(paint: Paint, ground: Ramp) -> None:
    """A slab of a slightly darker stone."""
    inner = np.where((paint.canvas.x > _PIXEL) & (paint.canvas.y > _PIXEL), 1.0, 0.0)
    paint.lay(inner * 0.2, ground.dark)


def tufts(paint: Paint, ground: Ramp) -> None:
    """Two tufts of blades."""
    for x, y in ((0.34, 0.7), (0.68, 0.44)):
        for lean in (-2.0, 0.0, 2.0):
            blade = [(x, y), (x + lean * _PIXEL, y - (3.2 - abs(lean) * 0.4) * _PIXEL)]
            paint.lay(paint.inside(stroke(paint.canvas, blade, 0.95 * _PIXEL)) * 0.8, ground.dark)


def flowers(paint: Paint, ground: Ramp) -> None:
    """Three small flowers."""
    tufts(paint, ground)
    for x, y, colour in (
        (0.26, 0.34, (250, 244, 222)),
        (0.74, 0.72, (244, 196, 92)),
        (0.56, 0.22, (250, 244, 222)),
    ):
        paint.lay(paint.inside(stroke(paint.canvas, [(x, y), (x, y)], 2.2 * _PIXEL)), colour)
        paint.lay(
            paint.inside(stroke(paint.canvas, [(x, y), (x, y)], 0.9 * _PIXEL)), (206, 138, 52)
        )


def glints(paint: Paint, ground: Ramp) -> None:
    """Two scratches that shine."""
    for line in (
        [(0.3, 0.62), (0.52, 0.4)],
        [(0.42, 0.72), (0.54, 0.6)],
        [(0.66, 0.34), (0.72, 0.28)],
    ):
        paint.lay(paint.inside(stroke(paint.canvas, line, _PIXEL)) * 0.9, ground.light)


def drift(paint: Paint, ground: Ramp) -> None:
    """A soft drift of snow or sand."""
    for y, x in ((0.38, 0.3), (0.68, 0.5)):
        curve = [(x - 0.14, y + 0.03), (x, y), (x + 0.16, y + 0.02), (x + 0.24, y + 0.06)]
        paint.lay(
            paint.inside(stroke(paint.canvas, [(a, b + _PIXEL) for a, b in curve], 1.1 * _PIXEL))
            * 0.5,
            ground.dark,
        )
        paint.lay(paint.inside(stroke(paint.canvas, curve, 1.1 * _PIXEL)) * 0.9, ground.light)


def knot(paint: Paint, ground: Ramp) -> None:
    """A knot in a board."""
    middle = [(0.42, 0.62), (0.56, 0.62)]
    paint.lay(paint.inside(stroke(paint.canvas, middle, 3.4 * _PIXEL)) * 0.5, ground.dark)
    paint.lay(paint.inside(stroke(paint.canvas, middle, 1.9 * _PIXEL)) * 0.8, ground.base)
    paint.lay(paint.inside(stroke(paint.canvas, middle, 0.8 * _PIXEL)) * 0.8, ground.dark)


def via(paint: Paint, ground: Ramp) -> None:
    """A conductor that ends in a ring."""
    line = [(0.0, 0.5), (0.3, 0.5), (0.5, 0.7), (0.5, 1.0)]
    paint.lay(paint.inside(stroke(paint.canvas, line, 1.0 * _PIXEL)) * 0.7, ground.light)
    paint.lay(
        paint.inside(stroke(paint.canvas, [(0.3, 0.5), (0.3, 0.5)], 4 * _PIXEL)), ground.light
    )
    paint.lay(paint.inside(stroke(paint.canvas, [(0.3, 0.5), (0.3, 0.5)], 2 * _PIXEL)), ground.dark)


def bare(paint: Paint, ground: Ramp) -> None:
    """No detail: a quiet tile."""
