"""Tour: the steps from A via B to C and back."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.places import TOUR
from levolve.measures.features import tour_steps
from levolve.objectives.objective import Objective, Scores


@dataclass(frozen=True)
class Tour(Objective):
    """The number of steps of a shortest tour from A via B to C and back to A; -1 if there is none."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return TOUR

    def least_value(self) -> float:
        """The score of a level without a tour."""
        return -1.0

    def score(self, batch: Batch) -> Scores:
        """Return the steps, or -1."""
        return np.asarray(tour_steps(batch), np.float64)

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each level has a tour, `(n,)`."""
        return np.asarray(tour_steps(batch) >= 0)
