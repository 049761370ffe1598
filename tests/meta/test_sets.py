"""Sets of settings: within their ranges, whatever is done to them."""

from hypothesis import given
from hypothesis import strategies as st

from levolve.meta.sets import child_of, fresh_set, mutant_of, stream_of
from levolve.runs.varying import Choice, Settings, Span, Variable

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
    for settings in (one, other, mutant_of(VARIABLES, one, spread, stream), child_of(VARIABLES, one, other, stream)):
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


def test_sets_reach_every_value() -> None:
    sets = [drawn(7, individual) for individual in range(2000)]
    assert {settings["kill"] for settings in sets} == set(range(1, 101))
    assert {settings["crossover"] for settings in sets} == {"uniform", "chunk", "one_point"}
    mutants = [mutant_of(VARIABLES, sets[0], 0.5, stream_of(7, 49, 0, individual)) for individual in range(300)]
    assert {settings["crossover"] for settings in mutants} == {"uniform", "chunk", "one_point"}
