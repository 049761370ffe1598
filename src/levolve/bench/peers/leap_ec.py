"""LEAP: a generational pipeline with tournaments, uniform crossover and bit flips."""

import random
import time
from typing import Any

import numpy as np
from leap_ec import Individual, ops
from leap_ec.algorithm import generational_ea
from leap_ec.binary_rep.ops import mutate_bitflip
from leap_ec.decoder import IdentityDecoder
from leap_ec.problem import FunctionProblem
from leap_ec.representation import Representation

from levolve.bench.maze_task import CELLS, MUTATION, POPULATION, Fitness, SearchOutcome, first_population


def evolve(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """Run LEAP's own loop, which evaluates one individual at a time."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 LEAP draws from NumPy's global generator
    counted = 0

    def score(cells: Any) -> float:  # noqa: ANN401 LEAP has no types
        nonlocal counted
        counted += 1
        return float(fitness.one(cells))

    genomes = iter(first_population(seed))
    began = time.process_time()
    population = generational_ea(
        max_generations=generations,
        pop_size=POPULATION,
        problem=FunctionProblem(score, maximize=True),
        representation=Representation(initialize=lambda: next(genomes), decoder=IdentityDecoder(), individual_cls=Individual),
        pipeline=[
            ops.tournament_selection(k=3),
            ops.clone,
            ops.UniformCrossover(p_swap=0.5),
            mutate_bitflip(expected_num_mutations=MUTATION * CELLS),
            ops.evaluate,
            ops.pool(size=POPULATION),
        ],
    )
    seconds = time.process_time() - began
    cells = np.array([individual.genome for individual in population], np.uint8)
    scores = np.array([individual.fitness for individual in population], float)
    return SearchOutcome(counted, seconds, float(scores.max()), cells, scores)
