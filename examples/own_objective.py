"""A custom objective: mazes with long straight walls. Any NumPy function of a batch of levels can
be an objective.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

import levolve
from levolve.levels.batch import Batch
from levolve.levels.measures.structure_features import exit_steps
from levolve.search.objectives import OBJECTIVES
from levolve.search.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class StraightWalls(Reward):
    """The number of horizontally adjacent pairs of walls, plus the length of the path to the
    exit.
    """

    # The lowest possible value. Levels that cannot be won score below all levels that can.
    least: ClassVar[float | None] = 0.0
    straightness: float = 1.0

    def value(self, batch: Batch) -> NDArray[np.float64]:
        """One number per level: `batch.tiles` is `(n, height, width)`, `exit_steps(batch)` is
        `(n,)`.
        """
        pairs = (batch.tiles[:, :, 1:] & batch.tiles[:, :, :-1]).sum(axis=(1, 2))
        return np.asarray(exit_steps(batch) + self.straightness * pairs, np.float64)


OBJECTIVES.add("straight_walls", StraightWalls)

run = levolve.evolve(
    "maze",
    size=(24, 12),
    seed=1,
    objective="straight_walls",
    settings={"objective.straightness": 2.0},
)
print(run.best)
print(f"score {run.best_score:g}, {len(run.best.solution or '')} steps to the exit")
