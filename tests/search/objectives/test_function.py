"""Any function is an objective: its scores, its features, its failures, and how it is named."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import levolve
from levolve.core.errors import EvaluationError, InputError
from levolve.core.function_names import FunctionName
from levolve.core.plugins import VARIABLE, load_plugin
from levolve.jobs.executors import SerialExecutor
from levolve.jobs.runs.run import Run
from levolve.levels.measures.structure_features import exit_steps, unwinnable
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import Recipe
from levolve.search.evaluation import ParallelEvaluator
from levolve.search.objectives.function import Function
from oracles import functions
from oracles.functions import fragile, walls, walls_of_one

SETTINGS = {"objective.least": 0.0}


@pytest.fixture
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")


def small(**changes: object) -> Recipe:
    return adapt("maze", size=(8, 6), generations=12, **changes)  # type: ignore[arg-type]


def test_a_function_of_a_batch_and_one_of_a_level_give_the_same_run() -> None:
    runs = [levolve.evolve(small(objective=function), seed=4) for function in (walls, walls_of_one)]
    assert runs[0].digest == runs[1].digest
    assert runs[0].best_score == runs[0].best.tiles.sum() == runs[1].best_score
    assert runs[0].best.solution is not None


def test_levels_that_cannot_be_won_are_not_given_to_the_function_and_score_below_all_others() -> (
    None
):
    given: list[NDArray[np.uint8]] = []

    def recorded(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
        given.append(tiles)
        return walls(tiles)

    problem = small(objective=recorded).problem
    genes = problem.start(1, 0, 60)
    batch = problem.batch(genes)
    won = exit_steps(batch) >= 0
    assert 0 < won.sum() < 60, "the test needs both kinds"
    scores = problem.evaluate(genes).scores
    assert np.array_equal(given[0], batch.tiles[won])
    assert np.array_equal(scores[won], walls(batch.tiles[won]))
    assert scores[~won].max() < -1e200
    nearest = np.argsort(unwinnable(batch)[~won], kind="stable")
    assert np.all(np.diff(scores[~won][nearest]) <= 0), "the nearer to winnable, the higher"
    bounded = adapt(small(objective=walls), settings=SETTINGS).problem.evaluate(genes).scores
    assert -2 <= bounded[~won].min() <= bounded[~won].max() < 0
    everything = (
        adapt(small(objective=walls), settings={"objective.unwinnable": "scored"})
        .problem.evaluate(genes)
        .scores
    )
    assert np.array_equal(everything, walls(batch.tiles))


def test_features_of_a_function_are_part_of_the_evaluation_beside_measures() -> None:
    from dataclasses import replace

    problem = replace(small(objective=walls_of_one).problem, features=("left", "walls"))
    genes = problem.start(1, 0, 40)
    batch, evaluation = problem.batch(genes), problem.evaluate(genes)
    won = exit_steps(batch) >= 0
    assert np.array_equal(
        evaluation.features["left"], np.where(won, batch.tiles[:, :, 0].sum(axis=1), 0)
    )
    assert np.array_equal(evaluation.features["walls"], batch.tiles.sum(axis=(1, 2)))
    with pytest.raises(InputError, match=r"feature 'lefd'.*the objective returned left, top: "):
        replace(problem, features=("lefd",)).evaluate(genes)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (
            lambda tiles: tiles.sum(),
            (
                r"individual \d+: expected 1 numbers as score, one per individual, got an array "
                r"of shape \(\)"
            ),
        ),
        (
            lambda tiles: np.full(len(tiles), np.nan),
            r"individual \d+: expected finite numbers as score, got nan",
        ),
        (
            lambda tiles: (np.zeros(len(tiles)), {"a": ["x"]}),
            r"individual \d+: expected 1 numbers as a, got \['x'\]",
        ),
        (lambda _: {"score": "no"}, r"expected 1 numbers as score, got 'no'"),
    ],
)
def test_a_wrong_return_value_is_explained(returned: object, message: str) -> None:
    with pytest.raises(EvaluationError, match=message):
        levolve.evolve(
            small(objective=returned, settings={"objective.errors": "unwinnable"}), seed=1
        )


@pytest.mark.parametrize("processes", [False, True])
def test_an_exception_names_the_individual_wherever_it_is_evaluated(processes: bool) -> None:
    problem = small(objective=fragile).problem
    genes = problem.start(1, 0, 50)
    batch = problem.batch(genes)
    first = int(np.flatnonzero((exit_steps(batch) >= 0) & (batch.tiles[:, 0, -1] == 1))[0])
    assert first > 1, "the test needs a failure after the first"
    expected = (
        rf"objective oracles.functions:fragile: individual {first}: RuntimeError: a wall in the "
        r"corner"
    )
    if not processes:
        with pytest.raises(EvaluationError, match=expected):
            ParallelEvaluator(problem, SerialExecutor())(genes)
        return
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        evaluate = ParallelEvaluator(problem, pool)
        evaluate._seconds = 1.0
        with pytest.raises(EvaluationError, match=expected):
            evaluate(genes)


def test_exceptions_can_be_counted_as_unwinnable() -> None:
    run = levolve.evolve(
        small(objective=fragile, settings={**SETTINGS, "objective.errors": "unwinnable"}), seed=2
    )
    assert run.best.tiles[0, -1] == 0
    assert run.best_score == run.best.tiles.sum()
    assert min(run.scores) >= -2


def test_a_level_is_never_given_to_the_function_twice() -> None:
    given: list[bytes] = []

    def recorded(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
        given.extend(level.tobytes() for level in tiles)
        return -walls(tiles)

    run = levolve.evolve(small(objective=recorded, settings={"generations": 60}), seed=1)
    assert run.evaluations > len(given), "some contents came again"
    assert len(set(given)) == len(given)


def test_the_memory_is_bounded_and_forgets_what_was_used_longest_ago() -> None:
    problem = small(objective=walls).problem
    evaluate = ParallelEvaluator(problem, SerialExecutor())
    evaluate.memory.most = 30
    genes = problem.start(1, 0, 60)
    first = evaluate(genes).scores
    assert len(evaluate.memory._known) == 30
    evaluate(genes[30:])
    assert evaluate.memory.asked == 60
    assert np.array_equal(evaluate(genes).scores, first)
    assert evaluate.memory.asked == 90


def test_a_recipe_names_a_function_only_of_plugins(no_plugins: None, tmp_path: Path) -> None:
    path = tmp_path / "walls.toml"
    text = small().changed({"objective": {"kind": "function"}}).to_toml()
    assert 'function = "open_cells"' in text
    path.write_text(text)
    assert Recipe.read(path).objective["function"] == "open_cells"
    for name, message in {
        "textwrap:dedent": "'textwrap' is not a plug-in.*--plugin textwrap",
        "levolve.search.objectives.function:open_cells": (
            "no function of levolve can be named in a recipe"
        ),
        "nonsense": "expected the name of a function as module:function",
        "local:f-12345678": "cannot be found by name",
    }.items():
        path.write_text(text.replace("open_cells", name))
        with pytest.raises(InputError, match=message):
            Recipe.read(path)


def test_a_function_of_a_named_plugin_is_found(no_plugins: None, tmp_path: Path) -> None:
    load_plugin("oracles.functions")
    assert FunctionName.of("oracles.functions:walls").function is walls
    for name, message in {
        "foreign": "function that the plug-in defines itself, got one of subprocess",
        "subprocess.call": "function that the plug-in defines itself, got one of subprocess",
        "unmarked": "expected a function that is marked for use in recipes",
        "nothing": "has no attribute 'nothing'",
        "walls.__call__": "walls has no attribute '__call__'",
        "Any.__doc__": "expected a function|has no attribute",
    }.items():
        with pytest.raises(InputError, match=message):
            FunctionName.of(f"oracles.functions:{name}")
    run = levolve.evolve(small(objective="oracles.functions:walls"), seed=4)
    assert run.digest == levolve.evolve(small(objective=walls), seed=4).digest
    assert run.best.origin is not None
    assert [plugin for plugin, _ in run.best.origin.plugins] == ["module:oracles.functions"]
    path = tmp_path / "run.toml"
    path.write_text(run.recipe.to_toml())
    assert levolve.evolve(path, seed=4).digest == run.digest


def test_a_run_of_a_module_s_function_can_be_built_again_and_one_of_a_lambda_cannot() -> None:
    run = Run(small(objective=walls), 1)
    again = Run.from_call(run.call())
    assert again.finish().digest == run.finish().digest
    local = Run(small(objective=lambda tiles: -walls(tiles)), 1)
    with pytest.raises(InputError, match=r"defined at the top of a module, got local:"):
        local.call()
    assert local.rebuilt().finish().digest == local.finish().digest


def test_equal_lambdas_have_different_names_and_one_function_has_one() -> None:
    weights = [1.0, 2.0]
    made = [
        FunctionName.of(lambda tiles, weight=weight: weight * walls(tiles)) for weight in weights
    ]
    assert len(set(made)) == 2
    assert FunctionName.of(made[1].function) == made[1]
    assert FunctionName.of(walls) == "oracles.functions:walls"


def test_a_process_that_cannot_import_the_function_is_explained() -> None:
    problem = small(objective=lambda tiles: walls(tiles)).problem  # noqa: PLW0108 a function without a name
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        evaluate = ParallelEvaluator(problem, pool)
        evaluate._seconds = 1.0
        with pytest.raises(
            EvaluationError, match="expected a function that other processes can import"
        ):
            evaluate(problem.start(1, 0, 30))


def test_a_known_highest_score_ends_a_run() -> None:
    run = levolve.evolve(small(objective=walls, settings={"objective.highest": 20}), seed=1)
    assert run.best_score >= 20
    assert run.evaluations < levolve.evolve(small(objective=walls), seed=1).evaluations
    assert Function(highest=3).goal == 3
    assert functions.walls is walls
