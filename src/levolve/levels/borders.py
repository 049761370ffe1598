"""The border of a level: whether it is closed, and a closed one added."""

import numpy as np

from levolve.errors import InputError
from levolve.levels.level import Level


def has_closed_border(level: Level) -> bool:
    """Whether no cell at the edge of the level is walkable."""
    walkable = np.array([level.tileset.may_stand(kind) for kind in range(len(level.tileset.characters))])[level.tiles]
    return not (walkable[0].any() or walkable[-1].any() or walkable[:, 0].any() or walkable[:, -1].any())


def with_border(level: Level) -> Level:
    """Return the level with one wall more on each side and the same solution; a level whose border is closed is returned unchanged.

    The new level has no origin, because its recipe gives the level without the border.
    """
    if has_closed_border(level):
        return level
    if level.tileset.wall is None:
        message = f"frame: expected a level with walls, got one of the tileset {level.tileset.name!r}, in which every tile is walkable"
        raise InputError(message)
    places = {name: (x + 1, y + 1) for name, (x, y) in level.places.items()}
    tiles = np.pad(level.tiles, 1, constant_values=level.tileset.wall)
    return Level(tiles, places, level.tileset, level.solution, None, level.goal, tuple(area.moved(1, 1) for area in level.areas))
