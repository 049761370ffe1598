"""Mating events."""

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.search.genotypes.direct import Direct
from levolve.search.search import Search
from levolve.search.strategies.steady_state import SteadyState
from levolve.search.variation.crossovers import UniformCrossover, UniformMutation

FRAME = Frame(8, 8, {"entrance": (0, 0), "exit": (7, 7)})


def begin(strategy: SteadyState, seed: int = 1) -> Search:
    genotype = Direct(fill=0.3)
    return strategy.search(
        genotype.space(FRAME),
        lambda seed, generation, count: genotype.start(FRAME, seed, generation, count),
        seed,
        100,
    )


def ones(genes: np.ndarray) -> np.ndarray:
    return np.asarray(
        np.unpackbits(np.ascontiguousarray(genes).view(np.uint8), axis=1).sum(axis=1), float
    )


def go(search: Search, generations: int) -> Search:
    for _ in range(generations):
        search.tell(ones(search.ask()))
    return search


@pytest.mark.parametrize("events", [None, 1, 3])
def test_the_best_is_never_replaced_and_only_losers_are(events: int | None) -> None:
    search = go(begin(SteadyState(population=20, group=5, events=events)), 1)
    for _ in range(30):
        before = np.sort(search.scores)
        kept = {row.tobytes() for row in search.genes}
        go(search, 1)
        assert np.array_equal(ones(search.genes), search.scores)
        assert search.scores.max() >= before.max(), (
            "the best is never among the two worst of its group"
        )
        newcomers = sum(row.tobytes() not in kept for row in search.genes)
        assert newcomers <= 2 * (events or 4)


def test_it_climbs() -> None:
    assert go(begin(SteadyState(population=40)), 200).best_score > 55


def test_one_mating_event_proposes_at_most_two_children() -> None:
    search = go(begin(SteadyState(population=20, events=1)), 1)
    for _ in range(20):
        assert len(search.ask()) <= 2
        go(search, 1)


def test_unchanged_children_are_not_evaluated_again() -> None:
    still = SteadyState(
        population=20, crossover=UniformCrossover(rate=0.0), mutation=UniformMutation(0.0)
    )
    assert go(begin(still), 20).evaluations == 20


def test_groups_must_fit() -> None:
    with pytest.raises(InputError, match="expected 6 of 4 to fit into the population of 20"):
        SteadyState(population=20, group=4, events=6)
