"""Levels of several floors from genes: each floor alone, stairs between them, and keys across."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.measures.structure_features import unwinnable, winnable
from levolve.levels.places import ENTRANCE, EXIT
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import Recipe
from levolve.search.genotypes.gene_space import Genes
from oracles.things import decide


def batch_and_parts(recipe: Recipe, seed: int, count: int = 4) -> tuple[Any, Genes, Any]:
    problem = recipe.problem
    genes = problem.start(seed, 0, count)
    return problem, genes, problem.batch(genes)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["castle", "labyrinth", "maze", "tower"]))
def test_floors_are_the_levels_of_their_genes(name_seed: int, name: str) -> None:
    recipe = adapt(name, size=(15, 11), settings={"floors": 3})
    problem, genes, batch = batch_and_parts(recipe, name_seed)
    inner, frame = problem.genotype.genotype, batch.floors.frame
    assert (frame.width, frame.height, frame.floors) == (15, 11, 1)
    alone = inner.batch(np.ascontiguousarray(genes.reshape(12, -1)), frame)
    for index in range(4):
        level = level_at(batch, index)
        assert (level.floors, level.height) == (3, 35)
        for floor in range(3):
            single = level_at(alone, 3 * index + floor)
            top = 12 * floor
            assert np.array_equal(level.tiles[top : top + 11], single.tiles)
            ends = {thing.id: thing.cell for thing in level.things if thing.kind == "stairs"}
            x, y = single.places[EXIT]
            end = (x, y + top)
            assert end == (level.exit if floor == 2 else ends[f"down{floor + 1}"])
            x, y = single.places[ENTRANCE]
            begin = (x, y + top)
            assert begin == (level.entrance if floor == 0 else ends[f"up{floor + 1}"])


def test_scores_are_those_of_the_floors() -> None:
    recipe = adapt("tower", size=(15, 11), generations=3)
    problem, _, batch = batch_and_parts(recipe, 5, 8)
    each = problem.objective.each.score(batch.floors).reshape(8, 3)
    usable = problem.objective.each.feasible(batch.floors).reshape(8, 3).all(axis=1)
    expected = [row.mean() if fine else row.min() for row, fine in zip(each, usable, strict=True)]
    assert problem.objective.score(batch).tolist() == pytest.approx(expected)


def test_a_key_of_each_floor_opens_a_door_of_the_next() -> None:
    level = levolve.evolve("tower", seed=1, generations=5).best
    level.check()
    floors = {
        (thing.kind, thing.fields["color"]): thing.cell[1] // 16
        for thing in level.things
        if thing.kind in {"key", "door"}
    }
    colours = {colour for _, colour in floors}
    climbs = [floors["door", colour] - floors["key", colour] for colour in sorted(colours)]
    assert sorted(climbs) == [0, 0, 0, 1, 1]
    # The cheapest proof that the doors matter: without its keys the level cannot be won.
    bare = level.with_things(thing for thing in level.things if thing.kind != "key")
    assert not bare.prove().winnable


def test_small_towers_are_decided_as_a_plain_search_does() -> None:
    level = levolve.evolve(
        "labyrinth", size=(7, 7), seed=2, generations=2, settings={"floors": 2}
    ).best
    verdict = decide(level)
    assert verdict is not None
    assert (verdict.winnable, verdict.safe) == (True, True)
    assert verdict.steps == len(level.solution or "")


def test_the_number_of_floors_is_written_only_if_there_are_several() -> None:
    assert "floors" not in adapt("castle").to_data()
    recipe = adapt("tower")
    assert recipe.to_data()["floors"] == 3
    assert Recipe.from_data(recipe.to_data(), "again").to_data() == recipe.to_data()


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("dungeon", {"floors": 2}),
        ("labyrinth", {"floors": 2, "checkpoints": ["3,3"]}),
        ("maze-chromatic", {"floors": 2}),
        ("labyrinth", {"floors": 0}),
    ],
)
def test_what_cannot_have_floors_is_refused(name: str, settings: dict[str, object]) -> None:
    with pytest.raises(InputError, match="floors"):
        levolve.evolve(name, settings=settings, seed=1, generations=1)


def test_a_pack_of_towers_is_proven() -> None:
    pack = levolve.pack("tower", count=2, size=(15, 11), seed=1, settings={"generations": 4})
    for level in pack.levels:
        assert isinstance(level, Level)
        assert level.floors == 3
        level.check()


def test_levels_that_only_stairs_connect_are_not_unwinnable() -> None:
    _, _, batch = batch_and_parts(adapt("tower", size=(15, 11)), 1)
    assert winnable(batch).all()
    assert unwinnable(batch).tolist() == [0.0] * 4
