"""DEAP: `eaSimple` with tournaments, uniform crossover and bit flips."""

import random
import time

import numpy as np
from deap import algorithms, base, creator, tools

from levolve.bench.maze_task import MUTATION, Fitness, SearchOutcome, first_population

if not hasattr(creator, "LevolveMaze"):
    creator.create("LevolveScore", base.Fitness, weights=(1.0,))
    creator.create("LevolveMaze", list, fitness=creator.LevolveScore)


def evolve(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """Run DEAP's own loop. A batched fitness is called through its `map`, once per generation."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda individual: (fitness.one(individual),))
    if fitness.batched:
        toolbox.register("map", lambda _, individuals: [(score,) for score in fitness.many(np.array(list(individuals), np.uint8)).tolist()])
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutFlipBit, indpb=MUTATION)
    toolbox.register("select", tools.selTournament, tournsize=3)
    population = [creator.LevolveMaze(row) for row in first_population(seed).tolist()]
    began = time.process_time()
    population, log = algorithms.eaSimple(population, toolbox, 1.0, 1.0, generations, verbose=False)
    seconds = time.process_time() - began
    scores = np.array([individual.fitness.values[0] for individual in population], float)
    return SearchOutcome(sum(log.select("nevals")), seconds, float(scores.max()), np.array(population, np.uint8), scores)
