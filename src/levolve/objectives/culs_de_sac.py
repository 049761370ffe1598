"""Culs-de-sac: levels with many dead ends, or with long ones."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from levolve.levels.batch import Batch
from levolve.measures.features import ends
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class CulsDeSac(Reward):
    """|Z|, the number of culs-de-sac."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """|Z|."""
        return np.asarray(ends(batch)[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class CulDeSacLength(Reward):
    """The sum of |x| over all culs-de-sac."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """The sum of |x|."""
        return np.asarray(ends(batch)[1], np.float64)
