"""What an objective is."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Objective(ABC):
    """A score for each level of a batch; **higher is better**. A subclass is a frozen dataclass: its fields are its settings."""

    # A score that cannot be beaten: a run that has it stops.
    goal: ClassVar[float | None] = None

    @property
    @abstractmethod
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""

    def check(self, frame: Frame) -> None:
        """Refuse a frame that lacks a place."""
        for name in self.needs:
            if not frame.has(name):
                message = f"objective: expected levels with {' and '.join(self.needs)}, got {', '.join(frame.places) or 'no such places'}"
                raise InputError(message)

    @abstractmethod
    def score(self, batch: Batch) -> Scores:
        """`(n,)` scores. A level's score must not depend on the levels beside it."""

    def unmet(self, batch: Batch) -> list[str]:  # noqa: ARG002 an objective without wishes has all of them met
        """What the only level of a batch was wished to be and is not, a sentence each."""
        return []
