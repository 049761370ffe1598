"""What an objective is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from levolve.levels.batch import Batch


class Objective(ABC):
    """A score for each level of a batch; higher is better. A subclass is a frozen dataclass: its fields are its settings."""

    @abstractmethod
    def score(self, batch: Batch) -> NDArray[np.float64]:
        """`(n,)` scores. A level's score must not depend on the levels beside it."""
