"""`Aim`: what the search for one level of a pack is rewarded for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT
from levolve.measures import MEASURES
from levolve.packs.crowd import Crowd
from levolve.packs.wanted import Range

Scores = NDArray[np.float64]

# Below every score that an objective gives: a level that is not what was wished is never better than one that is.
FAR = -10.0


@dataclass(frozen=True)
class Aim:
    """The ranges of measures wished for, the levels that are taken already, and what to make large among levels that meet both, if anything.

    Without such a value a level that meets all wishes scores 0, which cannot be beaten: the search is over.
    """

    wish: Mapping[str, Range]
    crowd: Crowd
    value: Callable[[Batch], Scores] | None = None

    @property
    def goal(self) -> float | None:
        """The score at which a search ends."""
        return 0.0 if self.value is None else None

    def score(self, batch: Batch) -> Scores:
        """`(n,)` scores: what is short of the wishes, negated; and the value, where nothing is."""
        short = self.shortfall(batch)
        return -short if self.value is None else np.where(short > 0, FAR - short, self.value(batch))

    def shortfall(self, batch: Batch) -> Scores:
        """`(n,)` numbers, 0 where all is as wished: each miss as a share of the bound that is missed, added up."""
        short = self.crowd.lacking(batch) / self.crowd.least + _unwinnable(batch)
        for name, (low, high) in self.wish.items():
            short += miss(MEASURES[name].count(batch), low, high)
        return short

    def unmet(self, batch: Batch) -> list[str]:
        """What the only level of a batch is short of, a sentence each."""
        if _unwinnable(batch)[0] > 0:
            return ["no level that can be won was found"]
        sentences = []
        for name, (low, high) in self.wish.items():
            count = MEASURES[name].count(batch)
            if miss(count, low, high)[0] > 0:
                wanted = f"{low:g}" if low == high else f"{low:g}..{high:g}"
                sentences.append(f"{name}: wanted {wanted}, the nearest found is {count[0]}")
        lacking = int(self.crowd.lacking(batch)[0])
        if lacking:
            nearest = int((self.crowd.tiles != batch.tiles[0]).sum(axis=(1, 2)).min())
            least = self.crowd.least
            near = f"the nearest found differs in {nearest}" if nearest < least else "the nearest found is one of them turned or mirrored"
            sentences.append(f"distinct: wanted {least} cells to differ from each of {len(self.crowd.tiles)} levels, {near}")
        return sentences


def miss(count: NDArray[np.integer], low: float, high: float) -> Scores:
    """How far counts lie outside a range, each as a share of the bound that it misses."""
    below, above = np.maximum(low - count, 0.0), np.maximum(count - high, 0.0)
    return np.asarray(below / (1.0 + abs(low)) + above / (1.0 + abs(high)), np.float64)


def _unwinnable(batch: Batch) -> Scores:
    """0 for a level that can be won; from 1 to 2 for others, less the more cells are within reach."""
    frame = batch.frame
    if frame.has(ENTRANCE) and frame.has(EXIT):
        stranded = batch.stranded
        return np.where(batch.exit_steps < 0, 2.0 - stranded / (frame.width * frame.height), 0.0)
    return np.where(batch.tour_steps < 0, 2.0 - batch.regions[1] / (frame.width * frame.height), 0.0)
