"""`FinishStep`: the base class of finish steps."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from levolve.errors import InputError
from levolve.genotypes.stamp import fixed_cells
from levolve.settings import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.levels.frame import Frame
    from levolve.levels.tileset import Tileset


class FinishStep(Part):
    """A change to decoded levels. A subclass is a frozen dataclass whose fields are its settings."""

    @property
    def margin(self) -> int:
        """The number of rows and columns that the step adds on each side."""
        return 0

    @property
    def grows(self) -> bool:
        """Whether the size of a recipe is the size before the margin is added."""
        return False

    @abstractmethod
    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Return the changed levels.

        Parameters
        ----------
        tiles
            `(n, height, width)` tiles, without the margin; they may be changed in place.
        frame
            The size and the places of the levels after the step.
        tileset
            The kinds of tiles.
        """


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
