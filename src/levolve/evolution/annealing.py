"""Annealing: many chains at once, each a level that takes small changes, more and more choosy; now and then a good chain takes over a bad one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge, Gt

from levolve.errors import InputError
from levolve.evolution.search import Search, Strategy
from levolve.evolution.variation import MUTATIONS
from levolve.evolution.variation.operators import Mutation
from levolve.evolution.variation.point import PointMutation
from levolve.kernels.selection import accept, mating_groups

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.search import Starter
    from levolve.genotypes.genes import Genes, GeneSpace

PAIR = 2


@dataclass(frozen=True)
class Annealing(Strategy):
    """Simulated annealing of `population` chains. In every generation each chain tries one mutant.

    A better mutant is taken, a worse one with probability exp(-loss / temperature). The temperature falls from `hot` to `cold` over the run,
    both as shares of the best score so far, so that they suit any objective. Every `takeover` generations the chains are paired at random, and
    the better of a pair takes over the worse.
    """

    population: Annotated[int, Ge(2)] = 20
    hot: Annotated[float, Gt(0)] = 0.01
    cold: Annotated[float, Gt(0)] = 0.001
    takeover: Annotated[int, Ge(1)] = 30
    mutation: Mutation = field(default_factory=PointMutation, metadata={"registry": MUTATIONS})

    def __post_init__(self) -> None:
        """Refuse to warm up."""
        if self.cold > self.hot:
            message = f"cold: expected at most hot, which is {self.hot}, got {self.cold}"
            raise InputError(message)

    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> AnnealingSearch:
        """Begin a search."""
        return AnnealingSearch(self, space, start, seed, generations)


class AnnealingSearch(Search):
    """A running annealing."""

    def __init__(self, settings: Annealing, space: GeneSpace, start: Starter, seed: int, generations: int) -> None:
        """Begin with nothing scored."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._generations = max(generations, 1)
        self._mutants: Genes
        self._changed: NDArray[np.int64]

    def _ask(self) -> Genes:
        if self.generation == 0:
            self.genes = self.start(self.seed, 0, self.settings.population)
            return self.genes
        self._mutants = self.genes.copy()
        self.settings.mutation.apply(self.space, self._mutants, self.seed, self.generation)
        self._changed = np.flatnonzero((self._mutants != self.genes).any(axis=1))
        return self._mutants[self._changed]

    def _tell(self, scores: NDArray[np.float64]) -> None:
        if self.generation == 0:
            self.scores = scores.copy()
            return
        settings = self.settings
        done = min(self.generation / self._generations, 1.0)
        # From hot to cold along a straight line: a power would be rounded differently by different machines.
        share = settings.hot + (settings.cold - settings.hot) * done
        temperature = share * abs(self.best_score) or settings.cold
        # A mutant that came out unchanged keeps its score: it was not asked about.
        mutant_scores = self.scores.copy()
        mutant_scores[self._changed] = scores
        accept(np.uint64(self.seed), self.generation, temperature, self._mutants, mutant_scores, self.genes, self.scores)
        if self.generation % settings.takeover == 0:
            winners, losers = np.empty((2, settings.population // PAIR), np.int64)
            mating_groups(np.uint64(self.seed), self.generation, self.scores, PAIR, 1, winners, losers)
            self.genes[losers] = self.genes[winners]
            self.scores[losers] = self.scores[winners]
