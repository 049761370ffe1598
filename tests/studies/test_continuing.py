"""Comparisons and meta-evolutions that are stopped and continued: the same data as without the interruption."""

from typing import Any

import pytest

from levolve.studies.comparing import ComparisonJob
from levolve.studies.comparison import Comparison
from runs.job_laws import assert_continues, assert_refuses_others

COMPARISONS: dict[str, dict[str, Any]] = {
    "score": {},
    "target": {"target": {"exit_path": "14..18"}},
    "three": {"recipes": ["maze", "maze-barriers", "maze"], "objective": "exit_path"},
}


def a_comparison(changes: dict[str, Any], seed: int = 1) -> ComparisonJob:
    return ComparisonJob.of(**{"recipes": ["maze", "maze-barriers"], "runs": 2, "evaluations": 300, "size": "8x8", "seed": seed, **changes})


def comparison_data(comparison: Comparison) -> object:
    return comparison.to_data(seconds=False)


@pytest.mark.parametrize("changes", COMPARISONS.values(), ids=COMPARISONS)
def test_a_comparison_continued_after_any_run_has_the_same_data(changes: dict[str, Any]) -> None:
    assert_continues(a_comparison(changes), comparison_data)


def test_a_comparison_refuses_the_state_of_another() -> None:
    assert_refuses_others(a_comparison({}), a_comparison({}, 2))
