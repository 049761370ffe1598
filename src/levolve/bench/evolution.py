"""A complete evolution of mazes, by levolve and by other libraries: with a fitness in plain Python,
and with levolve's kernel plugged in.

A complete evolution with each genotype: the same strategy and objective at 21x21 cells.

All genotypes are measured in the same loop, one generation at a time. What `direct` gains by
kernels for many generations is a figure of its own.

The quality of the search at equal evaluations: the best path that each library finds, over several
seeds, with the rank test of `compare`.
"""

import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from levolve.bench.measuring import Effort, Figure, in_turns, median_ratio, processor_seconds
from levolve.bench.peers import (
    FILL,
    KERNEL,
    MUTATION,
    PEERS,
    POPULATION,
    PYTHON,
    SIDE,
    Fitness,
    SearchOutcome,
    installed_peers,
    search_in_kernel,
)
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.rank_tests import rank_pairs
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.loop import advance

SUBJECT = "evolution"
RATE = "evaluations/s"
# How many of our runs make one round: one alone takes some milliseconds.
RUNS = 10


def recipe_of_task(generations: int) -> Recipe:
    """Return the recipe of the task: the algorithm that the other libraries run, too."""
    strategy = {
        "kind": "generational",
        "population": POPULATION,
        "mutation": {"kind": "uniform", "rate": MUTATION},
    }
    return find_recipe("maze").changed(
        {
            "size": (SIDE, SIDE),
            "generations": generations,
            "genotype.fill": FILL,
            "strategy": strategy,
        }
    )


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
        contenders |= {
            f"{name}, {fitness.name}": partial(rate_of_peer, name, fitness)
            for fitness in (PYTHON, KERNEL)
        }
    rates = in_turns(contenders, effort.rounds)
    task = f"{SIDE}x{SIDE}, population {POPULATION}, {generations} generations"
    yield Figure(
        SUBJECT,
        "levolve",
        statistics.median(rates["levolve"]),
        RATE,
        note=f"{task}; median best path {statistics.median(best['levolve']):g}",
    )
    for name in contenders:
        if name != "levolve":
            path = statistics.median(best[name.partition(",")[0]])
            yield Figure(
                SUBJECT,
                f"compared with {name}",
                statistics.median(rates[name]),
                RATE,
                median_ratio(rates, "levolve", name),
                name,
                f"best path {path:g}",
            )
    default = find_recipe("maze")
    Run(default, 0).finish()
    runs = [Run(default, seed) for seed in range(1, 1 + effort.choose(2, 5))]
    seconds = [processor_seconds(run.finish) for run in runs]
    rate = max(run.evaluations / each for run, each in zip(runs, seconds, strict=True))
    yield Figure(
        SUBJECT,
        "recipe maze as it is",
        rate,
        RATE,
        note=f"{default.size[0]}x{default.size[1]}, fastest of {len(runs)} runs",
    )


GENOTYPES = "genotypes"
# Changes to one recipe, by name. Genotypes that need another objective or places are measured by
# their own subjects.
VARIANTS: dict[str, dict[str, Any]] = {
    "direct": {},
    "chromatic": {"genotype.kind": "chromatic"},
    "barriers": {"genotype.kind": "barriers"},
    "tunnels": {"genotype.kind": "tunnels"},
    "automaton": {"genotype.kind": "automaton"},
    "passages": {"genotype": {"kind": "passages"}},
    "passages with loops": {"genotype": {"kind": "passages", "loops": 0.1, "braid": 0.5}},
    "rooms": {"genotype": {"kind": "rooms"}},
    "mirror of passages": {"genotype": {"kind": "mirror", "of": {"kind": "passages"}}},
    "direct, finished": {"finish": ["fill_pockets", "drop_specks", "thicken", "frame"]},
    "passages, placed": {"genotype": {"kind": "passages"}, "places": "sides"},
}


def measure_genotypes(effort: Effort) -> Iterator[Figure]:
    """Let the genotypes take turns; the fastest run of each counts."""
    strategy = {"kind": "generational", "mutation": {"kind": "uniform", "rate": 0.005}}
    changes = {
        "strategy": strategy,
        "generations": effort.choose(30, 200),
        "size": "21x21",
        "entrance": "1,1",
        "exit": "-2,-2",
    }
    plain = find_recipe("maze").changed(changes)
    seeds = iter(range(10**6))

    def rate(recipe: Recipe) -> float:
        problem = recipe.problem
        search = (
            recipe.parts[2]
            .fitted(problem)
            .search(problem.space, problem.start, next(seeds), recipe.planned_generations)
        )
        seconds = processor_seconds(
            lambda: deque(advance(search, problem.evaluate, recipe.limits), maxlen=0)
        )
        return search.evaluations / seconds

    def rate_of_run() -> float:
        run = Run(plain, next(seeds))
        return 1 / processor_seconds(run.finish) * run.evaluations

    contenders: dict[str, Callable[[], float]] = {
        name: partial(rate, plain.changed(variant)) for name, variant in VARIANTS.items()
    }
    contenders["direct, many generations per call"] = rate_of_run
    rates = in_turns(contenders, 1 + effort.choose(3, 8))
    for name, measured in rates.items():
        # The first run may compile.
        fastest = max(measured[1:])
        share = fastest / max(rates["direct"][1:])
        yield Figure(
            GENOTYPES,
            name,
            fastest,
            "evaluations/s",
            None if name == "direct" else share,
            "" if name == "direct" else "direct",
        )


QUALITY = "quality"
OURS = "levolve, recipe maze"


def measure_quality(effort: Effort) -> Iterator[Figure]:
    """Give all contenders the same number of evaluations and the same fitness."""
    seeds = range(100, 100 + effort.choose(3, 20))
    generations = effort.choose(40, 200)
    evaluations = (generations + 1) * POPULATION
    paths = {
        "levolve, plain genetic algorithm": [
            evolve(recipe_of_task(generations), seed).best for seed in seeds
        ]
    }
    limited = find_recipe("maze").changed(
        {"size": "20x20", "generations": evaluations, "evaluations": evaluations}
    )
    paths[OURS] = [Run(limited, seed).finish().best_score for seed in seeds]
    for name in installed_peers():
        paths[name] = [PEERS[name](KERNEL, generations, seed).best for seed in seeds]
    tested = verdicts_beside(OURS, paths)
    for name, found in paths.items():
        note = (
            f"{evaluations:,} evaluations, {len(seeds)} seeds, from {min(found):g} to "
            f"{max(found):g}"
        )
        yield Figure(
            QUALITY, name, statistics.median(found), "steps", note=f"{note}{tested.get(name, '')}"
        )


def verdicts_beside(best: str, paths: Mapping[str, Sequence[float]]) -> dict[str, str]:
    """Return what a rank test says about each other contender: how often `best` wins, and the
    p-value.
    """
    texts = {}
    for pair in rank_pairs(
        {name: np.asarray(found, np.float64) for name, found in paths.items()}, best
    ):
        other, wins = (
            (pair.second, pair.wins) if pair.first == best else (pair.first, 1 - pair.wins)
        )
        texts[other] = (
            f"; {best.partition(', ')[2] or best} wins {100 * wins:.0f} % of pairs, p = "
            f"{pair.p_corrected:.2g}"
        )
    return texts
