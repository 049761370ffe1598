"""Culs-de-sac and junctions."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.places import ENTRANCE
from levolve.measures import bounds
from levolve.measures.features import ends
from levolve.measures.measure import Measure


def culs_de_sac(batch: Batch) -> NDArray[np.int64]:
    """|Z|: the number of reachable cells from which no step leads farther from the entrance."""
    return ends(batch)[0]


def cul_de_sac_length(batch: Batch) -> NDArray[np.int64]:
    """The sum of |x| over all culs-de-sac."""
    return ends(batch)[1]


def branching(batch: Batch) -> NDArray[np.int64]:
    """Count the reachable cells with three or more legal steps."""
    return ends(batch)[2]


CULS_DE_SAC = Measure("culs-de-sac: cells from which no step leads farther from the entrance", culs_de_sac, (ENTRANCE,), bounds=bounds.of_ends)
CUL_DE_SAC_LENGTH = Measure("total steps from the entrance to all culs-de-sac", cul_de_sac_length, (ENTRANCE,))
BRANCHING = Measure("junctions: reachable cells with three or more legal steps", branching, (ENTRANCE,), bounds=bounds.of_cells)
