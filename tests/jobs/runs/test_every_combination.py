"""Every genotype under every objective: feasible for every seed, and better than luck. `make
proofs` runs it for 20 seeds.
"""

import os

import numpy as np
import pytest

from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import find_recipe

SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))
RECIPES = ["maze", "maze-chromatic", "maze-barriers", "maze-tunnels", "maze-automaton"]
OBJECTIVES = [
    "exit_path",
    "reconvergence",
    "isolated_reconvergence",
    "culs_de_sac",
    "cul_de_sac_length",
]
CHUNK = 4096


def best_of_random(name: str, objective: str, seed: int, count: int) -> float:
    """The best score among `count` individuals as a run starts with them."""
    recipe = find_recipe(name).changed({"objective.kind": objective})
    genotype, rule, _ = recipe.parts
    best = -np.inf
    for generation, first in enumerate(range(0, count, CHUNK)):
        genes = genotype.start(recipe.frame, seed, generation, min(CHUNK, count - first))
        best = max(best, float(rule.score(genotype.batch(genes, recipe.frame)).max()))
    return best


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("name", RECIPES)
def test_a_run_with_its_defaults_ends_feasible_and_better_than_as_many_random_samples(
    name: str, objective: str
) -> None:
    for seed in range(SEEDS):
        run = Run(
            find_recipe(name).changed({"size": "20x20", "objective.kind": objective}), seed
        ).finish()
        run.best.check()
        assert run.best_score > 0
        assert run.best_score > best_of_random(name, objective, seed, run.evaluations)


@pytest.mark.parametrize("size", ["20x20", "60x40"])
@pytest.mark.parametrize("name", RECIPES)
def test_a_default_run_finds_a_winding_path_at_both_sizes(name: str, size: str) -> None:
    for seed in range(SEEDS):
        run = Run(find_recipe(name).changed({"size": size}), seed).finish()
        width, height = run.recipe.size
        assert run.best_score > 1.5 * (width + height - 2), "much longer than the straight way"
