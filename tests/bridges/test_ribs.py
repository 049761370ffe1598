"""pyribs: archives in both directions, and an emitter that breeds our genes."""

import numpy as np
import pytest

from levolve.bridges.ribs import VariationEmitter, add_levels, empty_archive, from_ribs, to_ribs
from levolve.core.errors import InputError
from levolve.jobs.archives.archive import Archive
from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.recipes.recipe import find_recipe
from levolve.search.problem import FEASIBLE

RECIPE = illumination_recipe(
    "maze", size=(8, 8), axes="walls,exit_path", grid="10x10", evaluations=2000
)


@pytest.fixture(scope="module")
def archive() -> Archive:
    return Illumination(RECIPE, 1).finish()


def test_an_archive_survives_the_way_to_pyribs_and_back(archive: Archive) -> None:
    theirs = to_ribs(archive)
    assert len(theirs) == len(archive)
    assert theirs.stats.qd_score == archive.qd_score
    back = from_ribs(theirs, RECIPE)
    assert dict(zip(back.cells.tolist(), back.scores.tolist(), strict=True)) == dict(
        zip(archive.cells.tolist(), archive.scores.tolist(), strict=True)
    )
    assert {genes.tobytes() for genes in back.genes} == {genes.tobytes() for genes in archive.genes}
    assert theirs.index_of(archive.values).tolist() == archive.cells.tolist()


def test_the_emitter_fills_an_archive_of_pyribs() -> None:
    theirs = empty_archive(RECIPE, seed=1)
    emitter = VariationEmitter(theirs, RECIPE, batch_size=63, seed=1)
    counts = []
    for _ in range(12):
        genes = emitter.ask()
        assert genes.shape == (63, 8)
        RECIPE.problem.space.check(genes)
        add_levels(theirs, RECIPE, genes)
        emitter.tell()
        counts.append(len(theirs))
    assert counts[-1] > counts[0] > 0
    found = from_ribs(theirs, RECIPE)
    assert len(found) == len(theirs)
    assert np.isclose(found.qd_score, theirs.stats.qd_score)
    assert len(found.levels) == len(found)


def test_a_recipe_without_a_grid_is_refused() -> None:
    with pytest.raises(InputError, match="expected one with the strategy map_elites"):
        empty_archive(find_recipe("maze"))


def test_levels_that_cannot_be_won_are_not_added() -> None:
    recipe = illumination_recipe(
        "maze", size=(8, 8), axes="walls,regions", grid="8x8", evaluations=600
    )
    genes = np.bitwise_or.reduce([recipe.problem.start(seed, 0, 200) for seed in range(3)])
    feasible = np.asarray(recipe.problem.evaluate(genes).features[FEASIBLE], bool)
    assert 0 < feasible.sum() < 200
    only, theirs = empty_archive(recipe), empty_archive(recipe)
    add_levels(only, recipe, genes[feasible])
    add_levels(theirs, recipe, genes)
    assert len(theirs) == len(only) > 0
    assert np.asarray(
        recipe.problem.evaluate(theirs.data("solution")).features[FEASIBLE], bool
    ).all()
    lost = genes[~feasible]
    found = empty_archive(recipe)
    evaluation = recipe.problem.evaluate(lost)
    values = np.stack([evaluation.features[name] for name in ("walls", "regions")], axis=1)
    with np.errstate(invalid="ignore"):
        found.add(lost, evaluation.scores, values)
    assert len(from_ribs(found, recipe)) == 0
