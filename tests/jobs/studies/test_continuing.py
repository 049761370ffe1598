"""Comparisons and meta-evolutions that are stopped and continued: the same data as without the
interruption.
"""

from typing import Any

import pytest

from jobs.runs.job_laws import assert_continues, assert_refuses_others, assert_survives_interrupts
from levolve.jobs.studies import tune
from levolve.jobs.studies.arguments import parse_budget
from levolve.jobs.studies.comparison import Comparison
from levolve.jobs.studies.comparison_job import ComparisonJob
from levolve.jobs.studies.study import run_trial
from levolve.jobs.studies.tune import MetaEvolution, prepare
from levolve.jobs.studies.tuning import Tuning
from levolve.jobs.units import UnitJob

COMPARISONS: dict[str, dict[str, Any]] = {
    "score": {},
    "target": {"target": {"exit_path": "14..18"}},
    "three": {"recipes": ["maze", "maze-barriers", "maze"], "objective": "exit_path"},
}


def a_comparison(changes: dict[str, Any], seed: int = 1) -> ComparisonJob:
    return ComparisonJob.of(
        **{
            "recipes": ["maze", "maze-barriers"],
            "runs": 2,
            "evaluations": 300,
            "size": "8x8",
            "seed": seed,
            **changes,
        }
    )


def comparison_data(comparison: Comparison) -> object:
    return comparison.to_data(seconds=False)


@pytest.mark.parametrize("changes", COMPARISONS.values(), ids=COMPARISONS)
def test_a_comparison_continued_after_any_run_has_the_same_data(changes: dict[str, Any]) -> None:
    assert_continues(a_comparison(changes), comparison_data)


def test_a_comparison_refuses_the_state_of_another() -> None:
    assert_refuses_others(a_comparison({}), a_comparison({}, 2))


METAS: dict[str, dict[str, Any]] = {
    "source": {"recipe": "dungeon-meta", "population": 6, "generations": 2, "seeds": 1},
    "source with a budget": {
        "recipe": "dungeon-meta",
        "population": 6,
        "generations": 9,
        "seeds": 1,
        "budget": 2000,
    },
    "source at random": {
        "recipe": "dungeon-meta",
        "population": 6,
        "generations": 2,
        "seeds": 2,
        "random": True,
    },
    "race": {"recipe": "dungeon-race", "population": 4, "generations": 2, "seeds": 1},
    "race with a budget": {
        "recipe": "dungeon-race",
        "population": 6,
        "generations": 5,
        "seeds": 1,
        "budget": 9000,
    },
    "time": {
        "recipe": "dungeon-meta",
        "population": 6,
        "generations": 3,
        "seeds": 1,
        "budget": "8s",
    },
}


def a_meta(
    recipe: str,
    budget: str | float | None = None,
    seed: int = 1,
    *,
    random: bool = False,
    **counts: int,
) -> MetaEvolution:
    size = {"size": "5x5", "settings": {"generations": 3}}
    source, scheme = prepare(
        recipe,
        None,
        counts["population"],
        counts["generations"],
        counts["seeds"],
        **size,  # type: ignore[arg-type]
    )
    scheme = scheme.at_random() if random else scheme
    return MetaEvolution(
        source,
        scheme.model_copy(update={"final_runs": 4} if scheme.kind == "race" else {}),
        seed,
        parse_budget(budget),
    )


def meta_data(found: Tuning) -> object:
    return {**found.to_data(), "seconds": None, "level": found.level and found.level.digest}


@pytest.mark.parametrize("changes", METAS.values(), ids=METAS)
def test_a_meta_evolution_continued_after_any_event_has_the_same_result(
    changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A clock that shows a second per trial.
    monkeypatch.setattr(UnitJob, "elapsed", property(lambda job: float(job.trials)))
    monkeypatch.setattr("levolve.recipes.schemes.RaceScheme.fresh_runs", 2)
    monkeypatch.setattr("levolve.recipes.schemes.SourceScheme.fresh_runs", 2)
    job = a_meta(**changes)
    timed = "s" in str(changes.get("budget"))
    # Which trials have finished when the time is up depends on the threads.
    assert_continues(
        job, meta_data, stops=5, threads=(1,) if timed else (1, 2), unordered=["trial"]
    )
    if timed:
        assert job.trials == 8, "the time was up in the middle of a generation"


def test_a_meta_evolution_refuses_the_state_of_another() -> None:
    assert_refuses_others(a_meta(**METAS["race"]), a_meta(**METAS["race with a budget"]))


def test_a_meta_evolution_interrupted_within_trials_has_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("levolve.recipes.schemes.SourceScheme.fresh_runs", 2)
    expected = meta_data(a_meta(**METAS["source"]).finish())
    left = 0

    def interrupt(number: int) -> None:
        nonlocal left
        left = number

    def interrupted(*arguments: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return run_trial(*arguments)

    monkeypatch.setattr(tune, "run_trial", interrupted)
    assert_survives_interrupts(a_meta(**METAS["source"]), interrupt, meta_data, expected)
