"""Painting of one tile: ramps of colours, layers of paint, and the shapes that marks and details
consist of.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from levolve.formats.themes.textures import Canvas, Field
from levolve.levels.tileset import Colour

Point = tuple[float, float]


@dataclass(frozen=True)
class Ramp:
    """The colours of a material: in shade, as it is, and lit."""

    dark: Colour
    base: Colour
    light: Colour

    def at(self, shade: Field) -> Field:
        """Return the colours of shades from -1 (dark) by 0 (base) to 1 (light)."""
        held = np.clip(shade, -1.0, 1.0)[..., None]
        dark, base, light = (
            np.array(colour, np.float64) for colour in (self.dark, self.base, self.light)
        )
        colours: Field = base + np.where(held < 0, (base - dark) * held, (light - base) * held)
        return colours


def ramp_of(colour: Colour, contrast: float = 0.3) -> Ramp:
    """Return a ramp around a colour: towards black and white by a share."""
    dark, light = (
        tuple(int(part + (end - part) * contrast) for part in colour) for end in (0, 255)
    )
    return Ramp(dark, colour, light)  # type: ignore[arg-type]


class Paint:
    """Layers of paint on a tile, at first transparent."""

    def __init__(self, canvas: Canvas) -> None:
        """Begin with a transparent tile."""
        self.canvas = canvas
        self.colours = np.zeros((*canvas.x.shape, 3))
        self.opacity = np.zeros(canvas.x.shape)

    def lay(self, cover: Field, colour: Colour | Field) -> "Paint":
        """Put a colour, or a colour per sample, over the tile where `cover` (0 to 1) says."""
        upper = np.asarray(colour, np.float64)
        total = cover + self.opacity * (1 - cover)
        share = np.where(total > 0, cover / np.where(total > 0, total, 1.0), 0.0)[..., None]
        self.colours = self.colours + (upper - self.colours) * share
        self.opacity = total
        return self

    def pixels(self) -> NDArray[np.uint8]:
        """Return the pixels of the tile."""
        return self.canvas.average(self.colours, self.opacity)

    def inside(self, distance: Field) -> Field:
        """Return how much of each sample is inside a shape, given the distance from its edge."""
        samples = self.canvas.tile * self.canvas.factor
        return np.clip(distance * samples + 0.5, 0.0, 1.0)


def disc(canvas: Canvas, centre: Point, radius: float) -> Field:
    """Return the distance from the edge of a disc, positive inside."""
    across, down = canvas.x - centre[0], canvas.y - centre[1]
    return radius - np.sqrt(across * across + down * down)


def box(canvas: Canvas, corner: Point, opposite: Point, radius: float = 0.0) -> Field:
    """Return the distance from the edge of a box with round corners, positive inside."""
    across = np.maximum(corner[0] + radius - canvas.x, canvas.x - opposite[0] + radius)
    down = np.maximum(corner[1] + radius - canvas.y, canvas.y - opposite[1] + radius)
    outside_x, outside_y = np.maximum(across, 0), np.maximum(down, 0)
    beyond: Field = np.sqrt(outside_x * outside_x + outside_y * outside_y) + np.minimum(
        np.maximum(across, down), 0
    )
    return radius - beyond


def polygon(canvas: Canvas, points: Sequence[Point]) -> Field:
    """Return the distance from the edge of a convex polygon, given clockwise, positive inside."""
    found = np.full(canvas.x.shape, 2.0)
    for (x, y), (next_x, next_y) in zip(points, [*points[1:], points[0]], strict=True):
        length = float(np.sqrt((next_x - x) ** 2 + (next_y - y) ** 2))
        found = np.minimum(
            found, ((next_x - x) * (canvas.y - y) - (next_y - y) * (canvas.x - x)) / length
        )
    return found


def stroke(canvas: Canvas, points: Sequence[Point], width: float) -> Field:
    """Return the distance from the edge of a line of this width with round ends, positive
    inside.
    """
    found = np.full(canvas.x.shape, 2.0)
    for (x, y), (next_x, next_y) in pairwise(points):
        along_x, along_y = next_x - x, next_y - y
        gone_x, gone_y = canvas.x - x, canvas.y - y
        square = along_x * along_x + along_y * along_y
        share = (
            np.clip((gone_x * along_x + gone_y * along_y) / square, 0.0, 1.0) if square > 0 else 0.0
        )
        off_x, off_y = gone_x - along_x * share, gone_y - along_y * share
        found = np.minimum(found, np.sqrt(off_x * off_x + off_y * off_y))
    return width / 2 - found
