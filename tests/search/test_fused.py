"""Fused searches against the strategies' own steps: the same bytes, whatever happens between two
generations.
"""

from collections.abc import Callable
from concurrent.futures import Executor
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levolve.jobs.executors import Threads
from levolve.kernels.bits.thread_barrier import TOGETHER, Gate, gate, meet
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.evaluation import ParallelEvaluator
from levolve.search.fused import begin_search
from levolve.search.fused.advance_many import MOST_AHEAD, ManyGenerations
from levolve.search.fused.strategies import FusedMapElites
from levolve.search.fused.threads import TeamSearch, work_together
from levolve.search.lineage import Lineage
from levolve.search.loop import Limits, advance
from levolve.search.search import Search

MAZE = find_recipe("maze").changed({"size": "7x5"})
# Every operator is in one of these; each combination is a kernel of its own.
STRATEGIES: dict[str, dict[str, Any]] = {
    "halves": {"kind": "generational", "population": 15, "mutation.rate": 0.02},
    "coins": {
        "kind": "generational",
        "population": 12,
        "elites": 0,
        "crossover.exchange": 0.3,
        "crossover.rate": 0.6,
        "mutation.rate": 0.2,
    },
    "segments": {
        "kind": "steady_state",
        "population": 19,
        "crossover": {"kind": "two_point"},
        "mutation": {"kind": "point"},
    },
    "rare": {
        "kind": "steady_state",
        "population": 16,
        "events": 2,
        "crossover.exchange": 0.05,
        "mutation.rate": 0.05,
    },
    "fills": {
        "kind": "generational",
        "population": 11,
        "mutation": {"kind": "mixture", "mutations": ["fill", "point", "patch"]},
    },
    "chains": {"kind": "annealing", "population": 7, "takeover": 3},
    "patches": {"kind": "annealing", "population": 6, "mutation": {"kind": "patch"}},
    "wheel": {
        "kind": "generational",
        "population": 10,
        "elites": 1,
        "selection": {"kind": "proportional"},
        "crossover": {"kind": "one_point"},
    },
    "best": {
        "kind": "generational",
        "population": 13,
        "selection": {"kind": "truncation", "share": 0.3},
        "crossover": {"kind": "two_point"},
    },
    "chunks": {
        "kind": "truncation",
        "population": 14,
        "kill": 8,
        "couple": 2,
        "mutate": 3,
        "crossover.width": 2,
        "mutation.rate": 0.02,
    },
}
# Every value and measure with a kernel is in one of these, and every constraint.
OBJECTIVES: dict[str, dict[str, Any]] = {
    "ends": {"kind": "culs_de_sac"},
    "lengths": {"kind": "cul_de_sac_length", "walls": [0.2, 0.5]},
    "design": {"kind": "design", "dead_end_share": 0.1},
    "near": {"kind": "design", "walls": [0.3, 0.4], "feasible_first": True},
    "ranked": {"kind": "exit_path", "feasible_first": True},
    "walls": {"kind": "exit_path", "walls": [0.25, 0.45]},
    "sum": {
        "kind": "weighted",
        "parts": [
            "exit_path",
            {"kind": "culs_de_sac", "weight": 0.3},
            {"kind": "design", "weight": 5.0},
        ],
    },
    "target": {
        "kind": "target",
        "targets": {"exit_path": [12, 14], "walls": [9, 12], "branching": [2, 3]},
    },
    "layout": {
        "kind": "target",
        "targets": {"turns": [4, 6], "pockets": 0, "dead_ends": [1, 3]},
        "walls": [0.1, 0.9],
    },
    "longest": {"kind": "target", "targets": {"longest_path": [13, 15], "plazas": [1, 2]}},
}
strategies = st.sampled_from(sorted(STRATEGIES))
seeds = st.integers(0, 2**64 - 1)


def maze(name: str, **changes: object) -> Recipe:
    """A small maze with one of the strategies."""
    settings = STRATEGIES[name]
    plain = MAZE.changed({"strategy": {"kind": settings["kind"]}})
    return plain.changed(
        {f"strategy.{path}": value for path, value in settings.items() if path != "kind"} | changes
    )


def both(recipe: Recipe, seed: int, generations: int) -> tuple[ManyGenerations, Search]:
    """A fused search, and the strategy's own."""
    problem, strategy = recipe.problem, recipe.parts[2]
    fused = begin_search(problem, strategy, seed, generations)
    assert isinstance(fused, ManyGenerations)
    return fused, strategy.search(problem.space, problem.start, seed, generations)


