"""The measure: the number of cells on a shore."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.measures.measure import Measure


def shore_cells(batch: Batch) -> NDArray[np.bool_]:
    """Mark walkable cells next to one that is not walkable: `(n, height, width)`. The border of a
    level is not a shore.
    """
    walkable = np.diagonal(batch.tileset.steps)[batch.tiles]
    closed = np.pad(~walkable, ((0, 0), (1, 1), (1, 1)))
    beside = closed[:, :-2, 1:-1] | closed[:, 2:, 1:-1] | closed[:, 1:-1, :-2] | closed[:, 1:-1, 2:]
    return np.asarray(walkable & beside)


def shore(batch: Batch) -> NDArray[np.int64]:
    """Count the cells on a shore: one number per level."""
    return np.asarray(shore_cells(batch).sum(axis=(1, 2)), np.int64)


SHORE = Measure("walkable cells next to water or to any other tile that is not walkable", shore)
