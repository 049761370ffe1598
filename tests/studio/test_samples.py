"""The levels on the first screen are those of the shipped recipes."""

import dataclasses
from importlib import resources

import pytest

import levolve
from levolve.formats.themes.thing_atlas import usual_signs
from levolve.jobs.replay import replay
from levolve.recipes.recipe import find_recipe, shipped
from levolve.studio.api.catalogue import list_recipes, sample_of
from levolve.studio.views import shown_level

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
    assert [(sign["x"], sign["y"]) for sign in sample.get("things", [])] == [
        thing.cell for thing in level.things
    ]


def test_the_first_sample_is_regenerated() -> None:
    with resources.as_file(FOLDER / "labyrinth.txt") as path:
        assert replay(levolve.load(path)).same


def test_other_recipes_have_no_sample() -> None:
    assert sample_of("../secret") is None
    assert {entry["name"] for entry in list_recipes() if entry["sample"]} == set(shipped())


def test_things_are_shown_by_their_signs_and_secret_doors_as_walls() -> None:
    level = levolve.Level.from_text(
        "S......E\n"
        "########\n"
        "thing: key 1,0 color=red\n"
        "thing: door 2,0 color=red\n"
        "thing: secret_door 3,0\n"
        "thing: stairs 4,0 id=a to=b\n"
        "thing: stairs 6,0 id=b to=a\n"
        "thing: spawn 5,0 of=shop\n"
    )
    shown = shown_level(dataclasses.replace(level, solution="rrrrx"))
    signs = usual_signs()
    found = [sign["sign"] for sign in shown["things"]]
    assert [None if one is None else signs[one][0] for one in found] == [
        "key", "door", "secret_door", "stairs", None, "stairs",
    ]  # fmt: skip
    assert shown["things"][4]["letter"] == "S"
    assert shown["hidden"] == [(3, 0)]
    assert shown["lines"] == [[(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)], [(6, 0)]]
    assert (
        shown_level(levolve.load(str(FOLDER / "maze.txt"))).keys().isdisjoint({"things", "lines"})
    )
