"""`Objective`: the base class of objectives."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import Configurable
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.measures.structure_features import winnable
from levolve.levels.places import way_to

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Objective(Configurable):
    """One score per level of a batch; **higher is better**. A subclass is a frozen dataclass whose
    fields are its settings.
    """

    # The highest possible score, if known: a run that reaches it stops.
    goal: ClassVar[float | None] = None
    # Whether `score` stores features of winnable levels in the batch (`store_features`), which
    # strategies may use like measures.
    returns_features: ClassVar[bool] = False
    # Whether scores are worth remembering, so that no level is scored twice: they take longer than
    # looking a level up.
    remembered: ClassVar[bool] = False

    @property
    @abstractmethod
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""

    @property
    def compares_with_examples(self) -> bool:
        """Whether this objective, or a part of it, compares levels with examples."""
        return False

    def check(self, frame: Frame) -> None:
        """Raise `InputError` if the frame lacks a required place."""
        for name in self.needs:
            if not frame.has(name):
                raise InputError(
                    f"objective: expected levels with {' and '.join(self.needs)}, got "
                    f"{', '.join(frame.place_names) or 'no such places'}; {way_to(self.needs)}"
                )

    @abstractmethod
    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` float64 scores. A level's score must not depend on the other levels of its
        batch.
        """

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each level meets the constraints of the objective, `(n,)`; by default
        those that can be won do.
        """
        return winnable(batch)

    def least_value(self) -> float | None:
        """Return the lowest possible score of a winnable level; None if it is unknown."""
        return None

    def unmet(self, batch: Batch) -> list[str]:
        """Return the constraints and targets that the only level of a batch does not meet, one
        sentence each.
        """
        return []
