"""Recipes whose levels are made to be shipped: every individual is one region without pockets or
specks in a closed border, before any search.
"""

import os

import numpy as np
import pytest

import levolve
from levolve.levels.level import has_closed_border
from levolve.levels.measures import MEASURES
from levolve.recipes.recipe import find_recipe

DESIGNS = ("labyrinth", "braided", "castle", "crypt", "grotto", "garden", "island")
# `make proofs` evolves more levels.
SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))


@pytest.mark.parametrize("size", ["15x15", "25x17", "60x40"])
@pytest.mark.parametrize("name", DESIGNS)
def test_every_individual_can_be_shipped(name: str, size: str) -> None:
    recipe = find_recipe(name).changed({"size": size})
    batch = recipe.problem.batch(recipe.problem.start(7, 0, 40))
    assert (MEASURES["regions"].count(batch) == 1).all()
    assert not MEASURES["pockets"].count(batch).any()
    assert not MEASURES["specks"].count(batch).any()
    assert batch.tiles[:, [0, -1]].all()
    assert batch.tiles[:, :, [0, -1]].all()
    assert len(np.unique(batch.tiles, axis=0)) > 30


@pytest.mark.parametrize("name", DESIGNS)
def test_evolved_levels_can_be_shipped_and_have_longer_ways_than_the_first(name: str) -> None:
    for seed in range(SEEDS):
        run = levolve.evolve(name, seed=1000 + seed)
        run.best.check()
        found = levolve.measure(run.best)
        assert has_closed_border(run.best)
        assert (found["regions"][0], found["pockets"][0], found["specks"][0]) == (1, 0, 0)
        assert run.best_score > run.history.best[0]


def test_a_garden_is_the_same_on_both_sides() -> None:
    tiles = levolve.evolve("garden", seed=3, generations=5).best.tiles
    assert np.array_equal(tiles, tiles[:, ::-1])
