"""Comparing recipes: one problem, one budget, and tests that say no more than the runs do."""

import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from levolve.core.errors import InputError
from levolve.core.events import Event
from levolve.jobs.executors import thread_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.compare import compare
from levolve.jobs.studies.comparison import Comparison, Entrant, EntrantRun
from levolve.jobs.studies.comparison_job import ComparisonJob, RunFinished
from levolve.jobs.studies.metrics import best_so_far, evaluation_grid
from levolve.jobs.studies.rank_tests import Pair, holm, rank_pairs
from levolve.recipes.recipe import Recipe

BUDGET, RUNS = 2000, 6
MAZE = Recipe.from_data(
    {
        "name": "maze",
        "size": "10x10",
        "genotype": {"kind": "direct"},
        "objective": {"kind": "exit_path"},
        "strategy": {
            "kind": "generational",
            "population": 30,
            "mutation": {"kind": "uniform", "rate": 0.02},
        },
    }
)
# Its children are copies of their parents.
CRIPPLED = MAZE.changed(
    {"name": "crippled", "strategy.mutation.rate": 0.0, "strategy.crossover.rate": 0.0}
)
STEADY = MAZE.changed({"name": "steady", "strategy": {"kind": "steady_state", "population": 70}})
BARRIERS = MAZE.changed({"name": "barriers", "genotype.kind": "barriers"})


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare([CRIPPLED, MAZE, STEADY, BARRIERS], runs=RUNS, evaluations=BUDGET)


def without_seconds(comparison: Comparison) -> dict[str, Any]:
    data = comparison.to_data()
    for recipe in data["recipes"]:
        assert len(recipe.pop("seconds")) == RUNS
    return data


def test_the_result_does_not_depend_on_the_number_of_threads(comparison: Comparison) -> None:
    for threads in (1, 2):
        with thread_pool(threads) as executor:
            again = compare(
                [CRIPPLED, MAZE, STEADY, BARRIERS], runs=RUNS, evaluations=BUDGET, executor=executor
            )
        assert without_seconds(again) == without_seconds(comparison)
        assert again._repr_png_() == comparison._repr_png_()


def test_what_is_compared_was_found_within_the_budget(comparison: Comparison) -> None:
    assert comparison.grid[-1] == BUDGET
    for entrant in comparison.entrants:
        assert len(entrant.runs) == RUNS
        for index, finished in enumerate(entrant.runs):
            assert finished.seed == comparison.seed + index
            assert finished.evaluations == (30 if entrant.name == "crippled" else BUDGET), (
                "the budget is used exactly"
            )
            run = Run(entrant.recipe, finished.seed).finish()
            assert finished.score == entrant.scores[index] == run.best_score
            assert run.evaluations == finished.evaluations


def test_a_generation_counts_from_the_point_where_it_is_complete() -> None:
    grid = np.array([9, 10, 11, 19, 20, 35])
    curve = best_so_far([10, 20, 20, 40], [1.0, 2.0, 3.0, 9.0], grid)
    np.testing.assert_array_equal(curve, [np.nan, 1, 1, 1, 3, 3])


def test_curves_never_fall_and_begin_with_the_first_generation(comparison: Comparison) -> None:
    for entrant in comparison.entrants:
        begun = comparison.grid >= entrant.recipe.strategy["population"]
        assert entrant.curves.shape == (RUNS, len(comparison.grid))
        assert (np.isnan(entrant.curves) == ~begun).all()
        assert (np.diff(entrant.curves[:, begun], axis=1) >= 0).all()
        low, median, high = entrant.quartile_curves[:, begun]
        assert (low <= median).all()
        assert (median <= high).all()


@given(st.integers(1, 5000))
def test_the_grid_climbs_to_the_budget(evaluations: int) -> None:
    grid = evaluation_grid(evaluations)
    assert grid[0] >= 1
    assert grid[-1] == evaluations
    assert (np.diff(grid) > 0).all()


def test_a_recipe_ties_with_itself() -> None:
    result = compare([MAZE, MAZE], runs=RUNS, evaluations=500)
    one, other = result.entrants
    assert one.name != other.name
    np.testing.assert_array_equal(one.curves, other.curves)
    assert [(pair.wins, pair.p, pair.significant) for pair in result.pairs] == [(0.5, 1.0, False)]


