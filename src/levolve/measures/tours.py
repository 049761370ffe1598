"""Tours from A via B to C and back."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.places import TOUR
from levolve.measures import bounds, features
from levolve.measures.measure import Measure


def tour_steps(batch: Batch) -> NDArray[np.int32]:
    """Return the steps of a shortest tour from A via B to C and back to A; -1 if there is none."""
    return features.tour_steps(batch)


def tour_tiles(batch: Batch) -> NDArray[np.int32]:
    """Return the length of the tour in tiles, as in the original program: each leg also counts its first tile. -1 if there is no tour."""
    steps = features.tour_steps(batch)
    return np.where(steps >= 0, steps + np.int32(3), np.int32(-1))


TOUR_STEPS = Measure(
    "steps of a shortest tour from A via B to C and back to A, -1 if there is none", tour_steps, TOUR, bounds=bounds.of_tour_steps, stride=2
)
TOUR_TILES = Measure("the tour in tiles: steps + 3", tour_tiles, TOUR, bounds=bounds.of_tour_tiles, stride=2)
