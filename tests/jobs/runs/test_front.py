"""The Pareto front of a run."""

import json

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError, LevolveError
from levolve.jobs.replay import replay
from levolve.jobs.runs.run import Run
from levolve.levels.measures import MEASURES
from levolve.search.genotypes.direct import Direct

AXES = ("dead_ends", "loops")


def front_run(seed: int, strategy: dict[str, object] | None = None, generations: int = 60) -> Run:
    table = {"kind": "nsga2", "population": 60, "objectives": dict.fromkeys(AXES, "max")}
    return levolve.evolve(
        "maze",
        size=(14, 14),
        seed=seed,
        generations=generations,
        executor=1,
        settings={"strategy": strategy or table},
    )


@pytest.mark.parametrize(
    ("axes", "generations", "population", "seed"),
    [(AXES, 60, 60, 21), (AXES, 60, 60, 22), (("longest_path", "loops"), 100, 100, 21)],
)
def test_nothing_that_ten_times_as_many_random_samples_find_dominates_the_front(
    axes: tuple[str, str], generations: int, population: int, seed: int
) -> None:
    # The long version with more seeds and measures is benchmarks/fronts.py.
    run = front_run(
        seed,
        {"kind": "nsga2", "population": population, "objectives": dict.fromkeys(axes, "max")},
        generations,
    )
    front = np.stack([run.front.values[name] for name in axes], axis=1)
    problem, count = run.problem, 10 * run.evaluations
    fills = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
    for fill in fills:
        genotype = Direct(fill)
        batch = genotype.batch(
            genotype.start(problem.frame, seed, 0, count // len(fills)), problem.frame
        )
        feasible = problem.objective.feasible(batch)  # type: ignore[attr-defined]
        found = np.unique(
            np.stack([MEASURES[name].values(batch) for name in axes], axis=1)[feasible], axis=0
        )
        at_least = (found[:, np.newaxis] >= front).all(axis=2)
        above = (found[:, np.newaxis] > front).any(axis=2)
        assert not (at_least & above).any()


def test_the_levels_of_a_front_have_its_values_and_can_be_grown_again() -> None:
    run = front_run(4, generations=10)
    front = run.front
    assert len(front) == len(list(front)) == len(front.levels) > 5
    for index, level in enumerate(front):
        level.check()
        counted = levolve.measure(level)
        assert [counted[name][0] for name in AXES] == [front.values[name][index] for name in AXES]
    assert replay(front.levels[-1]).same
    assert json.loads(json.dumps(front.rows()))[0]["digest"] == front.levels[0].digest
    assert repr(front).startswith(f"<Front of {len(front)} levels: dead_ends ")


def test_a_front_is_part_of_the_result_of_a_run_and_others_have_none() -> None:
    assert (
        front_run(4, generations=2).to_data()["front"] == front_run(4, generations=2).front.rows()
    )
    plain = levolve.evolve("maze", size=(8, 8), seed=1, generations=2, executor=1)
    assert "front" not in plain.to_data()
    with pytest.raises(InputError, match="front: expected a search with several objectives"):
        plain.front  # noqa: B018 the property raises


def test_a_run_with_several_objectives_does_not_end_at_the_highest_score() -> None:
    strategy = {"kind": "nsga2", "population": 20}
    run = levolve.evolve(
        "maze",
        size=(8, 8),
        seed=1,
        generations=5,
        target={"exit_path": (14, 64)},
        settings={"strategy": strategy},
        executor=1,
    )
    assert run.best_score == 1.0
    assert len(run.history.best) == 6


@pytest.mark.parametrize(
    ("objectives", "message"),
    [
        (
            {"tour_steps": "max"},
            "feature 'tour_steps': expected levels with A and B and C, got one with entrance, exit",
        ),
        (
            {"walks": "max"},
            (
                "feature 'walks': expected a measure, or a feature that the objective returns: "
                "did you mean 'walls'"
            ),
        ),
        ({"walls": "most"}, "strategy.objectives: walls: expected 'max' or 'min', got 'most'"),
    ],
)
def test_wrong_objectives_are_explained(objectives: dict[str, str], message: str) -> None:
    with pytest.raises(LevolveError, match=message):
        front_run(1, {"kind": "nsga2", "objectives": objectives}, 1)
