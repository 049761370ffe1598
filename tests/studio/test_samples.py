"""The levels on the first screen are those of the shipped recipes."""

from importlib import resources

import pytest

import levolve
from levolve.jobs.replay import replay
from levolve.recipes.recipe import find_recipe, shipped
from levolve.studio.api.catalogue import list_recipes, sample_of

FOLDER = resources.files("levolve.studio.samples")


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_recipe_has_a_level_that_it_made(name: str) -> None:
    with resources.as_file(FOLDER / f"{name}.txt") as path:
        level = levolve.load(path)
    level.check()
    assert level.origin is not None
    # If this fails, the recipe was changed: run docs/studio_samples.py.
    assert level.origin.recipe == find_recipe(name).to_data()
    sample = sample_of(name)
    assert sample is not None
    assert sample["digest"] == level.digest


def test_the_first_sample_is_regenerated() -> None:
    with resources.as_file(FOLDER / "labyrinth.txt") as path:
        assert replay(levolve.load(path)).same


def test_other_recipes_have_no_sample() -> None:
    assert sample_of("../secret") is None
    assert {entry["name"] for entry in list_recipes() if entry["sample"]} == set(shipped())
