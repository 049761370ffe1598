"""Tour: the steps from A to B, on to C and back."""

from dataclasses import dataclass

import numpy as np

from levolve.levels.batch import Batch
from levolve.levels.frame import TOUR
from levolve.objectives.objective import Objective, Scores


@dataclass(frozen=True)
class Tour(Objective):
    """The number of steps of a shortest walk from A to B, on to C and back to A; -1 where there is none."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return TOUR

    def score(self, batch: Batch) -> Scores:
        """Steps, or -1."""
        return np.asarray(batch.tour_steps, np.float64)
