"""The longest rounds. `make proofs` runs the whole recipe for 20 seeds."""

import os

from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import find_recipe

SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))
HEADLINE = 104


def test_a_tenth_of_the_long_search_beats_the_headline_dungeon() -> None:
    recipe = find_recipe("dungeon-best").changed({"generations": 6000})
    for seed in range(2):
        run = Run(recipe, seed).finish()
        run.best.check()
        assert run.best_score > HEADLINE + 10


def test_the_long_search_reaches_126_steps() -> None:
    assert all(
        Run(find_recipe("dungeon-best"), seed).finish().best_score >= 126 for seed in range(SEEDS)
    )
