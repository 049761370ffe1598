"""Exit path length, |e|: encourages one long winding path."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.measures.paths import exit_path
from levolve.objectives.objective import Objective


@dataclass(frozen=True)
class ExitPath(Objective):
    """The number of steps of a shortest walk from the entrance to the exit; 0 if there is none."""

    def score(self, batch: Batch) -> NDArray[np.float64]:
        """|e|, or 0."""
        return np.maximum(exit_path(batch), 0).astype(np.float64)
