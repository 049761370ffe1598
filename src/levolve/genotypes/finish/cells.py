"""Kinds of tiles and fixed cells, as finish steps need them."""

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.genotypes.stamp import fixed_cells
from levolve.levels.frame import Frame
from levolve.levels.tileset import Tileset


def walls_of(tileset: Tileset, step: str) -> tuple[int, int]:
    """Return the kinds of an empty and of a closed cell; raise `InputError` for a tileset without walls."""
    if tileset.floor is None or tileset.wall is None:
        message = f"finish {step}: expected levels with walls, got the tileset {tileset.name!r}, in which every tile is walkable; leave this step out"
        raise InputError(message)
    return tileset.floor, tileset.wall


def walkable_kinds(tileset: Tileset) -> NDArray[np.uint8]:
    """Return 1 for each walkable kind of tile."""
    return np.array([tileset.may_stand(kind) for kind in range(len(tileset.characters))], np.uint8)


def fixed_bytes(frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """Return `(height, width)` bytes, 1 for cells that must not change."""
    return fixed_cells(frame, tileset)[0].view(np.uint8)
