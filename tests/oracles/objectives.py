"""An objective that takes its time, for tests of executors. It has a module of its own so that
other processes can import it.
"""

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch


@dataclass(frozen=True)
class SlowWalls:
    """Counts walls, and takes some seconds per level for it."""

    seconds: float = 0.001
    goal = None

    def score(self, batch: Batch) -> NDArray[np.float64]:
        """The number of wall tiles: `(n,)`."""
        time.sleep(self.seconds * len(batch))
        return np.asarray(batch.tiles.sum(axis=(1, 2)), np.float64)
