"""Islands beside separate searches between which a plain loop moves individuals, and what they
promise.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.kernels.bits.random_streams import ISLAND
from levolve.levels.frame import Frame
from levolve.search.genotypes.direct import Direct
from levolve.search.level_problem import LevelProblem
from levolve.search.objectives.paths import ExitPath
from levolve.search.search import Search, Strategy
from levolve.search.strategies.annealing import Annealing
from levolve.search.strategies.generational import Generational
from levolve.search.strategies.islands import Islands, island_seed
from levolve.search.strategies.novelty import Novelty
from levolve.search.strategies.nsga2 import NSGA2
from levolve.search.strategies.steady_state import SteadyState
from oracles.streams import draw, open_stream

FRAME = Frame(7, 6, {"entrance": (0, 0), "exit": (6, 5)})
INNER: list[Strategy] = [
    SteadyState(8),
    Generational(6, 1),
    Annealing(5),
    NSGA2(population=6),
    Novelty(population=6),
]


def problem_of(strategy: Strategy) -> LevelProblem:
    return LevelProblem(Direct(0.3), ExitPath(), FRAME, strategy.features)


def migrants_of(search: Search, count: int) -> list[int]:
    """The best of a population: by score, but the populations of some strategies are sorted by what
    they prefer.
    """
    places = list(range(len(search.genes)))
    return (
        places
        if isinstance(search.state().get("features"), dict)
        else sorted(places, key=lambda place: -search.scores[place])
    )[:count]


@given(
    st.sampled_from(INNER),
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(0, 9),
    st.integers(0, 2**64 - 1),
)
def test_islands_are_separate_searches_whose_best_move_on(
    inner: Strategy, count: int, every: int, migrants: int, seed: int
) -> None:
    problem = problem_of(inner)
    search = Islands(inner, count, every, migrants).search(problem.space, problem.start, seed, 8)
    seeds = [draw(open_stream(seed, ISLAND, 0, number), 0) for number in range(count)]
    apart = [inner.search(problem.space, problem.start, seed, 8) for seed in seeds]
    for generation in range(7):
        assert search.ask().tolist() == [
            genes for island in apart for genes in island.ask().tolist()
        ]
        search.step(problem.evaluate)
        for island in apart:
            island.step(problem.evaluate)
        if generation and generation % every == 0 and count > 1 and migrants:
            moving = [island.genes[migrants_of(island, migrants)].copy() for island in apart]
            for number in range(count):
                apart[(number + 1) % count].insert(moving[number], problem.evaluate(moving[number]))
        assert search.genes.tolist() == [
            genes for island in apart for genes in island.genes.tolist()
        ]
        assert search.best_score == max(island.best_score for island in apart)


def test_seeds_of_islands_differ_from_each_other_and_from_the_seed() -> None:
    assert (
        len(
            {
                7,
                *(island_seed(7, number) for number in range(100)),
                *(island_seed(8, number) for number in range(100)),
            }
        )
        == 201
    )


def test_a_cut_generation_reaches_the_first_islands_only_and_the_search_continues() -> None:
    inner = NSGA2(population=6)
    problem = problem_of(inner)
    search = Islands(inner, 3).search(problem.space, problem.start, 4, 8)
    search.tell(problem.evaluate(search.ask()[:8]))
    assert [island.generation for island in search.islands] == [1, 1, 0]
    assert len(search.genes) == 8
    search.step(problem.evaluate)
    assert [island.generation for island in search.islands] == [2, 2, 1]
    assert np.array_equal(problem.evaluate(search.genes).scores, search.scores)


def test_migration_lets_one_good_individual_reach_every_island() -> None:
    inner = SteadyState(8)
    problem = problem_of(inner)
    best = []
    for migrants in (0, 2):
        search = Islands(inner, 4, 1, migrants).search(problem.space, problem.start, 3, 20)
        for _ in range(30):
            search.step(problem.evaluate)
        best.append([island.scores.max() for island in search.islands])
    assert min(best[1]) > min(best[0]), "with migration, no island stays far behind"


@pytest.mark.parametrize(
    "strategy",
    [Islands(NSGA2(population=10), 3, 2), Islands(Islands(NSGA2(population=10), 2, 2), 2, 3, 3)],
    ids=["once", "twice"],
)
def test_the_front_of_islands_is_that_of_all_of_them(strategy: Islands) -> None:
    problem = problem_of(strategy)
    search = strategy.search(problem.space, problem.start, 3, 20)
    for _ in range(10):
        search.step(problem.evaluate)
    genes, values = search.front()
    found = list(zip(values["score"].tolist(), values["walls"].tolist(), strict=True))
    everyone = problem.evaluate(search.genes)
    pairs = zip(
        everyone.scores.tolist(),
        everyone.features["walls"].tolist(),
        everyone.features["feasible"].tolist(),
        strict=True,
    )
    feasible = {(score, walls) for score, walls, is_feasible in pairs if is_feasible}
    assert set(found) == {
        one
        for one in feasible
        if not any(other != one and other[0] >= one[0] and other[1] <= one[1] for other in feasible)
    }
    assert problem.evaluate(genes).scores.tolist() == values["score"].tolist()


def test_a_search_for_one_objective_has_no_front() -> None:
    problem = problem_of(SteadyState())
    with pytest.raises(InputError, match="front: expected a search with several objectives"):
        Islands().search(problem.space, problem.start, 3, 20).front()
