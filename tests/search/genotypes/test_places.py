"""Places: entrance and exit of each level where its genes and the rule say."""

from typing import Any

import numpy as np
import pytest

import levolve
from levolve import testing
from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.genotypes.direct import Chromatic, Direct
from levolve.search.genotypes.passages import Passages
from levolve.search.genotypes.placed import RULES, Placed
from levolve.search.genotypes.rooms import Rooms

FREE = Frame(25, 17, {}, ends=True)


@pytest.mark.parametrize(
    "inner",
    [Direct(0.4), Chromatic(), Passages(), Rooms()],
    ids=["direct", "chromatic", "passages", "rooms"],
)
@pytest.mark.parametrize("rule", RULES)
def test_a_genotype_with_places_keeps_the_laws_of_genotypes(rule: Any, inner: Any) -> None:
    testing.check_genotype(Placed(inner, rule))


def placed(rule: Any, inner: Any = Passages()) -> list[Level]:  # noqa: B008 names and frozen parts
    genotype = Placed(inner, rule)
    batch = genotype.batch(genotype.start(FREE, 1, 0, 60), FREE)
    return [level_at(batch, index) for index in range(60)]


def test_ends_lie_on_the_border_or_on_opposite_sides() -> None:
    for level in placed("border"):
        assert all(
            place is not None and (place[0] in {1, 23} or place[1] in {1, 15})
            for place in (level.entrance, level.exit)
        )
    for level in placed("sides"):
        assert level.entrance is not None
        assert level.exit is not None
        assert {level.entrance[0], level.exit[0]} == {1, 23} or {
            level.entrance[1],
            level.exit[1],
        } == {1, 15}
    assert len({level.entrance for level in placed("anywhere")}) > 30


def test_ends_lie_in_different_rooms() -> None:
    for level in placed("rooms", Rooms()):
        rooms = [area for area in level.areas if area.kind == "room"]
        homes = [
            next((room for room in rooms if room.contains(*place)), None)
            for place in (level.entrance, level.exit)
            if place
        ]
        assert len(rooms) < 2 or (None not in homes and homes[0] != homes[1])


def test_the_farthest_ends_are_as_far_apart_as_any_two_cells() -> None:
    for level in placed("farthest"):
        measures = levolve.measure(level)
        assert measures["exit_path"][0] == measures["longest_path"][0]


@pytest.mark.parametrize("rule", RULES)
def test_a_run_with_places_is_measured_where_its_level_says(rule: str) -> None:
    recipe = find_recipe("maze").changed(
        {"size": "15x11", "genotype": {"kind": "rooms"}, "places": rule, "generations": 8}
    )
    run = levolve.evolve(recipe, seed=2)
    run.best.check()
    assert levolve.measure(run.best)["exit_path"][0] == run.best_score
    assert levolve.evolve(recipe, seed=2, executor=2).digest == run.digest
    assert Recipe.from_text(recipe.to_toml()) == recipe
    aimed = levolve.evolve(
        recipe, seed=2, target={"exit_path": (10, 12), "turns": (2, 9)}, generations=60
    )
    assert 10 <= levolve.measure(aimed.best)["exit_path"][0] <= 12
    assert not aimed.unmet


def test_checkpoints_are_measured_from_the_own_entrance() -> None:
    recipe = find_recipe("maze").changed(
        {"size": "15x11", "places": "sides", "generations": 5, "objective.kind": "reconvergence"}
    )
    run = levolve.evolve(recipe, seed=2)
    assert levolve.measure(run.best)["reconvergence"][0] == run.best_score


def test_a_pack_with_places_meets_its_targets() -> None:
    made = levolve.pack(
        "maze",
        count=3,
        size=(13, 9),
        seed=1,
        target={"exit_path": (14, 20)},
        settings={"places": "border", "genotype": {"kind": "passages"}},
    )
    assert made.report.met
    for level in made.levels:
        level.check()
        assert 14 <= levolve.measure(level)["exit_path"][0] <= 20


def test_places_that_nobody_needs_are_refused() -> None:
    assert find_recipe("maze").changed({"places": "fixed"}) == find_recipe("maze")
    with pytest.raises(
        InputError,
        match=(
            "places: expected 'fixed', because the genotype 'dungeon' places A, B and C itself, "
            "got 'border'"
        ),
    ):
        _ = find_recipe("dungeon").changed({"places": "border"}).frame
    with pytest.raises(
        InputError, match="places: expected 'fixed', because the goal 'none' has no stops"
    ):
        _ = (
            find_recipe("maze")
            .changed(
                {
                    "places": "border",
                    "goal": "none",
                    "objective.kind": "cavern",
                    "objective.playable": 0.0,
                }
            )
            .frame
        )
    with pytest.raises(InputError, match="places"):
        find_recipe("maze").changed({"places": "outside"})


@pytest.mark.parametrize("rule", RULES)
def test_a_level_can_be_encoded_if_the_rule_allows_its_places(rule: Any) -> None:
    genotype = Placed(Direct(0.3), rule)
    for index in range(5):
        level = level_at(genotype.batch(genotype.start(FREE, index, 0, 1), FREE))
        assert level_at(genotype.batch(genotype.write(level, FREE)[np.newaxis], FREE)) == level
    if rule not in {"anywhere", "rooms"}:
        with pytest.raises(
            InputError,
            match=f"places {rule}: expected an entrance and an exit that this rule allows",
        ):
            genotype.write(
                Level(np.zeros((17, 25), np.uint8), {"entrance": (5, 5), "exit": (6, 5)}), FREE
            )
