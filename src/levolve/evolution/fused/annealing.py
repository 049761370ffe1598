"""Annealing, many generations at a time: the same search as `AnnealingSearch`, the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.evolution.annealing import Annealing, AnnealingSearch
from levolve.evolution.fused.ahead import AheadSearch
from levolve.evolution.fused.operators import fused_mutation
from levolve.evolution.fused.rows import RowProblem, row_problem
from levolve.kernels.fused.annealing import annealing as composed
from levolve.kernels.fused.annealing import exact, score_best_tours_from, selective
from levolve.kernels.fused.scores import score_best_tours
from levolve.kernels.two_word_tours import fits_two_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Evaluator, Search, Strategy
    from levolve.genotypes.genes import Genes


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

    def __init__(self, problem: Problem, rows: RowProblem, mutation: Fused, settings: Annealing, seed: int, generations: int) -> None:  # noqa: PLR0913, PLR0917
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, generations, last=generations, population=settings.population, goal=rows.goal)
        self._layout = rows.layout
        self._kernel = composed(mutation[0], judgement(rows))
        self._mutating, self._score = mutation[1], rows.score
        # The best mutants, which may not have been accepted.
        self._mutants_ahead = np.empty((len(self._found), self.space.words), np.uint64)
        self._mutant_scores = np.empty(len(self._found))

    def _load(self) -> None:
        """Compile or load what the score calls."""
        self._settings = self._mutating, self._score.bound_settings()

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator) -> None:  # noqa: ARG002 works in this thread
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
