"""Annealing: many chains of small mutations, accepted more and more strictly; from time to time a
better chain replaces a worse one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge, Gt

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.selection import accept, mating_groups
from levolve.search.search import Search, Strategy
from levolve.search.variation import MUTATIONS
from levolve.search.variation.mutations import PointMutation
from levolve.search.variation.operators import Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter

PAIR = 2


@dataclass(frozen=True)
class Annealing(Strategy):
    """Simulated annealing of `population` chains. In every generation each chain evaluates one
    mutant.

    A better mutant is accepted, a worse one with probability exp(-loss / temperature). The
    temperature falls from `hot` to `cold` over the run, both as shares of the best score so far, so
    that they suit any objective. Every `takeover` generations the chains are paired at random, and
    the better chain of each pair replaces the worse.
    """

    population: Annotated[int, Ge(2)] = setting(20, "How many chains there are.")
    hot: Annotated[float, Gt(0)] = setting(
        0.01, "The temperature at the start, as a share of the best score."
    )
    cold: Annotated[float, Gt(0)] = setting(
        0.001, "The temperature at the end, as a share of the best score."
    )
    takeover: Annotated[int, Ge(1)] = setting(
        30, "After how many generations chains are paired, and the better replaces the worse."
    )
    mutation: Mutation = field(
        default_factory=PointMutation,
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if `cold` is above `hot`."""
        if self.cold > self.hot:
            raise InputError(f"cold: expected at most hot, which is {self.hot}, got {self.cold}")

    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> AnnealingSearch:
        """Start a search."""
        return AnnealingSearch(self, space, start, seed, generations)


class AnnealingSearch(Search):
    """A running simulated annealing."""

    def __init__(
        self, settings: Annealing, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> None:
        """Start with nothing scored."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._generations = max(generations, 1)
        self._mutants: Genes
        self._changed: NDArray[np.int64]

    def share_at(self, generation: int) -> float:
        """Return the temperature of a generation as a share of the best score: a straight line,
        because powers differ between machines.
        """
        done = min(generation / self._generations, 1.0)
        return self.settings.hot + (self.settings.cold - self.settings.hot) * done

    def _ask(self) -> Genes:
        if self.generation == 0:
            self.genes = self.start(self.seed, 0, self.settings.population)
            return self.genes
        self._complete(self.settings.population)
        self._mutants = self.genes.copy()
        self.settings.mutation.apply(self.space, self._mutants, self.seed, self.generation)
        self._changed = np.flatnonzero((self._mutants != self.genes).any(axis=1))
        if self.lineage is not None:
            first = np.arange(len(self.genes))
            self.lineage.add(
                self._mutants,
                (self.settings.mutation,),
                genes=self.genes,
                scores=self.scores,
                first=first,
            )
        return self._mutants[self._changed]

    def _tell(self, evaluation: Evaluation) -> None:
        scores = evaluation.scores
        if self.generation == 0:
            self.scores = scores.copy()
            return
        settings = self.settings
        temperature = self.share_at(self.generation) * abs(self.best_score) or settings.cold
        # A mutant without changes keeps its score, and is not evaluated again.
        mutant_scores = self.scores.copy()
        mutant_scores[self._changed] = scores
        accept(
            np.uint64(self.seed),
            self.generation,
            temperature,
            self._mutants,
            mutant_scores,
            self.genes,
            self.scores,
        )
        if self.generation % settings.takeover == 0:
            winners, losers = np.empty((2, settings.population // PAIR), np.int64)
            mating_groups(
                np.uint64(self.seed), self.generation, self.scores, PAIR, 1, winners, losers
            )
            self.genes[losers] = self.genes[winners]
            self.scores[losers] = self.scores[winners]
