"""Paired tests, average ranks over many problems, and comparisons on several sizes."""

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image

import levolve
from jobs.runs.job_laws import assert_continues, assert_refuses_others
from levolve.cli.app import run as command
from levolve.core.errors import InputError
from levolve.jobs.studies.comparison import Comparison, Entrant
from levolve.jobs.studies.comparison_job import ComparisonJob
from levolve.jobs.studies.rank_tests import CriticalDifference, critical_distance, rank_pairs

SMALL: dict[str, Any] = {"runs": 2, "evaluations": 300, "objective": "exit_path"}
RECIPES = ["maze", "maze-barriers", "maze-chromatic"]


def paired(ones: Sequence[float], others: Sequence[float]) -> tuple[str, float, float]:
    (pair,) = rank_pairs(
        {"one": np.array(ones, float), "other": np.array(others, float)}, paired=True
    )
    return pair.first, pair.wins, pair.p


def test_paired_runs_are_compared_seed_by_seed() -> None:
    seeds = np.array([10.0, 20, 30, 40, 50, 60])
    assert paired([*(seeds + 1)], [*seeds]) == ("one", 1.0, 2 / 2**6)
    (apart,) = rank_pairs({"one": seeds + 1, "other": seeds})
    assert apart.p > 0.5, "each with each, the same runs show nothing"
    assert paired([1, 2, 3, 4], [1, 2, 3, 4]) == ("one", 0.5, 1.0)
    assert paired([1, 2, 3, 4], [2, 3, 4, 5])[0] == "other"


def test_two_runs_without_success_are_equal_and_one_is_the_largest_difference() -> None:
    none = -np.inf
    assert paired([none, none, none], [none, none, none]) == ("one", 0.5, 1.0)
    first, wins, p = paired([-10, -20, -30, -40, -50, -60], [none, none, none, none, none, none])
    assert (first, wins) == ("one", 1.0)
    assert p == pytest.approx(2 / 2**6)
    assert paired([-10, none], [none, -10])[1] == 0.5


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return levolve.compare(RECIPES, size="6x6", paired=True, **SMALL)


def with_scores(comparison: Comparison, **scores: Sequence[float]) -> Comparison:
    """A comparison whose recipes have these scores, one per seed."""
    recipe = comparison.entrants[0].recipe
    entrants = tuple(
        Entrant(
            name,
            recipe,
            tuple(
                replace(comparison.entrants[0].runs[0], name=name, curve=np.array([score]))
                for score in each
            ),
        )
        for name, each in scores.items()
    )
    return replace(comparison, entrants=entrants)


def test_average_ranks_share_ties_and_groups_are_within_the_critical_difference(
    comparison: Comparison,
) -> None:
    found = CriticalDifference.of([with_scores(comparison, a=[9, 9, 9], b=[5, 9, 1], c=[1, 1, 0])])
    assert found.names == ("a", "b", "c")
    assert found.ranks.tolist() == pytest.approx([(1 + 1.5 + 1) / 3, (2 + 1.5 + 2) / 3, 3])
    assert found.blocks == 3
    assert found.distance == pytest.approx(2.343 * np.sqrt(3 * 4 / (6 * 3)), abs=0.002)
    assert found.groups == [(0, 2)]
    many = CriticalDifference.of(
        [with_scores(comparison, a=[9] * 40, b=[5] * 20 + [1] * 20, c=[1] * 20 + [5] * 20)] * 2
    )
    assert many.groups == [(1, 2)]
    assert many.p is not None
    assert many.p < 1e-9


def test_recipes_that_are_always_equal_are_alike(comparison: Comparison) -> None:
    found = CriticalDifference.of([with_scores(comparison, a=[3, 4], b=[3, 4], c=[3, 4])])
    assert (found.p, found.ranks.tolist(), found.groups) == (1.0, [2, 2, 2], [(0, 2)])
    assert CriticalDifference.of([with_scores(comparison, a=[3, 4], b=[5, 6])]).p is None


@pytest.mark.parametrize(("recipes", "quantile"), [(2, 1.960), (3, 2.343), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_has_the_published_quantiles(recipes: int, quantile: float) -> None:
    assert critical_distance(recipes, 20) == pytest.approx(
        quantile * np.sqrt(recipes * (recipes + 1) / 120), rel=0.001
    )


def test_comparisons_with_other_recipes_have_no_common_ranks(comparison: Comparison) -> None:
    with pytest.raises(InputError, match="expected the recipes a, b in all of them"):
        CriticalDifference.of(
            [with_scores(comparison, a=[1], b=[2]), with_scores(comparison, a=[1], c=[2])]
        )


def test_each_size_is_the_same_comparison_as_alone(comparison: Comparison) -> None:
    found = levolve.compare_sizes(RECIPES, ["6x6", "8x8"], paired=True, **SMALL)
    assert found["6x6"].to_data(seconds=False) == comparison.to_data(seconds=False)
    assert [row["size"] for row in found.rows()] == ["6x6"] * 6 + ["8x8"] * 6
    assert found.ranks.blocks == 4
    assert repr(found).startswith("<SizesComparison on 6x6, 8x8, average ranks: ")
    assert Image.open(io.BytesIO(found._repr_png_() or b"")).width > 500


def test_a_comparison_on_sizes_continued_after_any_run_has_the_same_data() -> None:
    job = ComparisonJob.of(RECIPES[:2], sizes=["6x6", "7x7"], **SMALL)
    assert_continues(job, lambda result: result.to_data(seconds=False), stops=3)
    assert_refuses_others(job, ComparisonJob.of(RECIPES[:2], sizes=["6x6", "8x8"], **SMALL))
    with pytest.raises(
        InputError, match="sizes: expected one or more different sizes, got 6x6, 6x6"
    ):
        ComparisonJob.of(RECIPES[:2], sizes=["6x6", "6x6"], **SMALL)


def test_the_command_prints_ranks_within_the_terminal(
    tmp_path: object, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "compare",
        *RECIPES,
        "--runs",
        "2",
        "--evaluations",
        "300",
        "--objective",
        "exit_path",
        "--paired",
    ]
    assert (
        command(
            [
                *arguments,
                "--size",
                "6x6,8x8",
                "-o",
                f"{tmp_path}/ranks.png",
                "-o",
                f"{tmp_path}/runs.csv",
            ]
        )
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["recipe", "rank", "6x6", "8x8"]
    assert max(map(len, lines)) <= 80
    assert command([*arguments, "--size", "6x6"]) == 0
    out = capsys.readouterr().out
    assert "p: two-sided signed-rank test (Wilcoxon), Holm's correction over 3 tests." in out
    assert "2 runs are too few for any difference to be significant" in out


def test_seeds_without_a_difference_keep_their_ranks() -> None:
    # Pratt: two zeros have the ranks 1 and 2, so that the losses have 3 and 4. Of the 64 signs of
    # the other six ranks, 7 give a sum of losses of at most 3 + 4: {}, {3}, {4}, {5}, {6}, {7} and
    # {3, 4}.
    first, wins, p = paired([0, 0, -1, -2, 3, 4, 5, 6], [0] * 8)
    assert (first, wins) == ("one", 5 / 8)
    assert p == pytest.approx(2 * 7 / 64)


def test_recipes_whose_ranks_differ_by_the_critical_difference_are_not_alike() -> None:
    names, ranks = ("a", "b", "c"), np.array([1.0, 2.5, 3.5])
    assert CriticalDifference(names, ranks, 4, 1.5, None, ()).groups == [(1, 2)]
    assert CriticalDifference(names, ranks, 4, 1.0, None, ()).groups == []
