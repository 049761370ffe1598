from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import chi_square_fits, generations, words
from levolve.kernels import selection
from levolve.kernels.streams import SELECT
from oracles import selection as twin
from oracles.streams import open_stream

PLACES = 6

# Few different scores, so that there are equals; and any others.
scores_lists = st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0, -np.inf]) | st.floats(-1e9, 1e9), min_size=1, max_size=20)
weights_lists = st.lists(st.sampled_from([0.0, 0.0, 1.0]) | st.floats(1e-6, 1e6), min_size=1, max_size=20)


def tournament(seed: int, generation: int, scores: list[float], size: int, places: int = PLACES) -> list[int]:
    out = np.full(places, -99, np.int64)
    selection.tournament(np.uint64(seed), generation, np.array(scores), size, out)
    listed: list[int] = out.tolist()
    return listed


def proportional(seed: int, generation: int, weights: list[float], places: int = PLACES) -> list[int]:
    out = np.full(places, -99, np.int64)
    selection.proportional(np.uint64(seed), generation, np.array(weights), out)
    listed: list[int] = out.tolist()
    return listed


def from_the_best(seed: int, generation: int, best: list[int], places: int = PLACES) -> list[int]:
    out = np.full(places, -99, np.int64)
    selection.from_the_best(np.uint64(seed), generation, np.array(best, np.int64), out)
    listed: list[int] = out.tolist()
    return listed


@given(words, generations, scores_lists, st.integers(1, 8))
def test_a_tournament_has_the_winner_of_the_twin(seed: int, generation: int, scores: list[float], size: int) -> None:
    expected = [twin.tournament(open_stream(seed, SELECT, generation, place), scores, size) for place in range(PLACES)]
    assert tournament(seed, generation, scores, size) == expected


@given(words, generations, weights_lists)
def test_the_wheel_stops_where_the_twin_says(seed: int, generation: int, weights: list[float]) -> None:
    expected = [twin.proportional(open_stream(seed, SELECT, generation, place), weights) for place in range(PLACES)]
    assert proportional(seed, generation, weights) == expected


@given(words, generations, weights_lists)
def test_the_wheel_never_stops_at_nothing_unless_there_is_nothing_else(seed: int, generation: int, weights: list[float]) -> None:
    chosen = proportional(seed, generation, weights)
    assert all(0 <= individual < len(weights) for individual in chosen)
    assert not any(weights) or all(weights[individual] > 0 for individual in chosen)


def test_the_wheel_stops_in_proportion_to_the_weights() -> None:
    weights = [1.0, 0.0, 2.0, 3.0, 0.5, 1.5]
    found = Counter(proportional(5, 0, weights, 4000))
    for individual, weight in enumerate(weights):
        share = weight / 8
        assert abs(found[individual] / 4000 - share) <= 5 * (share * (1 - share) / 4000) ** 0.5


def test_a_wheel_of_nothing_stops_anywhere_equally_often() -> None:
    found = Counter(proportional(5, 0, [0.0] * 7, 3000))
    assert chi_square_fits([found[individual] for individual in range(7)], 3000)


@given(words, generations, st.lists(st.integers(0, 1000), min_size=1, max_size=20))
def test_parents_from_the_best_are_those_of_the_twin(seed: int, generation: int, best: list[int]) -> None:
    expected = [twin.from_the_best(open_stream(seed, SELECT, generation, place), best) for place in range(PLACES)]
    assert from_the_best(seed, generation, best) == expected


def test_parents_from_the_best_are_equally_likely() -> None:
    found = Counter(from_the_best(9, 4, [3, 1, 4, 15, 9], 3000))
    assert chi_square_fits([found[individual] for individual in (3, 1, 4, 15, 9)], 3000)


@given(scores_lists, st.data())
def test_the_best_come_first_and_equals_in_their_order(scores: list[float], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(scores)))
    out = np.full(count, -99, np.int64)
    selection.best_first(np.array(scores), out)
    assert out.tolist() == twin.best_first(scores, count)
