"""Many generations in one call against the long way: the strategy call by call, whose kernels have twins of their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.evolution.tour_truncation import TourTruncationSearch
from levolve.evolution.truncation import Truncation, TruncationSearch
from levolve.runs.recipe import Recipe, find_recipe
from levolve.runs.run import Run
from levolve.runs.shortcuts import search_of

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


@given(recipes(), st.integers(0, 2**64 - 1), st.sampled_from([3, 30]))
def test_the_short_way_is_the_long_way(recipe: Recipe, seed: int, generations: int) -> None:
    run = Run(recipe, seed)
    genotype, _, strategy = recipe.parts
    assert isinstance(strategy, Truncation)
    short = search_of(recipe, run._start, seed, generations)  # noqa: SLF001 what a run begins with
    assert isinstance(short, TourTruncationSearch)
    long = TruncationSearch(strategy, genotype.space(recipe.frame), run._start, seed)  # noqa: SLF001
    for _ in range(generations + 1):
        short.step(run._score)  # noqa: SLF001
        long.step(run._score)  # noqa: SLF001
        assert np.array_equal(short.genes, long.genes)
        assert np.array_equal(short.scores, long.scores)
        assert (short.best_score, short.evaluations, short.generation) == (long.best_score, long.evaluations, long.generation)
        assert np.array_equal(short.best_genes, long.best_genes)  # type: ignore[arg-type]


def test_kept_cells_stay_on_the_short_way() -> None:
    recipe = DUNGEON.changed({"keep": ["######", "??????", "??##??", "??????", ".?????"], "generations": 30})
    run = Run(recipe, 1).finish()
    assert (run.best.tiles[0] == 1).all()
    assert run.best.tiles[4, 0] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"genotype.b": "best"},
        {"strategy.crossover": "uniform"},
        {"strategy.mutation": "point"},
        {"strategy.kind": "generational"},
        {"size": "33x8"},
    ],
)
def test_what_has_no_short_way_goes_the_long_one(change: dict[str, str]) -> None:
    recipe = DUNGEON.changed(change)
    assert not isinstance(search_of(recipe, Run(recipe, 1)._start, 1, 10), TourTruncationSearch)  # noqa: SLF001


def test_who_scores_some_generations_himself_is_heard() -> None:
    run = Run(DUNGEON, 1)
    genotype, _, strategy = DUNGEON.parts
    assert isinstance(strategy, Truncation)
    short = search_of(DUNGEON, run._start, 1, 10)  # noqa: SLF001
    long = TruncationSearch(strategy, genotype.space(DUNGEON.frame), run._start, 1)  # noqa: SLF001
    for search in (short, long):
        search.step(run._score)  # noqa: SLF001
        search.step(run._score)  # noqa: SLF001
        search.tell(np.arange(len(search.ask())))
        search.step(run._score)  # noqa: SLF001
    assert np.array_equal(short.genes, long.genes)
