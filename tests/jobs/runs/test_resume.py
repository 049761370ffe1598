"""Runs that are continued from a saved state: the same bytes as without the interruption."""

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from levolve.core.errors import InputError, LevolveError
from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import Recipe, find_recipe, shipped
from levolve.search.strategies import STRATEGIES

SEED = 11
GENERATIONS = 60
STOPS = 3

SMALL: dict[str, Any] = {"size": "9x8", "generations": GENERATIONS}
# The batches of an archive are large: a small budget would be used up by three.
SMALLER = {"map_elites": {"strategy.population": 100}}
STRATEGY_CASES = [
    pytest.param(
        recipe,
        {**SMALL, "strategy.kind": strategy, **SMALLER.get(strategy, {}), **more},
        id=f"{recipe}, {strategy}{', '.join(['', *more])}",
    )
    for recipe in ("maze", "maze-chromatic", "dungeon")
    for strategy in STRATEGIES
    for more in ({}, {"evaluations": 1511})
]
# Rooms, screens and things need more cells.
LARGER: dict[str, dict[str, Any]] = {
    "crypt": {"size": "13x12"},
    "crypt-treasure": {"size": "17x13"},
    "dungeon-crawl": {"size": "32x24", "generations": 12},
    "zelda-like": {"size": "25x19", "generations": 20},
}
CASES = [
    pytest.param(recipe, {**SMALL, **LARGER.get(recipe, {})}, id=recipe) for recipe in shipped()
] + STRATEGY_CASES


def adapted(recipe: str, changes: Mapping[str, Any]) -> Recipe:
    return find_recipe(recipe).changed(changes)


def through_bytes(state: dict[str, Any]) -> Any:
    return pickle.loads(pickle.dumps(state))


