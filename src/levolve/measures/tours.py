"""Tours from A to B, on to C and back."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.frame import TOUR
from levolve.measures.measure import Measure


def tour_steps(batch: Batch) -> NDArray[np.int32]:
    """Steps of a shortest walk from A to B, on to C and back to A, -1 if there is none."""
    return batch.tour_steps


def tour_tiles(batch: Batch) -> NDArray[np.int32]:
    """The same counted in tiles, as its first author did: the tile a leg starts on is counted with it. -1 if there is no walk."""
    return np.where(batch.tour_steps >= 0, batch.tour_steps + np.int32(3), np.int32(-1))


TOUR_STEPS = Measure("steps of a shortest walk from A to B, on to C and back to A, -1 if there is none", tour_steps, TOUR)
TOUR_TILES = Measure("the same in tiles: steps + 3", tour_tiles, TOUR)
