"""The shipped recipes with things, and packs of them."""

import pytest

import levolve
from levolve.core.errors import InputError

RECIPES = ("keep-locked", "crypt-treasure", "lever-works", "zelda-like", "dungeon-crawl")


@pytest.mark.parametrize("name", RECIPES)
def test_levels_of_recipes_with_things_are_proven_and_have_all_things(name: str) -> None:
    run = levolve.evolve(name, seed=4, generations=8, executor=1)
    run.best.check()
    kinds = [thing.kind for thing in run.best.things]
    assert run.recipe.furnish is not None
    for kind, wanted in run.recipe.furnish["things"].items():
        assert kinds.count(kind) == (wanted if isinstance(wanted, int) else wanted["count"])


def test_a_pack_has_all_things_in_every_level_for_any_number_of_threads() -> None:
    made = [
        levolve.pack(
            "keep-locked",
            count=3,
            target={"exit_path": (20, 80)},
            settings={"generations": 20},
            seed=2,
            executor=threads,
        )
        for threads in (1, 2)
    ]
    assert made[0].report.met
    assert made[0].levels == made[1].levels
    for level in made[0].levels:
        level.check()
        assert [thing.kind for thing in level.things].count("door") == 3


def test_a_level_of_a_recipe_with_things_is_replayed_to_the_same_bytes() -> None:
    level = levolve.evolve("lever-works", seed=5, generations=4).best
    assert level.origin is not None
    again = levolve.evolve(levolve.Recipe.from_data(level.origin.recipe), seed=5).best
    assert again.digest == level.digest


def test_a_key_without_a_door_is_refused_before_the_run() -> None:
    with pytest.raises(InputError, match="opens"):
        levolve.evolve("keep-locked", things={"doors": 1}, generations=0)
