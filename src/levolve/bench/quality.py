"""The quality of the search at equal evaluations: the best path that each library finds, over several seeds."""

import statistics
from collections.abc import Iterator

from levolve.bench.evolution import evolve, recipe_of_task
from levolve.bench.figures import Effort, Figure
from levolve.bench.maze_task import KERNEL, POPULATION
from levolve.bench.peers import PEERS, installed_peers
from levolve.recipes.recipe import find_recipe
from levolve.runs.run import Run

SUBJECT = "quality"


def measure(effort: Effort) -> Iterator[Figure]:
    """Give all contenders the same number of evaluations and the same fitness."""
    seeds = range(100, 100 + effort.choose(3, 20))
    generations = effort.choose(40, 200)
    evaluations = (generations + 1) * POPULATION
    paths = {"levolve, plain genetic algorithm": [evolve(recipe_of_task(generations), seed).best for seed in seeds]}
    limited = find_recipe("maze").changed({"size": "20x20", "generations": evaluations, "evaluations": evaluations})
    paths["levolve, recipe maze"] = [Run(limited, seed).finish().best_score for seed in seeds]
    for name in installed_peers():
        paths[name] = [PEERS[name](KERNEL, generations, seed).best for seed in seeds]
    for name, found in paths.items():
        note = f"{evaluations:,} evaluations, {len(seeds)} seeds, from {min(found):g} to {max(found):g}"
        yield Figure(SUBJECT, name, statistics.median(found), "steps", note=note)
