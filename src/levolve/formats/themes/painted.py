"""`PaintedTheme`: a theme made of materials, drawn with depth: walls have a top, a front towards
the south and a shadow.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from levolve.formats.themes.painting import Paint, Ramp, box, ramp_of
from levolve.formats.themes.signs import Marks
from levolve.formats.themes.surfaces import Detail, Surface, bare, grain
from levolve.formats.themes.textures import Canvas, Field, canvas_of, eased
from levolve.formats.themes.theme import Pixels, Theme
from levolve.formats.themes.thing_signs import Fittings
from levolve.formats.themes.things import ThingLook
from levolve.formats.themes.wall_shapes import WallShape
from levolve.levels.tileset import WALLS, Colour, Tileset

_PIXEL = 1 / 16
# How edges of walls are bent, by the number of waves per tile.
WAVES: dict[int, Surface] = {waves: grain(waves, 1.0, 53) for waves in (2, 4, 6, 8)}
# Tiles with fewer pixels have no details.
LEAST_DETAIL = 8


@dataclass(frozen=True)
class Material:
    """What a surface consists of."""

    ramp: Ramp
    surface: Surface


@dataclass(frozen=True)
class Rim:
    """The light edge of a top: its colour, its width in tiles, and how strong it is in the north,
    at the sides, and in the south.
    """

    colour: Colour
    width: float = _PIXEL
    north: float = 1.0
    side: float = 0.55
    south: float = 0.45


@dataclass(frozen=True)
class Shadow:
    """The shadow of walls on the floor."""

    colour: Colour = (20, 16, 30)
    strength: float = 0.42


@dataclass(frozen=True, eq=False)
class PaintedTheme(Theme):
    """A painted theme. Themes differ in their materials, shapes and details."""

    name: str
    meaning: str
    ground: Material
    top: Material
    front: Material
    rim: Rim
    marks: Marks
    path: Colour | None = (255, 184, 76)
    path_edge: Colour | None = (104, 56, 24)
    shape: WallShape = field(default_factory=WallShape)
    shadow: Shadow = field(default_factory=Shadow)
    # How much darker and calmer the middle of thick walls is, from 0 to 1.
    gloom: float = 0.5
    # How far the edges of walls are bent, in tiles, and in how many waves per tile.
    bend: float = 0.0
    waves: int = 4
    details: tuple[Detail, Detail, Detail] = (bare, bare, bare)
    fittings: Fittings = field(default_factory=Fittings)

    def _material(
        self, material: Material, tileset: Tileset, kind: int, shade: float = 0.0
    ) -> Ramp:
        """Return the colours of a material, or of the tileset if it has colours of its own; `shade`
        darkens those.
        """
        if tileset.name == WALLS.name:
            return material.ramp
        red, green, blue = (int(part * (1 - shade)) for part in tileset.colours[kind])
        return ramp_of((red, green, blue), 0.38)

    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:
        """Draw the floor with its details, or a glazed tile in the colour of any other kind."""
        paint = Paint(canvas_of(tile))
        canvas = paint.canvas
        shade = _shades(self.ground.surface, tile)
        if tileset.wall is not None and kind == tileset.open_kind:
            ramp = self._material(self.ground, tileset, kind)
            paint.lay(np.ones(canvas.x.shape), ramp.at(shade))
            if variant and tile >= LEAST_DETAIL:
                self.details[variant - 1](paint, ramp)
        else:
            self._glaze(paint, tileset.colours[kind], shade, variant)
        return paint.pixels()

    def _glaze(self, paint: Paint, colour: Colour, shade: Field, variant: int) -> None:
        """Draw a glazed tile: light at the top, dark at the bottom, with a gloss in one of its
        variants.
        """
        canvas, ramp = paint.canvas, ramp_of(colour, 0.38)
        paint.lay(np.ones(canvas.x.shape), ramp.at(np.full(canvas.x.shape, -1.0)))
        edge = box(
            canvas, (0.5 * _PIXEL, 0.5 * _PIXEL), (1 - 0.5 * _PIXEL, 1 - 0.5 * _PIXEL), 1.5 * _PIXEL
        )
        rise = eased(edge / (1.6 * _PIXEL))
        lean = np.where(canvas.y + canvas.x < 1, 1.0, -1.0) * (1 - rise)
        paint.lay(paint.inside(edge), ramp.at(lean * 0.8 + shade * 0.12 * rise))
        if variant and canvas.tile >= LEAST_DETAIL:
            gloss = np.where(
                (canvas.x + canvas.y > 0.5 + 0.1 * variant)
                & (canvas.x + canvas.y < 0.64 + 0.1 * variant),
                1.0,
                0.0,
            )
            paint.lay(gloss * paint.inside(edge - 2 * _PIXEL) * 0.3, ramp.light)

    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:
        """Draw a wall: shadow, front and top."""
        paint = Paint(canvas_of(tile))
        canvas, shape = paint.canvas, self.shape
        bend = self._bend(canvas)
        whole, top = (
            distance(mask, canvas.x, canvas.y) + bend for distance in (shape.whole, shape.top)
        )
        depth = max(shape.south, shape.side)
        paint.lay(eased(1 + whole / (depth * 1.3)) * self.shadow.strength, self.shadow.colour)
        fallen = np.clip(
            (canvas.y - (1 - shape.south - shape.front)) / max(shape.front, 1e-9), 0.0, 1.0
        )
        below = _shades(self.front.surface, tile, shape.south + shape.front)
        edge = 1 - eased(whole / (1.2 * _PIXEL))
        lip = 1 - eased(fallen * shape.front / (1.5 * _PIXEL))
        front, upper = (
            self._material(part, tileset, tileset.wall or 0, shade)
            for part, shade in ((self.front, 0.3), (self.top, 0.0))
        )
        paint.lay(paint.inside(whole), front.at(below - fallen * 0.2 - edge * 0.35 - lip * 0.3))
        paint.lay(
            paint.inside(top),
            self._top(
                mask, canvas, top, upper, self.rim.colour if upper is self.top.ramp else upper.light
            ),
        )
        return paint.pixels()

    def _top(self, mask: int, canvas: Canvas, top: Field, ramp: Ramp, light: Colour) -> Field:
        """Return the colours of the top, with its rim lit from the north-west."""
        rim = self.rim
        inner = eased((top - 2 * _PIXEL) / (6 * _PIXEL)) * self.gloom
        colours = ramp.at(_shades(self.top.surface, canvas.tile) * (1 - 0.6 * inner) - 0.75 * inner)
        reach = min(self.shape.side, self.shape.north, _PIXEL)
        north, west, east, south = (
            self.shape.top(mask, canvas.x + right * reach, canvas.y + down * reach)
            for right, down in ((0, -1), (-1, 0), (1, 0), (0, 1))
        )
        toward = [
            (north - south) * -rim.north,
            (west - east) * -rim.side,
            (east - west) * -rim.side * 0.6,
            (south - north) * -rim.south,
        ]
        lit = np.clip(sum(np.maximum(part, 0) for part in toward) / (2 * reach), 0.0, 1.0)
        band = 1 - eased((top - rim.width * 0.6) / (rim.width * 0.8))
        share = (lit * band)[..., None]
        return colours + (np.array(light, np.float64) - colours) * share

    def _bend(self, canvas: Canvas) -> Field:
        if not self.bend:
            return np.zeros(canvas.x.shape)
        return _shades(WAVES[self.waves], canvas.tile) * self.bend

    def place(self, name: str, tile: int) -> Pixels:
        """Draw the mark of a place."""
        return _mark(self.marks, name, tile).copy()

    def thing(self, look: ThingLook, tile: int) -> Pixels:
        """Draw a thing, made of what the theme is made of."""
        return self.fittings.draw(look, tile)

    def colour(self, tileset: Tileset, kind: int) -> Colour:
        """Return the colour of the floor or of the tops of walls, or that of the tileset if it has
        colours of its own.
        """
        if tileset.name != WALLS.name:
            return tileset.colours[kind]
        return self.top.ramp.base if kind == tileset.wall else self.ground.ramp.base


@lru_cache(maxsize=64)
def _shades(surface: Surface, tile: int, raised: float = 1.0) -> Field:
    """Return the shades of a surface; its upper end is `raised` above the lower edge of the
    tile.
    """
    canvas = canvas_of(tile)
    return surface(canvas.x, canvas.y - (1 - raised))


@lru_cache(maxsize=512)
def _mark(marks: Marks, name: str, tile: int) -> Pixels:
    return marks.draw(name, canvas_of(tile))
