"""Exit path length, |e|: favours one long winding path."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from levolve.levels.batch import Batch
from levolve.measures.features import exit_steps
from levolve.objectives.objective import Scores
from levolve.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class ExitPath(Reward):
    """The number of steps of a shortest path from the entrance to the exit."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """|e|."""
        return np.asarray(exit_steps(batch), np.float64)

    def score(self, batch: Batch) -> Scores:
        """Return |e|, or 0 without a path. A shortcut for this common case, which is evaluated most often."""
        return super().score(batch) if self.conditional else np.maximum(exit_steps(batch), 0.0)
