"""The structure of levels: regions, culs-de-sac, junctions, and reconvergences."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import features as kernels
from levolve.kernels import walls
from levolve.kernels.regions import count_regions
from levolve.levels.batch import Batch
from levolve.measures.features.feature import feature
from levolve.measures.features.walks import distances, members

Steps = NDArray[np.int32]
Counts = NDArray[np.int64]


@feature
def regions(batch: Batch) -> tuple[Steps, Steps]:
    """Return the number of regions and the number of cells of the largest, each `(n,)`. A one-way step also connects its two cells."""
    found, largest = np.empty((2, len(batch)), np.int32)
    if batch.tileset.packs:
        walls.count_regions_of_walls(batch.tiles, found, largest)
        return found, largest
    table = batch.tileset.table
    count_regions(batch.tiles, table if batch.tileset.reversible else table | table.T, found, largest)
    return found, largest


@feature
def ends(batch: Batch) -> tuple[Counts, Counts, Counts]:
    """Return the number of culs-de-sac, the sum of their |x|, and the number of junctions, each `(n,)`."""
    found, lengths, junctions = np.empty((3, len(batch)), np.int64)
    if batch.tileset.packs and batch.ends is None and not distances.is_known(batch):
        walls.count_ends_of_walls(batch.tiles, *batch.frame.entrance, found, lengths, junctions)
        return found, lengths, junctions
    kernels.count_ends(batch.tiles, batch.tileset.table, distances(batch), found, lengths, junctions)
    return found, lengths, junctions


@feature
def reconvergences(batch: Batch) -> tuple[Counts, Counts]:
    """Return the sums of prc and of iprc over all pairs of checkpoints, each `(n,)`."""
    sums, isolated = np.empty((2, len(batch)), np.int64)
    found = members(batch)
    kernels.sum_reconvergences(distances(batch), found, len(batch.frame.checkpoints), sums, isolated)
    return sums, isolated
