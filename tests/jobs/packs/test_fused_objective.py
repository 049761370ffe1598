"""Levels of packs searched many generations per call, against the strategy's own steps."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levolve.jobs.packs.objective import Distinctness, PackObjective, pack_grade
from levolve.jobs.packs.pick import hardness
from levolve.levels.tileset import WALLS
from levolve.recipes.recipe import find_recipe
from levolve.search.fused import begin_search
from levolve.search.fused.advance_many import ManyGenerations
from levolve.search.level_problem import LevelProblem
from levolve.search.loop import Limits, advance

MAZE = find_recipe("maze").changed({"size": "7x6", "strategy.population": 14})
TARGETS = [{}, {"exit_path": (13.0, 15.0)}, {"longest_path": (14.0, 18.0), "walls": (10.0, 14.0)}]


def accepted(seed: int, count: int) -> Distinctness:
    """Some levels that others must differ from: random ones, and some that a search finds at
    once.
    """
    random = np.random.default_rng(seed)
    found = Distinctness.empty(6, 7, WALLS, 8)
    for index in range(count):
        found = found.joined_by((random.random((6, 7)) < 0.3 * (index % 2)).astype(np.uint8))
    return found


def problem_of(
    targets: dict[str, tuple[float, float]], distinctness: Distinctness, *, maximises: bool
) -> LevelProblem:
    plain = PackObjective(targets, distinctness)
    return replace(
        MAZE.problem,
        objective=PackObjective.maximising(MAZE.parts[1], targets, distinctness)
        if maximises
        else plain,
    )


@pytest.mark.parametrize("maximises", [False, True])
@pytest.mark.parametrize("targets", TARGETS)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**64 - 1), count=st.integers(0, 5))
def test_a_fused_search_for_a_level_of_a_pack_gives_the_same_bytes_and_events(
    targets: dict[str, tuple[float, float]],
    maximises: bool,
    seed: int,
    count: int,
) -> None:
    problem, strategy = (
        problem_of(targets, accepted(seed % 1000, count), maximises=maximises),
        MAZE.parts[2],
    )
    fused, own = (
        begin_search(problem, strategy, seed, 40),
        strategy.search(problem.space, problem.start, seed, 40),
    )
    assert isinstance(fused, ManyGenerations)
    limits = Limits(40, goal=problem.objective.goal)
    assert list(advance(fused, problem.evaluate, limits)) == list(
        advance(own, problem.evaluate, limits)
    )
    mine, theirs = fused.state(), own.state()
    assert all(np.array_equal(mine[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("targets", [{"difficulty": (3.0, 4.0)}, {"symmetry": (0.5, 1.0)}])
def test_targets_without_a_kernel_are_searched_the_ordinary_way(
    targets: dict[str, tuple[float, float]],
) -> None:
    problem = problem_of(targets, accepted(1, 2), maximises=False)
    assert not isinstance(begin_search(problem, MAZE.parts[2], 1, 10), ManyGenerations)


def test_wide_levels_have_no_kernel() -> None:
    wide = MAZE.changed({"size": "65x4"})
    assert (
        pack_grade(PackObjective({}, Distinctness.empty(4, 65, WALLS, 8)), wide.problem.frame)
        is None
    )


def test_a_function_to_maximise_is_searched_the_ordinary_way() -> None:
    problem = replace(MAZE.problem, objective=PackObjective({}, accepted(1, 2), hardness))
    assert not isinstance(begin_search(problem, MAZE.parts[2], 1, 10), ManyGenerations)
