"""Culs-de-sac and junctions."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE
from levolve.measures.measure import Measure


def culs_de_sac(batch: Batch) -> NDArray[np.int64]:
    """|Z|: cells that can be reached and from which no step leads farther away."""
    return batch.ends[0]


def cul_de_sac_length(batch: Batch) -> NDArray[np.int64]:
    """The sum of |x| over all culs-de-sac."""
    return batch.ends[1]


def branching(batch: Batch) -> NDArray[np.int64]:
    """Cells that can be reached and have three ways or more."""
    return batch.ends[2]


CULS_DE_SAC = Measure("culs-de-sac: cells from which no step leads farther from the entrance", culs_de_sac, (ENTRANCE,))
CUL_DE_SAC_LENGTH = Measure("steps from the entrance to each cul-de-sac, added up", cul_de_sac_length, (ENTRANCE,))
BRANCHING = Measure("cells with three ways or more", branching, (ENTRANCE,))
