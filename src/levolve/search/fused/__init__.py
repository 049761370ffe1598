"""Fused searches: kernels that breed and score many generations of one genotype, objective and
strategy per call.

A fused search gives the same bytes as the ordinary one; it only avoids the overhead of Python
between generations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from levolve.core.registry import Registry

if TYPE_CHECKING:
    from levolve.search.lineage import Lineage
    from levolve.search.problem import Problem
    from levolve.search.search import Search, Strategy

    FusedSearch = Callable[[Any, Strategy, int, int], Search | None]

# By the class name of the strategy, for all problems whose parts have kernels for packed genes
# (`packed_genotypes.py`, `scores.py`, `operators.py`). An entry returns None if a part has none.
FUSED: Registry[FusedSearch] = Registry(
    "fused search",
    {
        "Generational": "levolve.search.fused.strategies:generational",
        "SteadyState": "levolve.search.fused.strategies:steady_state",
        "Annealing": "levolve.search.fused.strategies:annealing",
        "MapElites": "levolve.search.fused.strategies:map_elites",
        "Truncation": "levolve.search.fused.strategies:truncation",
    },
)


def begin_search(
    problem: Problem,
    strategy: Strategy,
    seed: int,
    generations: int,
    lineage: Lineage | None = None,
) -> Search:
    """Start a search: a fused one if there is one for these parts, otherwise the strategy's own.
    Both give the same bytes.

    Parameters
    ----------
    problem, strategy
        What to search for, and how.
    seed
        From 0 to 2**64 - 1.
    generations
        The planned number of generations after the start.
    lineage
        Records ancestors. A fused search does not report parents, so the strategy's own search is
        started.
    """
    if lineage is not None:
        search = strategy.fitted(problem).search(problem.space, problem.start, seed, generations)
        search.lineage = lineage
        return search
    name = type(strategy).__name__
    fused = FUSED[name](problem, strategy, seed, generations) if name in FUSED else None
    return (
        fused
        if fused is not None
        else strategy.fitted(problem).search(problem.space, problem.start, seed, generations)
    )
