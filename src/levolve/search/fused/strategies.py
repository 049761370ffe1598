"""Fused searches of the strategies: the same bytes as their own searches.

`FusedSpec` is what generational, steady-state and truncation searches differ in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from levolve.kernels.fused.annealing import annealing as annealing_kernel
from levolve.kernels.fused.annealing import exact, score_best_tours_from, selective
from levolve.kernels.fused.generations import generational as generational_kernel
from levolve.kernels.fused.generations import steady_state as steady_state_kernel
from levolve.kernels.fused.generations import truncation as truncation_kernel
from levolve.kernels.fused.map_elites import EXIT_PATH, WALLS, describe_exit_paths
from levolve.kernels.fused.map_elites import map_elites as map_elites_kernel
from levolve.kernels.fused.scores import score_best_tours, score_exit_paths
from levolve.kernels.walking.packed_tours import fits_two_words
from levolve.search.fused.advance_many import ManyGenerations
from levolve.search.fused.operators import fused_mutation, fused_operator
from levolve.search.fused.packed_genotypes import RowProblem, row_problem
from levolve.search.fused.threads import TeamSearch
from levolve.search.problem import FEASIBLE
from levolve.search.strategies.annealing import Annealing, AnnealingSearch
from levolve.search.strategies.generational import Generational, GenerationalSearch
from levolve.search.strategies.map_elites import GAIN, LEAST, LOSS, MapElites, MapElitesSearch
from levolve.search.strategies.steady_state import SteadyState, SteadyStateSearch
from levolve.search.strategies.truncation import Truncation, TruncationSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.fused.operators import Fused
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.problem import Problem
    from levolve.search.search import Evaluator, Search, Strategy


# Among the operators of a `FusedSpec`: how new individuals are drawn.
START = "start"


class FusedSpec(NamedTuple):
    """What a fused search needs of its strategy.

    Attributes
    ----------
    strategy
        The class of the strategy's settings.
    operators
        Their fields that are operators, in the order in which the kernel takes them.
    compose
        Returns the kernel of the search for the kernels of the operators.
    plan
        Returns what this kernel takes between the layout of the genes and the goal, for the search
        and for the plans of the operators and the score.
    """

    strategy: type[Strategy]
    operators: tuple[str, ...]
    compose: Callable[..., Callable[..., None]]
    plan: Callable[[Any, list[Any]], tuple[Any, ...]]


class FusedSearch(ManyGenerations):
    """The part of a fused search that follows from its `FusedSpec`."""

    spec: ClassVar[FusedSpec]

    def __init__(
        self,
        problem: Problem,
        rows: RowProblem,
        parts: list[Fused],
        settings: Any,
        seed: int,
        last: int,
    ) -> None:
        """Start with nothing computed."""
        super().__init__(
            settings,
            problem.space,
            problem.start,
            seed,
            last=last,
            population=settings.population,
            goal=rows.goal,
        )
        kernels, self._plans = zip(*parts, strict=True)
        self._kernel = self.spec.compose(*kernels)
        self._rows = rows

    @classmethod
    def begun(
        cls, problem: Problem, strategy: Strategy, seed: int, generations: int
    ) -> Self | None:
        """Return the search of a problem; None if a part has no kernel."""
        rows = row_problem(problem)
        if rows is None or not isinstance(strategy, cls.spec.strategy):
            return None
        found = [_fused(strategy, name, rows) for name in cls.spec.operators]
        parts = [part for part in found if part is not None]
        return (
            cls(problem, rows, parts, strategy, seed, generations)
            if len(parts) == len(found)
            else None
        )

    def _load(self) -> None:
        """Compile or load the score."""
        plan = self.spec.plan(self, [*self._plans, self._rows.score.bound()])
        self._settings = (self._rows.layout, *plan, self._goal)


def _fused(strategy: Strategy, name: str, rows: RowProblem) -> Fused | None:
    """Return the kernel of an operator, or of the start of a search, and its settings."""
    if name == START:
        return rows.start
    fused = fused_mutation if name == "mutation" else fused_operator
    return fused(getattr(strategy, name), rows.space)


class FusedGenerational(FusedSearch, TeamSearch, GenerationalSearch):
    """A running search."""

    spec = FusedSpec(
        Generational,
        ("selection", "crossover", "mutation"),
        generational_kernel,
        lambda search, plans: (*plans, search.settings.elites),
    )


def _mating_events(search: FusedSteadyState, plans: list[Any]) -> tuple[Any, ...]:
    settings = search.settings
    return (settings.group, settings.events or settings.population // settings.group, *plans)


class FusedSteadyState(FusedSearch, TeamSearch, SteadyStateSearch):
    """A running search."""

    spec = FusedSpec(SteadyState, ("crossover", "mutation"), steady_state_kernel, _mating_events)


def _replaced(search: FusedTruncation, plans: list[Any]) -> tuple[Any, ...]:
    return (search.settings.couple, search.settings.mutants, search._first, search._second, *plans)  # noqa: SLF001 of this module


class FusedTruncation(FusedSearch, TruncationSearch):
    """A running search."""

    spec = FusedSpec(Truncation, ("crossover", "mutation", START), truncation_kernel, _replaced)

    def _advance(
        self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator
    ) -> None:
        """Write the next generations to the buffers."""
        out = (self._populations[:room], self._all_scores[:room], self._found, self._winners)
        self._kernel(np.uint64(self.seed), self.generation, *self._settings, genes, scores, *out)


generational, steady_state, truncation = (
    FusedGenerational.begun,
    FusedSteadyState.begun,
    FusedTruncation.begun,
)


def annealing(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search; None if a part has no kernel."""
    rows = row_problem(problem)
    if rows is None or not isinstance(strategy, Annealing):
        return None
    mutation = fused_mutation(strategy.mutation, rows.space)
    return (
        None
        if mutation is None
        else FusedAnnealing(problem, rows, mutation, strategy, seed, generations)
    )


