"""Cells that are not for evolution to change: the entrance and the exit are open, and kept cells are as they are."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, FREE, TOUR, Frame
from levolve.levels.level import Level
from levolve.levels.tileset import Tileset


@lru_cache(maxsize=64)
def fixed_cells(frame: Frame, tileset: Tileset) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Which cells are fixed, and the kinds of tiles they have: two `(height, width)` arrays."""
    fixed = np.zeros((frame.height, frame.width), bool)
    kinds = np.zeros((frame.height, frame.width), np.uint8)
    for y, row in enumerate(frame.kept):
        for x, character in enumerate(row):
            if character == FREE:
                continue
            if character not in tileset.characters:
                known = f"{FREE} for a free cell or one of {' '.join(tileset.characters)}"
                message = f"keep: row {y + 1}, column {x + 1}: expected {known}, got {character!r}"
                raise InputError(message)
            fixed[y, x] = True
            kinds[y, x] = tileset.characters.index(character)
    closed = [kind for kind in range(len(tileset.characters)) if not tileset.may_stand(kind)]
    if closed:
        for name in (ENTRANCE, EXIT, *TOUR):
            if name in frame.places:
                x, y = frame.places[name]
                if fixed[y, x] and kinds[y, x] in closed:
                    message = f"keep: expected the {name} at {x},{y} to be kept open, got {tileset.names[kinds[y, x]]}"
                    raise InputError(message)
                fixed[y, x] = True
                kinds[y, x] = 0
    return fixed, kinds


def tiles_to_write(level: Level, frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """The tiles of a level that is to be written down as genes, with fixed cells as they must be; a level of another kind is refused."""
    if (level.width, level.height, level.tileset) != (frame.width, frame.height, tileset):
        wanted, got = f"{frame.width}x{frame.height} {tileset.name}", f"{level.width}x{level.height} {level.tileset.name}"
        message = f"expected a level of {wanted} like those of the run, got {got}"
        raise InputError(message)
    fixed, kinds = fixed_cells(frame, tileset)
    return np.where(fixed, kinds, level.tiles)


def stamp(tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """Put the fixed cells into `(n, height, width)` tiles, in place."""
    fixed, kinds = fixed_cells(frame, tileset)
    if fixed.sum() <= 2:  # noqa: PLR2004 the usual case, entrance and exit alone: two assignments are quicker than a mask
        for y, x in np.argwhere(fixed):
            tiles[:, y, x] = kinds[y, x]
    else:
        tiles[:, fixed] = kinds[fixed]
    return tiles
