"""The truncation strategy, many generations at a time: the same search as `TruncationSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.evolution.fused.ahead import AheadSearch
from levolve.evolution.fused.operators import fused_mutation, fused_operator
from levolve.evolution.fused.rows import RowProblem, row_problem
from levolve.evolution.truncation import Truncation, TruncationSearch
from levolve.kernels.fused.truncation import truncation as composed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Evaluator, Search, Strategy
    from levolve.genotypes.genes import Genes


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

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: Truncation, seed: int, last: int) -> None:  # noqa: PLR0913, PLR0917
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population, goal=rows.goal)
        kernels, plans = zip(*parts, rows.start, strict=True)
        self._kernel = composed(*kernels)
        self._score = rows.score
        self._plans = (rows.layout, settings.couple, settings.mutants, self._first, self._second, *plans)

    def _load(self) -> None:
        """Compile or load the score."""
        self._settings = (*self._plans, self._score.bound(), self._goal)

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator) -> None:  # noqa: ARG002 works in this thread
        """Write the next generations to the buffers."""
        out = (self._populations[:room], self._all_scores[:room], self._found, self._winners)
        self._kernel(np.uint64(self.seed), self.generation, *self._settings, genes, scores, *out)
