"""An objective of your own: mazes with long straight walls. Any NumPy function of a batch of levels will do."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import levolve
from levolve.levels.batch import Batch
from levolve.objectives import OBJECTIVES
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class StraightWalls(Reward):
    """Pairs of wall tiles side by side in a row, and the length of the way out."""

    straightness: float = 1.0

    def value(self, batch: Batch) -> NDArray[np.float64]:
        """One number a level: `batch.tiles` is `(n, height, width)`, `batch.exit_steps` is `(n,)`."""
        pairs = (batch.tiles[:, :, 1:] & batch.tiles[:, :, :-1]).sum(axis=(1, 2))
        return np.asarray(batch.exit_steps + self.straightness * pairs, np.float64)


OBJECTIVES.add("straight_walls", StraightWalls)

run = levolve.evolve("maze", size=(24, 12), seed=1, objective="straight_walls", settings={"objective.straightness": 2.0})
print(run.best)
print(f"score {run.best_score:g}, {len(run.best.solution or '')} steps to the exit")
