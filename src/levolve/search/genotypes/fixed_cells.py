"""Cells that evolution must not change: the open entrance and exit, and the cells to keep."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.frame import FREE, HALL, UNKEPT, Frame
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR
from levolve.levels.style import Style, style_of
from levolve.levels.tileset import WALLS, Tileset
from levolve.search.genotypes.gene_space import BitGenes


@lru_cache(maxsize=64)
def fixed_cells(frame: Frame, tileset: Tileset) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Return which cells are fixed, and their kinds of tiles: two `(height, width)` arrays.

    Fixed are the cells to keep, the stops of the goal, and sides of the level that are of one kind
    of tile in all examples, such as a closed border.
    """
    fixed = np.zeros((frame.height, frame.width), bool)
    kinds = np.zeros((frame.height, frame.width), np.uint8)
    for y, row in enumerate(frame.kept):
        for x, character in enumerate(row):
            if character in UNKEPT:
                continue
            if character not in tileset.characters:
                known = f"{FREE} for a free cell or one of {' '.join(tileset.characters)}"
                message = f"keep: row {y + 1}, column {x + 1}: expected {known}, got {character!r}"
                raise InputError(message)
            fixed[y, x] = True
            kinds[y, x] = tileset.characters.index(character)
    if frame.like:
        _fix_borders(frame, tileset, fixed, kinds)
    closed = [kind for kind in range(len(tileset.characters)) if not tileset.may_stand(kind)]
    if closed:
        for name in dict.fromkeys((ENTRANCE, EXIT, *TOUR, *frame.goal.stops_in(frame.places))):
            if name in frame.places:
                x, y = frame.places[name]
                if frame.kept and frame.kept[y][x] not in UNKEPT and kinds[y, x] in closed:
                    message = (
                        f"keep: expected the {name} at {x},{y} to be kept open, got "
                        f"{tileset.names[kinds[y, x]]}"
                    )
                    raise InputError(message)
                fixed[y, x] = True
                kinds[y, x] = tileset.open_kind
    return fixed, kinds


def _fix_borders(
    frame: Frame, tileset: Tileset, fixed: NDArray[np.bool_], kinds: NDArray[np.uint8]
) -> None:
    """Fix every side of the level that is of one kind of tile, the same one, in all examples; cells
    that are fixed before do not change.
    """
    before = fixed.copy()
    sides: tuple[tuple[int | slice, int | slice], ...] = (
        (0, slice(None)),
        (-1, slice(None)),
        (slice(None), 0),
        (slice(None), -1),
    )
    for side in sides:
        found = np.unique(
            np.concatenate([example[side] for example in style_of(frame.like, tileset).examples])
        )
        if len(found) == 1:
            kinds[side] = np.where(before[side], kinds[side], found[0])
            fixed[side] = True


@lru_cache(maxsize=64)
def hall_cells(frame: Frame) -> NDArray[np.uint8]:
    """Return `(height, width)` bytes, 1 for free cells of halls, which are never filled; `(0, 0)`
    if there are none.
    """
    if not any(HALL in row for row in frame.kept):
        return np.zeros((0, 0), np.uint8)
    return np.array([[character == HALL for character in row] for row in frame.kept], np.uint8)


def tiles_to_write(level: Level, frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """Return the tiles of a level to encode, with the fixed cells set. A level of another size or
    tileset raises `InputError`.
    """
    if (level.width, level.height, level.tileset) != (frame.width, frame.height, tileset):
        wanted, got = (
            f"{frame.width}x{frame.height} {tileset.name}",
            f"{level.width}x{level.height} {level.tileset.name}",
        )
        message = f"expected a level of {wanted} like those of the run, got {got}"
        raise InputError(message)
    fixed, kinds = fixed_cells(frame, tileset)
    return np.where(fixed, kinds, level.tiles)


def stamp(tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """Write the fixed cells into `(n, height, width)` tiles, in place."""
    fixed, kinds = fixed_cells(frame, tileset)
    if (
        fixed.sum() <= 2
    ):  # usually only entrance and exit are fixed: two assignments are faster than a mask
        for y, x in np.argwhere(fixed):
            tiles[:, y, x] = kinds[y, x]
    else:
        tiles[:, fixed] = kinds[fixed]
    return tiles


@lru_cache(maxsize=64)
def stamp_words(frame: Frame) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return row words, for levels at most 64 wide, of the cells that are kept as walls, and of
    those kept open.
    """
    fixed, kinds = fixed_cells(frame, WALLS)
    space = BitGenes([frame.width] * frame.height)
    walls = space.words_of(np.flatnonzero(fixed & (kinds == 1)))
    return walls, space.words_of(np.flatnonzero(fixed & (kinds == 0)))


def style_for(frame: Frame, tileset: Tileset) -> Style | None:
    """Return the style of a frame's examples; None if it has none."""
    return style_of(frame.like, tileset) if frame.like else None
