"""The objective: long shores and connected land."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.levels.batch import Batch
from levolve.levels.measures.structure import largest_region
from levolve.search.objectives.objective import Scores
from levolve.search.objectives.reward import Reward
from levolve_example.measure import shore_cells
from levolve_example.tileset import FOREST


@dataclass(frozen=True, kw_only=True)
class Lakeside(Reward):
    """The number of cells on a shore, times the share of the land that is one connected area. A
    forest on a shore counts `forest` instead of 1.
    """

    forest: Annotated[float, Interval(ge=0, le=1)] = 0.5

    def value(self, batch: Batch) -> Scores:
        """`(n,)` values of at least 0."""
        shore = shore_cells(batch)
        counted = np.where(batch.tiles == FOREST, self.forest, 1.0) * shore
        land = np.count_nonzero(np.diagonal(batch.tileset.steps)[batch.tiles], axis=(1, 2))
        return np.asarray(
            counted.sum(axis=(1, 2)) * largest_region(batch) / np.maximum(land, 1), np.float64
        )
