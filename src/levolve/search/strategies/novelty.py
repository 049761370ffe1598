"""Novelty search: individuals are preferred that behave unlike all others, whatever their score
(Lehman and Stanley 2011).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from annotated_types import Ge, Interval, Len

from levolve.core.settings import setting
from levolve.kernels.variation.distances import sparseness
from levolve.search.problem import FEASIBLE
from levolve.search.strategies.plus import PlusSearch, PlusStrategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import GeneSpace
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter, State


@dataclass(frozen=True, kw_only=True)
class Novelty(PlusStrategy):
    """The behaviour of an individual is a point, its `behaviour` features. Its novelty is the mean
    distance to the `nearest` other points.

    Other points are those of the population, of the new individuals, and of the archive: the
    `archived` most novel of the new individuals of every generation. Each feature is divided by the
    range of its values so far. Infeasible individuals come after all feasible ones. With
    `score_share`, the score counts too, as a share of what decides; both are scaled to the range
    from 0 to 1 (Cuccu and Gomez 2011).
    """

    behaviour: Annotated[tuple[str, ...], Len(1)] = setting(
        ("walls", "turns"), "Names of the measures or features that describe a behaviour."
    )
    nearest: Annotated[int, Ge(1)] = setting(
        15, "How many nearest neighbours the novelty is measured with."
    )
    archived: Annotated[int, Ge(0)] = setting(
        6, "How many of the most novel new individuals of each generation are added to the archive."
    )
    score_share: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.0, "Weight of the score relative to novelty, from 0 to 1."
    )

    @property
    def features(self) -> tuple[str, ...]:
        """The feasibility and the behaviour."""
        return (FEASIBLE, *self.behaviour)

    @property
    def follows_scores(self) -> bool:
        """Whether the score counts."""
        return self.score_share > 0

    @property
    def ends_at_goal(self) -> bool:
        """Whether only the score counts."""
        return self.score_share == 1

    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> NoveltySearch:
        """Start a search."""
        return NoveltySearch(self, space, start, seed)


class NoveltySearch(PlusSearch):
    """A running search for new behaviours."""

    settings: Novelty

    def __init__(self, settings: Novelty, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with an empty archive."""
        super().__init__(settings, space, start, seed)
        # The behaviours of archived individuals, and the lowest and the highest value of each
        # feature so far.
        self.archive = np.empty((0, len(settings.behaviour)))
        self._lowest = np.full(len(settings.behaviour), np.inf)
        self._highest = -self._lowest

    def _order(self, evaluation: Evaluation, new: int) -> NDArray[np.int64]:
        settings = self.settings
        points = np.stack(
            [np.asarray(evaluation.features[name], np.float64) for name in settings.behaviour],
            axis=1,
        )
        infeasible = ~evaluation.features[FEASIBLE].astype(bool)
        # Infeasible individuals may lack features.
        known = points[~infeasible]
        if len(known):
            self._lowest, self._highest = (
                np.minimum(self._lowest, known.min(axis=0)),
                np.maximum(self._highest, known.max(axis=0)),
            )
        width = self._highest - self._lowest
        novelty = np.empty(len(points))
        sparseness(
            np.concatenate((points, self.archive)) / np.where(width > 0, width, 1.0),
            settings.nearest,
            novelty,
        )
        most_novel = np.lexsort((-novelty[:new], infeasible[:new]))[
            : min(settings.archived, int((~infeasible[:new]).sum()))
        ]
        self.archive = np.concatenate((self.archive, points[most_novel]))
        share = settings.score_share
        merit = (
            (1 - share) * _scaled(novelty) + share * _scaled(evaluation.scores)
            if share
            else novelty
        )
        return np.lexsort((-merit, infeasible))

    @property
    def figures(self) -> Mapping[str, float]:
        """The number of archived behaviours."""
        return {"archive": float(len(self.archive))}

    def _state(self) -> State:
        return {
            **super()._state(),
            "archive": self.archive.copy(),
            "lowest": self._lowest.copy(),
            "highest": self._highest.copy(),
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        super()._restore(state)
        self.archive, self._lowest, self._highest = (
            np.array(state[name], np.float64) for name in ("archive", "lowest", "highest")
        )


def _scaled(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale numbers to the range from 0 to 1. Infinite ones count like the lowest and the highest
    finite one.
    """
    finite = numbers[np.isfinite(numbers)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
    return np.asarray(
        (np.clip(numbers, low, high) - low) / (high - low if high > low else 1.0), np.float64
    )
