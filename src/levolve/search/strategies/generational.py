"""The generational strategy: each generation is bred from the previous one; the best individuals
are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.apply_masks import inherit
from levolve.kernels.variation.selection import carry_over
from levolve.search.search import Search, Strategy
from levolve.search.selection import SELECTIONS, Selection, Tournament
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import UniformCrossover, UniformMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter


@dataclass(frozen=True)
class Generational(Strategy):
    """Breed a new generation; only the elites are kept unchanged."""

    population: Annotated[int, Ge(2)] = setting(120, "Individuals per generation.")
    elites: Annotated[int, Ge(0)] = setting(2, "How many of the best are kept unchanged.")
    selection: Selection = field(
        default_factory=Tournament,
        metadata={"meaning": "How parents are chosen.", "registry": SELECTIONS},
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
        """Raise `InputError` if the elites leave no room for children."""
        if self.elites >= self.population:
            raise InputError(
                f"elites: expected fewer than the population of {self.population}, got "
                f"{self.elites}"
            )

    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> GenerationalSearch:
        """Start a search."""
        return GenerationalSearch(self, space, start, seed)


class GenerationalSearch(Search):
    """A running generational search. Children that equal a parent inherit its score and are not
    evaluated again.
    """

    def __init__(self, settings: Generational, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with nothing scored."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._next: Genes
        self._next_scores: NDArray[np.float64]
        self._unscored = slice(0)

    def _ask(self) -> Genes:
        settings = self.settings
        self._next_scores = np.empty(settings.population)
        if self.generation == 0:
            self._next = self.start(self.seed, 0, settings.population)
            self._unscored = slice(0, settings.population)
            return self._next
        self._complete(settings.population)
        self._next = np.empty_like(self.genes)
        carry_over(
            self.scores,
            self.genes,
            self._next_scores[: settings.elites],
            self._next[: settings.elites],
        )
        children = self._next[settings.elites :]
        parents = settings.selection.choose(
            self.scores, len(children) + len(children) % 2, self.seed, self.generation
        )
        self._breed(parents, children)
        if self.lineage is not None:
            self.lineage.add_pairs(
                children, (settings.crossover, settings.mutation), self.genes, self.scores, parents
            )
        found = inherit(
            self.genes, self.scores, parents, None, children, self._next_scores[settings.elites :]
        )
        self._unscored = slice(settings.elites, settings.elites + found)
        return self._next[self._unscored]

    def _breed(self, parents: NDArray[np.int64], children: Genes) -> None:
        """Write the children of pairs of parents: crossover, then mutation."""
        settings = self.settings
        masks = settings.crossover.masks(self.space, len(parents) // 2, self.seed, self.generation)
        self.space.cross(self.genes, parents, masks, children)
        settings.mutation.apply(self.space, children, self.seed, self.generation)

    def _tell(self, evaluation: Evaluation) -> None:
        self._next_scores[self._unscored] = evaluation.scores
        self.genes, self.scores = self._next, self._next_scores
