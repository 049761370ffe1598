"""Frame: a closed border of walls around the level."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.genotypes.finish.cells import walls_of
from levolve.genotypes.finish.step import FinishStep
from levolve.levels.frame import Frame
from levolve.levels.tileset import Tileset
from levolve.settings import setting


@dataclass(frozen=True)
class Border(FinishStep):
    """Closes the border: genes describe the cells inside it. Places on the border move to the nearest cell inside."""

    thickness: Annotated[int, Interval(ge=1, le=64)] = setting(1, "How many walls thick the border is.")
    grow: bool = setting(False, "Whether the level grows by the border. By default it keeps its size, and the border is part of it.")

    @property
    def margin(self) -> int:
        """The thickness of the border."""
        return self.thickness

    @property
    def grows(self) -> bool:
        """Whether the size of a recipe is the size inside the border."""
        return self.grow

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Return the levels with walls around them."""
        _, wall = walls_of(tileset, "frame")
        framed = np.full((len(tiles), frame.height, frame.width), wall, np.uint8)
        framed[:, self.thickness : -self.thickness, self.thickness : -self.thickness] = tiles
        return framed