def test_a_crippled_variant_loses_to_all(comparison: Comparison) -> None:
    assert comparison.entrants[-1].name == "crippled"
    assert all(trial.evaluations == 30 for trial in comparison["crippled"].runs), (
        "it never has anything new to be scored"
    )
    lost = {pair.first: pair for pair in comparison.pairs if pair.second == "crippled"}
    assert set(lost) == {"maze", "steady", "barriers"}
    assert all(pair.significant and pair.wins == 1 for pair in lost.values())


def test_pairs_say_what_the_scores_say(comparison: Comparison) -> None:
    assert len(comparison.pairs) == 6
    for pair in comparison.pairs:
        duels = list(
            itertools.product(comparison[pair.first].scores, comparison[pair.second].scores)
        )
        assert pair.wins == pytest.approx(
            sum((a > b) + (a == b) / 2 for a, b in duels) / len(duels)
        )
        assert pair.wins >= 0.5
        assert pair.p <= pair.p_corrected <= 1
    np.testing.assert_array_equal(
        [pair.p_corrected for pair in comparison.pairs], holm([pair.p for pair in comparison.pairs])
    )


def entrant(name: str, *scores: float) -> Entrant:
    runs = (
        EntrantRun(name, seed, np.array([score]), feasible=True, evaluations=1)
        for seed, score in enumerate(scores)
    )
    return Entrant(name, MAZE, tuple(runs))


def pairs_of(*entrants: Entrant) -> Iterator[Pair]:
    return rank_pairs({entrant.name: entrant.performance(has_goal=False) for entrant in entrants})


def test_the_rank_test_as_worked_out_on_paper() -> None:
    # Nothing in between: of the 70 ways to share out 8 ranks, 2 are as extreme.
    (apart,) = pairs_of(entrant("low", 1, 2, 3, 4), entrant("high", 5, 6, 7, 8))
    assert (apart.first, apart.second, apart.wins) == ("high", "low", 1)
    assert apart.p == pytest.approx(2 / 70)
    assert apart.p_corrected == apart.p, "a single test"
    # Of 4 duels, 2 are won, 1 is a tie.
    (mixed,) = pairs_of(entrant("one", 2, 4), entrant("other", 1, 4))
    assert (mixed.first, mixed.wins, mixed.significant) == ("one", 2.5 / 4, False)
    # All the same: nothing to tell them apart by.
    (same,) = pairs_of(entrant("one", 3, 3, 3), entrant("other", 3, 3, 3))
    assert (same.wins, same.p) == (0.5, 1)


def test_a_single_run_is_compared_and_shows_nothing() -> None:
    (alone,) = pairs_of(entrant("one", 9), entrant("others", 1, 2, 3))
    assert (alone.first, alone.wins, alone.significant) == ("one", 1.0, False)


def test_holms_correction_as_worked_out_on_paper() -> None:
    # Sorted: 4 times .005 is .02, 3 times .01 is .03, 2 times .03 is .06; .04 once would be less
    # than the one before, so it is .06 too.
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(holm([0.6, 0.9]), [1, 1])
    np.testing.assert_allclose(holm([0.2]), [0.2])


def test_entrants_come_best_first_with_their_figures(comparison: Comparison) -> None:
    medians = [entrant.median for entrant in comparison.entrants]
    assert medians == sorted(medians, reverse=True)
    for entrant in comparison.entrants:
        assert (entrant.worst, *entrant.quartiles, entrant.best) == tuple(
            np.quantile(entrant.scores, (0, 0.25, 0.75, 1))
        )
        assert entrant.median == np.median(entrant.scores)


