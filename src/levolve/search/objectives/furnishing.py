"""Furnishing: levels whose keys, doors and other things are well placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.levels.measures.furnishing_features import absent_things, furnishing
from levolve.levels.measures.structure_features import unwinnable, winnable
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.reward import FAR_BELOW, Reward

if TYPE_CHECKING:
    from levolve.levels.batch import Batch
    from levolve.search.objectives.objective import Objective

# A search for a known highest score ends with a level that is furnished at least so well.
GOOD_ENOUGH = 0.45


@dataclass(frozen=True, kw_only=True)
class Furnishing(Reward):
    """How well the things of a level are placed, from 0 to 1: the order in which locks open, the
    length of the solution, doors that are seen before their keys, and how evenly things are
    spread.
    """

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """Return the quality of the furnishing."""
        return furnishing(batch)


@dataclass(frozen=True)
class FurnishedScore:
    """The score of the layout and the furnishing of a level.

    A level that can be won, cannot be lost, and has all its things scores the objective of the
    layout, increased by up to `weight` of it for a good furnishing. All others score less, those
    that can be lost least: the more states are lost, the less.
    """

    objective: Objective
    weight: float

    @property
    def goal(self) -> float | None:
        """The highest possible score; None if it is unknown."""
        return self.objective.goal

    @property
    def returns_features(self) -> bool:
        """Whether the objective returns features."""
        return self.objective.returns_features

    @property
    def remembered(self) -> bool:
        """Whether scores are worth remembering."""
        return self.objective.remembered

    def least_value(self) -> float | None:
        """Return the lowest possible score of a winnable level; None if it is unknown."""
        return self.objective.least_value()

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores."""
        scores = self.objective.score(batch)
        quality = furnishing(batch)
        if self.goal is None:
            scores = scores + self.weight * quality * np.maximum(np.abs(scores), 1.0)
        else:
            scores = np.minimum(scores, self.goal - np.maximum(GOOD_ENOUGH - quality, 0.0))
        absent = absent_things(batch)
        lacking = 2.0 * (unwinnable(batch) > 0) + unwinnable(batch) + absent / (absent + 1.0)
        return np.where(winnable(batch) & (absent == 0), scores, self._floor * (1.0 + lacking))

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each level meets the constraints of the objective and has all its things,
        `(n,)`.
        """
        complete = winnable(batch) & (absent_things(batch) == 0)
        return np.asarray(self.objective.feasible(batch) & complete)

    @property
    def _floor(self) -> float:
        """A negative number that is at most half the lowest score of the objective."""
        least = self.objective.least_value()
        if least is None:
            return 2 * FAR_BELOW
        return 2.0 * min(least, 0.0) - 2.0
