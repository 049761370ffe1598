"""The quality of the search at equal evaluations: the best path that each library finds, over several seeds, with the rank test of `compare`."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from levolve.bench.evolution import evolve, recipe_of_task
from levolve.bench.figures import Effort, Figure
from levolve.bench.maze_task import KERNEL, POPULATION
from levolve.bench.peers import PEERS, installed_peers
from levolve.recipes.recipe import find_recipe
from levolve.runs.run import Run
from levolve.studies.rank_tests import rank_pairs

SUBJECT = "quality"
OURS = "levolve, recipe maze"


def measure(effort: Effort) -> Iterator[Figure]:
    """Give all contenders the same number of evaluations and the same fitness."""
    seeds = range(100, 100 + effort.choose(3, 20))
    generations = effort.choose(40, 200)
    evaluations = (generations + 1) * POPULATION
    paths = {"levolve, plain genetic algorithm": [evolve(recipe_of_task(generations), seed).best for seed in seeds]}
    limited = find_recipe("maze").changed({"size": "20x20", "generations": evaluations, "evaluations": evaluations})
    paths[OURS] = [Run(limited, seed).finish().best_score for seed in seeds]
    for name in installed_peers():
        paths[name] = [PEERS[name](KERNEL, generations, seed).best for seed in seeds]
    tested = verdicts_beside(OURS, paths)
    for name, found in paths.items():
        note = f"{evaluations:,} evaluations, {len(seeds)} seeds, from {min(found):g} to {max(found):g}"
        yield Figure(SUBJECT, name, statistics.median(found), "steps", note=f"{note}{tested.get(name, '')}")


def verdicts_beside(best: str, paths: Mapping[str, Sequence[float]]) -> dict[str, str]:
    """Return what a rank test says about each other contender: how often `best` wins, and the p-value."""
    texts = {}
    for pair in rank_pairs({name: np.asarray(found, np.float64) for name, found in paths.items()}, best):
        other, wins = (pair.second, pair.wins) if pair.first == best else (pair.first, 1 - pair.wins)
        texts[other] = f"; {best.partition(', ')[2] or best} wins {100 * wins:.0f} % of pairs, p = {pair.p_corrected:.2g}"
    return texts
