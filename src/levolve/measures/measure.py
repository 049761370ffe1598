"""What a measure is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from levolve.levels.frame import TOUR

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from levolve.levels.batch import Batch
    from levolve.levels.frame import Frame

    Numbers = NDArray[np.int32] | NDArray[np.int64]


@dataclass(frozen=True)
class Measure:
    """A count over each level of a batch, what it means in one line, and the places a level must have for it: `needs`, or else `or_needs`."""

    meaning: str
    count: Callable[[Batch], Numbers]
    needs: tuple[str, ...] = ()
    or_needs: tuple[str, ...] = ()

    def suits(self, frame: Frame) -> bool:
        """Whether levels with these places can be measured."""
        return all(frame.has(name) for name in self.needs) or (bool(self.or_needs) and all(frame.has(name) for name in self.or_needs))

    def refusal(self, frame: Frame) -> str:
        """The end of a message to somebody whose levels lack the places."""
        wanted = " or ".join(" and ".join(names) for names in (self.needs, self.or_needs) if names)
        present = [*frame.places, *(TOUR if frame.tours else ())]
        return f"expected levels with {wanted}, got one with {', '.join(present) or 'no places'}"
