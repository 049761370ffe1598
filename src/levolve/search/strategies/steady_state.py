"""The steady-state strategy: mating events. A small group is drawn, its two best breed, and the
children replace its two worst.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.apply_masks import inherit
from levolve.kernels.variation.selection import mating_groups
from levolve.search.search import Search, Strategy
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import UniformCrossover, UniformMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter


@dataclass(frozen=True)
class SteadyState(Strategy):
    """Mating events in groups of `group`. A generation is `events` mating events in disjoint
    groups; by default as many as fit.

    Disjoint groups do not influence each other, so a generation equals its events one after the
    other.
    """

    population: Annotated[int, Ge(4)] = setting(120, "Individuals per generation.")
    group: Annotated[int, Ge(4)] = setting(4, "How many individuals are drawn for a mating event.")
    events: Annotated[int, Ge(1)] | None = setting(
        None, "Mating events per generation. Default: as many as fit."
    )
    crossover: Crossover = field(
        default_factory=UniformCrossover,
        metadata={"meaning": "How two parents exchange genes.", "registry": CROSSOVERS},
    )
    mutation: Mutation = field(
        default_factory=UniformMutation,
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if the population is too small for the groups."""
        if self.group * (self.events or 1) > self.population:
            raise InputError(
                f"group: expected {self.events or 1} of {self.group} to fit into the population "
                f"of {self.population}"
            )

    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> SteadyStateSearch:
        """Start a search."""
        return SteadyStateSearch(self, space, start, seed)


class SteadyStateSearch(Search):
    """A running search by mating events. Children that equal a parent inherit its score and are not
    evaluated again.
    """

    def __init__(self, settings: SteadyState, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with nothing scored."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._children: Genes
        self._losers: NDArray[np.int64]
        self._child_scores: NDArray[np.float64]

    def _ask(self) -> Genes:
        settings = self.settings
        if self.generation == 0:
            self.genes = self.start(self.seed, 0, settings.population)
            return self.genes
        self._complete(settings.population)
        events = settings.events or settings.population // settings.group
        parents, self._losers = np.empty((2, 2 * events), np.int64)
        mating_groups(
            np.uint64(self.seed),
            self.generation,
            self.scores,
            settings.group,
            2,
            parents,
            self._losers,
        )
        self._children = np.empty((2 * events, *self.genes.shape[1:]), self.genes.dtype)
        self._breed(parents, self._children)
        if self.lineage is not None:
            self.lineage.add_pairs(
                self._children,
                (settings.crossover, settings.mutation),
                self.genes,
                self.scores,
                parents,
            )
        self._child_scores = np.empty(2 * events)
        found = inherit(self.genes, self.scores, parents, None, self._children, self._child_scores)
        return self._children[:found]

    def _breed(self, parents: NDArray[np.int64], children: Genes) -> None:
        """Write the children of pairs of parents: crossover, then mutation."""
        settings = self.settings
        masks = settings.crossover.masks(self.space, len(parents) // 2, self.seed, self.generation)
        self.space.cross(self.genes, parents, masks, children)
        settings.mutation.apply(self.space, children, self.seed, self.generation)

    def _tell(self, evaluation: Evaluation) -> None:
        scores = evaluation.scores
        if self.generation == 0:
            self.scores = scores.copy()
            return
        self._child_scores[: len(scores)] = scores
        self.genes[self._losers] = self._children
        self.scores[self._losers] = self._child_scores
