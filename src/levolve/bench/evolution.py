"""A complete evolution of mazes, by levolve and by other libraries: with a fitness in plain Python, and with levolve's kernel plugged in."""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from levolve.bench.figures import Effort, Figure
from levolve.bench.maze_task import FILL, KERNEL, MUTATION, POPULATION, PYTHON, SIDE, Fitness, SearchOutcome, search_in_kernel
from levolve.bench.peers import PEERS, installed_peers
from levolve.bench.timing import in_turns, median_ratio, processor_seconds
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.runs.run import Run

SUBJECT = "evolution"
RATE = "evaluations/s"
# How many of our runs make one round: one alone takes some milliseconds.
RUNS = 10


def recipe_of_task(generations: int) -> Recipe:
    """Return the recipe of the task: the algorithm that the other libraries run, too."""
    strategy = {"kind": "generational", "population": POPULATION, "mutation": {"kind": "uniform", "rate": MUTATION}}
    return find_recipe("maze").changed({"size": (SIDE, SIDE), "generations": generations, "genotype.fill": FILL, "strategy": strategy})


def evolve(recipe: Recipe, seed: int) -> SearchOutcome:
    """Run levolve."""
    began = time.process_time()
    run = Run(recipe, seed).finish()
    seconds = time.process_time() - began
    cells = run.problem.batch(run.population).tiles.reshape(len(run.population), -1)
    return SearchOutcome(run.evaluations, seconds, run.best_score, cells, run.scores)


def measure(effort: Effort) -> Iterator[Figure]:
    """Let levolve and the installed libraries take turns; each fitness is checked."""
    search_in_kernel(np.zeros((1, SIDE * SIDE), np.uint8))
    generations = effort.choose(30, 200)
    ours = recipe_of_task(generations)
    evolve(ours, 0).check("levolve")
    seeds = iter(range(1, 10**6))
    best: dict[str, list[float]] = {}

    def rate_of_levolve() -> float:
        outcomes = [evolve(ours, next(seeds)) for _ in range(RUNS)]
        best.setdefault("levolve", []).extend(outcome.best for outcome in outcomes)
        return statistics.median(outcome.evaluations / outcome.seconds for outcome in outcomes)

    def rate_of_peer(name: str, fitness: Fitness) -> float:
        outcome = PEERS[name](fitness, generations, next(seeds))
        outcome.check(name)
        best.setdefault(name, []).append(outcome.best)
        return outcome.evaluations / outcome.seconds

    contenders: dict[str, Callable[[], float]] = {"levolve": rate_of_levolve}
    for name in installed_peers():
        PEERS[name](KERNEL, 2, 0)
        contenders |= {f"{name}, {fitness.name}": partial(rate_of_peer, name, fitness) for fitness in (PYTHON, KERNEL)}
    rates = in_turns(contenders, effort.rounds)
    task = f"{SIDE}x{SIDE}, population {POPULATION}, {generations} generations"
    yield Figure(
        SUBJECT, "levolve", statistics.median(rates["levolve"]), RATE, note=f"{task}; median best path {statistics.median(best['levolve']):g}"
    )
    for name in contenders:
        if name != "levolve":
            path = statistics.median(best[name.partition(",")[0]])
            yield Figure(
                SUBJECT, f"beside {name}", statistics.median(rates[name]), RATE, median_ratio(rates, "levolve", name), name, f"best path {path:g}"
            )
    default = find_recipe("maze")
    Run(default, 0).finish()
    runs = [Run(default, seed) for seed in range(1, 1 + effort.choose(2, 5))]
    seconds = [processor_seconds(run.finish) for run in runs]
    rate = max(run.evaluations / each for run, each in zip(runs, seconds, strict=True))
    yield Figure(SUBJECT, "recipe maze as it is", rate, RATE, note=f"{default.size[0]}x{default.size[1]}, fastest of {len(runs)} runs")