def assert_same(fused: Search, own: Search) -> None:
    mine, theirs = fused.state(), own.state()
    assert mine.keys() == theirs.keys()
    for name, value in mine.items():
        assert np.array_equal(value, theirs[name]), name
    assert fused.mean_score == own.mean_score


def assert_same_steps(recipe: Recipe, seed: int, generations: int) -> None:
    fused, own = both(recipe, seed, generations)
    for _ in range(generations + 2):
        fused.step(recipe.problem.evaluate)
        own.step(recipe.problem.evaluate)
        assert_same(fused, own)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
@settings(max_examples=20)
@given(
    seed=seeds,
    fill=st.sampled_from([0.0, 0.3, 1.0]),
    size=st.sampled_from(["7x5", "2x2", "64x3", "21x4"]),
    count=st.integers(1, 25),
)
def test_a_fused_search_gives_the_same_bytes(
    name: str, seed: int, fill: float, size: str, count: int
) -> None:
    assert_same_steps(maze(name, **{"genotype.fill": fill, "size": size}), seed, count)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
@settings(max_examples=15)
@given(seed=seeds, budget=st.integers(1, 120))
def test_a_fused_search_is_cut_by_the_same_budget(name: str, seed: int, budget: int) -> None:
    recipe = maze(name)
    fused, own = both(recipe, seed, 30)
    limits = Limits(30, budget, idle=5)
    events = [list(advance(search, recipe.problem.evaluate, limits)) for search in (fused, own)]
    assert events[0] == events[1]
    assert fused.evaluations <= budget
    assert_same(fused, own)


@pytest.mark.parametrize("objective", sorted(OBJECTIVES))
@settings(max_examples=8)
@given(seed=seeds, fill=st.sampled_from([0.0, 0.3, 0.6]))
def test_other_objectives_are_fused_too(objective: str, seed: int, fill: float) -> None:
    recipe = maze("segments", objective=OBJECTIVES[objective], **{"genotype.fill": fill})
    assert_same_steps(recipe, seed, 12)


@pytest.mark.parametrize("name", ["segments", "chunks"])
@settings(max_examples=8)
@given(
    seed=seeds,
    steps=st.integers(0, 3),
    outside=st.sampled_from(["filled", "blank"]),
    keep=st.booleans(),
)
def test_automata_are_fused_too(name: str, seed: int, steps: int, outside: str, keep: bool) -> None:
    kept = {"keep": ["???????", "?#?????", "???.???", "???????", "???????"]} if keep else {}
    genotype = {"kind": "automaton", "steps": steps, "outside": outside, "fill": 0.3}
    assert_same_steps(maze(name, genotype=genotype, **kept), seed, 12)


@pytest.mark.parametrize(
    ("name", "b"),
    [("segments", "gene"), ("halves", "best"), ("chains", "gene"), ("chunks", "best")],
)
@settings(max_examples=8)
@given(seed=seeds)
def test_dungeons_are_fused_with_every_strategy(name: str, b: str, seed: int) -> None:
    assert_same_steps(maze(name, genotype={"kind": "dungeon", "b": b}, objective="tour"), seed, 12)


@given(
    st.sampled_from(["segments", "halves", "chunks"]),
    seeds,
    st.sampled_from([[8, 10], [12, 12], [30, 40]]),
)
def test_a_fused_search_ends_at_the_goal_with_the_same_events(
    name: str, seed: int, target: list[int]
) -> None:
    recipe = maze(name, objective={"kind": "target", "targets": {"exit_path": target}})
    fused, own = both(recipe, seed, 60)
    events = [
        list(advance(search, recipe.problem.evaluate, Limits(60, goal=1.0)))
        for search in (fused, own)
    ]
    assert events[0] == events[1]
    assert_same(fused, own)
    # Beyond the goal a search can go on.
    for _ in range(5):
        fused.step(recipe.problem.evaluate)
        own.step(recipe.problem.evaluate)
        assert_same(fused, own)


@settings(max_examples=10)
@given(
    seed=seeds,
    size=st.sampled_from(["10x10", "3x2", "12x7", "14x9"]),
    hot=st.sampled_from([0.007, 0.1]),
)
def test_dungeons_with_the_best_b_are_fused_too(seed: int, size: str, hot: float) -> None:
    changes = {
        "size": size,
        "generations": 60,
        "strategy.takeover": 5,
        "strategy.population": 8,
        "strategy.hot": hot,
    }
    assert_same_steps(find_recipe("dungeon-best").changed(changes), seed, 58)


