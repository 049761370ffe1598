"""`FloorsScore`: the score of levels with several floors."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.search.objectives.furnishing import FurnishedScore
from levolve.search.objectives.objective import Objective, Scores


@dataclass(frozen=True)
class FloorsScore:
    """The mean score of the floors; that of the worst one if a floor cannot be used."""

    each: Objective | FurnishedScore

    @property
    def goal(self) -> float | None:
        """The highest possible score; None if it is unknown."""
        return self.each.goal

    @property
    def returns_features(self) -> bool:
        """Whether the objective returns features: those of single floors are not used."""
        return False

    @property
    def remembered(self) -> bool:
        """Whether scores are worth remembering."""
        return self.each.remembered

    def least_value(self) -> float | None:
        """Return the lowest possible score of a winnable level; None if it is unknown."""
        return self.each.least_value()

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores."""
        scores, usable = self._by_floor(batch)
        found: Scores = np.where(usable.all(axis=1), scores.mean(axis=1), scores.min(axis=1))
        return found

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each floor meets the constraints of the objective, `(n,)`."""
        return np.asarray(self._by_floor(batch)[1].all(axis=1))

    def _by_floor(self, batch: Batch) -> tuple[Scores, NDArray[np.bool_]]:
        floors = batch.floors
        if floors is None:
            raise InputError("floors: expected levels of several floors, got others")
        scores = self.each.score(floors).reshape(len(batch), -1)
        return scores, np.asarray(self.each.feasible(floors)).reshape(len(batch), -1)
