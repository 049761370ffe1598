"""Archives compared: the same runs by QD score and by coverage, with the tests of `compare`."""

from typing import Any

import numpy as np
import pytest

import levolve
from jobs.runs.job_laws import assert_continues
from levolve.core.errors import InputError
from levolve.jobs.studies.comparison_job import ComparisonJob
from levolve.jobs.studies.rank_tests import rank_pairs

SMALL: dict[str, Any] = {
    "axes": "walls,exit_path",
    "grid": "8x8",
    "size": "8x8",
    "runs": 3,
    "evaluations": 600,
}


def test_a_comparison_of_archives_has_the_figures_of_illuminations_and_the_tests_of_compare() -> (
    None
):
    found = levolve.compare_illuminations(["maze", "maze-barriers"], **SMALL)
    rows = found.rows()
    assert [(row["recipe"], row["seed"]) for row in rows] == [
        (name, seed) for name in ("maze", "maze-barriers") for seed in (1, 2, 3)
    ]
    one = levolve.illuminate(
        "maze", axes="walls,exit_path", grid="8x8", size="8x8", evaluations=600, seed=2
    )
    assert (rows[1]["qd_score"], rows[1]["coverage"], rows[1]["evaluations"]) == (
        one.qd_score,
        one.coverage,
        600,
    )
    for figure, pairs in (("qd_score", found.pairs), ("coverage", found.coverage.pairs)):
        samples = {
            name: np.array([row[figure] for row in rows if row["recipe"] == name])
            for name in ("maze", "maze-barriers")
        }
        assert list(pairs) == list(rank_pairs(samples))
    assert repr(found).startswith("<Comparison by qd_score, 3 runs of 600 evaluations: maze ")
    assert found.to_data()["coverage"]["recipes"][0]["scores"] == [
        row["coverage"] for row in rows[:3]
    ]
    assert len(found.plot().axes) == 2


def test_all_archives_have_the_cells_of_the_first_recipe() -> None:
    job = ComparisonJob.of(["maze", "castle"], ranges={"walls": (0, 30)}, **SMALL)
    one, other = job.contests[0].rivals.values()
    assert one.strategy["ranges"] == other.strategy["ranges"]
    assert one.strategy["ranges"][0] == [0, 30]


def test_settings_of_the_strategy_are_those_of_each_recipe() -> None:
    (contest,) = ComparisonJob.of(["maze", "maze"], **SMALL).contests
    careful = contest.rivals["maze #1"].changed(
        {"name": "careful", "strategy.infeasible_share": 0.3}
    )
    job = ComparisonJob.of(["maze", careful], **SMALL)
    assert job.contests[0].rivals["careful"].strategy["infeasible_share"] == 0.3
    assert job.contests[0].rivals["maze"].strategy.get("infeasible_share", 0) != 0.3


def test_a_comparison_of_archives_continues_after_any_run() -> None:
    job = ComparisonJob.of(["maze", "maze-barriers"], **{**SMALL, "runs": 2})
    assert_continues(job, lambda found: found.to_data(seconds=False), stops=3)


def test_wrong_axes_name_the_recipe() -> None:
    with pytest.raises(InputError, match="recipe maze: unknown measure 'wals'"):
        ComparisonJob.of(["maze", "castle"], **{**SMALL, "axes": "wals"})
