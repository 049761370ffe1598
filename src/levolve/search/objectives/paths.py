"""Exit path length, |e|: favours one long winding path.

Culs-de-sac: levels with many dead ends, or with long ones.

Primary reconvergences: paths that branch, pass through checkpoints, and meet again.

Tour: the steps from A via B to C and back.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.goal import EXIT_GOAL
from levolve.levels.measures.structure_features import (
    ends,
    ends_by_squares,
    exit_steps,
    reconvergences,
    tour_steps,
)
from levolve.levels.places import CHECKPOINTS, ENTRANCE, EXIT, TOUR
from levolve.search.objectives.objective import Objective, Scores
from levolve.search.objectives.reward import Reward


@dataclass(frozen=True, kw_only=True)
class ExitPath(Reward):
    """The number of steps of a shortest path from the entrance to the exit."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """|e|."""
        return np.asarray(exit_steps(batch), np.float64)

    def score(self, batch: Batch) -> Scores:
        """Return |e|, or 0 without a path. A shortcut for this common case, which is evaluated most
        often.
        """
        simple = not self.conditional and batch.frame.goal.stops == EXIT_GOAL.stops
        return np.maximum(exit_steps(batch), 0.0) if simple else super().score(batch)


@dataclass(frozen=True, kw_only=True)
class CulsDeSac(Reward):
    """|Z|, the number of culs-de-sac."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """|Z|."""
        return np.asarray(ends(batch)[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class CulDeSacLength(Reward):
    """The sum of |x| over all culs-de-sac."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """The sum of |x|."""
        return np.asarray(ends(batch)[1], np.float64)


@dataclass(frozen=True, kw_only=True)
class CulsDeSacBySquares(Reward):
    """The number of culs-de-sac by squares: no adjacent cell is farther, whether a step to it is
    legal or not. Differs from `culs_de_sac` only where there are steps that are not legal between
    cells that can be reached, as between colours.
    """

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """The number."""
        return np.asarray(ends_by_squares(batch)[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class CulDeSacLengthBySquares(Reward):
    """The sum of |x| over all culs-de-sac by squares."""

    least: ClassVar[float | None] = 0.0

    def value(self, batch: Batch) -> Scores:
        """The sum of |x|."""
        return np.asarray(ends_by_squares(batch)[1], np.float64)


@dataclass(frozen=True, kw_only=True)
class Reconvergence(Reward):
    """The sum of prc(Ci, Cj) over all pairs of checkpoints: favours checkpoints that are easy to
    pass, or that lie deep in dead ends.
    """

    least: ClassVar[float | None] = 0.0

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return ENTRANCE, EXIT, CHECKPOINTS

    def value(self, batch: Batch) -> Scores:
        """The sum of prc."""
        return np.asarray(reconvergences(batch)[0], np.float64)


@dataclass(frozen=True, kw_only=True)
class IsolatedReconvergence(Reconvergence):
    """The sum of iprc(Ci, Cj) over all pairs of checkpoints: favours paths that branch, pass
    through one checkpoint each, and meet later.
    """

    def value(self, batch: Batch) -> Scores:
        """The sum of iprc."""
        return np.asarray(reconvergences(batch)[1], np.float64)


@dataclass(frozen=True)
class Tour(Objective):
    """The number of steps of a shortest tour from A via B to C and back to A; -1 if there is
    none.
    """

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return TOUR

    def least_value(self) -> float:
        """The score of a level without a tour."""
        return -1.0

    def score(self, batch: Batch) -> Scores:
        """Return the steps, or -1."""
        return np.asarray(tour_steps(batch), np.float64)

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each level has a tour, `(n,)`."""
        return np.asarray(tour_steps(batch) >= 0)
