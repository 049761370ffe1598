from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import chi_square_fits, generations, words
from levolve.kernels.bits.random_streams import GROUP, SELECT
from levolve.kernels.variation import selection
from oracles import selection as twin
from oracles.streams import open_stream

PLACES = 6

# Few different scores, so that there are equals; and any others.
scores_lists = st.lists(
    st.sampled_from([-1.0, 0.0, 1.0, 2.0, -np.inf]) | st.floats(-1e9, 1e9), min_size=1, max_size=20
)
weights_lists = st.lists(
    st.sampled_from([0.0, 0.0, 1.0]) | st.floats(1e-6, 1e6), min_size=1, max_size=20
)


def tournament(
    seed: int, generation: int, scores: list[float], size: int, places: int = PLACES
) -> list[int]:
    out = np.full(places, -99, np.int64)
    selection.tournament(np.uint64(seed), generation, np.array(scores), size, out)
    listed: list[int] = out.tolist()
    return listed


def proportional(
    seed: int, generation: int, weights: list[float], places: int = PLACES
) -> list[int]:
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
def test_a_tournament_has_the_winner_of_the_twin(
    seed: int, generation: int, scores: list[float], size: int
) -> None:
    expected = [
        twin.tournament(open_stream(seed, SELECT, generation, place), scores, size)
        for place in range(PLACES)
    ]
    assert tournament(seed, generation, scores, size) == expected


@given(words, generations, weights_lists)
def test_the_wheel_stops_where_the_twin_says(
    seed: int, generation: int, weights: list[float]
) -> None:
    expected = [
        twin.proportional(open_stream(seed, SELECT, generation, place), weights)
        for place in range(PLACES)
    ]
    assert proportional(seed, generation, weights) == expected


@given(words, generations, weights_lists)
def test_the_wheel_never_stops_at_nothing_unless_there_is_nothing_else(
    seed: int, generation: int, weights: list[float]
) -> None:
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
def test_parents_from_the_best_are_those_of_the_twin(
    seed: int, generation: int, best: list[int]
) -> None:
    expected = [
        twin.from_the_best(open_stream(seed, SELECT, generation, place), best)
        for place in range(PLACES)
    ]
    assert from_the_best(seed, generation, best) == expected


def test_parents_from_the_best_are_equally_likely() -> None:
    found = Counter(from_the_best(9, 4, [3, 1, 4, 15, 9], 3000))
    assert chi_square_fits([found[individual] for individual in (3, 1, 4, 15, 9)], 3000)


@given(scores_lists, st.data())
def test_the_best_come_first_and_equals_in_their_order(
    scores: list[float], data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, len(scores)))
    out = np.full(count, -99, np.int64)
    selection.best_first(np.array(scores), out)
    assert out.tolist() == twin.best_first(scores, count)


@dataclass(frozen=True)
class Mating:
    """Groups of `group` are drawn from a population with these scores, `events` of them."""

    seed: int
    generation: int
    scores: list[float]
    group: int
    events: int

    @property
    def by_the_twin(self) -> list[list[int]]:
        """The members of each group, best first."""
        return twin.mating_groups(
            open_stream(self.seed, GROUP, self.generation, 0), self.scores, self.group, self.events
        )


@st.composite
def matings(draw: st.DrawFn, each: int, *, all_that_fit: bool) -> Mating:
    """Groups with room for `each` parents and as many losers: as many as fit into the population,
    or fewer.
    """
    group = draw(st.integers(2 * each, 8))
    least = group if all_that_fit else 2 * group
    scores = draw(
        st.lists(
            st.sampled_from([-1.0, 0.0, 1.0, -np.inf]) | st.floats(-1e9, 1e9),
            min_size=least,
            max_size=40,
        )
    )
    most = len(scores) // group
    return Mating(
        draw(words),
        draw(generations),
        scores,
        group,
        most if all_that_fit else draw(st.integers(1, most - 1)),
    )


def mating_groups(mating: Mating, each: int) -> tuple[list[list[int]], list[list[int]]]:
    """The parents of each group, best first, and its losers, worst first."""
    parents, losers = np.full((2, each * mating.events), -99, np.int64)
    selection.mating_groups(
        np.uint64(mating.seed),
        mating.generation,
        np.array(mating.scores),
        mating.group,
        each,
        parents,
        losers,
    )
    return parents.reshape(-1, each).tolist(), losers.reshape(-1, each).tolist()


@given(matings(2, all_that_fit=True))
def test_of_each_mating_group_the_two_best_and_the_two_worst_are_those_of_the_twin(
    mating: Mating,
) -> None:
    groups = mating.by_the_twin
    assert mating_groups(mating, 2) == (
        [group[:2] for group in groups],
        [group[-1:-3:-1] for group in groups],
    )


@given(matings(1, all_that_fit=True))
def test_of_each_mating_group_the_best_and_the_worst_are_those_of_the_twin(mating: Mating) -> None:
    groups = mating.by_the_twin
    assert mating_groups(mating, 1) == (
        [group[:1] for group in groups],
        [group[-1:] for group in groups],
    )


@given(matings(2, all_that_fit=False))
def test_fewer_mating_groups_than_fit_are_those_of_the_twin(mating: Mating) -> None:
    groups = mating.by_the_twin
    assert mating_groups(mating, 2) == (
        [group[:2] for group in groups],
        [group[-1:-3:-1] for group in groups],
    )