def test_all_are_set_the_problem_of_the_first() -> None:
    first = MAZE.changed(
        {
            "entrance": "2,0",
            "checkpoints": "5,5",
            "objective": {"kind": "exit_path", "walls": [0.1, 0.6], "feasible_first": True},
        }
    )
    second = BARRIERS.changed(
        {"size": "30x30", "objective.kind": "culs_de_sac", "generations": 1, "evaluations": 50}
    )
    result = compare([first, second], runs=2, evaluations=200)
    for entrant in result.entrants:
        assert entrant.recipe.frame == first.frame
        assert entrant.recipe.objective == first.objective
        assert entrant.recipe.evaluations == 200
        assert all(trial.evaluations > 100 for trial in entrant.runs)
    other = compare(
        [first, second],
        runs=2,
        evaluations=200,
        objective="culs_de_sac",
        size=(8, 9),
        settings={"objective.exit_members": 1},
    )
    for entrant in other.entrants:
        assert (
            entrant.recipe.size,
            entrant.recipe.objective["kind"],
            entrant.recipe.objective["exit_members"],
        ) == ((8, 9), "culs_de_sac", 1)
    table = compare(
        [first, second],
        runs=2,
        evaluations=200,
        objective={"kind": "target", "targets": {"walls": "5..9"}},
    )
    assert all(
        entrant.recipe.objective["targets"] == {"walls": [5.0, 9.0]} for entrant in table.entrants
    )


def test_a_recipe_is_compared_with_itself_under_other_settings() -> None:
    settings = {"strategy.population": 40, "objective.exit_members": 0}
    varied = compare(
        [MAZE],
        vary={"genotype.kind": "direct,barriers", "strategy.elites": [0, 2]},
        runs=2,
        evaluations=200,
        settings=settings,
    )
    names = {f"{kind} elites={elites}" for kind in ("direct", "barriers") for elites in (0, 2)}
    assert {entrant.name for entrant in varied.entrants} == names
    listed = compare(
        [
            MAZE.changed(
                {"name": f"{kind} elites={n}", "genotype.kind": kind, "strategy.elites": n}
            )
            for kind in ("direct", "barriers")
            for n in (0, 2)
        ],
        runs=2,
        evaluations=200,
        settings=settings,
    )
    for name in names:
        assert varied[name].scores.tolist() == listed[name].scores.tolist()
        assert varied[name].recipe.genotype == listed[name].recipe.genotype
    two = compare([MAZE, STEADY], vary={"genotype.fill": [0.1, 0.2]}, runs=2, evaluations=200)
    assert {entrant.name for entrant in two.entrants} == {
        f"{name} fill={fill}" for name in ("maze", "steady") for fill in (0.1, 0.2)
    }


def test_only_pairs_with_one_recipe_are_tested_on_request() -> None:
    kinds = {"genotype": [{"kind": "direct"}, {"kind": "mirror", "of": {"kind": "direct"}}]}
    result = compare(
        [MAZE], vary=kinds, against="mirror of direct", runs=5, evaluations=200, size="8x8"
    )
    assert {entrant.name for entrant in result.entrants} == {"direct", "mirror of direct"}
    every = compare([MAZE, STEADY, BARRIERS], runs=5, evaluations=200)
    some = compare([MAZE, STEADY, BARRIERS], runs=5, evaluations=200, against="steady")
    kept = [pair for pair in every.pairs if "steady" in {pair.first, pair.second}]
    assert [(pair.first, pair.second, pair.p) for pair in some.pairs] == [
        (pair.first, pair.second, pair.p) for pair in kept
    ]
    assert [pair.p_corrected for pair in some.pairs] == holm([pair.p for pair in kept]).tolist()
    job = ComparisonJob.of([MAZE, STEADY], runs=2, evaluations=200, against="maze")
    assert ComparisonJob.from_call(job.call()).against == "maze"


def test_dungeons_are_compared_with_levels_whose_places_follow_a_rule() -> None:
    result = compare(
        ["dungeon-source", "maze"],
        runs=2,
        evaluations=200,
        settings={"places": "tour_uniform"},
    )
    assert result["dungeon-source"].recipe.places is None
    assert result["maze"].recipe.places == "tour_uniform"
    assert result["maze"].recipe.objective == result["dungeon-source"].recipe.objective


def test_a_run_that_reached_its_goal_stays_there() -> None:
    goal = {"kind": "target", "targets": {"exit_path": "18..40"}}
    result = compare([MAZE, BARRIERS], runs=2, evaluations=600, objective=goal)
    assert (result["maze"].curves[:, -1] == 1).all()
    assert all(trial.evaluations < 600 for trial in result["maze"].runs)


