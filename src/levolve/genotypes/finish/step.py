"""`FinishStep`: the base class of finish steps."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from levolve.settings import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from levolve.levels.frame import Frame
    from levolve.levels.tileset import Tileset


class FinishStep(Part):
    """A change to decoded levels. A subclass is a frozen dataclass whose fields are its settings."""

    @property
    def margin(self) -> int:
        """The number of rows and columns that the step adds on each side."""
        return 0

    @property
    def grows(self) -> bool:
        """Whether the size of a recipe is the size before the margin is added."""
        return False

    @abstractmethod
    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Return the changed levels.

        Parameters
        ----------
        tiles
            `(n, height, width)` tiles, without the margin; they may be changed in place.
        frame
            The size and the places of the levels after the step.
        tileset
            The kinds of tiles.
        """
