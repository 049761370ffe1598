"""The longest rounds. `make proofs` runs the whole recipe for 20 seeds."""

import os
from statistics import median

from levolve.recipes.recipe import find_recipe
from levolve.runs.run import Run

SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))
HEADLINE = 104


def test_a_tenth_of_the_long_search_beats_the_headline_dungeon() -> None:
    recipe = find_recipe("dungeon-best").changed({"generations": 8000})
    for seed in range(2):
        run = Run(recipe, seed).finish()
        run.best.check()
        assert run.best_score > HEADLINE + 10


def test_the_long_search_reaches_124_steps_always_and_126_mostly() -> None:
    scores = [Run(find_recipe("dungeon-best"), seed).finish().best_score for seed in range(SEEDS)]
    assert min(scores) >= 124
    assert median(scores) == 126