@pytest.mark.parametrize(
    ("changes", "feasible"),
    [
        ({}, 3),
        ({"genotype.fill": 1.0}, 0),
        ({"genotype.fill": 1.0, "objective.feasible_first": True}, 0),
        # Nothing to score, though every level can be won: an empty room has no dead end.
        ({"genotype.fill": 0.0, "objective.kind": "culs_de_sac"}, 3),
        (
            {
                "genotype.fill": 0.0,
                "objective.kind": "culs_de_sac",
                "objective.feasible_first": True,
            },
            3,
        ),
        ({"genotype.fill": 0.0, "objective.kind": "culs_de_sac", "objective.walls": [0.5, 0.6]}, 0),
    ],
)
def test_runs_that_found_a_level_that_counts_are_counted(
    changes: dict[str, object], feasible: int
) -> None:
    recipe = CRIPPLED.changed(changes)
    result = compare([recipe, recipe], runs=3, evaluations=100)
    assert [entrant.feasible for entrant in result.entrants] == [feasible, feasible]


def test_each_run_is_reported_in_order() -> None:
    events: list[Event] = []
    with thread_pool(2) as executor:
        result = compare(
            [MAZE, STEADY], runs=3, evaluations=100, seed=5, executor=executor, watch=events.append
        )
    finished = [event for event in events if isinstance(event, RunFinished)]
    assert [event.done for event in finished] == list(range(1, 7))
    assert [(event.recipe, event.seed) for event in finished] == [
        ("maze", 5),
        ("maze", 6),
        ("maze", 7),
        ("steady", 5),
        ("steady", 6),
        ("steady", 7),
    ]
    assert sorted(event.score for event in finished) == sorted(
        score for entrant in result.entrants for score in entrant.scores
    )


def test_names_can_be_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / "a.toml", tmp_path / "b.toml", tmp_path / "deep" / "a.toml"]
    paths[2].parent.mkdir()
    for path in paths:
        path.write_text(MAZE.to_toml())
    given_recipes: list[Path | Recipe] = [*paths, MAZE, MAZE.changed({"name": "maze #1"}), MAZE]
    names: dict[str, None] = {}
    compare(
        given_recipes,
        runs=2,
        evaluations=30,
        watch=lambda event: names.update({event.to_data()["recipe"]: None}),
    )
    assert list(names) == [
        "maze (a.toml) #1",
        "maze (b.toml)",
        "maze (a.toml) #2",
        "maze #2",
        "maze #1",
        "maze #3",
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"recipes": []}, "recipes: expected at least 2 to compare, got 0"),
        ({"recipes": [MAZE]}, "recipes: expected at least 2 to compare, got 1"),
        ({"recipes": [MAZE, "maize"]}, "unknown recipe 'maize': did you mean 'maze'"),
        ({"runs": 1}, "runs: expected at least 2 to compare, got 1"),
        (
            {"evaluations": 60},
            "evaluations: expected at least 70, the population of recipe steady, got 60",
        ),
        ({"evaluations": 0}, "evaluations: expected greater than or equal to 1, got 0"),
        ({"seed": -1}, "seed: expected a whole number"),
        ({"seed": 2**64 - 1}, "seed: expected a whole number"),
        ({"objective": "exit_paths"}, "unknown objective 'exit_paths': did you mean 'exit_path'"),
        ({"objective": {"kind": "exit_path", "steps": 3}}, "objective.steps: unknown setting"),
        ({"size": "1x1"}, "size: expected at least 2x2"),
        ({"settings": {"evaluations": 5}}, "expected nothing about 'evaluations'"),
        ({"settings": {"generations": 5}}, "expected nothing about 'generations'"),
        (
            {"settings": {"strategy.elites": 1}},
            "recipe steady: strategy.elites: unknown setting of strategy 'steady_state'",
        ),
        ({"vary": {"size": "8x8,9x9"}}, "vary.size: expected a setting of the genotype"),
        ({"vary": {"genotype.kind": "direct,"}}, "vary.genotype.kind: expected choices separated"),
        ({"vary": {"genotype.fill": 3}}, "vary.genotype.fill: expected a list of values"),
        ({"vary": {"genotype.fill": [0.1, 0.1]}}, "vary: expected different values"),
        ({"vary": {"genotype.kind": ["dirt"]}}, "recipe maze dirt: unknown genotype 'dirt'"),
        ({"against": "stedy"}, "no recipe is called 'stedy': did you mean 'steady'"),
        (
            {"against": "maze", "sizes": ["8x8", "9x9"]},
            "against: expected one size",
        ),
        (
            {"settings": {"checkpoints": "50,50"}},
            "recipe maze: checkpoint 1: expected a cell inside",
        ),
    ],
)
def test_a_wrong_call_is_refused_before_any_run(changes: dict[str, object], words: str) -> None:
    arguments: dict[str, object] = {
        "recipes": [MAZE, STEADY],
        "runs": 2,
        "evaluations": 100,
        **changes,
    }
    events: list[Event] = []
    with pytest.raises(InputError) as refusal:
        compare(**arguments, watch=events.append)  # type: ignore[call-overload]
    assert words in str(refusal.value)
    assert not events


