"""Sets of settings: within their ranges, whatever is done to them."""

import statistics
from math import sqrt

from hypothesis import given
from hypothesis import strategies as st

from levolve.jobs.studies.setting_sets import (
    child_of,
    fresh_set,
    mutant_of,
    neighbour_of,
    stream_of,
)
from levolve.recipes.search_space import Choice, Settings, Span, Variable

VARIABLES: tuple[Variable, ...] = (
    Span("rate", 0.0, 0.5, whole=False),
    Span("kill", 1, 100, whole=True),
    Span("mutate", 1, "kill", whole=True),
    Choice("crossover", ("uniform", "chunk", "one_point")),
)
SEEDS = st.integers(0, 2**64 - 1)


def drawn(seed: int, individual: int = 0) -> Settings:
    return fresh_set(VARIABLES, stream_of(seed, 48, 0, individual))


def check(settings: Settings) -> None:
    assert list(settings) == ["rate", "kill", "mutate", "crossover"]
    assert 0 <= settings["rate"] <= 0.5
    assert 1 <= settings["mutate"] <= settings["kill"] <= 100
    assert isinstance(settings["kill"], int)
    assert settings["crossover"] in {"uniform", "chunk", "one_point"}


@given(SEEDS, st.floats(0.001, 1))
def test_every_set_is_within_its_ranges(seed: int, spread: float) -> None:
    one, other = drawn(seed, 0), drawn(seed, 1)
    stream = stream_of(seed, 49, 3, 0)
    neighbour = neighbour_of(VARIABLES, [one, other], 10 * spread, 0.5, stream)
    for settings in (
        one,
        other,
        mutant_of(VARIABLES, one, spread, stream),
        child_of(VARIABLES, one, other, stream),
        neighbour,
    ):
        check(settings)


@given(SEEDS)
def test_a_mutant_is_near_its_original(seed: int) -> None:
    original = {"rate": 0.25, "kill": 50, "mutate": 20, "crossover": "chunk"}
    mutant = mutant_of(VARIABLES, original, 0.1, stream_of(seed, 49, 0, 0))
    assert abs(mutant["rate"] - 0.25) <= 0.05
    assert abs(mutant["kill"] - 50) <= 10
    assert abs(mutant["mutate"] - 20) <= 6


@given(SEEDS)
def test_a_child_is_between_its_parents(seed: int) -> None:
    one = {"rate": 0.1, "kill": 31, "mutate": 10, "crossover": "chunk"}
    other = {"rate": 0.3, "kill": 60, "mutate": 20, "crossover": "uniform"}
    child = child_of(VARIABLES, one, other, stream_of(seed, 50, 0, 0))
    assert child["rate"] == 0.2
    assert child["kill"] in {45, 46}
    assert child["mutate"] == 15
    assert child["crossover"] in {"chunk", "uniform"}


@given(SEEDS)
def test_a_neighbour_is_as_near_to_the_elites_as_they_are_to_each_other(seed: int) -> None:
    elites = [
        {"rate": rate, "kill": 50, "mutate": mutate, "crossover": "chunk"}
        for rate, mutate in ((0.02, 30), (0.03, 40), (0.04, 30))
    ]
    neighbour = neighbour_of(VARIABLES, elites, 1.0, 0.0, stream_of(seed, 49, 0, 0))
    assert 0.02 - 3 * 0.0082 <= neighbour["rate"] <= 0.04 + 3 * 0.0082, (
        "three standard deviations of the elites at most"
    )
    assert abs(neighbour["kill"] - 50) <= 2, "where the elites agree, a small step"
    assert 30 - 15 <= neighbour["mutate"] <= 40 + 15
    assert neighbour["crossover"] == "chunk"


def test_steps_of_neighbours_have_the_standard_deviation_of_the_elites() -> None:
    elites = [
        {"rate": 0.25 + step, "kill": 50, "mutate": 20, "crossover": "chunk"}
        for step in (-0.01, 0.01)
    ]
    drawn_sets = [
        neighbour_of(VARIABLES, elites, 2.0, 0.5, stream_of(1, 49, 0, individual))
        for individual in range(2000)
    ]
    deviation = statistics.pstdev(settings["rate"] for settings in drawn_sets)
    assert abs(deviation - 0.01 * sqrt(1 + 2**2)) < 0.001, (
        "that of the parents, and twice that for the step"
    )
    assert {settings["crossover"] for settings in drawn_sets} == {"uniform", "chunk", "one_point"}


def test_sets_reach_every_value() -> None:
    sets = [drawn(7, individual) for individual in range(2000)]
    assert {settings["kill"] for settings in sets} == set(range(1, 101))
    assert {settings["crossover"] for settings in sets} == {"uniform", "chunk", "one_point"}
    mutants = [
        mutant_of(VARIABLES, sets[0], 0.5, stream_of(7, 49, 0, individual))
        for individual in range(300)
    ]
    assert {settings["crossover"] for settings in mutants} == {"uniform", "chunk", "one_point"}
