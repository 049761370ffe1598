"""Fitness-proportional selection, the roulette wheel."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.evolution.selection.selection import Selection
from levolve.kernels.selection import proportional


@dataclass(frozen=True)
class Proportional(Selection):
    """Each individual is chosen with probability score / sum of scores. If a score is negative, all are raised so that the lowest is 0."""

    def choose(self, scores: NDArray[np.float64], count: int, seed: int, generation: int) -> NDArray[np.int64]:
        """Spin the wheel `count` times."""
        weights = scores - min(float(scores.min()), 0.0)
        largest = float(weights.max())
        parents = np.empty(count, np.int64)
        proportional(np.uint64(seed), generation, weights / largest if largest > 0 else weights, parents)
        return parents
