"""Searches in which parents and children compete for the places of the population, by more than
their scores.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from annotated_types import Ge

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.apply_masks import inherit
from levolve.search.problem import FEASIBLE, Evaluation
from levolve.search.search import Search, State, Strategy
from levolve.search.selection import SELECTIONS, Selection, Tournament
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import TwoPointCrossover
from levolve.search.variation.mutations import PointMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.search import Starter


@dataclass(frozen=True, kw_only=True)
class PlusStrategy(Strategy):
    """As many children as parents in each generation; the best of both are the next population."""

    population: Annotated[int, Ge(2)] = setting(100, "Individuals per generation.")
    selection: Selection = field(
        default_factory=lambda: Tournament(2),
        metadata={"meaning": "How parents are chosen.", "registry": SELECTIONS},
    )
    crossover: Crossover = field(
        default_factory=TwoPointCrossover,
        metadata={"meaning": "How two parents exchange genes.", "registry": CROSSOVERS},
    )
    mutation: Mutation = field(
        default_factory=PointMutation,
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )


class PlusSearch(Search):
    """A running search. The population is sorted, best first; a subclass decides in `_order` what
    is best.

    Children that equal a parent are dropped. Individuals of a cut generation and those from
    elsewhere compete like children.
    """

    def __init__(self, settings: PlusStrategy, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with nothing evaluated."""
        super().__init__(space, start, seed)
        self.settings = settings
        self._proposed: Genes
        # The scores and features of the population.
        self._evaluation: Evaluation

    @abstractmethod
    def _order(self, evaluation: Evaluation, new: int) -> NDArray[np.int64]:
        """Return the individuals from best to worst, `(n,)`. The first `new` of them are not in the
        population yet.
        """

    def _ask(self) -> Genes:
        settings = self.settings
        if self.generation == 0:
            self._proposed = self.start(self.seed, 0, settings.population)
            return self._proposed
        # Only the order of the population counts, so that any selection can be used.
        places = -np.arange(len(self.genes), dtype=np.float64)
        parents = settings.selection.choose(
            places, settings.population + settings.population % 2, self.seed, self.generation
        )
        masks = settings.crossover.masks(self.space, len(parents) // 2, self.seed, self.generation)
        children = np.empty((settings.population, *self.genes.shape[1:]), self.genes.dtype)
        self.space.cross(self.genes, parents, masks, children)
        settings.mutation.apply(self.space, children, self.seed, self.generation)
        if self.lineage is not None:
            self.lineage.add_pairs(
                children, (settings.crossover, settings.mutation), self.genes, self.scores, parents
            )
        found = inherit(self.genes, self.scores, parents, None, children, np.empty(len(children)))
        self._proposed = children[:found]
        return self._proposed

    def _tell(self, evaluation: Evaluation) -> None:
        self._compete(self._proposed, evaluation)

    def _cut(self, genes: Genes, evaluation: Evaluation) -> None:
        self._compete(genes, evaluation)

    def _insert(self, genes: Genes, evaluation: Evaluation) -> None:
        self._compete(genes, evaluation)

    def emigrants(self, count: int) -> tuple[Genes, Evaluation]:
        """Return the `count` best individuals of the population with their features."""
        best = np.arange(min(count, len(self.genes)))
        return self.genes[best], self._evaluation.take(best)

    def _compete(self, genes: Genes, evaluation: Evaluation) -> None:
        """Let evaluated individuals compete with the population."""
        evaluation = _with_features(evaluation, self.settings.features)
        new = len(genes)
        if self.generation:
            genes, evaluation = (
                np.concatenate((genes, self.genes)),
                Evaluation.joined([evaluation, self._evaluation]),
            )
        best = self._order(evaluation, new)[: self.settings.population]
        self.genes, self._evaluation = genes[best], evaluation.take(best)
        self.scores = self._evaluation.scores

    def _state(self) -> State:
        features = self._evaluation.features if self.generation else {}
        return {"features": {name: values.copy() for name, values in features.items()}}

    def _restore(self, state: Mapping[str, Any]) -> None:
        if self.generation:
            self._evaluation = Evaluation(
                self.scores, {name: np.array(values) for name, values in state["features"].items()}
            )


def _with_features(evaluation: Evaluation, names: tuple[str, ...]) -> Evaluation:
    """Return the evaluation with only the named features; raise `InputError` if one is missing or
    not finite. By default all are feasible.
    """
    found: dict[str, NDArray[Any]] = {}
    for name in names:
        values = evaluation.features.get(
            name, np.ones(len(evaluation), bool) if name == FEASIBLE else None
        )
        if values is None:
            given = ", ".join(evaluation.features) or "no features"
            raise InputError(
                f"features: expected {name!r} in every evaluation, because the strategy uses it, "
                f"got {given}"
            )
        numbers = np.asarray(values)
        wrong = np.flatnonzero(~np.isfinite(np.asarray(numbers, np.float64)))
        if len(wrong):
            raise InputError(
                f"features: expected finite numbers for {name!r}, got {numbers[wrong[0]]} for "
                f"individual {wrong[0]}"
            )
        found[name] = numbers
    return Evaluation(evaluation.scores, found)
