"""Counts of cells and regions."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.places import ENTRANCE
from levolve.measures import bounds, features, spans
from levolve.measures.measure import Measure


def regions(batch: Batch) -> NDArray[np.int32]:
    """Count the connected regions."""
    return features.regions(batch)[0]


def largest_region(batch: Batch) -> NDArray[np.int32]:
    """Count the cells of the largest region."""
    return features.regions(batch)[1]


def walls(batch: Batch) -> NDArray[np.int64]:
    """Count the tiles that are not walkable."""
    if batch.is_packed:
        return np.asarray(np.bitwise_count(batch.rows).sum(axis=1), np.int64)
    solid = np.array([not batch.tileset.may_stand(kind) for kind in range(len(batch.tileset.characters))])
    return np.asarray(solid[batch.tiles].sum(axis=(1, 2)), np.int64)


def reachable(batch: Batch) -> NDArray[np.int64]:
    """Count the cells reachable from the entrance, including the entrance."""
    return np.asarray((features.distances(batch) >= 0).sum(axis=(1, 2)), np.int64)


REGIONS = Measure("connected regions of walkable cells", regions, bounds=bounds.of_regions)
LARGEST_REGION = Measure("cells of the largest region", largest_region, bounds=bounds.of_reached_cells)
WALLS = Measure("tiles that are not walkable", walls, bounds=bounds.of_walls, span=spans.of_walls)
REACHABLE = Measure("cells reachable from the entrance", reachable, (ENTRANCE,), bounds=bounds.of_reachable)
