"""The picture of a tileset for editors and engines, with all tiles in one row, and tilesets by the names of their tiles."""

import numpy as np

from levolve.errors import UnknownNameError, shown
from levolve.formats.drawing import draw_level
from levolve.formats.look import Look
from levolve.formats.png import picture_bytes
from levolve.formats.themes.paper import PAPER
from levolve.formats.themes.theme import DEFAULT_TILE
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS, Tileset

TILE = DEFAULT_TILE


def picture_name(tileset: Tileset) -> str:
    """Return the file name of a tileset's picture, with a prefix to avoid conflicts."""
    return f"levolve-{tileset.name}.png"


def tileset_picture(level: Level, _look: Look) -> dict[str, bytes]:
    """Return the name and the bytes of the picture of the level's tileset: the kinds of tiles from left to right."""
    kinds = len(level.tileset.characters)
    row = np.arange(kinds, dtype=np.uint8)
    both = draw_level(Level(np.stack([row, row]), tileset=level.tileset), TILE, theme=PAPER)
    return {picture_name(level.tileset): picture_bytes(both.crop((0, 0, kinds * TILE, TILE)))}


def tileset_of(names: set[str], what: str, named: str | None = None) -> Tileset:
    """Return the tileset that has all these kinds of tiles, `walls` for no kinds; the one called `named` is tried first."""
    for name in dict.fromkeys([*([named] if named in TILESETS else []), *TILESETS]):
        if name is not None and names <= set(TILESETS[name].names):
            return TILESETS[name]
    known = " or ".join(f"only {', '.join(TILESETS[name].names)}" for name in TILESETS)
    message = f"{what}: expected tiles called {known}, got {shown(', '.join(sorted(names)))}"
    raise UnknownNameError(message)
