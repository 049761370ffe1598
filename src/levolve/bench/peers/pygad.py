"""PyGAD: its `GA` with tournaments, uniform crossover and random mutation."""

import time
from typing import Any

import numpy as np
import pygad

from levolve.bench.maze_task import MUTATION, POPULATION, Fitness, SearchOutcome, first_population


def evolve(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """Run PyGAD's own loop. A batched fitness is called once per generation, by its `fitness_batch_size`."""
    counted = 0

    def score(_: Any, cells: Any, __: Any) -> Any:  # noqa: ANN401 PyGAD has no types
        nonlocal counted
        if not fitness.batched:
            counted += 1
            return fitness.one(cells)
        counted += len(cells)
        return fitness.many(np.asarray(cells, np.uint8)).tolist()

    search = pygad.GA(
        num_generations=generations,
        num_parents_mating=POPULATION,
        fitness_func=score,
        fitness_batch_size=POPULATION if fitness.batched else None,
        initial_population=first_population(seed).astype(int),
        gene_type=int,
        gene_space=[0, 1],
        parent_selection_type="tournament",
        K_tournament=3,
        crossover_type="uniform",
        mutation_type="random",
        # A mutated gene is drawn from both values, so half of them stay as they are.
        mutation_probability=2 * MUTATION,
        keep_elitism=0,
        keep_parents=0,
        random_seed=seed,
        suppress_warnings=True,
    )
    began = time.process_time()
    search.run()
    seconds = time.process_time() - began
    cells = np.asarray(search.population, np.uint8)
    scores = np.asarray(search.last_generation_fitness, float)
    return SearchOutcome(counted, seconds, float(max(search.best_solutions_fitness)), cells, scores)
