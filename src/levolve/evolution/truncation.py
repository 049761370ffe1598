"""Truncation: the worst are dropped; mutants of the best, children of the survivors and fresh individuals take their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge

from levolve.errors import InputError
from levolve.evolution.search import Search, Strategy
from levolve.evolution.variation import CROSSOVERS, MUTATIONS
from levolve.evolution.variation.chunk import ChunkCrossover
from levolve.evolution.variation.operators import Crossover, Mutation
from levolve.evolution.variation.uniform import UniformMutation
from levolve.kernels.variation import inherit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.search import Starter
    from levolve.genotypes.genes import Genes, GeneSpace


@dataclass(frozen=True)
class Truncation(Strategy):
    """Drop the worst `kill`; put in their places `couple` children of neighbouring survivors, `mutate` mutants of the best, and fresh ones.

    Survivors stand in the order of their scores: the first and second have a child, the third and fourth, and so on. Mutants are made of the
    best survivor, the second, and so on, around and around if there are more mutants than survivors.
    """

    population: Annotated[int, Ge(2)] = 100
    kill: Annotated[int, Ge(1)] = 50
    mutate: Annotated[int, Ge(0)] = 20
    couple: Annotated[int, Ge(0)] = 20
    crossover: Crossover = field(default_factory=ChunkCrossover, metadata={"registry": CROSSOVERS})
    mutation: Mutation = field(default_factory=UniformMutation, metadata={"registry": MUTATIONS})

    def __post_init__(self) -> None:
        """Refuse counts that do not fit together."""
        if self.kill >= self.population:
            message = f"kill: expected fewer than the population of {self.population}, got {self.kill}"
            raise InputError(message)
        if self.kill < self.mutate + self.couple:
            message = f"kill: expected at least mutate + couple, {self.mutate} + {self.couple}, got {self.kill}"
            raise InputError(message)
        if 2 * self.couple > self.population - self.kill:
            message = f"couple: expected two survivors for each, of which there are {self.population - self.kill}, got {self.couple}"
            raise InputError(message)

    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> TruncationSearch:  # noqa: ARG002 goes on alike, however long
        """Begin a search."""
        return TruncationSearch(self, space, start, seed)


class TruncationSearch(Search):
    """A running search. Children and mutants that came out equal to a parent inherit its score and are not asked about."""

    def __init__(self, settings: Truncation, space: GeneSpace, start: Starter, seed: int) -> None:
        """Begin with nothing scored."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._bred_scores: NDArray[np.float64]
        self._bred: Genes

    def _ask(self) -> Genes:
        settings = self.settings
        if self.generation == 0:
            self._bred = self.start(self.seed, 0, settings.population)
            return self._bred
        survivors = settings.population - settings.kill
        order = np.argsort(-self.scores, kind="stable")[:survivors]
        self.genes, self.scores = self.genes[order], self.scores[order]
        parents = np.arange(2 * settings.couple)
        pairs = np.empty((len(parents), *self.genes.shape[1:]), self.genes.dtype)
        self.space.cross(self.genes, parents, settings.crossover.masks(self.space, settings.couple, self.seed, self.generation), pairs)
        sources = np.arange(settings.mutate) % survivors
        mutants = self.genes[sources]
        settings.mutation.apply(self.space, mutants, self.seed, self.generation)
        fresh = self.start(self.seed, self.generation, settings.kill - settings.couple - settings.mutate)
        self._bred = np.concatenate((pairs[0::2], mutants, fresh))
        self._bred_scores = np.empty(settings.kill)
        nobody = np.full(len(fresh), -1)
        own, other = np.concatenate((parents[0::2], sources, nobody)), np.concatenate((parents[1::2], sources, nobody))
        found = inherit(self.genes, self.scores, own, other, self._bred, self._bred_scores)
        return self._bred[:found]

    def _tell(self, scores: NDArray[np.float64]) -> None:
        if self.generation == 0:
            self.genes, self.scores = self._bred, scores.copy()
            return
        self._bred_scores[: len(scores)] = scores
        self.genes = np.concatenate((self.genes, self._bred))
        self.scores = np.concatenate((self.scores, self._bred_scores))
