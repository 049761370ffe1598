"""Levels with things: they can be won, cannot be lost, and have what was asked for."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.measures.furnishing_features import absent_things
from levolve.levels.measures.measuring import level_at
from levolve.levels.measures.structure_features import winnable
from levolve.levels.things.repair import secured
from levolve.recipes.recipe import Recipe, find_recipe
from oracles.things import decide

HALL = Level.from_text(
    "S..#......\n#.##.####.\n...#.#....\n.###.#.##.\n.....#..#.\n#.##.##.#.\n..#...#.#E\n"
)
LOCKS: dict[str, Any] = {
    "coloured": {"keys": 2, "doors": 3},
    "small": {"small_keys": 2, "small_doors": 2},
    "both": {"keys": 1, "doors": 1, "small_keys": 2, "small_doors": 2},
    "levers": {"levers": 1, "gates": 2, "keys": 1, "doors": 1},
    "treasure": {"treasure": 4, "treasure_gates": 1, "buttons": 1, "gates": 1},
    "monsters": {"keys": 1, "doors": 1, "monsters": 1, "traps": 1, "boss": 1},
}


def recipe_with(things: dict[str, Any], name: str = "labyrinth", **changes: Any) -> Recipe:
    furnish = {"things": things, **changes}
    return find_recipe(name).changed({"size": "11x9", "furnish": furnish})


@pytest.mark.parametrize("locks", LOCKS)
@given(seed=st.integers(0, 2**32))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_assumed_fill_gives_levels_that_plain_search_finds_safe(locks: str, seed: int) -> None:
    problem = recipe_with(LOCKS[locks], apart=1).problem
    batch = problem.batch(problem.start(seed, 0, 6))
    for index in np.flatnonzero(absent_things(batch) == 0)[:2].tolist():
        verdict = decide(level_at(batch, index))
        if verdict is not None:
            assert verdict.winnable
            assert verdict.safe
            assert winnable(batch)[index]


@pytest.mark.parametrize("kind", ["assumed_fill", "plain_indices"])
@given(seed=st.integers(0, 2**32), apart=st.integers(1, 3))
def test_things_stand_on_floor_that_can_be_reached_and_apart(
    kind: str, seed: int, apart: int
) -> None:
    things = {"keys": 1, "doors": 1, "treasure": 3, "monsters": 2}
    problem = recipe_with(things, "castle", kind=kind, apart=apart).problem
    batch = problem.batch(problem.start(seed, 0, 3))
    for index in range(len(batch)):
        level = level_at(batch, index)
        placed = [thing.cell for thing in level.things if thing.kind != "player"]
        for number, (x, y) in enumerate(placed):
            others = placed[:number]
            assert all(abs(x - left) + abs(y - top) >= apart for left, top in others)
            assert level.walkable[y, x]


def test_levels_that_can_be_lost_score_below_all_others() -> None:
    things = {"small_keys": 2, "small_doors": 2, "keys": 1, "doors": 1}
    problem = recipe_with(things, kind="plain_indices", apart=1).problem
    batch = problem.batch(problem.start(1, 0, 400))
    scores, safe = problem.objective.score(batch), winnable(batch)
    complete = absent_things(batch) == 0
    assert 0 < (safe & complete).sum() < complete.sum()
    assert scores[~safe].max() < scores[safe].min()
    assert scores[safe & ~complete].max(initial=-1e9) < scores[safe & complete].min()


def test_a_level_that_can_be_lost_is_repaired_or_no_result() -> None:
    lost = Level.from_text(
        "S....\n.#.#.\n...#E\nthing: small_key 1,0\nthing: small_door 4,1\nthing: small_door 0,1"
    )
    assert decide(lost).safe is False  # type: ignore[union-attr] # a small level
    assert secured(lost, allow_loss=True).things == lost.things  # type: ignore[union-attr] # it can be won
    mended = secured(lost)
    assert mended is not None
    assert decide(mended).safe  # type: ignore[union-attr] # a small level
    mended.check()


def test_furnishing_changes_nothing_but_things_and_is_reproducible() -> None:
    things = {"keys": 1, "doors": 1, "treasure": 2}
    options: dict[str, Any] = {"seed": 3, "generations": 3, "apart": 1}
    one = levolve.furnish(HALL, things, **options)
    assert one.tiles.tobytes() == HALL.tiles.tobytes()
    assert dict(one.places) == dict(HALL.places)
    assert sorted(thing.kind for thing in one.things) == ["door", "key", "treasure", "treasure"]
    assert levolve.furnish(HALL, things, executor=2, **options) == one
    one.check()


def test_things_of_the_level_stay_where_they_are() -> None:
    given_key = Level.from_text(HALL.to_text() + "\nthing: potion 2,2\nthing: torch 0,2\n")
    found = levolve.furnish(given_key, {"treasure": 1}, seed=1, generations=1)
    assert set(given_key.things) < set(found.things)


def test_kinds_of_ones_own_are_placed_by_what_they_do() -> None:
    kinds = [
        {"name": "gem", "gives": {"gem": 1}, "sign": "e"},
        {"name": "gem_door", "needs": {"gem": 2}, "sign": "n"},
    ]
    found = levolve.furnish(
        HALL, {"gems": 2, "gem_door": 1}, kinds=kinds, seed=1, generations=2, apart=1
    )
    assert [thing.kind for thing in found.things].count("gem") == 2
    assert decide(found).safe  # type: ignore[union-attr] # a small level


@pytest.mark.parametrize(
    ("things", "text"),
    [
        ({"keys": 2}, "opens"),
        ({"doors": 1}, "red key"),
        ({"small_keys": 1, "small_doors": 2}, "small key"),
        ({"levers": 2, "gates": 1}, "at least one gate"),
        ({"gates": 1}, "switch"),
        ({"treasure": 1, "treasure_gate": {"fields": {"amount": 5}}}, "5 treasure"),
        ({"treasure": 201}, "200"),
        ({"treasure": 150}, "place for everything"),
        ({"keys": 1, "key": 1, "doors": 1}, "once"),
        ({"keys": -1}, "whole number"),
        ({"stairs": 1}, "leads nowhere"),
        ({"player": 1}, "health"),
        ({"treasure": {"count": 1, "where": "attic"}}, "attic"),
        ({"treasure": {"count": 1, "distance": [5, 2]}}, "distance"),
        ({"treasure": {"number": 1}}, "number"),
        ({"monster": {"count": 1, "fields": {"color": "red"}}}, "damage"),
        ({"spawn": {"count": 1, "distance": [900, 999]}}, "place for everything"),
    ],
)
def test_things_that_do_not_fit_are_one_clear_error(things: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError, match=text):
        levolve.furnish(HALL, things, seed=1)


def test_an_unknown_kind_gets_a_hint() -> None:
    with pytest.raises(InputError, match=r"things: unknown kind .*did you mean 'treasure'"):
        levolve.furnish(HALL, {"tresures": 1})


def test_a_recipe_with_things_is_the_same_in_toml_and_json() -> None:
    recipe = recipe_with({"keys": 2, "doors": 2, "monsters": {"count": 2, "where": "room"}})
    assert Recipe.from_text(recipe.to_toml()) == recipe
    assert Recipe.from_text(recipe.to_json(), "json") == recipe
    assert recipe.furnish is not None
    assert recipe.furnish["things"]["monster"] == {"count": 2, "where": ["room"]}


def test_things_are_added_to_those_of_a_recipe_and_zero_removes_one() -> None:
    from levolve.recipes.finding import adapt

    recipe = recipe_with({"keys": 2, "doors": 2, "treasure": 3})
    changed = adapt(recipe, things={"treasure": 0, "keys": 1, "traps": 2})
    assert changed.furnish is not None
    assert changed.furnish["things"] == {"door": 2, "key": 1, "trap": 2}
