"""What a selection is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Selection(ABC):
    """Chooses parents by their scores. A subclass is a frozen dataclass: its fields are its settings."""

    @abstractmethod
    def choose(self, scores: NDArray[np.float64], count: int, seed: int, generation: int) -> NDArray[np.int64]:
        """The indices of `count` parents; neighbours 2i and 2i + 1 become a pair."""
