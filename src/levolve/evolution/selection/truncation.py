"""Truncation selection."""

from dataclasses import dataclass
from math import ceil
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.evolution.selection.selection import Selection
from levolve.kernels.selection import from_the_best
from levolve.settings import setting


@dataclass(frozen=True)
class TruncationSelection(Selection):
    """Parents are drawn from the best `share` of the population, all equally likely."""

    share: Annotated[float, Interval(gt=0, le=1)] = setting(0.5, "The share of the population that may breed.")

    def choose(self, scores: NDArray[np.float64], count: int, seed: int, generation: int) -> NDArray[np.int64]:
        """Draw `count` parents."""
        best = np.argsort(-scores, kind="stable")[: ceil(self.share * len(scores))]
        parents = np.empty(count, np.int64)
        from_the_best(np.uint64(seed), generation, best, parents)
        return parents
