"""Where the ways through checkpoints meet again."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.frame import CHECKPOINTS, ENTRANCE, EXIT
from levolve.measures.measure import Measure


def reconvergence(batch: Batch) -> NDArray[np.int64]:
    """The sum of prc(Ci, Cj) over all pairs of checkpoints."""
    return batch.reconvergences[0]


def isolated_reconvergence(batch: Batch) -> NDArray[np.int64]:
    """The sum of iprc(Ci, Cj) over all pairs of checkpoints."""
    return batch.reconvergences[1]


def exit_members(batch: Batch) -> NDArray[np.int64]:
    """How many checkpoints lie on some shortest walk from the entrance to the exit."""
    return batch.exit_members


RECONVERGENCE = Measure("steps to where the ways through two checkpoints first meet, added up over all pairs", reconvergence, (ENTRANCE, CHECKPOINTS))
ISOLATED_RECONVERGENCE = Measure(
    "the same, only for pairs that meet where no third checkpoint has a part", isolated_reconvergence, (ENTRANCE, CHECKPOINTS)
)
EXIT_MEMBERS = Measure("checkpoints that are members of the exit: on some shortest walk to it", exit_members, (ENTRANCE, EXIT, CHECKPOINTS))
