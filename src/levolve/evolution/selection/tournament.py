"""Tournament selection."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.evolution.selection.selection import Selection
from levolve.kernels.selection import tournament
from levolve.settings import setting


@dataclass(frozen=True)
class Tournament(Selection):
    """Each parent is the best of `size` individuals drawn at random."""

    size: Annotated[int, Interval(ge=1, le=1_000_000)] = setting(3, "How many individuals are drawn for each parent.")

    def choose(self, scores: NDArray[np.float64], count: int, seed: int, generation: int) -> NDArray[np.int64]:
        """Hold `count` tournaments."""
        parents = np.empty(count, np.int64)
        tournament(np.uint64(seed), generation, scores, self.size, parents)
        return parents
