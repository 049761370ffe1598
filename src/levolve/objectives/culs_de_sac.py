"""Culs-de-sac: levels with many dead ends, or with long ones."""

from dataclasses import dataclass

import numpy as np

from levolve.levels.batch import Batch
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class CulsDeSac(Reward):
    """|Z|, the number of culs-de-sac."""

    def value(self, batch: Batch) -> Scores:
        """|Z|."""
        return np.asarray(batch.ends[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class CulDeSacLength(Reward):
    """The sum of |x| over all culs-de-sac."""

    def value(self, batch: Batch) -> Scores:
        """The sum of |x|."""
        return np.asarray(batch.ends[1], np.float64)
