"""NSGA-II: several objectives at once. The result is a Pareto front, not one best individual (Deb,
Pratap, Agarwal, Meyarivan 2002).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from annotated_types import Len

from levolve.kernels.variation.pareto_fronts import crowding_distances, front_ranks
from levolve.search.problem import FEASIBLE
from levolve.search.selection import SELECTIONS, Selection, Tournament
from levolve.search.strategies.plus import PlusSearch, PlusStrategy
from levolve.search.variation import MUTATIONS
from levolve.search.variation.mutations import FillMutation, MutationMixture, PointMutation
from levolve.search.variation.operators import Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter

Direction = Literal["max", "min"]
# The name of the recipe's own objective among the objectives.
SCORE = "score"
MAX: Direction = "max"
MIN: Direction = "min"
# Every eighth child gets a line or block of one value: single changes alone do not reach the ends
# of a front, such as levels that are nearly empty.
STEPS = MutationMixture((FillMutation(20, 20), *(PointMutation(),) * 7))


@dataclass(frozen=True, kw_only=True)
class NSGA2(PlusStrategy):
    """Fronts of individuals that no other dominates. Within a front, those with more room around
    them are preferred.

    One individual dominates another if it is as good in every objective and better in one. Feasible
    individuals dominate infeasible ones. Of individuals with equal values in all objectives, the
    newest dominates the others, so that the population holds many different values, and a value on
    the front is never lost while the front fits into the population.
    """

    objectives: Annotated[dict[str, Direction], Len(1)] = field(
        default_factory=lambda: {SCORE: MAX, "walls": MIN},
        metadata={
            "meaning": (
                'Measures or features, each with "max" or "min"; "score" is the objective of the '
                "recipe."
            )
        },
    )
    # Larger than in the paper: only a fifth of the population is on the front, and its members have
    # the best children.
    selection: Selection = field(
        default_factory=lambda: Tournament(4),
        metadata={"meaning": "How parents are chosen.", "registry": SELECTIONS},
    )
    mutation: Mutation = field(
        default_factory=lambda: STEPS,
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )

    @property
    def features(self) -> tuple[str, ...]:
        """The feasibility, and all objectives except the score."""
        return (FEASIBLE, *(name for name in self.objectives if name != SCORE))

    @property
    def objective_names(self) -> tuple[str, ...]:
        """The objectives."""
        return tuple(self.objectives)

    @property
    def follows_scores(self) -> bool:
        """Whether the score is among the objectives."""
        return SCORE in self.objectives

    @property
    def ends_at_goal(self) -> bool:
        """Whether the highest score is all that counts."""
        return list(self.objectives.items()) == [(SCORE, MAX)]

    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> NSGA2Search:
        """Start a search."""
        return NSGA2Search(self, space, start, seed)

    def ranks(self, evaluation: Evaluation) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the rank of each individual's front, `(n,)`, and the values to maximise, `(n,
        m)`.
        """
        values = np.empty((len(evaluation), len(self.objectives)))
        for column, (name, direction) in enumerate(self.objectives.items()):
            numbers = evaluation.scores if name == SCORE else evaluation.features[name]
            values[:, column] = numbers if direction == MAX else -np.asarray(numbers, np.float64)
        violations = np.asarray(~evaluation.features[FEASIBLE].astype(bool), np.float64)
        ranks = np.empty(len(values), np.int64)
        front_ranks(values, violations, np.lexsort((*-values.T[::-1], violations)), ranks)
        return ranks, values

    def front(
        self, genes: Genes, evaluation: Evaluation
    ) -> tuple[Genes, dict[str, NDArray[np.float64]]]:
        """Return the feasible individuals that no other dominates, and their values of each
        objective, `(n,)`.

        They are sorted by the first objective, best first. Every vector of values occurs once.
        """
        ranks, values = self.ranks(evaluation)
        best = np.flatnonzero((ranks == 0) & evaluation.features[FEASIBLE].astype(bool))
        best = best[np.lexsort(-values[best].T[::-1])]
        signs = [1.0 if direction == MAX else -1.0 for direction in self.objectives.values()]
        # A minimised 0 would be -0 without the addition.
        return genes[best], {
            name: signs[column] * values[best, column] + 0.0
            for column, name in enumerate(self.objectives)
        }


class NSGA2Search(PlusSearch):
    """A running search for a Pareto front."""

    settings: NSGA2

    def _order(self, evaluation: Evaluation, new: int) -> NDArray[np.int64]:
        ranks, values = self.settings.ranks(evaluation)
        room = np.empty(len(ranks))
        crowding_distances(values, ranks, np.argsort(values, axis=0, kind="stable"), room)
        return np.lexsort((-room, ranks))

    def front(self) -> tuple[Genes, dict[str, NDArray[np.float64]]]:
        """Return the front of the population."""
        return self.settings.front(self.genes, self._evaluation)

    @property
    def figures(self) -> Mapping[str, float]:
        """The number of individuals on the front."""
        return {"front": float(len(self.front()[0]))} if self.generation else {}
