"""Expressive ranges: where levels are counted, what recipes have in common, and continuing."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import levolve
from jobs.runs.job_laws import assert_continues, assert_refuses_others
from levolve.core.errors import InputError, LevolveError
from levolve.jobs.charts.heat_maps import range_picture
from levolve.jobs.charts.style import SHARES
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.expressive_range import ExpressiveRange, RecipeRange, Sample, shared_edges
from levolve.jobs.studies.range_sampling import RangeJob
from levolve.levels.measures.measuring import measure
from levolve.recipes.recipe import find_recipe
from levolve.search.evaluation import core_count

SMALL: dict[str, Any] = {"samples": 3, "evaluations": 300, "size": "8x8"}


def hand_made(**values: list[tuple[float, float]]) -> ExpressiveRange:
    recipe = find_recipe("maze")
    ranges = tuple(
        RecipeRange(
            name,
            recipe,
            (
                Sample(
                    name,
                    1,
                    len(rows),
                    np.array(rows, float),
                    np.zeros(len(rows)),
                    np.arange(len(rows), dtype=np.uint64),
                ),
            ),
        )
        for name, rows in values.items()
    )
    axes = ("walls", "longest_path")
    return ExpressiveRange(axes, shared_edges(ranges, axes, (4, 4)), ranges, 1)


def test_levels_are_counted_in_cells_of_whole_width_and_overlaps_by_the_smaller_share() -> None:
    found = hand_made(one=[(0, 0), (1, 0), (7, 7), (7, 7)], other=[(7, 6), (7, 6)], third=[(3, 0)])
    assert [edges.tolist() for edges in found.edges] == [[0, 2, 4, 6, 8], [0, 2, 4, 6, 8]]
    assert found.histogram("one").tolist() == [
        [0.5, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0.5],
    ]
    assert found.overlaps == {("one", "other"): 0.5, ("one", "third"): 0.0, ("other", "third"): 0.0}
    assert found.overlap("one", "one") == 1.0
    assert found.coverage("one") == 2 / 16
    assert found.figures(found["one"])["walls"] == "0 4 7"
    assert (
        repr(found)
        == "<ExpressiveRange over walls and longest_path: levels of one 4, other 2, third 1>"
    )


def test_the_best_of_a_run_is_what_is_counted(tmp_path: Path) -> None:
    found = levolve.expressive_range("maze", axes=("exit_path", "walls"), executor=1, **SMALL)
    recipe = find_recipe("maze").changed({"size": "8x8", "evaluations": 300, "generations": 300})
    for sample in found["maze"].samples:
        best = measure(Run(recipe, sample.seed).finish().best)
        assert sample.values.tolist() == [[best["exit_path"][0], best["walls"][0]]]
    file = levolve.save(found, tmp_path / "range.csv")
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert [row["seed"] for row in rows] == ["1", "2", "3"]
    assert (
        [float(row["exit_path"]) for row in rows]
        == found["maze"].values[:, 0].tolist()
        == [float(row["score"]) for row in rows]
    )


def test_random_levels_that_cannot_be_won_are_tried_but_not_counted() -> None:
    found = levolve.expressive_range(
        ["maze"],
        levels="random",
        samples=1500,
        size="12x12",
        settings={"genotype.fill": 0.4},
        executor=1,
    )
    sampled = found["maze"]
    assert [sample.tried for sample in sampled.samples] == [1000, 500]
    assert 0 < len(sampled.values) < sampled.tried == 1500
    assert sampled.values[:, 1].min() >= 22, "every counted level has a path to the exit"
    assert np.isclose(found.histogram("maze").sum(), 1.0)


def test_a_population_gives_many_different_levels_per_run() -> None:
    found = levolve.expressive_range(
        ["maze"], levels="population", executor=1, **{**SMALL, "samples": 1}
    )
    assert 10 < found["maze"].distinct <= len(found["maze"].values) <= 120


def test_levels_without_an_exit_are_shown_over_their_longest_path() -> None:
    assert RangeJob.of(["maze", "dungeon"], samples=1).axes == ("walls", "longest_path")
    assert RangeJob.of(["maze", "castle"], samples=1).axes == ("walls", "exit_path")


def test_a_range_continued_after_any_run_has_the_same_data() -> None:
    job = RangeJob.of(["maze", "maze-barriers"], **SMALL)
    assert_continues(job, ExpressiveRange.to_data)
    assert_continues(
        RangeJob.of(["maze"], levels="random", samples=2100, size="8x8"), ExpressiveRange.to_data
    )
    assert_refuses_others(job, RangeJob.of(["maze", "maze-barriers"], **SMALL, seed=2))


def test_the_data_does_not_depend_on_the_threads() -> None:
    one, two = (
        levolve.expressive_range(["maze", "maze-barriers"], executor=threads, **SMALL).to_data()
        for threads in (1, max(core_count(), 2))
    )
    assert one == two
    assert json.loads(json.dumps(one)) == one


def test_the_picture_has_a_panel_per_recipe_and_the_same_bytes_each_time() -> None:
    found = hand_made(one=[(0, 0), (7, 7)], other=[(7, 6)])
    content = range_picture(found)
    assert content == range_picture(found)
    picture = Image.open(io.BytesIO(content))
    assert picture.width > 2 * 280
    assert json.loads(picture.text["levolve range"])["axes"] == ["walls", "longest_path"]  # type: ignore[attr-defined]
    shades = SHARES.colours(np.array([[np.nan, 0.01, 0.5, 1.0]]), 0.0, 1.0)[0].sum(axis=1).tolist()
    assert shades[0] == 3 * 255
    assert shades == sorted(shades, reverse=True), "more levels are darker"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"recipes": []}, "recipes: expected at least one recipe"),
        ({"axes": ["walls"]}, "axes: expected the names of two measures"),
        ({"axes": ["walls", "wals"]}, "unknown measure 'wals': did you mean 'walls'"),
        (
            {"recipes": ["maze", "dungeon"], "axes": ["walls", "exit_path"]},
            "axes: exit_path cannot be measured in levels of recipe dungeon",
        ),
        ({"levels": "worst"}, "levels: expected one of best, population, random, got 'worst'"),
        ({"samples": 0}, "samples: expected at least 1, got 0"),
        (
            {"recipes": ["maze"], "settings": {"strategy.size": 3}},
            "recipe maze: strategy.size: unknown setting",
        ),
    ],
)
def test_wrong_calls_are_explained(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(LevolveError, match=message):
        RangeJob.of(**{"recipes": ["maze"], **changes})


def test_a_recipe_is_sampled_with_several_objectives() -> None:
    found = levolve.expressive_range(
        "maze",
        vary={"objective.kind": ["exit_path", "culs_de_sac"]},
        samples=2,
        evaluations=300,
        size="8x8",
    )
    alone = levolve.expressive_range(
        "maze",
        settings={"objective.kind": "culs_de_sac"},
        samples=2,
        evaluations=300,
        size="8x8",
    )
    assert [one.name for one in found.recipes] == ["exit_path", "culs_de_sac"]
    assert found["culs_de_sac"].values.tolist() == alone["maze"].values.tolist()
    assert found["exit_path"].values.tolist() != alone["maze"].values.tolist()


def test_a_grid_is_a_size() -> None:
    with pytest.raises(InputError, match="expected"):
        RangeJob.of(["maze"], grid="5")
