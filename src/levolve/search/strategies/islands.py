"""Islands: several populations evolve side by side with any strategy, and exchange their best
individuals from time to time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from annotated_types import Ge, Interval

from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import ISLAND, draw, open_stream
from levolve.search.problem import Evaluation
from levolve.search.search import Search, State, Strategy
from levolve.search.strategies import STRATEGIES
from levolve.search.strategies.nsga2 import NSGA2
from levolve.search.strategies.steady_state import SteadyState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Problem
    from levolve.search.search import Starter


def island_seed(seed: int, number: int) -> int:
    """Return the seed of an island, counted from 0."""
    start, step = open_stream(np.uint64(seed), ISLAND, 0, number)
    return int(draw((np.uint64(start), np.uint64(step)), 0))


@dataclass(frozen=True)
class Islands(Strategy):
    """`islands` searches of one strategy, each with a seed of its own. A generation is one
    generation of all of them, evaluated as one batch.

    Every `every` generations, copies of the `migrants` best individuals of each island move to the
    next one in a ring, and replace the worst there. A batch is as many times larger as there are
    islands, so that many cores have enough to do. The result does not depend on their number.
    """

    strategy: Strategy = field(
        default_factory=SteadyState,
        metadata={"meaning": "How each island evolves.", "registry": STRATEGIES},
    )
    islands: Annotated[int, Interval(ge=1, le=10_000)] = setting(4, "How many islands there are.")
    every: Annotated[int, Ge(1)] = setting(10, "After how many generations individuals migrate.")
    migrants: Annotated[int, Ge(0)] = setting(
        2, "How many of the best individuals of an island migrate."
    )

    @property
    def features(self) -> tuple[str, ...]:
        """The features of the strategy of the islands."""
        return self.strategy.features

    @property
    def objective_names(self) -> tuple[str, ...]:
        """The objectives of the islands."""
        return self.strategy.objective_names

    @property
    def individuals(self) -> int:
        """The number of individuals on all islands."""
        return self.islands * self.strategy.individuals

    @property
    def follows_scores(self) -> bool:
        """Whether the islands follow scores."""
        return self.strategy.follows_scores

    @property
    def ends_at_goal(self) -> bool:
        """Whether the islands end at the highest score."""
        return self.strategy.ends_at_goal

    def fitted(self, problem: Problem) -> Self:
        """Return the islands with a strategy that is fitted to the problem."""
        return replace(self, strategy=self.strategy.fitted(problem))

    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> IslandSearch:
        """Start a search."""
        return IslandSearch(self, space, start, seed, generations)


class IslandSearch(Search):
    """Running searches, one per island. The population is that of all islands, one after the
    other.
    """

    def __init__(
        self, settings: Islands, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> None:
        """Start the search of every island."""
        super().__init__(space, start, seed)
        self.settings = settings
        self.islands = [
            settings.strategy.search(space, start, island_seed(seed, number), generations)
            for number in range(settings.islands)
        ]

    def _ask(self) -> Genes:
        asked = []
        for island in self.islands:
            # Ancestors are recorded in one place, because individuals migrate.
            island.lineage = self.lineage if self.generation else None
            asked.append(island.ask())
            island.lineage = None
        return np.concatenate(asked)

    def _tell(self, evaluation: Evaluation) -> None:
        self._pass_on(evaluation)
        if self.generation and self.generation % self.settings.every == 0:
            self._migrate()
        self._gather()

    def _cut(self, genes: Genes, evaluation: Evaluation) -> None:
        self._pass_on(evaluation)
        self._gather()

    def _pass_on(self, evaluation: Evaluation) -> None:
        """Give each island its part of the evaluation. An island without any, because the
        generation is cut, stays as it is.
        """
        first = 0
        for island in self.islands:
            asked = len(island.ask())
            last = min(first + asked, len(evaluation))
            if last > first or not asked:
                island.tell(evaluation.take(np.arange(first, last)))
            first = last

    def _migrate(self) -> None:
        """Copy the best individuals of each island to the next one."""
        if len(self.islands) == 1 or not self.settings.migrants:
            return
        moving = [island.emigrants(self.settings.migrants) for island in self.islands]
        for number, island in enumerate(self.islands):
            island.insert(*moving[number - 1])

    def _gather(self) -> None:
        """Take over the populations of the islands; after a cut, some may have none yet."""
        settled = [island for island in self.islands if island.generation]
        self.genes = np.concatenate([island.genes for island in settled])
        self.scores = np.concatenate([island.scores for island in settled])

    def _insert(self, genes: Genes, evaluation: Evaluation) -> None:
        count = len(self.islands)
        for number, island in enumerate(self.islands[: len(genes)]):
            places = np.arange(number, len(genes), count)
            island.insert(genes[places], evaluation.take(places))
        self._gather()

    def emigrants(self, count: int) -> tuple[Genes, Evaluation]:
        """Return the best individual of each island, then the second of each, and so on, `count` in
        all.
        """
        parts = [island.emigrants(count) for island in self.islands if island.generation]
        places = np.concatenate([np.arange(len(genes)) for genes, _ in parts])
        chosen = np.argsort(places, kind="stable")[:count]
        return np.concatenate([genes for genes, _ in parts])[chosen], Evaluation.joined(
            [evaluation for _, evaluation in parts]
        ).take(chosen)

    def front(self) -> tuple[Genes, dict[str, NDArray[np.float64]]]:
        """Return the Pareto front of all islands together."""
        strategy = self.settings.strategy
        while isinstance(strategy, Islands):
            strategy = strategy.strategy
        return (
            strategy.front(*self.emigrants(len(self.genes)))
            if isinstance(strategy, NSGA2)
            else super().front()
        )

    def _state(self) -> State:
        return {"islands": [island.state() for island in self.islands]}

    def _restore(self, state: Mapping[str, Any]) -> None:
        islands: Sequence[Mapping[str, Any]] = state["islands"]
        for island, part in zip(self.islands, islands, strict=True):
            island.restore(part)
        if self.generation:
            self._gather()
