"""Dungeons with a tour: one evolution beside the same algorithm in plain Python with A*, and the best dungeons."""

import statistics
from collections.abc import Iterator

from levolve.bench.figures import Effort, Figure
from levolve.bench.plain.dungeons import ITERATIONS, Plain
from levolve.bench.timing import processor_seconds
from levolve.recipes.recipe import find_recipe
from levolve.runs.run import Run
from levolve.studies.tuning import tune

SUBJECT = "dungeons"


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure one run of the source's algorithm, the annealed recipe, and the whole meta-evolution."""
    recipe = find_recipe("dungeon")
    Run(recipe, 0).finish()
    share = effort.choose(5, 1)
    ratios, milliseconds = [], []
    for turn in range(effort.rounds):
        plain = Plain(turn)
        slow = share * processor_seconds(_advance, plain, ITERATIONS // share)
        runs = [Run(recipe, 20 * turn + place) for place in range(20)]
        fast = sum(processor_seconds(run.finish) for run in runs) / len(runs)
        ratios.append(slow / fast)
        milliseconds.append(1000 * fast)
    note = "population 100, 100 generations"
    yield Figure(SUBJECT, "one run of recipe dungeon", statistics.median(milliseconds), "ms", statistics.median(ratios), "plain Python with A*", note)
    if effort.quick:
        return
    runs = [Run(find_recipe("dungeon-best"), seed) for seed in range(1000, 1003)]
    seconds = statistics.median(processor_seconds(run.finish) for run in runs)
    found = ", ".join(f"{run.best_score:g}" for run in runs)
    yield Figure(SUBJECT, "one run of recipe dungeon-best", seconds, "s", note=f"steps of the tour: {found}")
    seconds = processor_seconds(lambda: tune("dungeon-meta", seed=1, threads=1))
    yield Figure(SUBJECT, "whole meta-evolution", seconds, "s", note="recipe dungeon-meta, 5,100 settings")


def _advance(plain: Plain, generations: int) -> None:
    for _ in range(generations):
        plain.step()
