"""The generational strategy, many generations at a time: the same search as `GenerationalSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.evolution.fused.operators import fused_operator
from levolve.evolution.fused.rows import RowProblem, row_problem
from levolve.evolution.fused.slices import SlicedSearch
from levolve.evolution.generational import Generational, GenerationalSearch
from levolve.kernels.fused.generational import generational as composed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Search, Strategy
    from levolve.genotypes.genes import Genes


def generational(problem: Problem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the fused search; None if a part has no kernel."""
    rows = row_problem(problem)
    if rows is None or not isinstance(strategy, Generational):
        return None
    parts = [fused_operator(part, rows.space) for part in (strategy.selection, strategy.crossover, strategy.mutation)]
    if None in parts:
        return None
    return FusedGenerational(problem, rows, [part for part in parts if part], strategy, seed, generations)


class FusedGenerational(SlicedSearch, GenerationalSearch):
    """A running search."""

    def __init__(self, problem: Problem, rows: RowProblem, parts: list[Fused], settings: Generational, seed: int, last: int) -> None:  # noqa: PLR0913, PLR0917
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=last, population=settings.population)
        self._set_breeding(rows.layout, parts[1], parts[2])
        kernels, self._settings = zip(*parts, rows.score, strict=True)
        self._kernel = composed(*kernels)

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int) -> None:
        """Write the next generations to the buffers."""
        out = (self._populations[:room], self._all_scores[:room], self._found, self._winners)
        self._kernel(np.uint64(self.seed), self.generation, self._layout, *self._settings, self.settings.elites, genes, scores, *out)
