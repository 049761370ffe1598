"""Primary reconvergences: paths that branch, pass through checkpoints, and meet again."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from levolve.levels.batch import Batch
from levolve.levels.places import CHECKPOINTS, ENTRANCE, EXIT
from levolve.measures.features import reconvergences
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class Reconvergence(Reward):
    """The sum of prc(Ci, Cj) over all pairs of checkpoints: favours checkpoints that are easy to pass, or that lie deep in dead ends."""

    least: ClassVar[float | None] = 0.0

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return ENTRANCE, EXIT, CHECKPOINTS

    def value(self, batch: Batch) -> Scores:
        """The sum of prc."""
        return np.asarray(reconvergences(batch)[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class IsolatedReconvergence(Reconvergence):
    """The sum of iprc(Ci, Cj) over all pairs of checkpoints: favours paths that branch, pass through one checkpoint each, and meet later."""

    def value(self, batch: Batch) -> Scores:
        """The sum of iprc."""
        return np.asarray(reconvergences(batch)[1], np.float64)
