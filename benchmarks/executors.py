"""Measure the speed-up by a process pool for a plain Python objective of 5 ms per level: wall time,
14x14, population 60, 8 generations.
"""

import time
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from levolve.jobs.executors import SerialExecutor
from levolve.levels.batch import Batch
from levolve.recipes.recipe import find_recipe
from levolve.search.evaluation import ParallelEvaluator
from levolve.search.loop import Limits, advance

SECONDS = 0.005
WORKERS = 2
ROUNDS = 3
RECIPE = find_recipe("maze").changed(
    {"size": "14x14", "strategy.kind": "generational", "strategy.population": 60}
)


@dataclass(frozen=True)
class Busy:
    """The number of walls, counted repeatedly until the time is used up: work that holds the global
    interpreter lock.
    """

    goal = None

    def score(self, batch: Batch) -> NDArray[np.float64]:
        """`(n,)` numbers of wall tiles."""
        return np.array([self._count(tiles.tolist()) for tiles in batch.tiles], np.float64)

    @staticmethod
    def _count(rows: list[list[int]]) -> int:
        until = time.process_time() + SECONDS
        walls = 0
        while time.process_time() < until:
            walls = sum(sum(row) for row in rows)
        return walls


def timed(executor: Executor) -> tuple[float, float]:
    """Return the seconds of one search and its best score."""
    problem = replace(RECIPE.problem, objective=Busy())
    search = RECIPE.parts[2].search(problem.space, problem.start, 1, 8)
    evaluate = ParallelEvaluator(problem, executor)
    began = time.perf_counter()
    for _ in advance(search, evaluate, Limits(generations=8)):
        pass
    return time.perf_counter() - began, search.best_score


def main() -> None:
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        timed(pool)  # starts the workers and loads the kernels
        rounds = [(timed(SerialExecutor()), timed(pool)) for _ in range(ROUNDS)]
    assert len({score for pair in rounds for _, score in pair}) == 1, (
        "the result depends on the executor"
    )
    ratios = sorted(here / there for (here, _), (there, _) in rounds)
    for (here, _), (there, _) in rounds:
        print(f"one process {here:.2f} s, {WORKERS} processes {there:.2f} s")
    print(
        f"speed-up: {ratios[len(ratios) // 2]:.2f} (median of {ROUNDS}; {ratios[0]:.2f} to "
        f"{ratios[-1]:.2f})"
    )


if __name__ == "__main__":
    main()
