"""MAP-Elites with one kernel call per generation: the same search as `MapElitesSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.evolution.fused.operators import fused_mutation, fused_operator
from levolve.evolution.fused.rows import RowProblem, row_problem
from levolve.evolution.map_elites import GAIN, LEAST, LOSS, MapElites, MapElitesSearch
from levolve.evolution.problem import FEASIBLE
from levolve.kernels.fused.map_elites import EXIT_PATH, WALLS, describe_exit_paths
from levolve.kernels.fused.map_elites import map_elites as composed
from levolve.kernels.fused.scores import score_exit_paths

if TYPE_CHECKING:
    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Evaluator, Search, Strategy

FEATURES = {"walls": WALLS, "exit_path": EXIT_PATH}


def map_elites(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:  # noqa: ARG001 does not depend on the planned length
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
        self._kernel = composed(*kernels)
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
