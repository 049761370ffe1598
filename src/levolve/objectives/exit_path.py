"""Exit path length, |e|: encourages one long winding path."""

from dataclasses import dataclass

import numpy as np

from levolve.levels.batch import Batch
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class ExitPath(Reward):
    """The number of steps of a shortest walk from the entrance to the exit."""

    def value(self, batch: Batch) -> Scores:
        """|e|."""
        return np.asarray(batch.exit_steps, np.float64)

    def score(self, batch: Batch) -> Scores:
        """|e|, or 0 where there is no way: one step instead of three, in the tightest of loops."""
        return super().score(batch) if self.conditional else np.maximum(batch.exit_steps, 0.0)
