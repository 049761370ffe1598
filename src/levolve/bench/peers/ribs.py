"""pyribs: a grid archive over the number of walls, and its Gaussian emitter. A gene above one half is a wall."""

import time

import numpy as np
from ribs.archives import GridArchive
from ribs.emitters import GaussianEmitter
from ribs.schedulers import Scheduler

from levolve.bench.maze_task import CELLS, POPULATION, Fitness, SearchOutcome, first_population

# Genes start at 0.25 and 0.75 and change by Gaussian noise, of which this many pass one half: about the mutation rate of the others.
SIGMA = 0.1
DISTANCE = 0.25


def evolve(fitness: Fitness, generations: int, seed: int) -> SearchOutcome:
    """Run pyribs' ask and tell."""
    archive = GridArchive(solution_dim=CELLS, dims=[40], ranges=[(0, CELLS / 2)], seed=seed)
    first = 0.5 + DISTANCE * (2.0 * first_population(seed) - 1.0)
    bounds = {"lower_bounds": np.zeros(CELLS), "upper_bounds": np.ones(CELLS)}
    emitter = GaussianEmitter(archive, sigma=SIGMA, initial_solutions=first, batch_size=POPULATION, **bounds, seed=seed)
    scheduler = Scheduler(archive, [emitter])
    best = 0.0
    began = time.process_time()
    for _ in range(generations + 1):
        cells = (scheduler.ask() > 0.5).astype(np.uint8)  # noqa: PLR2004 the middle of the range
        scores = fitness.many(cells)
        best = max(best, float(scores.max()))
        scheduler.tell(scores, cells.sum(axis=1, dtype=np.int64)[:, np.newaxis])
    seconds = time.process_time() - began
    return SearchOutcome((generations + 1) * POPULATION, seconds, best, cells, scores)
