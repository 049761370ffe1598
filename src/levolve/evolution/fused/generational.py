"""The generational strategy, many generations at a time: the same search as `GenerationalSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.evolution.fused.operators import fused_mutation, fused_operator
from levolve.evolution.fused.rows import RowProblem, row_problem
from levolve.evolution.fused.teams import TeamSearch
from levolve.evolution.generational import Generational, GenerationalSearch
from levolve.kernels.fused.generational import generational as composed

if TYPE_CHECKING:
    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Search, Strategy


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

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: Generational, seed: int, last: int) -> None:  # noqa: PLR0913, PLR0917
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population, goal=rows.goal)
        kernels, plans = zip(*parts, strict=True)
        self._kernel = composed(*kernels)
        self._score = rows.score
        self._plans = (rows.layout, *plans)

    def _load(self) -> None:
        """Compile or load the score."""
        self._settings = (*self._plans, self._score.bound(), self.settings.elites, self._goal)
