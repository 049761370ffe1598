"""Annealing."""

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.jobs.runs.history import History
from levolve.levels.frame import Frame
from levolve.search.genotypes.direct import Direct
from levolve.search.search import Search
from levolve.search.strategies.annealing import Annealing
from levolve.search.variation.crossovers import UniformMutation

FRAME = Frame(8, 8, {"entrance": (0, 0), "exit": (7, 7)})


def begin(strategy: Annealing, generations: int) -> Search:
    genotype = Direct(fill=0.3)
    return strategy.search(
        genotype.space(FRAME),
        lambda seed, generation, count: genotype.start(FRAME, seed, generation, count),
        1,
        generations,
    )


def ones(genes: np.ndarray) -> np.ndarray:
    return np.asarray(
        np.unpackbits(np.ascontiguousarray(genes).view(np.uint8), axis=1).sum(axis=1), float
    )


def losses(strategy: Annealing, generations: int) -> list[int]:
    """In how many chains the score fell, generation by generation."""
    search = begin(strategy, generations)
    fallen = []
    for _ in range(generations):
        before = search.scores.copy() if search.generation else None
        search.tell(ones(search.ask()))
        assert np.array_equal(ones(search.genes), search.scores)
        if before is not None:
            fallen.append(int((search.scores < before).sum()))
    return fallen


def test_worse_levels_are_taken_often_while_hot_and_hardly_ever_when_cold() -> None:
    fallen = losses(Annealing(population=30, hot=0.05, cold=0.0001, takeover=10_000), 300)
    assert sum(fallen[:15]) > 3 * sum(fallen[-15:])


def test_the_cold_only_climb() -> None:
    assert sum(losses(Annealing(population=30, hot=1e-9, cold=1e-9), 100)) == 0


def test_a_good_chain_takes_over_a_bad_one() -> None:
    search = begin(Annealing(population=10, takeover=1, hot=1e-9, cold=1e-9), 100)
    for _ in range(2):
        search.tell(ones(search.ask()))
    assert len({row.tobytes() for row in search.genes}) <= 6, (
        "five winners, five copies of them (and ties)"
    )


def test_it_must_not_warm_up() -> None:
    with pytest.raises(InputError, match="cold: expected at most hot"):
        Annealing(hot=0.1, cold=0.2)


def test_an_unchanged_mutant_is_not_evaluated_again() -> None:
    search = begin(Annealing(population=10, mutation=UniformMutation(0.0)), 20)
    for _ in range(20):
        search.tell(ones(search.ask()))
    assert search.evaluations == 10


@pytest.mark.parametrize("budget", [600, 1799])
def test_a_budget_of_evaluations_cools_as_many_generations_as_it_is_enough_for(budget: int) -> None:
    def history(settings: dict[str, object]) -> History:
        parts = {
            "strategy.kind": "annealing",
            "strategy.population": 300,
            "strategy.hot": 0.5,
            "strategy.cold": 0.0001,
        }
        return levolve.evolve("maze", size=(8, 8), seed=3, settings={**parts, **settings}).history

    planned = budget // 300
    bounded = history({"evaluations": budget, "generations": 10_000})
    assert bounded.evaluations[:planned] == [
        300 * (generation + 1) for generation in range(planned)
    ]
    by_generations = history({"generations": planned})
    assert bounded.mean[:planned] == by_generations.mean[:planned], "the same temperatures"
    assert bounded.mean[:planned] != history({"generations": planned + 1}).mean[:planned], (
        "which matter"
    )
