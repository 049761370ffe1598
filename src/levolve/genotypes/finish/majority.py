"""Smooth: a majority filter that turns ragged walls into rounded ones."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.genotypes.finish.cells import fixed_bytes, walkable_kinds, walls_of
from levolve.genotypes.finish.step import FinishStep
from levolve.kernels.finishing import smooth
from levolve.levels.frame import Frame
from levolve.levels.tileset import Tileset
from levolve.settings import setting

CHANGES = ("both", "fill", "open")


@dataclass(frozen=True)
class Smooth(FinishStep):
    """Makes each cell what most of the 3x3 cells around it are, wall or floor. It may cut regions apart.

    With `only = "fill"` no wall is opened, so that thin walls stay and corners become round; with "open", no floor is filled.
    """

    passes: Annotated[int, Interval(ge=1, le=100)] = setting(1, "How often the majority filter is applied.")

    only: Literal["both", "fill", "open"] = setting("both", "Whether cells become walls and floor, only walls, or only floor.")

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Apply the majority filter; cells outside count as walls."""
        floor, wall = walls_of(tileset, "smooth")
        smooth(tiles, walkable_kinds(tileset), fixed_bytes(frame, tileset), self.passes, CHANGES.index(self.only), floor, wall)
        return tiles
