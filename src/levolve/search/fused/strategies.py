"""The generational strategy, many generations at a time: the same search as `GenerationalSearch`, the same bytes.

The steady-state strategy, many generations at a time: the same search as `SteadyStateSearch`, the same bytes.

The truncation strategy, many generations at a time: the same search as `TruncationSearch`, the same bytes.

Annealing, many generations at a time: the same search as `AnnealingSearch`, the same bytes.

MAP-Elites with one kernel call per generation: the same search as `MapElitesSearch`, the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
from levolve.search.fused.advance_many import AheadSearch
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


def generational(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search; None if a part has no kernel."""
    rows = row_problem(problem)
    if rows is None or not isinstance(strategy, Generational):
        return None
    parts = [*(fused_operator(part, rows.space) for part in (strategy.selection, strategy.crossover)), fused_mutation(strategy.mutation, rows.space)]
    if None in parts:
        return None
    return FusedGenerational(problem, rows, [part for part in parts if part], strategy, seed, generations)


class FusedGenerational(TeamSearch, GenerationalSearch):
    """A running search."""

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: Generational, seed: int, last: int) -> None:
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population, goal=rows.goal)
        kernels, plans = zip(*parts, strict=True)
        self._kernel = generational_kernel(*kernels)
        self._score = rows.score
        self._plans = (rows.layout, *plans)

    def _load(self) -> None:
        """Compile or load the score."""
        self._settings = (*self._plans, self._score.bound(), self.settings.elites, self._goal)


def steady_state(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search; None if a part has no kernel."""
    rows = row_problem(problem)
    if rows is None or not isinstance(strategy, SteadyState):
        return None
    parts = [fused_operator(strategy.crossover, rows.space), fused_mutation(strategy.mutation, rows.space)]
    if None in parts:
        return None
    return FusedSteadyState(problem, rows, [part for part in parts if part], strategy, seed, generations)


class FusedSteadyState(TeamSearch, SteadyStateSearch):
    """A running search."""

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: SteadyState, seed: int, last: int) -> None:
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population, goal=rows.goal)
        kernels, plans = zip(*parts, strict=True)
        self._kernel = steady_state_kernel(*kernels)
        self._score = rows.score
        self._plans = (rows.layout, settings.group, settings.events or settings.population // settings.group, *plans)

    def _load(self) -> None:
        """Compile or load the score."""
        self._settings = (*self._plans, self._score.bound(), self._goal)


def truncation(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search; None if a part has no kernel."""
    rows = row_problem(problem)
    if rows is None or not isinstance(strategy, Truncation):
        return None
    parts = [fused_operator(strategy.crossover, rows.space), fused_mutation(strategy.mutation, rows.space)]
    if None in parts:
        return None
    return FusedTruncation(problem, rows, [part for part in parts if part], strategy, seed, generations)


class FusedTruncation(AheadSearch, TruncationSearch):
    """A running search."""

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: Truncation, seed: int, last: int) -> None:
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population, goal=rows.goal)
        kernels, plans = zip(*parts, rows.start, strict=True)
        self._kernel = truncation_kernel(*kernels)
        self._score = rows.score
        self._plans = (rows.layout, settings.couple, settings.mutants, self._first, self._second, *plans)

    def _load(self) -> None:
        """Compile or load the score."""
        self._settings = (*self._plans, self._score.bound(), self._goal)

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator) -> None:
        """Write the next generations to the buffers."""
        out = (self._populations[:room], self._all_scores[:room], self._found, self._winners)
        self._kernel(np.uint64(self.seed), self.generation, *self._settings, genes, scores, *out)


def annealing(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search; None if a part has no kernel."""
    rows = row_problem(problem)
    if rows is None or not isinstance(strategy, Annealing):
        return None
    mutation = fused_mutation(strategy.mutation, rows.space)
    return None if mutation is None else FusedAnnealing(problem, rows, mutation, strategy, seed, generations)


def judgement(rows: RowProblem) -> Callable[..., Any]:
    """Return the kernel that judges mutants: one that skips most of those that will be rejected, if there is one for the score and the size."""
    score = rows.score.kernel
    if score is score_best_tours and rows.space.grid is not None and fits_two_words(rows.space.grid[1], rows.space.grid[0]):
        return selective(score_best_tours_from)
    return exact(score)


class FusedAnnealing(AheadSearch, AnnealingSearch):
    """A running search."""

    def __init__(self, problem: Problem, rows: RowProblem, mutation: Fused, settings: Annealing, seed: int, generations: int) -> None:
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, generations, last=generations, population=settings.population, goal=rows.goal)
        self._layout = rows.layout
        self._kernel = annealing_kernel(mutation[0], judgement(rows))
        self._mutating, self._score = mutation[1], rows.score
        # The best mutants, which may not have been accepted.
        self._mutants_ahead = np.empty((len(self._found), self.space.words), np.uint64)
        self._mutant_scores = np.empty(len(self._found))

    def _load(self) -> None:
        """Compile or load what the score calls."""
        self._settings = self._mutating, self._score.bound_settings()

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator) -> None:
        """Write the next generations to the buffers."""
        settings = self.settings
        shares = np.array([self.share_at(generation) for generation in range(self.generation, self.generation + room)])
        schedule = (shares, settings.cold, settings.takeover, self.best_score)
        out = (self._populations[:room], self._all_scores[:room], self._found, self._mutants_ahead, self._mutant_scores)
        self._kernel(np.uint64(self.seed), self.generation, self._layout, *schedule, *self._settings, genes, scores, *out)

    def _top_scores(self, room: int) -> NDArray[np.float64]:
        return self._mutant_scores[:room]

    def _best_genes(self, turn: int) -> Genes:
        genes: Genes = self._mutants_ahead[turn]
        return genes


FEATURES = {"walls": WALLS, "exit_path": EXIT_PATH}


def map_elites(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search of exit paths; None if a part or a feature has no kernel, or if infeasible levels are stored."""
    rows = row_problem(problem, (*FEATURES, FEASIBLE))
    if rows is None or rows.score.kernel is not score_exit_paths or not isinstance(strategy, MapElites) or strategy.infeasible_share:
        return None
    parts = fused_operator(strategy.crossover, rows.space), fused_mutation(strategy.mutation, rows.space)
    if None in parts:
        return None
    return FusedMapElites(problem, rows, [part for part in parts if part], strategy.fitted(problem), seed)


class FusedMapElites(MapElitesSearch):
    """A running search. The first generation is that of the ordinary search, as are those whose scores come from a caller of `tell`."""

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: MapElites, seed: int) -> None:
        """Start with empty archives."""
        super().__init__(settings, problem.space, problem.start, seed)
        kernels, plans = zip(*parts, (describe_exit_paths, rows.score.bound_settings()), strict=True)
        self._kernel = map_elites_kernel(*kernels)
        axes = np.array([FEATURES[name] for name in self.grid.names], np.int64)
        self._plan = (rows.layout, *plans, axes, *self.grid.bounds, settings.parents == "curiosity", (GAIN, LOSS, LEAST))
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
        archive.count, found, winner = self._kernel(np.uint64(self.seed), self.generation, limit, *self._plan, *place, *shared)
        self.idle = 0 if found else self.idle + 1
        self.evaluations += found
        if found and self._child_scores[winner] > self.best_score:
            self.best_score = float(self._child_scores[winner])
            self.best_genes = self._children[winner].copy()
        self.genes, self.scores = archive.genes, archive.scores
        self.generation += 1
