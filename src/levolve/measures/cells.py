"""Counts of cells and regions."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE
from levolve.measures.measure import Measure


def regions(batch: Batch) -> NDArray[np.int32]:
    """How many sets of cells there are that can be walked between."""
    return batch.regions[0]


def largest_region(batch: Batch) -> NDArray[np.int32]:
    """How many cells the largest region has."""
    return batch.regions[1]


def walls(batch: Batch) -> NDArray[np.int64]:
    """How many tiles cannot be stood on."""
    solid = np.array([not batch.tileset.may_stand(kind) for kind in range(len(batch.tileset.characters))])
    return np.asarray(solid[batch.tiles].sum(axis=(1, 2)), np.int64)


def reachable(batch: Batch) -> NDArray[np.int64]:
    """How many cells can be reached from the entrance, itself among them."""
    return np.asarray((batch.distances >= 0).sum(axis=(1, 2)), np.int64)


REGIONS = Measure("separate regions that can be walked", regions)
LARGEST_REGION = Measure("cells of the largest region", largest_region)
WALLS = Measure("tiles that cannot be stood on", walls)
REACHABLE = Measure("cells that can be reached from the entrance", reachable, (ENTRANCE,))
