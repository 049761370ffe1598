"""Lengths of shortest walks."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import walking
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT
from levolve.measures.measure import Measure


def exit_path(batch: Batch) -> NDArray[np.int32]:
    """|e|: steps of a shortest walk from the entrance to the exit, -1 if there is none."""
    return batch.exit_steps


def longest_path(batch: Batch) -> NDArray[np.int32]:
    """The greatest shortest distance between any two cells of the level that can reach each other."""
    steps = np.empty(len(batch), np.int32)
    walking.longest_paths(batch.tiles, batch.tileset.table, steps)
    return steps


EXIT_PATH = Measure("steps of a shortest walk from entrance to exit, -1 if there is none", exit_path, (ENTRANCE, EXIT))
LONGEST_PATH = Measure("steps between the two cells that lie farthest apart, over the whole level", longest_path)