def test_the_data_is_json_and_holds_what_is_needed_to_run_it_again(comparison: Comparison) -> None:
    data = json.loads(json.dumps(comparison.to_data(), allow_nan=False))
    assert (data["size"], data["runs"], data["evaluations"], data["seed"]) == (
        "10x10",
        RUNS,
        BUDGET,
        1,
    )
    for entry in data["recipes"]:
        run = Run(Recipe.from_data(entry["recipe"]), data["seed"])
        next(run.events())
        begun = next(score for score in entry["curves"][0] if score is not None)
        assert begun >= run.best_score


def test_the_plot_is_a_picture_and_the_same_bytes_twice(comparison: Comparison) -> None:
    content = comparison._repr_png_() or b""
    assert content == comparison._repr_png_()
    with Image.open(io.BytesIO(content)) as image:
        image.load()
        assert image.width > image.height > 500
        assert set(image.info) <= {"dpi", "levolve comparison"}
        assert json.loads(image.info["levolve comparison"])["seed"] == 1
        colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 24) or []}
    assert {
        (0x00, 0x72, 0xB2),
        (0xD5, 0x5E, 0x00),
        (0x00, 0x9E, 0x73),
        (0xCC, 0x79, 0xA7),
    } <= colours


def test_the_plot_takes_any_name_and_more_recipes_than_colours() -> None:
    names = ["_hidden", "$x^{$", "a name that is " + "very " * 20 + "long", *map(str, range(6))]
    result = compare([CRIPPLED.changed({"name": name}) for name in names], runs=2, evaluations=30)
    with Image.open(io.BytesIO(result._repr_png_() or b"")) as image:
        image.load()


def test_targets_are_compared_by_success_and_evaluations_to_the_target() -> None:
    target = {"exit_path": "30..40"}
    slow = MAZE.changed(
        {
            "name": "slow",
            "strategy.mutation": {"kind": "uniform", "rate": 0.0},
            "strategy.crossover.rate": 0.0,
        }
    )
    result = compare([MAZE, slow], runs=6, evaluations=2000, target=target)
    assert result.goal == 1.0
    maze, still = result["maze"], result["slow"]
    assert [entrant.name for entrant in result.entrants] == ["maze", "slow"]
    assert (maze.success_rate, still.success_rate) == (1.0, 0.0)
    for finished in maze.runs:
        run = Run(maze.recipe, finished.seed).finish()
        assert finished.evaluations_to_goal == run.evaluations == finished.evaluations < 2000
    assert maze.expected_evaluations == np.mean([finished.evaluations for finished in maze.runs])
    assert still.expected_evaluations == np.inf
    (pair,) = result.pairs
    assert (pair.first, pair.wins, pair.significant) == ("maze", 1.0, True)
    data = json.loads(json.dumps(result.to_data(), allow_nan=False))
    assert [recipe["success_rate"] for recipe in data["recipes"]] == [1.0, 0.0]
    assert data["recipes"][1]["expected_evaluations"] is None
    assert data["recipes"][1]["evaluations_to_goal"] == [None] * 6
