"""Fill pockets: regions that no path of the level enters become walls."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.genotypes.finish.cells import fixed_bytes, walls_of
from levolve.genotypes.finish.step import FinishStep
from levolve.genotypes.stamp import hall_cells
from levolve.kernels.finishing import fill_pockets, join_halls
from levolve.levels.frame import Frame
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.tileset import Tileset


@dataclass(frozen=True)
class FillPockets(FinishStep):
    """Fills regions without entrance, exit or another stop of the goal; in levels without these, all regions except the largest.

    A hall of a given level, whose walls are kept, is not filled: a way into it is opened.
    """

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Fill the regions without a place. A one-way step also connects its two cells."""
        floor, wall = walls_of(tileset, "fill_pockets")
        # Checkpoints that the goal does not visit may lie in walls, so that they do not keep a pocket.
        names = dict.fromkeys((ENTRANCE, EXIT, *frame.goal.stops_in(frame.places)))
        stops = np.array([y * frame.width + x for x, y in (frame.places[name] for name in names if name in frame.places)], np.int64)
        linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
        halls = hall_cells(frame)
        if halls.size:
            join_halls(tiles, linked, stops, halls, floor)
        fill_pockets(tiles, linked, stops, fixed_bytes(frame, tileset), wall)
        return tiles
