"""Searches of dungeons, many generations per call, against the strategy call by call: settings at
their limits, kept cells, cuts.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.fused import begin_search
from levolve.search.fused.advance_many import ManyGenerations
from levolve.search.loop import Limits, advance
from levolve.search.search import Search
from levolve.search.strategies.truncation import Truncation, TruncationSearch

DUNGEON = find_recipe("dungeon").changed({"size": "6x5"})


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    """Dungeons with counts that fit together, some of them 0, and mutation rare or not."""
    kill = draw(st.integers(1, 10))
    couple = draw(st.integers(0, min(kill, (12 - kill) // 2)))
    settings = {
        "size": draw(st.sampled_from(["6x5", "3x3", "11x4"])),
        "keep": [],
        "genotype.floor": draw(st.sampled_from([0.0, 0.3, 0.7, 1.0])),
        "strategy.population": 12,
        "strategy.kill": kill,
        "strategy.couple": couple,
        "strategy.mutate": draw(st.integers(0, kill - couple)),
        "strategy.crossover.width": draw(st.integers(1, 5)),
        "strategy.mutation.rate": draw(st.sampled_from([0.0, 0.02, 0.0999, 0.1, 0.5, 1.0])),
    }
    return DUNGEON.changed(settings)


def _begin(recipe: Recipe, seed: int, generations: int) -> Search:
    return begin_search(recipe.problem, recipe.parts[2], seed, generations)


@given(recipes(), st.integers(0, 2**64 - 1), st.sampled_from([3, 30]))
def test_a_fused_search_gives_the_same_bytes_as_the_ordinary_one(
    recipe: Recipe, seed: int, generations: int
) -> None:
    problem, strategy = recipe.problem, recipe.parts[2]
    assert isinstance(strategy, Truncation)
    short = _begin(recipe, seed, generations)
    assert isinstance(short, ManyGenerations)
    long = TruncationSearch(strategy, problem.space, problem.start, seed)
    for _ in range(generations + 1):
        short.step(problem.evaluate)
        long.step(problem.evaluate)
        assert np.array_equal(short.genes, long.genes)
        assert np.array_equal(short.scores, long.scores)
        assert (short.best_score, short.evaluations, short.generation) == (
            long.best_score,
            long.evaluations,
            long.generation,
        )
        assert np.array_equal(short.best_genes, long.best_genes)  # type: ignore[arg-type]


def test_kept_cells_stay_in_a_fused_search() -> None:
    recipe = DUNGEON.changed(
        {"keep": ["######", "??????", "??##??", "??????", ".?????"], "generations": 30}
    )
    run = Run(recipe, 1).finish()
    assert (run.best.tiles[0] == 1).all()
    assert run.best.tiles[4, 0] == 0


def test_dungeons_that_are_not_small_are_searched_the_ordinary_way() -> None:
    assert not isinstance(_begin(DUNGEON.changed({"size": "33x8"}), 1, 10), ManyGenerations)


def test_scores_from_outside_void_the_generations_ahead() -> None:
    problem, strategy = DUNGEON.problem, DUNGEON.parts[2]
    assert isinstance(strategy, Truncation)
    short = _begin(DUNGEON, 1, 10)
    long = TruncationSearch(strategy, problem.space, problem.start, 1)
    for search in (short, long):
        search.step(problem.evaluate)
        search.step(problem.evaluate)
        search.tell(np.arange(len(search.ask())))
        search.step(problem.evaluate)
    assert np.array_equal(short.genes, long.genes)


@pytest.mark.parametrize("budget", [5, 12, 13, 40, 77])
def test_a_cut_generation_is_the_same_in_both_searches(budget: int) -> None:
    problem, strategy = DUNGEON.problem, DUNGEON.parts[2]
    assert isinstance(strategy, Truncation)
    fused, plain = (
        _begin(DUNGEON, 3, 50),
        TruncationSearch(strategy, problem.space, problem.start, 3),
    )
    for search in (fused, plain):
        list(advance(search, problem.evaluate, Limits(generations=50, evaluations=budget)))
        assert search.evaluations == budget
    assert np.array_equal(fused.genes, plain.genes)
    assert np.array_equal(fused.scores, plain.scores)


@given(st.integers(0, 60))
def test_a_restored_fused_search_gives_the_same_bytes(generation: int) -> None:
    problem, strategy = DUNGEON.problem, DUNGEON.parts[2]
    whole, first, second = (_begin(DUNGEON, 5, 60) for _ in range(3))
    list(advance(whole, problem.evaluate, Limits(generations=60)))
    list(advance(first, problem.evaluate, Limits(generations=generation)))
    second.restore(first.state())
    list(advance(second, problem.evaluate, Limits(generations=60)))
    assert isinstance(strategy, Truncation)
    assert np.array_equal(whole.genes, second.genes)
    assert (whole.evaluations, whole.best_score) == (second.evaluations, second.best_score)
