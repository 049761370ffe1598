"""Primary reconvergences: ways that part, run over checkpoints, and meet again."""

from dataclasses import dataclass

import numpy as np

from levolve.levels.batch import Batch
from levolve.levels.frame import CHECKPOINTS, ENTRANCE, EXIT
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class Reconvergence(Reward):
    """The sum of prc(Ci, Cj) over all pairs of checkpoints: checkpoints that are easy to come by, or that lie deep in dead ends."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return ENTRANCE, EXIT, CHECKPOINTS

    def value(self, batch: Batch) -> Scores:
        """The sum of prc."""
        return np.asarray(batch.reconvergences[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class IsolatedReconvergence(Reconvergence):
    """The sum of iprc(Ci, Cj) over all pairs of checkpoints: ways that branch, run over one checkpoint each, and meet later."""

    def value(self, batch: Batch) -> Scores:
        """The sum of iprc."""
        return np.asarray(batch.reconvergences[1], np.float64)
