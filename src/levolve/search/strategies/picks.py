"""Picks: the strategy of interactive evolution, for few and coarse scores such as those of a person
who picks favourites from a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.selection import best_first, proportional
from levolve.search.search import Search, Strategy
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import TwoPointCrossover, UniformCrossover, UniformMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Evaluation
    from levolve.search.search import Starter

# Every round of a generation has random streams of its own: those of generation + round * ROUND,
# and TAMING beyond them.
ROUND, TAMING = 1 << 32, 1 << 60


@dataclass(frozen=True)
class Picks(Strategy):
    """Individuals that score above `neutral` are the parents of all others, in proportion to their
    scores above it.

    If none does, those that score exactly `neutral` are; if all score less, the next generation
    begins afresh. `neutral` is by default the median score. Individuals that score `keep` or more
    stay as they are, at most half a round of them; by default the best one does. They are proposed
    first, and evaluated again: a person may think differently of them next time.

    Children are proposed in `rounds`, counted from 0. Those of even rounds come as crossover and
    mutation make them; in rounds 1, 3, 5 and so on genes differ from the first parent's 2, 4, 8
    times less often. So an evaluator that can only use some of the children finds others like them,
    and tamer ones. One half of the children has two parents, the other is mutants of one. With
    `mates`, every child has two different parents, if there are two.
    """

    population: Annotated[int, Ge(2)] = setting(96, "Individuals per generation.")
    rounds: Annotated[int, Interval(ge=1, le=64)] = setting(
        8, "In how many rounds children are proposed."
    )
    neutral: float | None = setting(
        None, "The score above which individuals are parents. Default: the median."
    )
    keep: float | None = setting(
        None, "The score from which individuals stay as they are. Default: that of the best one."
    )
    crossover: Crossover = field(
        default_factory=TwoPointCrossover,
        metadata={"meaning": "How two parents exchange genes.", "registry": CROSSOVERS},
    )
    mutation: Mutation = field(
        default_factory=lambda: UniformMutation(0.03),
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )
    mates: bool = setting(default=False, meaning="Whether every child has two different parents.")

    def __post_init__(self) -> None:
        """Refuse more rounds than there are individuals for."""
        if 2 * self.rounds > self.population:
            raise InputError(
                f"rounds: expected at most half the population of {self.population}, got "
                f"{self.rounds}"
            )

    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> PicksSearch:
        """Begin a search."""
        return PicksSearch(self, space, start, seed)


class PicksSearch(Search):
    """A running search. Its population is everything that was last proposed."""

    def __init__(self, settings: Picks, space: GeneSpace, start: Starter, seed: int) -> None:
        """Begin with nothing evaluated."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._proposed: Genes

    def _ask(self) -> Genes:
        self._proposed = self._propose()
        return self._proposed

    def _tell(self, evaluation: Evaluation) -> None:
        self.genes, self.scores = self._proposed, evaluation.scores.copy()

    def _propose(self) -> Genes:
        settings = self.settings
        weights = self._weights() if self.generation else np.zeros(0)
        if not weights.any():
            fresh = self.start(self.seed, self.generation, settings.population)
            if self.lineage is not None:
                self.lineage.add(fresh)
            return fresh
        kept = self._kept()
        proposed = np.empty((settings.population, *self.genes.shape[1:]), self.genes.dtype)
        proposed[: len(kept)] = self.genes[kept]
        children = proposed[len(kept) :]
        size = -(-len(children) // settings.rounds)
        for number in range(settings.rounds):
            self._breed(weights, number, children[number * size : (number + 1) * size])
        return proposed

    def _weights(self) -> NDArray[np.float64]:
        """How likely each individual is to become a parent, from 0 to 1; all 0 if nobody is good
        enough.
        """
        scores, neutral = self.scores, self.settings.neutral
        if neutral is None:
            neutral = float(np.sort(scores)[(len(scores) - 1) // 2])
        weights = np.maximum(scores - neutral, 0.0)
        largest = float(weights.max())
        return weights / largest if largest > 0 else (scores == neutral).astype(np.float64)

    def _kept(self) -> NDArray[np.int64]:
        """The individuals that stay, in the order of the population."""
        settings = self.settings
        most = max(settings.population // settings.rounds // 2, 1)
        best = np.empty(most if settings.keep is not None else 1, np.int64)
        best_first(self.scores, best)
        return np.sort(best if settings.keep is None else best[self.scores[best] >= settings.keep])

    @staticmethod
    def _mate(weights: NDArray[np.float64], parents: NDArray[np.int64]) -> None:
        """Replace the second parent of a pair, where it is the first one again, by the next
        individual that may be a parent.
        """
        possible = np.flatnonzero(weights)
        first, second = parents[0::2], parents[1::2]
        following = possible[(np.searchsorted(possible, first) + 1) % len(possible)]
        parents[1::2] = np.where(first == second, following, second)

    def _breed(self, weights: NDArray[np.float64], number: int, children: Genes) -> None:
        """Fill in the children of one round."""
        if not len(children):
            return
        settings, generation = self.settings, self.generation + number * ROUND
        parents = np.empty(len(children) + len(children) % 2, np.int64)
        proportional(np.uint64(self.seed), generation, weights, parents)
        masks = settings.crossover.masks(
            self.space, len(parents) // 2, self.seed, generation
        ).copy()
        if settings.mates:
            self._mate(weights, parents)
        else:
            masks[1::2] = 0
        self.space.cross(self.genes, parents, masks, children)
        settings.mutation.apply(self.space, children, self.seed, generation)
        if number % 2:
            # Most genes go back to what the first parent has: a pair is a child and its parent, and
            # only the first of two results is used.
            both = np.concatenate((children, self.genes[parents[: len(children)]]))
            pairs = np.arange(len(both)).reshape(2, -1).T.ravel()
            back = UniformCrossover(exchange=1 - 0.5 ** (number // 2 + 1)).masks(
                self.space, len(children), self.seed, generation + TAMING
            )
            results = np.empty_like(both)
            self.space.cross(both, pairs, back, results)
            children[:] = results[0::2]
        if self.lineage is not None:
            crossed = (
                np.ones(len(parents), bool)
                if settings.mates
                else np.arange(len(parents)) // 2 % 2 == 0
            )
            self.lineage.add_pairs(
                children,
                (settings.crossover, settings.mutation),
                self.genes,
                self.scores,
                parents,
                crossed,
            )
