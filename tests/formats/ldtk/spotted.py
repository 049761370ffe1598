"""A theme for tests: walls that show their neighbourhood and let the floor through, and four
different floors.
"""

import numpy as np

from levolve.formats.themes.theme import Pixels, Theme
from levolve.formats.themes.wall_shapes import DIRECTIONS
from levolve.levels.tileset import Colour, Tileset


class SpottedTheme(Theme):
    """Every tile differs from every other."""

    name = "spotted"
    meaning = "for tests"
    variants = 4

    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:
        pixels = np.full((tile, tile, 4), 255, np.uint8)
        pixels[..., :3] = tileset.colours[kind]
        pixels[: tile // 2, : 1 + variant * 2, 2] = 20 * variant
        return pixels

    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:
        pixels = np.zeros((tile, tile, 4), np.uint8)
        pixels[1:-1, 1:-1, 3] = 128
        pixels[..., :3] = tileset.colours[tileset.wall or 0]
        for bit, (column, row) in enumerate(DIRECTIONS):
            if mask & 1 << bit:
                pixels[(tile - 1) * (1 + row) // 2, (tile - 1) * (1 + column) // 2] = 255
        return pixels

    def place(self, name: str, tile: int) -> Pixels:
        return np.full((tile, tile, 4), len(name), np.uint8)

    def colour(self, tileset: Tileset, kind: int) -> Colour:
        return tileset.colours[kind]


SPOTTED = SpottedTheme()
