"""Runs of contents that are no levels: results, state, processes, files and failures."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import levolve
from levolve.cli.app import app
from levolve.contents import Array, Number, OneOf
from levolve.contents.content import ContentProblem, FunctionContent, canonical_bytes
from levolve.core.errors import EvaluationError, InputError
from levolve.core.plugins import VARIABLE
from levolve.jobs.runs.run import ContentRun
from levolve.recipes.content_recipe import ContentRecipe
from levolve.recipes.finding import adapt_content
from oracles.functions import power, slow_total, totals

MONSTERS = {
    "map": Array((3, 4), range(6)),
    "boss": {"kind": OneOf("orc", "dragon"), "strength": range(1, 10)},
    "speed": Number(0, 1),
    "name": "keep",
}


def run_power(**options: Any) -> ContentRun:
    return levolve.evolve(space=MONSTERS, objective=power, seed=3, generations=15, **options)


def test_a_run_of_nested_contents_finds_good_ones_and_reports_them() -> None:
    run = run_power()
    assert run.best["name"] == "keep"
    assert run.best_score == power(run.best)[0] == max(run.history.best)
    assert run.features == power(run.best)[1]
    assert run.best_score > np.median(
        [power(content)[0] for content in run.problem.decode(run.problem.start(9, 0, 50))]
    )
    assert len({canonical_bytes(content) for content in run.contents}) == len(run.contents)
    assert canonical_bytes(run.contents[0]) == canonical_bytes(run.best)
    data = run.to_data()
    assert json.loads(json.dumps(data))["best"] == data["best"]
    assert data["digest"] == run_power().digest


def test_threads_processes_and_a_stop_do_not_change_the_result(tmp_path: Path) -> None:
    options = {
        "space": Array(6, range(9)),
        "objective": slow_total,
        "seed": 2,
        "settings": {"strategy.population": 20},
        "generations": 6,
    }
    alone = levolve.evolve(executor=1, **options)  # type: ignore[call-overload]
    for where in ({"executor": 3}, {"executor": "processes:2"}):
        assert levolve.evolve(**where, **options).digest == alone.digest  # type: ignore[call-overload]
    run = ContentRun(alone.recipe, 2)
    events = run.events()
    for _ in range(3):
        next(events)
    again = ContentRun.from_call(json.loads(json.dumps(run.call())))
    again.restore(run.state())
    assert again.finish().digest == alone.digest
    assert again.history == alone.history
    stored = levolve.evolve(store=tmp_path / "runs.sqlite", **options)  # type: ignore[call-overload]
    assert (
        levolve.resume("last", store=tmp_path / "runs.sqlite").to_data()["digest"] == stored.digest
    )


def test_a_function_of_many_contents_takes_arrays_and_gives_the_same_run() -> None:
    one = levolve.evolve(
        space=Array((2, 3), range(7)),
        objective=lambda content: float(np.sum(content)),
        seed=1,
        generations=8,
    )
    many = levolve.evolve(space=Array((2, 3), range(7)), objective=totals, seed=1, generations=8)
    assert one.digest == many.digest
    assert isinstance(many.best, np.ndarray)
    assert many.best.shape == (2, 3)


def test_a_content_is_never_evaluated_twice() -> None:
    seen: list[bytes] = []

    def counted(content: Any) -> float:
        seen.append(canonical_bytes(content))
        return float(np.sum(content))

    run = levolve.evolve(space=Array(4, range(3)), objective=counted, seed=1, generations=30)
    assert len(seen) == len(set(seen)) <= 81 < run.evaluations


def test_features_reach_the_evaluation_and_unknown_ones_are_explained() -> None:
    content = adapt_content(space=MONSTERS, objective=power).parts[0]
    problem = ContentProblem(content, ("dragons",))
    genes = problem.start(1, 0, 12)
    assert problem.evaluate(genes).features["dragons"].tolist() == [
        float(one["boss"]["kind"] == "dragon") for one in problem.decode(genes)
    ]
    with pytest.raises(InputError, match=r"feature 'orcs'.*one of dragons"):
        ContentProblem(content, ("orcs",)).evaluate(genes)


def test_a_failure_names_the_individual_or_scores_below_all_others() -> None:
    def fragile(content: Any) -> float:
        return 1.0 / float(np.sum(content) - 3)

    with pytest.raises(EvaluationError, match=r"individual \d+: ZeroDivisionError"):
        levolve.evolve(space=Array(3, range(3)), objective=fragile, seed=1)
    run = levolve.evolve(
        space=Array(3, range(3)),
        objective=fragile,
        seed=1,
        generations=3,
        settings={"content.errors": "unwinnable", "content.least": -1},
    )
    assert run.best_score == 1.0
    worst = adapt_content(run.recipe).problem.evaluate(np.ones((1, 3), np.uint8))
    assert worst.scores.tolist() == [-2.0]


def test_recipes_of_contents_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "oracles.functions")
    path = tmp_path / "power.toml"
    recipe = adapt_content(space=MONSTERS, objective="oracles.functions:power", generations=15)
    path.write_text(recipe.to_toml())
    assert adapt_content(path).to_data() == recipe.to_data()
    ran = CliRunner().invoke(
        app,
        [
            "evolve",
            str(path),
            "--seed",
            "3",
            "--json",
            "--no-store",
            "-o",
            str(tmp_path / "best.json"),
        ],
    )
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["digest"] == run_power().digest
    written = json.loads((tmp_path / "best.json").read_text())
    assert written["content"] == json.loads(ran.stdout)["best"]
    assert written["origin"]["seed"] == 3
    assert ContentRecipe.from_data(written["origin"]["recipe"]).to_data() == recipe.to_data()
    shown = CliRunner().invoke(app, ["evolve", str(path), "--seed", "3", "--no-store", "--quiet"])
    assert '"name": "keep"' in shown.output
    assert "best score" in shown.output


def test_contents_are_illuminated_by_the_features_of_their_function() -> None:
    def spread(content: dict[str, int]) -> tuple[float, dict[str, float]]:
        return content["a"] - content["b"], {"sum": content["a"] + content["b"], "a": content["a"]}

    strategy = {"kind": "map_elites", "axes": ["sum"], "ranges": [[0, 8]], "grid": [9]}
    found = levolve.evolve(
        space={"a": range(5), "b": range(5)},
        objective=spread,
        seed=1,
        generations=30,
        settings={"strategy": strategy},
    )
    assert {one["sum"]: one["score"] for one in found.elites} == {
        total: min(total, 4) - max(total - 4, 0) for total in range(9)
    }
    assert all(one["content"]["a"] - one["content"]["b"] == one["score"] for one in found.elites)
    scores = [one["score"] for one in found.elites]
    assert scores == sorted(scores, reverse=True)
    with pytest.raises(
        InputError, match="elites: expected a run with the strategy map_elites, got generational"
    ):
        run_power().elites  # noqa: B018 the property raises
    with pytest.raises(
        InputError,
        match="recipe: expected a recipe of levels, got spread, whose contents are not levels",
    ):
        levolve.illuminate(found.recipe)  # type: ignore[arg-type] # what people might try


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"space": MONSTERS}, "objective: expected a function that scores a content"),
        (
            {"space": MONSTERS, "objective": power, "recipe": "maze"},
            "space: expected no recipe as well, got 'maze'",
        ),
        (
            {"space": MONSTERS, "objective": power, "size": (3, 3)},
            "size: expected a recipe of levels",
        ),
        (
            {"space": MONSTERS, "objective": power, "settings": {"strategie.population": 3}},
            "did you mean 'strategy'",
        ),
        (
            {"space": MONSTERS, "objective": 3},
            "expected a function, or its name as module:function, got 3",
        ),
        (
            {"space": MONSTERS, "objective": power, "executor": "processes:0"},
            "executor: expected a number of threads of at least 1",
        ),
    ],
)
def test_wrong_calls_are_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        levolve.evolve(**options)


def test_another_strategy_of_contents_drops_the_settings_of_the_old_one() -> None:
    run = run_power(settings={"strategy": "annealing", "strategy.population": 7})
    assert run.recipe.strategy["kind"] == "annealing"
    assert "elites" not in run.recipe.changed({"strategy.kind": "annealing"}).strategy


def test_an_archive_of_contents_does_not_end_at_the_highest_score(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(FunctionContent, "goal", 0.0)
    assert run_power().recipe.limits.goal == 0.0
    assert run_power().recipe.changed({"strategy.kind": "novelty"}).limits.goal is None
