"""The truncation strategy: mutants of the best, children of the survivors and random individuals
replace the worst.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.apply_masks import inherit
from levolve.search.search import Search, Strategy
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import ChunkCrossover, UniformMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.lineage import Lineage
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter


@dataclass(frozen=True)
class Truncation(Strategy):
    """Replace the worst `kill` by `couple` children of adjacent survivors, `mutate` mutants of the
    best, and random individuals.

    Survivors are sorted by score: the first and second have a child, the third and fourth, and so
    on. Mutants are made from the best survivor, the second, and so on. With `cycle`, they start
    again at the best if there are more mutants than survivors; without, random individuals take the
    rest.
    """

    population: Annotated[int, Ge(2)] = setting(100, "Individuals per generation.")
    kill: Annotated[int, Ge(1)] = setting(50, "How many of the worst are dropped.")
    mutate: Annotated[int, Ge(0)] = setting(20, "How many mutants of the best take their places.")
    couple: Annotated[int, Ge(0)] = setting(
        20, "How many children of neighbouring survivors take their places."
    )
    crossover: Crossover = field(
        default_factory=ChunkCrossover,
        metadata={"meaning": "How two parents exchange genes.", "registry": CROSSOVERS},
    )
    mutation: Mutation = field(
        default_factory=UniformMutation,
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )
    cycle: bool = setting(
        default=True,
        meaning=(
            "Whether a survivor may have several mutants, if there are more mutants than survivors."
        ),
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if the counts are inconsistent."""
        if self.kill >= self.population:
            raise InputError(
                f"kill: expected fewer than the population of {self.population}, got {self.kill}"
            )
        if self.kill < self.mutate + self.couple:
            raise InputError(
                f"kill: expected at least mutate + couple, {self.mutate} + {self.couple}, got "
                f"{self.kill}"
            )
        if 2 * self.couple > self.population - self.kill:
            raise InputError(
                "couple: expected two survivors per child, but only "
                f"{self.population - self.kill} survive, got {self.couple}"
            )

    @property
    def mutants(self) -> int:
        """How many mutants a generation has."""
        return self.mutate if self.cycle else min(self.mutate, self.population - self.kill)

    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> TruncationSearch:
        """Start a search."""
        return TruncationSearch(self, space, start, seed)


class TruncationSearch(Search):
    """A running search. Children and mutants that equal a parent inherit its score and are not
    evaluated again.
    """

    def __init__(self, settings: Truncation, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with nothing scored."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._survivors = settings.population - settings.kill
        # The indices of the pairs, the originals of the mutants, and the two parents of each new
        # individual (random ones have none).
        self._parents = np.arange(2 * settings.couple)
        self._originals = np.arange(settings.mutants) % self._survivors
        fresh = np.full(settings.kill - settings.couple - settings.mutants, -1)
        self._first = np.concatenate((self._parents[0::2], self._originals, fresh))
        self._second = np.concatenate((self._parents[1::2], self._originals, fresh))
        # The next population, survivors first.
        self._next: Genes
        self._next_scores: NDArray[np.float64]

    def _ask(self) -> Genes:
        settings, survivors = self.settings, self._survivors
        if self.generation == 0:
            self._next = self.start(self.seed, 0, settings.population)
            self._next_scores = np.empty(settings.population)
            return self._next
        self._complete(settings.population)
        order = np.argsort(-self.scores, kind="stable")
        self._next, self._next_scores = np.empty_like(self.genes), self.scores[order]
        kept, bred = self._next[:survivors], self._next[survivors:]
        self.genes.take(order[:survivors], axis=0, out=kept)
        children, mutants = bred[: settings.couple], bred[settings.couple :][: settings.mutants]
        if len(children):
            pairs = np.empty((len(self._parents), *bred.shape[1:]), bred.dtype)
            self.space.cross(
                kept,
                self._parents,
                settings.crossover.masks(self.space, settings.couple, self.seed, self.generation),
                pairs,
            )
            children[:] = pairs[0::2]
        if len(mutants):
            kept.take(self._originals, axis=0, out=mutants)
            settings.mutation.apply(self.space, mutants, self.seed, self.generation)
        fresh = bred[settings.couple + settings.mutants :]
        if len(fresh):
            fresh[:] = self.start(self.seed, self.generation, len(fresh))
        if self.lineage is not None:
            self._add_births(self.lineage, kept, bred)
        found = inherit(
            kept,
            self._next_scores[:survivors],
            self._first,
            self._second,
            bred,
            self._next_scores[survivors:],
        )
        return bred[:found]

    def _add_births(self, lineage: Lineage, kept: Genes, bred: Genes) -> None:
        """Record children, mutants and random individuals, which are in this order."""
        settings, scores = self.settings, self._next_scores[: self._survivors]
        children, mutants = (
            slice(settings.couple),
            slice(settings.couple, settings.couple + settings.mutants),
        )
        lineage.add(
            bred[children],
            (settings.crossover,),
            genes=kept,
            scores=scores,
            first=self._first[children],
            second=self._second[children],
        )
        lineage.add(
            bred[mutants],
            (settings.mutation,),
            genes=kept,
            scores=scores,
            first=self._first[mutants],
        )
        lineage.add(bred[mutants.stop :])

    def _tell(self, evaluation: Evaluation) -> None:
        scores = evaluation.scores
        first = self._survivors if self.generation else 0
        self._next_scores[first : first + len(scores)] = scores
        self.genes, self.scores = self._next, self._next_scores