@pytest.mark.skipif(not TOGETHER, reason="threads cannot work together here")
@pytest.mark.parametrize("members", [2, 3])
@pytest.mark.parametrize("name", ["segments", "halves"])
def test_wide_levels_and_generations_computed_by_teams_have_the_same_bytes(
    name: str, members: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, value in {
        "advance_many.MOST_AHEAD": 7,
        "threads.MEASURED_SECONDS": 1.0,
        "threads.WORTH_SHARING": -1.0,
        "threads.GAIN": 0.0,
        "threads.PATIENCE": 10.0,
    }.items():
        monkeypatch.setattr(f"levolve.search.fused.{place}", value)
    monkeypatch.setattr("levolve.search.fused.advance_many.LONGEST", 1.0)
    recipe = maze(name, size="70x9")
    fused, own = both(recipe, 3, 60)
    teams = []

    def count_teams(
        executor: Executor, members: int, at: Gate, work: Callable[[int, int], None]
    ) -> None:
        teams.append(members)
        work_together(executor, members, at, work)

    monkeypatch.setattr("levolve.search.fused.threads.work_together", count_teams)
    with Threads(members) as threads:
        evaluate = ParallelEvaluator(recipe.problem, threads)
        for _ in range(60):
            fused.step(evaluate)
            own.step(recipe.problem.evaluate)
            assert_same(fused, own)
    assert len(teams) >= 4
    assert set(teams) == {members}


def test_a_thread_works_alone_if_the_others_do_not_begin() -> None:
    called = []
    with Threads(1) as threads:
        busy = Event()
        threads.submit(busy.wait, 10)
        work_together(threads, 2, gate(), lambda member, members: called.append((member, members)))
        busy.set()
    assert called == [(0, 1)]


def test_an_interrupted_team_is_released() -> None:
    at, seen = gate(), []

    def work(member: int, members: int) -> None:
        if member == 0:
            raise KeyboardInterrupt
        if TOGETHER:
            meet(at, members)
        seen.append(member)

    with Threads(1) as threads, pytest.raises(KeyboardInterrupt):
        work_together(threads, 2, at, work)
    assert seen in ([], [1])  # the other thread may not even have begun


def test_a_team_is_released_if_another_thread_fails() -> None:
    at = gate()

    def work(member: int, members: int) -> None:
        if member == 1:
            raise MemoryError
        if TOGETHER:
            meet(at, members)

    with Threads(1) as threads, pytest.raises(MemoryError):
        work_together(threads, 2, at, work)


def test_an_interrupt_before_all_threads_are_asked_ends_those_that_were() -> None:
    class Interrupting(Threads):
        asked = 0

        def submit(self, *arguments: Any, **settings: Any) -> Any:
            self.asked += 1
            if self.asked > 1:
                raise KeyboardInterrupt
            return super().submit(*arguments, **settings)

    with Interrupting(2) as threads, pytest.raises(KeyboardInterrupt):
        work_together(threads, 3, gate(), lambda _member, _members: None)


def test_a_team_that_did_not_begin_is_not_measured_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("levolve.search.fused.threads.WORTH_SHARING", -1.0)
    recipe = maze("segments")
    fused, _ = both(recipe, 3, 200)
    with Threads(2) as threads:
        busy = Event()
        for _ in range(2):
            threads.submit(busy.wait, 20)
        evaluate = ParallelEvaluator(recipe.problem, threads)
        monkeypatch.setattr(evaluate, "_spread", recipe.problem.evaluate)
        for _ in range(200):
            fused.step(evaluate)
            assert isinstance(fused, TeamSearch)
            assert not fused._is_team
        busy.set()


@given(
    strategies,
    seeds,
    st.lists(
        st.sampled_from(["step", "ask", "insert", "restore", "foreign"]), min_size=1, max_size=25
    ),
)
def test_a_fused_search_may_be_left_between_any_two_generations(
    name: str, seed: int, acts: list[str]
) -> None:
    recipe = maze(name)
    problem = recipe.problem
    searches: list[Search] = [*both(recipe, seed, 30)]
    for search in searches:
        search.step(problem.evaluate)
    for number, act in enumerate(acts):
        for place, search in enumerate(searches):
            if act == "step":
                search.step(problem.evaluate)
            elif act == "ask":
                search.tell(problem.evaluate(search.ask()))
            elif act == "foreign":
                search.tell(np.arange(len(search.ask())) % 3)
            elif act == "insert":
                guests = problem.start(number, 0, 3)
                search.insert(guests, problem.evaluate(guests))
            else:
                searches[place] = both(recipe, seed, 30)[place]
                searches[place].restore(search.state())
        assert_same(searches[0], searches[1])


def test_a_population_does_not_change_when_the_search_goes_on() -> None:
    fused, _ = both(maze("segments"), 1, 100)
    for _ in range(3):
        fused.step(MAZE.problem.evaluate)
    state = fused.state()
    copy = {name: np.copy(value) for name, value in state.items()}
    for _ in range(2 * MOST_AHEAD):
        fused.step(MAZE.problem.evaluate)
    assert all(np.array_equal(state[name], copy[name]) for name in state)


@pytest.mark.parametrize(
    "change",
    [
        {"genotype.kind": "tunnels"},
        {"objective": {"kind": "exit_path", "exit_members": 1}},
        {"objective": {"kind": "target", "targets": {"symmetry": 1}}},
        {"objective": {"kind": "weighted", "parts": ["exit_path", "cavern"]}},
        {"finish": ["frame"]},
        {"strategy.mutation": {"kind": "sequence"}},
    ],
)
def test_parts_without_kernels_are_searched_the_ordinary_way(change: dict[str, Any]) -> None:
    recipe = MAZE.changed(change)
    assert not isinstance(begin_search(recipe.problem, recipe.parts[2], 1, 10), ManyGenerations)


def test_a_search_with_a_lineage_is_not_fused() -> None:
    assert not isinstance(
        begin_search(MAZE.problem, MAZE.parts[2], 1, 10, Lineage()), ManyGenerations
    )


ARCHIVES: dict[str, dict[str, Any]] = {
    "curious": {"population": 15, "axes": ["walls", "exit_path"], "grid": [6, 7]},
    "uniform": {
        "population": 8,
        "axes": ["exit_path"],
        "grid": [9],
        "parents": "uniform",
        "mutation": {"kind": "uniform", "rate": 0.1},
    },
}


def archives(name: str, seed: int) -> tuple[Search, Search]:
    """A fused search of MAP-Elites, and the strategy's own."""
    plain = MAZE.changed({"strategy": {"kind": "map_elites"}})
    recipe = plain.changed({f"strategy.{path}": value for path, value in ARCHIVES[name].items()})
    problem, strategy = recipe.problem, recipe.parts[2]
    fused = begin_search(problem, strategy, seed, 10)
    assert isinstance(fused, FusedMapElites)
    return fused, strategy.fitted(problem).search(problem.space, problem.start, seed, 10)


@pytest.mark.parametrize("name", sorted(ARCHIVES))
@settings(max_examples=15)
@given(
    seed=seeds,
    acts=st.lists(
        st.sampled_from(["step", "cut", "ask", "insert", "restore"]), min_size=1, max_size=20
    ),
)
def test_map_elites_in_one_call_per_generation_gives_the_same_bytes(
    name: str, seed: int, acts: list[str]
) -> None:
    searches = [*archives(name, seed)]
    problem = MAZE.changed(
        {
            "strategy": {
                "kind": "map_elites",
                "axes": ARCHIVES[name]["axes"],
                "grid": ARCHIVES[name]["grid"],
            }
        }
    ).problem
    for number, act in enumerate(["step", *acts]):
        for place, search in enumerate(searches):
            if act in {"step", "cut"}:
                search.step(problem.evaluate, {"step": None, "cut": 3}[act])
            elif act == "ask":
                search.tell(problem.evaluate(search.ask()))
            elif act == "insert":
                guests = problem.start(number, 0, 3)
                search.insert(guests, problem.evaluate(guests))
            else:
                searches[place] = archives(name, seed)[place]
                searches[place].restore(search.state())
        fused, own = searches
        assert packed(fused.state()) == packed(own.state())
        assert fused.figures == own.figures
        assert fused.best_score == own.best_score


def packed(state: Any) -> object:
    """A state that can be compared."""
    if isinstance(state, dict):
        return {name: packed(part) for name, part in state.items()}
    return (
        (state.shape, state.dtype.str, state.tobytes()) if isinstance(state, np.ndarray) else state
    )


@pytest.mark.parametrize(
    "change",
    [
        {"strategy.axes": ["turns"], "strategy.grid": [5]},
        {"strategy.infeasible_share": 0.5},
        {"objective.feasible_first": True},
    ],
)
def test_archives_without_kernels_are_filled_the_ordinary_way(change: dict[str, Any]) -> None:
    recipe = MAZE.changed(
        {"strategy": {"kind": "map_elites", "axes": ["exit_path"], "grid": [9]}}
    ).changed(change)
    assert not isinstance(begin_search(recipe.problem, recipe.parts[2], 1, 10), FusedMapElites)
