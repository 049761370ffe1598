"""Reconvergence: where paths through different checkpoints meet again."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.places import CHECKPOINTS, ENTRANCE, EXIT
from levolve.measures import bounds, features
from levolve.measures.measure import Measure


def reconvergence(batch: Batch) -> NDArray[np.int64]:
    """The sum of prc(Ci, Cj) over all pairs of checkpoints."""
    return features.reconvergences(batch)[0]


def isolated_reconvergence(batch: Batch) -> NDArray[np.int64]:
    """The sum of iprc(Ci, Cj) over all pairs of checkpoints."""
    return features.reconvergences(batch)[1]


def exit_members(batch: Batch) -> NDArray[np.int64]:
    """Count the checkpoints that lie on a shortest path from the entrance to the exit."""
    return features.exit_members(batch)


RECONVERGENCE = Measure("steps to where the paths through two checkpoints first meet, summed over all pairs", reconvergence, (ENTRANCE, CHECKPOINTS))
ISOLATED_RECONVERGENCE = Measure(
    "reconvergence, only for pairs that meet on paths through no third checkpoint", isolated_reconvergence, (ENTRANCE, CHECKPOINTS)
)
EXIT_MEMBERS = Measure(
    "checkpoints that are members of the exit: on a shortest path to it",
    exit_members,
    (ENTRANCE, EXIT, CHECKPOINTS),
    bounds=bounds.of_checkpoints,
)
