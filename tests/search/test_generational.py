"""Ask, tell, and the generational strategy."""

from collections.abc import Callable

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.search.genotypes.direct import Direct
from levolve.search.search import Search
from levolve.search.strategies.generational import Generational
from levolve.search.variation.crossovers import UniformCrossover, UniformMutation

FRAME = Frame(8, 8, {"entrance": (0, 0), "exit": (7, 7)})


def begin(strategy: Generational, seed: int = 1) -> Search:
    genotype = Direct(fill=0.3)
    return strategy.search(
        genotype.space(FRAME),
        lambda seed, generation, count: genotype.start(FRAME, seed, generation, count),
        seed,
        100,
    )


def ones(genes: np.ndarray) -> np.ndarray:
    """How many walls each individual has."""
    return np.asarray(np.unpackbits(genes.view(np.uint8), axis=1).sum(axis=1), float)


def go(
    search: Search, generations: int, score: Callable[[np.ndarray], np.ndarray] = ones
) -> Search:
    for _ in range(generations):
        search.tell(score(search.ask()))
    return search


def test_higher_is_better() -> None:
    most = go(begin(Generational(population=40)), 60)
    assert most.best_score == 62, "all cells but entrance and exit"
    fewest = go(begin(Generational(population=40)), 60, lambda genes: -ones(genes))
    assert fewest.best_score == 0


def test_the_elites_are_kept_untouched() -> None:
    search = go(begin(Generational(population=20, elites=3)), 1)
    for _ in range(30):
        order = np.argsort(-search.scores, kind="stable")[:3]
        genes, scores = search.genes[order].copy(), search.scores[order].copy()
        go(search, 1)
        assert np.array_equal(search.genes[:3], genes)
        assert np.array_equal(search.scores[:3], scores)


def test_without_elites_the_best_so_far_is_still_recorded() -> None:
    search = go(begin(Generational(population=6, elites=0, mutation=UniformMutation(0.5))), 1)
    bests = []
    for _ in range(30):
        go(search, 1)
        bests.append(search.best_score)
        assert search.best_genes is not None
        assert ones(search.best_genes[np.newaxis])[0] == search.best_score
    assert bests == sorted(bests)
    assert search.best_score > search.scores.max()


def test_unchanged_individuals_are_not_scored_again() -> None:
    still = Generational(
        population=31, elites=2, crossover=UniformCrossover(rate=0.0), mutation=UniformMutation(0.0)
    )
    assert go(begin(still), 40).evaluations == 31
    swapping = Generational(
        population=31,
        elites=2,
        crossover=UniformCrossover(exchange=1.0),
        mutation=UniformMutation(0.0),
    )
    assert go(begin(swapping), 40).evaluations == 31


def test_inherited_scores_are_the_true_ones() -> None:
    strategy = Generational(
        population=30,
        elites=2,
        crossover=UniformCrossover(rate=0.5),
        mutation=UniformMutation(0.001),
    )
    search = begin(strategy)
    for _ in range(40):
        go(search, 1)
        assert np.array_equal(ones(search.genes), search.scores)
    assert search.evaluations < 40 * 30 * 0.8


def test_ask_returns_the_same_genes_until_tell_is_called() -> None:
    search = begin(Generational(population=10))
    assert search.ask() is search.ask()
    first = search.ask()
    search.tell(np.zeros(10))
    assert search.ask() is not first


def test_the_same_seed_gives_the_same_search_and_another_seed_another() -> None:
    one, same, other = (go(begin(Generational(population=20), seed), 20) for seed in (5, 5, 6))
    assert np.array_equal(one.genes, same.genes)
    assert not np.array_equal(one.genes, other.genes)


def test_wrong_scores_are_refused() -> None:
    search = begin(Generational(population=10))
    with pytest.raises(InputError, match=r"expected a call of ask\(\) before tell\(\)"):
        search.tell(np.zeros(10))
    search.ask()
    with pytest.raises(
        InputError,
        match=(
            r"expected one for each of the 10 individuals that ask\(\) returned, got shape "
            r"\(11,\)"
        ),
    ):
        search.tell(np.zeros(11))
    with pytest.raises(
        InputError,
        match=(
            r"expected one for each of the 10 individuals that ask\(\) returned, "
            r"got shape \(0,\)"
        ),
    ):
        search.tell(np.zeros(0))
    with pytest.raises(
        InputError,
        match=(
            r"expected one for each of the 10 individuals that ask\(\) returned, got shape \(10, "
            r"1\)"
        ),
    ):
        search.tell(np.zeros((10, 1)))
    with pytest.raises(InputError, match="NaN for individual 4"):
        search.tell(np.array([0.0, 1, 2, 3, np.nan, 5, 6, 7, 8, 9]))
    search.tell(np.arange(10))
    assert search.generation == 1


def test_elites_must_leave_room() -> None:
    with pytest.raises(InputError, match="fewer than the population of 5, got 5"):
        Generational(population=5, elites=5)