def is_plain(value: object) -> bool:
    """Whether this is a number, text, nothing, an array of numbers, or lists and dictionaries of
    such.
    """
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_plain(part) for key, part in value.items())
    if isinstance(value, list | tuple):
        return type(value) in {list, tuple} and all(map(is_plain, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "buif"
    return value is None or type(value) in {bool, int, float, str}


def outcome(run: Run) -> dict[str, Any]:
    """Everything that a run has come to, but the time it took."""
    return {
        "population": (run.population.dtype, run.population.shape, run.population.tobytes()),
        "scores": run.scores.tolist(),
        "best": (run.best_score, run.best_genes.tolist()),
        "evaluations": run.evaluations,
        "history": vars(run.history),
        "frames": [(caption, level.digest) for caption, level in run.frames],
        "digest": run.digest,
        "ended": run.ended,
    }


def stops_in(length: int) -> list[int]:
    """Three generations at random, in order."""
    return sorted(
        np.random.default_rng(5)
        .choice(np.arange(1, length), min(STOPS, length - 1), replace=False)
        .tolist()
    )


@pytest.mark.parametrize(("recipe", "changes"), CASES)
def test_a_run_restored_at_any_generation_ends_with_the_same_bytes(
    recipe: str, changes: dict[str, Any]
) -> None:
    whole = Run(adapted(recipe, changes), SEED)
    states = [whole.state() for _ in whole.events()]
    expected = outcome(whole)
    generations = len(whole.history.best)
    assert generations > STOPS
    for stop in stops_in(generations):
        assert is_plain(states[stop - 1])
        again = Run(adapted(recipe, changes), SEED)
        again.restore(through_bytes(states[stop - 1]))
        assert len(again.history.best) == stop
        assert outcome(again.finish()) == expected, f"interrupted after {stop} generations"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_state_is_a_copy_that_neither_run_changes(strategy: str) -> None:
    recipe = adapted("maze", {**SMALL, "generations": 12, "strategy.kind": strategy})
    whole = Run(recipe, SEED)
    events = whole.events()
    for _ in range(5):
        next(events)
    state = whole.state()
    before = pickle.dumps(state)
    for _ in events:
        pass
    assert pickle.dumps(state) == before
    for _ in range(2):
        again = Run(recipe, SEED)
        again.restore(state)
        assert outcome(again.finish()) == outcome(whole)
        assert pickle.dumps(state) == before


def test_a_state_before_the_start_is_continued_like_any_other() -> None:
    recipe = adapted("maze", {**SMALL, "generations": 5})
    again = Run(recipe, SEED)
    again.restore(through_bytes(Run(recipe, SEED).state()))
    assert outcome(again.finish()) == outcome(Run(recipe, SEED).finish())


def test_a_state_taken_after_asking_is_continued_like_any_other() -> None:
    recipe = adapted("maze", SMALL)
    searches = [
        recipe.parts[2].search(recipe.problem.space, recipe.problem.start, SEED, GENERATIONS)
        for _ in range(2)
    ]
    for _ in range(3):
        searches[0].tell(np.arange(len(searches[0].ask()), dtype=float))
    asked = searches[0].ask().copy()
    searches[1].restore(through_bytes(searches[0].state()))
    assert np.array_equal(searches[1].ask(), asked)


def test_generations_without_anything_new_are_counted_on() -> None:
    recipe = adapted(
        "maze",
        {
            **SMALL,
            "strategy.mutation.kind": "uniform",
            "strategy.mutation.rate": 0.0,
            "strategy.crossover.rate": 0.0,
        },
    )
    searches = [
        recipe.parts[2].search(recipe.problem.space, recipe.problem.start, SEED, GENERATIONS)
        for _ in range(2)
    ]
    for _ in range(4):
        searches[0].tell(np.ones(len(searches[0].ask())))
    searches[1].restore(through_bytes(searches[0].state()))
    assert searches[1].idle == searches[0].idle == 3


def test_a_state_of_another_recipe_is_refused() -> None:
    run = Run(find_recipe("maze").changed({"size": "8x8", "generations": 3}), SEED).finish()
    other = Run(
        find_recipe("maze").changed({"size": "8x8", "generations": 3, "genotype.fill": 0.11}), SEED
    )
    with pytest.raises(
        InputError,
        match=(
            "state: expected the state of a run of recipe 'maze' with the same settings, got "
            "that of another"
        ),
    ):
        other.restore(run.state())


def test_a_run_with_other_limits_continues_the_state() -> None:
    recipe = adapted("maze", SMALL)
    shorter = Run(recipe.changed({"generations": 4}), SEED).finish()
    longer = Run(recipe.changed({"generations": 9}), SEED)
    longer.restore(through_bytes(shorter.state()))
    assert outcome(longer.finish()) == outcome(
        Run(recipe.changed({"generations": 9}), SEED).finish()
    )


def test_a_state_of_another_run_is_refused() -> None:
    recipe = adapted("maze", SMALL)
    state = Run(recipe, SEED).state()
    with pytest.raises(
        InputError, match=f"expected the state of a run with seed 12, got seed {SEED}"
    ):
        Run(recipe, 12).restore(state)
    with pytest.raises(InputError, match="got 'x'; it was saved by another version"):
        Run(recipe, SEED).restore({**state, "version": "x"})
    run = Run(recipe, SEED)
    with pytest.raises(InputError, match="state: expected generation"):
        run.restore({**state, "search": {}})


@pytest.mark.parametrize("recipe", ["maze", "dungeon"])
def test_a_restored_run_has_the_same_ancestors(recipe: str) -> None:
    changes = {"generations": 90}
    whole = Run(adapted(recipe, changes), SEED, ancestry=True)
    states = [whole.state() for _ in whole.events()]
    assert is_plain(states[40])
    again = Run.from_call(through_bytes(whole.call()))
    again.restore(through_bytes(states[40]))
    line = again.finish().to_data()["ancestry"]
    assert line == whole.to_data()["ancestry"]
    assert (line[0]["births"], line[-1]["score"]) == (0, whole.best_score)
    plain = Run(adapted(recipe, changes), SEED).finish()
    assert plain.digest == whole.digest
    with pytest.raises(LevolveError, match="start it with ancestry=True"):
        _ = plain.ancestry
