"""pymoo: its `GA` with tournaments, uniform crossover and bit flips."""

import time
from typing import Any

import numpy as np
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.problem import Problem
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.optimize import minimize

from levolve.bench.maze_task import CELLS, MUTATION, POPULATION, Fitness, SearchOutcome, first_population


class _Mazes(Problem):  # type: ignore[misc]
    """The task with pymoo's interface: all individuals at once, and lower values are better."""

    def __init__(self, fitness: Fitness) -> None:
        super().__init__(n_var=CELLS, n_obj=1, xl=0, xu=1, vtype=bool)
        self.fitness = fitness

    def _evaluate(self, x: Any, out: Any, *_: object, **__: object) -> None:  # noqa: ANN401 pymoo has no types
        out["F"] = -self.fitness.many(x.astype(np.uint8))[:, np.newaxis]


def evolve(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """Run pymoo's own loop."""
    search = GA(
        pop_size=POPULATION,
        sampling=first_population(seed).astype(bool),
        crossover=UniformCrossover(prob=1.0),
        mutation=BitflipMutation(prob=1.0, prob_var=MUTATION),
        eliminate_duplicates=False,
    )
    began = time.process_time()
    result = minimize(_Mazes(fitness), search, ("n_gen", generations + 1), seed=seed, verbose=False)
    seconds = time.process_time() - began
    cells, values = result.pop.get("X"), result.pop.get("F")
    return SearchOutcome(result.algorithm.evaluator.n_eval, seconds, float(-result.F[0]), cells.astype(np.uint8), -values[:, 0])
