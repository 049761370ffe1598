"""Drop specks: single walls, and other small groups of walls, become floor."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.genotypes.finish.cells import fixed_bytes, walkable_kinds, walls_of
from levolve.genotypes.finish.step import FinishStep
from levolve.kernels.finishing import drop_specks
from levolve.levels.frame import Frame
from levolve.levels.tileset import Tileset
from levolve.settings import setting


@dataclass(frozen=True)
class DropSpecks(FinishStep):
    """Opens groups of at most `largest` adjacent walls."""

    largest: Annotated[int, Interval(ge=1, le=1024)] = setting(1, "The most walls of a group that is opened.")

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Open small groups of walls."""
        floor, _ = walls_of(tileset, "drop_specks")
        drop_specks(tiles, walkable_kinds(tileset), fixed_bytes(frame, tileset), self.largest, floor)
        return tiles
