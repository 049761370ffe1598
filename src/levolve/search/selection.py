"""Selection of parents. A new selection is one file and one line here.

`Selection`: the base class of selections.

Tournament selection.

Fitness-proportional selection, the roulette wheel.

Truncation selection.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import ceil
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.registry import Registry
from levolve.core.settings import Configurable, setting
from levolve.kernels.variation.selection import from_the_best, proportional, tournament


class Selection(Configurable):
    """Selects parents by their scores. A subclass is a frozen dataclass whose fields are its
    settings.
    """

    @abstractmethod
    def choose(
        self, scores: NDArray[np.float64], count: int, seed: int, generation: int
    ) -> NDArray[np.int64]:
        """Return the indices of `count` parents; 2i and 2i + 1 form a pair."""


SELECTIONS: Registry[type[Selection]] = Registry(
    "selection",
    {
        "tournament": "levolve.search.selection:Tournament",
        "proportional": "levolve.search.selection:Proportional",
        "truncation": "levolve.search.selection:TruncationSelection",
    },
    "levolve.selections",
    classes="levolve.search.selection:Selection",
)


@dataclass(frozen=True)
class Tournament(Selection):
    """Each parent is the best of `size` individuals drawn at random."""

    size: Annotated[int, Interval(ge=1, le=1_000_000)] = setting(
        3, "How many individuals are drawn for each parent."
    )

    def choose(
        self, scores: NDArray[np.float64], count: int, seed: int, generation: int
    ) -> NDArray[np.int64]:
        """Hold `count` tournaments."""
        parents = np.empty(count, np.int64)
        tournament(np.uint64(seed), generation, scores, self.size, parents)
        return parents


@dataclass(frozen=True)
class Proportional(Selection):
    """Each individual is chosen with probability score / sum of scores. If a score is negative, all
    are raised so that the lowest is 0.
    """

    def choose(
        self, scores: NDArray[np.float64], count: int, seed: int, generation: int
    ) -> NDArray[np.int64]:
        """Spin the wheel `count` times."""
        weights = scores - min(float(scores.min()), 0.0)
        largest = float(weights.max())
        parents = np.empty(count, np.int64)
        proportional(
            np.uint64(seed), generation, weights / largest if largest > 0 else weights, parents
        )
        return parents


@dataclass(frozen=True)
class TruncationSelection(Selection):
    """Parents are drawn from the best `share` of the population, all equally likely."""

    share: Annotated[float, Interval(gt=0, le=1)] = setting(
        0.5, "The share of the population that may breed."
    )

    def choose(
        self, scores: NDArray[np.float64], count: int, seed: int, generation: int
    ) -> NDArray[np.int64]:
        """Draw `count` parents."""
        best = np.argsort(-scores, kind="stable")[: ceil(self.share * len(scores))]
        parents = np.empty(count, np.int64)
        from_the_best(np.uint64(seed), generation, best, parents)
        return parents
