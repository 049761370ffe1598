"""`Atlas`: all tiles of a tileset in one theme, in one picture, and which of them each cell of a
level shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.formats.themes.glyphs import labelled
from levolve.formats.themes.theme import LEAST_TILE, MOST_TILE, Pixels, Theme, variants_of
from levolve.formats.themes.wall_shapes import MASKS, neighbourhoods
from levolve.levels.places import ENTRANCE, EXIT, TOUR, checkpoint
from levolve.levels.tileset import Tileset

if TYPE_CHECKING:
    from PIL import Image

COLUMNS = 8
EMPTY = -1
FLOOR, WALLS, TILES = "floor", "walls", "tiles"
# The places with a tile of their own. A checkpoint with a larger number shows the last one.
NUMBERED = 9
PLACES = (ENTRANCE, EXIT, *(checkpoint(number) for number in range(1, NUMBERED + 1)), *TOUR)


@dataclass(frozen=True)
class AtlasTile:
    """One tile of an atlas: of a kind (a wall by its mask, any other by its variant), or the mark
    of a place.
    """

    kind: int | None
    mask: int | None = None
    variant: int = 0
    place: str = ""


@dataclass(frozen=True)
class Atlas:
    """The tiles of a tileset in a theme, `tile` pixels wide and high; tile n is in column n %
    `COLUMNS` and row n // `COLUMNS` of the picture.
    """

    theme: Theme
    tileset: Tileset
    tile: int

    @property
    def name(self) -> str:
        """The name of the atlas and of its files, without suffix."""
        return f"levolve-{self.tileset.name}-{self.theme.name}-{self.tile}"

    @cached_property
    def tiles(self) -> tuple[AtlasTile, ...]:
        """All tiles in order: kind by kind, then the places."""
        tiles: list[AtlasTile] = []
        for kind in range(len(self.tileset.names)):
            if kind == self.tileset.wall:
                tiles += [AtlasTile(kind, mask) for mask in MASKS]
            else:
                tiles += [
                    AtlasTile(kind, variant=variant) for variant in range(self.theme.variants)
                ]
        return (*tiles, *(AtlasTile(None, place=name) for name in PLACES))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each tile shows: the name of its kind, or of its place."""
        kinds = self.tileset.names
        return tuple(tile.place if tile.kind is None else kinds[tile.kind] for tile in self.tiles)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first tile of each kind."""
        kinds = [tile.kind for tile in self.tiles]
        return tuple(kinds.index(kind) for kind in range(len(self.tileset.names)))

    @property
    def rows(self) -> int:
        """The number of rows of the picture."""
        return -(-len(self.tiles) // COLUMNS)

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """`(tiles, tile, tile, 4)` pixels of all tiles."""
        if not LEAST_TILE <= self.tile <= MOST_TILE:
            raise InputError(
                f"tile: expected {LEAST_TILE} to {MOST_TILE} pixels per tile, got {self.tile}"
            )
        return np.stack([self._draw(tile) for tile in self.tiles])

    def _draw(self, tile: AtlasTile) -> Pixels:
        if tile.kind is None:
            return self.theme.place(tile.place, self.tile)
        if tile.mask is not None:
            return self.theme.wall(self.tileset, tile.mask, self.tile)
        return labelled(
            self.theme.floor(self.tileset, tile.kind, tile.variant, self.tile),
            self.tileset.labels[tile.kind],
        )

    @cached_property
    def picture(self) -> Image.Image:
        """The picture of all tiles, with transparent pixels."""
        side, count = self.tile, len(self.tiles)
        grid = np.zeros((self.rows * COLUMNS, side, side, 4), np.uint8)
        grid[:count] = self.pixels
        from PIL import Image

        return Image.fromarray(
            grid.reshape(self.rows, COLUMNS, side, side, 4)
            .swapaxes(1, 2)
            .reshape(self.rows * side, COLUMNS * side, 4)
        )

    def place_tile(self, name: str) -> int:
        """Return the tile of a place."""
        known = name if name in PLACES else PLACES[1 + NUMBERED]
        return next(number for number, tile in enumerate(self.tiles) if tile.place == known)

    def layers(self, tiles: NDArray[np.uint8]) -> dict[str, NDArray[np.int32]]:
        """Return which tile each cell shows: in the layers `floor` (every cell) and `walls`, or in
        `tiles` if the tileset has no walls.

        `tiles` are the `(height, width)` kinds of a level. Cells of the layer `walls` without a
        wall are -1.
        """
        wall = self.tileset.wall
        closed = tiles == wall
        below = np.where(closed, self.tileset.open_kind, tiles).astype(np.uint8)
        shown = np.array(self.first, np.int32)[below] + variants_of(below, self.theme.variants)
        if wall is None:
            return {TILES: shown}
        walls = self.first[wall] + neighbourhoods(closed).astype(np.int32)
        return {FLOOR: shown, WALLS: np.where(closed, walls, EMPTY).astype(np.int32)}

    def draw(self, tiles: NDArray[np.uint8]) -> Image.Image:
        """Draw the tiles of a level, without its places."""
        below, *above = self.layers(tiles).values()
        pixels = self.pixels[below].astype(np.uint16)
        for layer in above:
            cells = layer != EMPTY
            top = self.pixels[layer[cells]].astype(np.uint16)
            opacity = top[..., 3:]
            pixels[cells, ..., :3] = (
                top[..., :3] * opacity + pixels[cells][..., :3] * (255 - opacity) + 127
            ) // 255
        height, width = tiles.shape
        joined = (
            pixels[..., :3]
            .astype(np.uint8)
            .swapaxes(1, 2)
            .reshape(height * self.tile, width * self.tile, 3)
        )
        from PIL import Image

        return Image.fromarray(joined)


@lru_cache(maxsize=32)
def atlas_of(theme: Theme, tileset: Tileset, tile: int) -> Atlas:
    """Return the atlas of a tileset in a theme; its tiles are drawn once."""
    return Atlas(theme, tileset, tile)
