"""`Selection`: the base class of selections."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from levolve.settings import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Selection(Part):
    """Selects parents by their scores. A subclass is a frozen dataclass whose fields are its settings."""

    @abstractmethod
    def choose(self, scores: NDArray[np.float64], count: int, seed: int, generation: int) -> NDArray[np.int64]:
        """Return the indices of `count` parents; 2i and 2i + 1 form a pair."""
