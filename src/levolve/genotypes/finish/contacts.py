"""Thicken: walls that touch only at a corner are joined or separated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.genotypes.finish.cells import fixed_bytes, walkable_kinds, walls_of
from levolve.genotypes.finish.step import FinishStep
from levolve.kernels.finishing import thicken
from levolve.levels.frame import Frame
from levolve.levels.tileset import Tileset


@dataclass(frozen=True)
class Thicken(FinishStep):
    """Joins walls that touch only at a corner, where that blocks no way; elsewhere it opens one of them."""

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Remove contacts by a corner only."""
        floor, wall = walls_of(tileset, "thicken")
        thicken(tiles, walkable_kinds(tileset), fixed_bytes(frame, tileset), floor, wall)
        return tiles