def judgement(rows: RowProblem) -> Callable[..., Any]:
    """Return the kernel that judges mutants: one that skips most of those that will be rejected, if
    there is one for the score and the size.
    """
    score = rows.score.kernel
    if (
        score is score_best_tours
        and rows.space.grid is not None
        and fits_two_words(rows.space.grid[1], rows.space.grid[0])
    ):
        return selective(score_best_tours_from)
    return exact(score)


class FusedAnnealing(ManyGenerations, AnnealingSearch):
    """A running search."""

    def __init__(
        self,
        problem: Problem,
        rows: RowProblem,
        mutation: Fused,
        settings: Annealing,
        seed: int,
        generations: int,
    ) -> None:
        """Start with nothing computed."""
        super().__init__(
            settings,
            problem.space,
            problem.start,
            seed,
            generations,
            last=generations,
            population=settings.population,
            goal=rows.goal,
        )
        self._layout = rows.layout
        self._kernel = annealing_kernel(mutation[0], judgement(rows))
        self._mutating, self._score = mutation[1], rows.score
        # The best mutants, which may not have been accepted.
        self._mutants_ahead = np.empty((len(self._found), self.space.words), np.uint64)
        self._mutant_scores = np.empty(len(self._found))

    def _load(self) -> None:
        """Compile or load what the score calls."""
        self._settings = self._mutating, self._score.bound_settings()

    def _advance(
        self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator
    ) -> None:
        """Write the next generations to the buffers."""
        settings = self.settings
        shares = np.array(
            [
                self.share_at(generation)
                for generation in range(self.generation, self.generation + room)
            ]
        )
        schedule = (shares, settings.cold, settings.takeover, self.best_score)
        out = (
            self._populations[:room],
            self._all_scores[:room],
            self._found,
            self._mutants_ahead,
            self._mutant_scores,
        )
        self._kernel(
            np.uint64(self.seed),
            self.generation,
            self._layout,
            *schedule,
            *self._settings,
            genes,
            scores,
            *out,
        )

    def _top_scores(self, room: int) -> NDArray[np.float64]:
        return self._mutant_scores[:room]

    def _best_genes(self, turn: int) -> Genes:
        genes: Genes = self._mutants_ahead[turn]
        return genes


FEATURES = {"walls": WALLS, "exit_path": EXIT_PATH}


def map_elites(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search of exit paths; None if a part or a feature has no kernel, or if
    infeasible levels are stored.
    """
    rows = row_problem(problem, (*FEATURES, FEASIBLE))
    if (
        rows is None
        or rows.score.kernel is not score_exit_paths
        or not isinstance(strategy, MapElites)
        or strategy.infeasible_share
    ):
        return None
    parts = (
        fused_operator(strategy.crossover, rows.space),
        fused_mutation(strategy.mutation, rows.space),
    )
    if None in parts:
        return None
    return FusedMapElites(
        problem, rows, [part for part in parts if part], strategy.fitted(problem), seed
    )


class FusedMapElites(MapElitesSearch):
    """A running search. The first generation is that of the ordinary search, as are those whose
    scores come from a caller of `tell`.
    """

    def __init__(
        self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: MapElites, seed: int
    ) -> None:
        """Start with empty archives."""
        super().__init__(settings, problem.space, problem.start, seed)
        kernels, plans = zip(
            *parts, (describe_exit_paths, rows.score.bound_settings()), strict=True
        )
        self._kernel = map_elites_kernel(*kernels)
        axes = np.array([FEATURES[name] for name in self.grid.names], np.int64)
        self._plan = (
            rows.layout,
            *plans,
            axes,
            *self.grid.bounds,
            settings.parents == "curiosity",
            (GAIN, LOSS, LEAST),
        )
        count = settings.population
        self._children = np.zeros((count, rows.space.words), np.uint64)
        self._child_scores = np.zeros(count)
        self._parents = np.zeros(count + count % 2, np.int64)

    def step(self, evaluate: Evaluator, at_most: int | None = None) -> None:
        """Advance by one generation."""
        archive = self.archive
        if not archive.count or self._asked is not None or self.lineage is not None:
            super().step(evaluate, at_most)
            return
        most = len(self._children)
        limit = most if at_most is None else min(at_most, most)
        place = (archive.count, *archive.arrays(self._children, most))
        shared = (self._parents, self._children, self._child_scores)
        archive.count, found, winner = self._kernel(
            np.uint64(self.seed), self.generation, limit, *self._plan, *place, *shared
        )
        self.idle = 0 if found else self.idle + 1
        self.evaluations += found
        if found and self._child_scores[winner] > self.best_score:
            self.best_score = float(self._child_scores[winner])
            self.best_genes = self._children[winner].copy()
        self.genes, self.scores = archive.genes, archive.scores
        self.generation += 1
