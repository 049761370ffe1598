"""The picture of a tileset that editors and engines draw levels with, one tile beside the other, and how tiles are called there."""

import numpy as np

from levolve.errors import InputError
from levolve.formats.drawing import DEFAULT_TILE, draw_level
from levolve.formats.png import picture_bytes
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS, Tileset

TILE = DEFAULT_TILE


def picture_name(tileset: Tileset) -> str:
    """A name that nobody else's file has."""
    return f"levolve-{tileset.name}.png"


def tileset_picture(level: Level) -> dict[str, bytes]:
    """The picture of the level's tileset by its name: the kinds of tiles from left to right."""
    kinds = len(level.tileset.characters)
    row = np.arange(kinds, dtype=np.uint8)
    both = draw_level(Level(np.stack([row, row]), tileset=level.tileset), TILE)
    return {picture_name(level.tileset): picture_bytes(both.crop((0, 0, kinds * TILE, TILE)))}


def tileset_of(names: set[str], what: str) -> Tileset:
    """The tileset that has all these kinds of tiles; that of walls for none."""
    for name in TILESETS:
        if names <= set(TILESETS[name].names):
            return TILESETS[name]
    known = " or ".join(f"only {', '.join(TILESETS[name].names)}" for name in TILESETS)
    message = f"{what}: expected tiles called {known}, got {', '.join(sorted(names))}"
    raise InputError(message)