@given(matings(2, all_that_fit=True))
def test_mating_groups_are_disjoint_and_no_parent_is_worse_than_a_loser(mating: Mating) -> None:
    parents, losers = mating_groups(mating, 2)
    chosen = [individual for pair in (*parents, *losers) for individual in pair]
    assert len(set(chosen)) == 4 * mating.events
    assert all(0 <= individual < len(mating.scores) for individual in chosen)
    for pair, others in zip(parents, losers, strict=True):
        ranks = [mating.scores[individual] for individual in (*pair, *reversed(others))]
        assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize("generation", range(6))
def test_mating_groups_are_individuals_whatever_their_scores_are(generation: int) -> None:
    parents, losers = mating_groups(
        Mating(5, generation, [1.0, np.nan, 2.0, 0.5, np.nan, -np.inf, np.nan, 3.0], 4, 2), 2
    )
    assert sorted(individual for group in parents + losers for individual in group) == list(
        range(8)
    )


def test_mating_groups_can_cover_the_whole_population() -> None:
    parents, losers = mating_groups(Mating(3, 1, [float(score) for score in range(20)], 4, 5), 2)
    assert sorted(individual for pair in (*parents, *losers) for individual in pair) == list(
        range(20)
    )


def test_everybody_comes_into_a_mating_group_equally_often() -> None:
    # Thirteen individuals and groups of four: one is left over each time.
    left = Counter[int]()
    for generation in range(1300):
        parents, losers = mating_groups(Mating(5, generation, [0.0] * 13, 4, 3), 2)
        left.update(
            set(range(13)) - {individual for pair in (*parents, *losers) for individual in pair}
        )
    assert chi_square_fits([left[individual] for individual in range(13)], 1300)


@given(
    words,
    generations,
    st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), max_size=9),
    st.floats(0.01, 100),
)
def test_mutants_are_accepted_as_by_the_twin(
    seed: int, generation: int, pairs: list[tuple[float, float]], temperature: float
) -> None:
    count = len(pairs)
    genes, mutants = np.zeros((count, 3), np.uint8), np.ones((count, 3), np.uint8)
    scores, mutant_scores = np.array(pairs).reshape(count, 2).T.copy()
    selection.accept(
        np.uint64(seed), generation, temperature, mutants, mutant_scores, genes, scores
    )
    taken = [
        twin.accepts(open_stream(seed, SELECT, generation, i), old - new, temperature)
        for i, (old, new) in enumerate(pairs)
    ]
    assert genes.tolist() == [[int(accepted)] * 3 for accepted in taken]
    assert scores.tolist() == [
        new if accepted else old for accepted, (old, new) in zip(taken, pairs, strict=True)
    ]


@given(
    words, generations, st.lists(st.floats(-100, 100), min_size=1, max_size=9), st.floats(0.01, 100)
)
def test_a_mutant_below_its_floor_is_rejected_and_one_clearly_above_it_is_accepted(
    seed: int, generation: int, drawn: list[float], temperature: float
) -> None:
    scores, individuals = np.array(drawn), np.arange(len(drawn))[::-1].copy()
    floors = np.empty(scores.size)
    selection.accepted_from(np.uint64(seed), generation, temperature, individuals, scores, floors)
    for individual, floor in zip(individuals.tolist(), floors.tolist(), strict=True):
        stream, loss = open_stream(seed, SELECT, generation, individual), drawn[individual] - floor
        assert loss > 0
        assert not twin.accepts(stream, loss + 1e-12 * abs(drawn[individual]), temperature)
        # exp(-x) and its approximation differ by a factor of about x * x / 2048.
        assert twin.accepts(stream, loss * (1 - loss / temperature / 1024) - 1e-6, temperature)


def test_the_floor_of_the_smallest_random_number_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "draw_float", lambda _stream, _index: 0.0)
    floors = np.empty(1)
    getattr(selection.accepted_from, "py_func", selection.accepted_from)(
        np.uint64(1), 1, 1.0, np.zeros(1, np.int64), np.zeros(1), floors
    )
    assert floors[0] == -np.inf


@pytest.mark.parametrize("loss", [0.1, 1.0, 3.0])
def test_a_loss_is_accepted_as_often_as_metropolis_says(loss: float) -> None:
    genes, scores = np.zeros((4000, 1), np.uint64), np.full(4000, 7.0)
    selection.accept(np.uint64(3), 1, 2.0, np.ones_like(genes), scores - loss, genes, scores)
    share = np.exp(-loss / 2)
    assert abs(genes.mean() - share) < 5 * (share * (1 - share) / 4000) ** 0.5


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12), st.integers(0, 12))
def test_the_best_are_carried_over_with_their_genes_and_scores(
    drawn: list[int], count: int
) -> None:
    scores = np.array(drawn, np.float64)
    count = min(count, scores.size)
    genes = np.arange(2 * scores.size, dtype=np.uint64).reshape(-1, 2)
    order = sorted(range(scores.size), key=lambda i: (-drawn[i], i))[:count]
    out_scores, out = np.empty(count), np.empty((count, 2), np.uint64)
    selection.carry_over(scores, genes, out_scores, out)
    assert out_scores.tolist() == [drawn[i] for i in order]
    assert out.tolist() == [[2 * i, 2 * i + 1] for i in order]
