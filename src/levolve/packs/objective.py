"""`PackObjective`: the objective of the search for one level of a pack."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.measures import MEASURES
from levolve.measures.features import unwinnable
from levolve.measures.measure import number_text
from levolve.objectives.objective import Objective
from levolve.packs.distinctness import Distinctness
from levolve.packs.targets import Range, write_range

Scores = NDArray[np.float64]

# Levels that miss a target score below this, and so below every level that meets all targets.
MISSED, FAR_BELOW = -10.0, -1e12


@dataclass(frozen=True)
class PackObjective:
    """Target ranges of measures, distinctness from the levels accepted so far, and optionally a value to maximise among levels that meet both.

    Without such a value, a level that meets all targets scores 0, the highest possible score, and the search ends.
    """

    targets: Mapping[str, Range]
    distinctness: Distinctness
    value: Callable[[Batch], Scores] | None = None
    missed: float = MISSED

    @classmethod
    def maximising(cls, objective: Objective, targets: Mapping[str, Range], distinctness: Distinctness) -> "PackObjective":
        """Return an objective that also maximises a value among the levels that meet all targets."""
        least = objective.least_value()
        missed = FAR_BELOW if least is None else MISSED if least > MISSED + 1 else least + MISSED
        return cls(targets, distinctness, objective.score, missed)

    @property
    def goal(self) -> float | None:
        """The score at which a search ends."""
        return 0.0 if self.value is None else None

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores: the negative shortfall, or the value if there is no shortfall."""
        short = self.shortfall(batch)
        return -short if self.value is None else np.where(short > 0, self.missed - short, self.value(batch))

    def shortfall(self, batch: Batch) -> Scores:
        """Return `(n,)` numbers, 0 if all targets are met: the sum of all misses, each relative to the missed bound."""
        short = self.distinctness.lacking(batch) / self.distinctness.least + unwinnable(batch)
        for name, (low, high) in self.targets.items():
            short += miss(MEASURES[name].values_for(batch, low, high), low, high)
        return short

    def unmet(self, batch: Batch) -> list[str]:
        """Return the targets that the only level of a batch misses, one sentence each."""
        if unwinnable(batch)[0] > 0:
            return ["no winnable level was found"]
        sentences = []
        for name, (low, high) in self.targets.items():
            count = MEASURES[name].values(batch)
            if miss(count, low, high)[0] > 0:
                sentences.append(f"{name}: target {write_range((low, high))}, the nearest found is {number_text(count[0])}")
        lacking = int(self.distinctness.lacking(batch)[0])
        if lacking:
            accepted, least = self.distinctness.tiles, self.distinctness.least
            nearest = int((accepted != batch.tiles[0]).sum(axis=(1, 2)).min())
            near = f"the nearest found differs in {nearest}" if nearest < least else "the nearest found is a rotation or reflection of one of them"
            sentences.append(f"distinct: {least} cells must differ from each of {len(accepted)} levels, {near}")
        return sentences


def miss(count: NDArray[np.number], low: float, high: float) -> Scores:
    """Return the distance of values from a range, each relative to the missed bound."""
    below, above = np.maximum(low - count, 0.0), np.maximum(count - high, 0.0)
    return np.asarray(below / (1.0 + abs(low)) + above / (1.0 + abs(high)), np.float64)
