"""The steady-state strategy, many generations at a time: the same search as `SteadyStateSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.evolution.fused.operators import fused_mutation, fused_operator
from levolve.evolution.fused.rows import RowProblem, row_problem
from levolve.evolution.fused.teams import TeamSearch
from levolve.evolution.steady_state import SteadyState, SteadyStateSearch
from levolve.kernels.fused.steady_state import steady_state as composed

if TYPE_CHECKING:
    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Search, Strategy


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

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: SteadyState, seed: int, last: int) -> None:  # noqa: PLR0913, PLR0917
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population, goal=rows.goal)
        kernels, plans = zip(*parts, strict=True)
        self._kernel = composed(*kernels)
        self._score = rows.score
        self._plans = (rows.layout, settings.group, settings.events or settings.population // settings.group, *plans)

    def _load(self) -> None:
        """Compile or load the score."""
        self._settings = (*self._plans, self._score.bound(), self._goal)
