"""Estimates from the runs of neighbouring sets."""

import numpy as np
import pytest

from levolve.jobs.studies.setting_sets import RaceRecord, fresh_set, smoothed_scores, stream_of
from levolve.recipes.recipe import find_recipe
from levolve.recipes.search_space import Settings

VARIABLES = (
    find_recipe("maze")
    .changed(
        {
            "vary": {
                "strategy.mutation.points": "1..9",
                "strategy.crossover": ["uniform", "one_point"],
            }
        }
    )
    .variables
)
SPANS = find_recipe("dungeon-race").variables


def a_set(points: int, crossover: str = "uniform") -> Settings:
    return {"strategy.mutation.points": points, "strategy.crossover": crossover}


def test_the_estimate_of_a_lone_set_is_the_mean_of_its_runs() -> None:
    assert smoothed_scores(VARIABLES, [a_set(3)], [RaceRecord(a_set(3), 4, 50.0)], [a_set(3)]) == [
        12.5
    ]


def test_near_sets_count_more_than_far_ones_and_many_runs_more_than_few() -> None:
    low, high = RaceRecord(a_set(1), 1, 0.0), RaceRecord(a_set(9), 1, 10.0)
    left, middle, right = smoothed_scores(
        VARIABLES, [a_set(5)], [low, high], [a_set(2), a_set(5), a_set(8)]
    )
    assert left < middle < right
    assert middle == pytest.approx(5)
    assert smoothed_scores(VARIABLES, [a_set(5)], [low, RaceRecord(a_set(9), 3, 30.0)], [a_set(5)])[
        0
    ] == pytest.approx(7.5)


def test_a_set_with_another_choice_is_less_near() -> None:
    records = [RaceRecord(a_set(5), 1, 10.0), RaceRecord(a_set(5, "one_point"), 1, 0.0)]
    same, other = smoothed_scores(VARIABLES, [a_set(5)], records, [a_set(5), a_set(5, "one_point")])
    assert same > 5 > other


def test_the_scale_is_that_of_the_elites() -> None:
    records = [RaceRecord(a_set(1), 1, 0.0), RaceRecord(a_set(9), 1, 10.0)]
    agreed, apart = (
        smoothed_scores(VARIABLES, elites, records, [a_set(8)])[0]
        for elites in ([a_set(5)], [a_set(1), a_set(9)])
    )
    assert agreed > apart > 5


def test_the_order_of_records_does_not_change_a_bit() -> None:
    sets = [fresh_set(SPANS, stream_of(1, 1, 0, number)) for number in range(40)]
    records = [
        RaceRecord(settings, 1, 90 + 10 * float(settings["genotype.floor"])) for settings in sets
    ]
    assert smoothed_scores(SPANS, sets[:4], records, sets) == smoothed_scores(
        SPANS, sets[:4], records[::-1], sets
    )


def test_estimates_are_closer_to_the_truth_than_single_runs() -> None:
    dice = np.random.default_rng(3)
    sets = [a_set(int(points)) for points in dice.integers(1, 10, 60)]
    truth = np.array([80 + float(settings["strategy.mutation.points"]) for settings in sets])
    seen = truth + 6 * dice.normal(size=60)
    estimates = smoothed_scores(
        VARIABLES,
        [a_set(5)],
        [
            RaceRecord(settings, 1, score)
            for settings, score in zip(sets, seen.tolist(), strict=True)
        ],
        sets,
    )
    assert np.abs(estimates - truth).mean() < 0.5 * np.abs(seen - truth).mean()
