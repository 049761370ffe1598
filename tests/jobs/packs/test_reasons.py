"""What a pack's report says about narrow curves and abandoned levels."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import levolve
from jobs.runs.job_laws import assert_continues
from levolve.jobs.packs.level_source import SIMILAR, Failures, reason_of
from levolve.jobs.packs.objective import Distinctness, PackObjective
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.packs.pick import curve_targets, is_narrow, widened
from levolve.jobs.packs.report import PackReport
from levolve.levels.level import Level
from levolve.levels.measures.measuring import batch_of, measure
from levolve.recipes.recipe import find_recipe

NARROW: dict[str, Any] = {
    "size": (9, 9),
    "count": 20,
    "target": {"exit_path": 20, "wrong_turns": 3},
    "attempts": 2,
    "seed": 1,
}


@pytest.fixture(scope="module")
def narrow() -> levolve.Pack:
    return levolve.pack("labyrinth", curve="easy..hard", **NARROW)


def test_levels_of_a_narrow_curve_are_spread_over_what_is_there(narrow: levolve.Pack) -> None:
    difficulties = measure(narrow.levels)["difficulty"]
    assert narrow.report.met, "a level whose difficulty does not exist gets one next to it"
    assert (np.diff(difficulties) >= 0).all()
    easiest, hardest = narrow.parts[0].scale or (0, 0)
    assert easiest <= difficulties.min() < difficulties.max() <= hardest


def test_a_narrow_curve_is_reported_with_its_figures(narrow: levolve.Pack) -> None:
    found = Counter(measure(narrow.levels)["difficulty"].tolist())
    (remark,) = narrow.report.remarks
    assert (
        f"the 20 levels have {len(found)} different difficulties, {min(found)} to {max(found)}"
        in remark
    )
    assert remark in str(narrow.report)
    assert narrow.to_data()["remarks"] == [remark]
    wide = levolve.pack("labyrinth", size=(15, 15), count=4, curve="easy..hard", seed=1)
    level = levolve.pack("labyrinth", curve="medium", **{**NARROW, "count": 3})
    assert wide.report.remarks == level.report.remarks == []


def test_a_range_of_difficulty_is_widened_until_it_contains_all() -> None:
    assert is_narrow((0.1, 0.8), 40, 188, 199)
    assert not is_narrow((0.1, 0.8), 40, 100, 300)
    assert not is_narrow((0.5, 0.5), 40, 188, 199)
    assert not is_narrow((0.1, 0.8), 1, 188, 189)
    assert widened((190, 191), 188, 199) == (189.5, 191.5)
    assert widened((187, 198), 188, 199) is not None
    assert widened((187, 199), 188, 199) is None


def test_targets_that_contradict_each_other_are_named() -> None:
    pack = levolve.pack(
        "maze",
        size=(6, 6),
        count=1,
        target={"exit_path": 18, "walls": (0, 4)},
        seed=1,
        attempts=1,
        settings={"generations": 200},
    )
    (missed,) = pack.report.missed
    assert missed["reason"].startswith("the targets seem to contradict each other")
    assert "exit_path 18 with walls 0..4" in missed["reason"]
    assert missed["reason"] in str(pack.report)


def test_a_target_that_no_level_meets_is_named_among_others() -> None:
    pack = levolve.pack(
        "maze",
        size=(6, 6),
        count=1,
        target={"exit_path": 26, "regions": (1, 9)},
        seed=1,
        attempts=1,
        settings={"generations": 50},
    )
    (missed,) = pack.report.missed
    assert missed["reason"] == "no level was found for exit_path 26 even without the other targets"


def test_distinctness_is_the_reason_where_targets_are_met_by_similar_levels_only() -> None:
    pack = levolve.pack(
        "maze",
        size=(3, 3),
        count=12,
        target={"exit_path": 4, "walls": (3, 4)},
        seed=1,
        attempts=2,
        settings={"generations": 30},
    )
    assert 0 < len(pack.levels) < 12
    assert {missed["reason"] for missed in pack.report.missed} == {SIMILAR}


def test_a_similar_level_that_meets_all_targets_counts_more_than_a_near_miss() -> None:
    first, near_miss = Level.from_text("S#.\n.#.\n..E"), Level.from_text("S.#\n..#\n#.E")
    objective = PackObjective(
        {"walls": (2.0, 2.0)}, Distinctness.empty(3, 3, first.tileset, 2).joined_by(first.tiles)
    )
    assert objective.shortfall(batch_of(near_miss))[0] < objective.shortfall(batch_of(first))[0]
    for levels in ((first, near_miss), (near_miss, first)):
        failures = Failures()
        for level in levels:
            failures.add(objective, batch_of(level))
        assert (failures.count, failures.similar) == (2, True)
        assert failures.unmet == (
            "distinct: 2 cells must differ from each of 1 levels, the nearest found differs in 0",
        )


def test_one_target_alone_needs_no_further_reason() -> None:
    assert not reason_of({"walls": (0, 1)}, [False])
    assert reason_of({"walls": (0, 1)}, [True]) == SIMILAR


def test_a_pack_with_abandoned_levels_continued_after_any_search_has_the_same_report() -> None:
    order = Order.of(
        find_recipe("maze").changed({"size": "6x6", "generations": 30}),
        count=2,
        target={"exit_path": [(10, 14), (26, 26)], "walls": (0, 9)},
        budget=1,
    )
    assert_continues(
        PackJob([order], 1), lambda pack: (pack.files("json"), pack.parts, str(pack.report))
    )


def test_the_ranges_of_a_curve_are_half_as_wide_as_the_distance_between_neighbours() -> None:
    found = curve_targets([{"walls": (1.0, 9.0)}, {}, {}], (0.0, 1.0), 10.0, 50.0)
    assert [targets["difficulty"] for targets in found] == [(5.0, 15.0), (25.0, 35.0), (45.0, 55.0)]
    assert found[0]["walls"] == (1.0, 9.0)
    down = curve_targets([{}] * 2, (0.5, 0.25), 0.0, 400.0)
    assert [targets["difficulty"] for targets in down] == [(175.0, 225.0), (75.0, 125.0)]


def test_shortcomings_name_the_recipe_in_a_pack_of_several() -> None:
    missed = {"recipe": "castle", "levels": "level 2", "unmet": ["walls: 9"], "reason": "why"}
    one, several = (PackReport(4, 1, [{}] * parts, [missed], []).shortcomings for parts in (1, 2))
    assert one == ["level 2 abandoned: walls: 9; why"]
    assert several == ["castle level 2 abandoned: walls: 9; why"]
