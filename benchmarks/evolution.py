"""Compare the speed of a complete evolution, and of the exit-path kernel, with DEAP and plain Python, in one process on one core.

Run it with `make bench`. The ratios matter, because the speed of the machine cancels out. Times are processor seconds, so that other processes have
little influence.
"""

import random
import statistics
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from deap import algorithms, base, creator, tools

from levolve.genotypes.direct import Direct
from levolve.kernels.boards import exit_steps
from levolve.kernels.walking import exit_distances
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.objectives.exit_path import ExitPath
from levolve.recipes.recipe import find_recipe
from levolve.runs.run import Run

SIDE, POPULATION, GENERATIONS, FILL, MUTATION = 20, 120, 200, 0.05, 0.005
FRAME = Frame(SIDE, SIDE, {"entrance": (0, 0), "exit": (SIDE - 1, SIDE - 1)})


def plain_search(cells: Sequence[int]) -> int:
    """Return the length of the exit path by an ordinary breadth-first search: a queue of cells and a grid of distances."""
    distance = [[-1] * SIDE for _ in range(SIDE)]
    distance[0][0] = 0
    queue = deque([(0, 0)])
    while queue:
        x, y = queue.popleft()
        if x == y == SIDE - 1:
            return distance[y][x]
        for near_x, near_y in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
            inside = 0 <= near_x < SIDE and 0 <= near_y < SIDE
            if inside and not cells[near_y * SIDE + near_x] and distance[near_y][near_x] < 0:
                distance[near_y][near_x] = distance[y][x] + 1
                queue.append((near_x, near_y))
    return 0


def deap_fitness(individual: list[int]) -> tuple[int]:
    individual[0] = individual[-1] = 0
    return (plain_search(individual),)


def run_deap(seed: int) -> tuple[int, float, list[Any]]:
    """Return the evaluations, the seconds and the last population."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("individual", tools.initRepeat, creator.Maze, lambda: int(random.random() < FILL), SIDE * SIDE)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", deap_fitness)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutFlipBit, indpb=MUTATION)
    toolbox.register("select", tools.selTournament, tournsize=3)
    began = time.process_time()
    population, log = algorithms.eaSimple(toolbox.population(POPULATION), toolbox, 1.0, 1.0, GENERATIONS, verbose=False)
    return sum(log.select("nevals")), time.process_time() - began, population


def run_levolve(seed: int) -> tuple[int, float, Run]:
    """Return the evaluations, the seconds and the run."""
    recipe = find_recipe("maze").changed(
        {
            "size": (SIDE, SIDE),
            "generations": GENERATIONS,
            "genotype.fill": FILL,
            "strategy": {"kind": "generational", "population": POPULATION, "mutation": {"kind": "uniform", "rate": MUTATION}},
        }
    )
    began = time.process_time()
    run = Run(recipe, seed).finish()
    return run.evaluations, time.process_time() - began, run


def best_of(repeats: int, work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of several repeats."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def compare_evolution() -> None:
    creator.create("Score", base.Fitness, weights=(1.0,))
    creator.create("Maze", list, fitness=creator.Score)
    print(f"complete evolution: {SIDE}x{SIDE} direct, population {POPULATION}, {GENERATIONS} generations, exit path, one core")
    evaluations, seconds, population = run_deap(1)
    theirs = evaluations / seconds
    theirs_best = max(individual.fitness.values[0] for individual in population)
    print(f"  DEAP with a plain Python search  {theirs:>12,.0f} evaluations/s   best path {theirs_best:g}")
    run_levolve(0)
    runs = [run_levolve(seed) for seed in range(1, 21)]
    rates = [count / took for count, took, _ in runs]
    ours = statistics.median(rates)
    ours_best = statistics.median(run.best_score for _, _, run in runs)
    print(f"  levolve, median of 20 runs       {ours:>12,.0f} evaluations/s   best path {ours_best:g} (median)")
    print(f"  ratio                            {ours / theirs:>12,.0f} x   (fastest run {max(rates) / theirs:,.0f} x)")
    _, _, run = runs[-1]
    for level in run.levels:
        if plain_search(level.tiles.ravel().tolist()) != len(level.solution or ""):
            message = "levolve's fitness differs from the plain search"
            raise SystemExit(message)
    tiles = np.array(population, np.uint8).reshape(-1, SIDE, SIDE)
    steps = np.empty(len(tiles), np.int32)
    exit_distances(tiles, WALLS.table, 0, 0, SIDE - 1, SIDE - 1, steps, None)
    if [max(int(step), 0) for step in steps] != [individual.fitness.values[0] for individual in population]:
        message = "DEAP's fitness differs from levolve's"
        raise SystemExit(message)
    print(f"  equal fitness on {len(run.levels)} levels of levolve and {len(tiles)} of DEAP")


def compare_exit_path() -> None:
    count = 20_000
    for fill in (0.05, 0.3):
        genes = Direct(fill=fill).start(FRAME, 1, 0, count)
        batch = Direct().batch(genes, FRAME)
        steps, alone = np.empty((2, count), np.int32)
        lone = [(batch.tiles[i : i + 1], alone[i : i + 1]) for i in range(count)]

        def one_call_per_level(lone: list[tuple[np.ndarray, np.ndarray]] = lone) -> None:
            for tiles, out in lone:
                exit_distances(tiles, WALLS.table, 0, 0, SIDE - 1, SIDE - 1, out, None)

        together = partial(exit_steps, batch.rows, None, SIDE, 0, 0, SIDE - 1, SIDE - 1, steps, None)
        queue = partial(exit_distances, batch.tiles, WALLS.table, 0, 0, SIDE - 1, SIDE - 1, alone, None)
        for warm_up in (together, one_call_per_level, queue):
            warm_up()
        ours, calls, whole = count / best_of(7, together), count / best_of(3, one_call_per_level), count / best_of(5, queue)
        if not np.array_equal(steps, alone):
            message = "the kernels differ"
            raise SystemExit(message)
        print(f"exit path of {count:,} levels of {SIDE}x{SIDE}, {fill:.0%} walls, {(steps >= 0).mean():.0%} can be won")
        print(f"  one compiled call per level      {calls:>12,.0f} levels/s")
        print(f"  compiled queue, one call         {whole:>12,.0f} levels/s   {whole / calls:.1f} x")
        print(f"  levolve, rows of bits            {ours:>12,.0f} levels/s   {ours / calls:.1f} x")
    objective = ExitPath()
    fresh = best_of(5, lambda: objective.score(Direct().batch(genes, FRAME)))
    print(f"  levolve, through the objective   {count / fresh:>12,.0f} levels/s")


if __name__ == "__main__":
    compare_evolution()
    compare_exit_path()
