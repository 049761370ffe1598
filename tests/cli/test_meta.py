"""`levolve meta`: what it prints, shows and writes, and how it refuses."""

import io
import json
import sys
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

from cli.processes import interrupted
from levolve.cli import progress, terminal
from levolve.cli.app import run
from levolve.cli.commands import tune as meta
from levolve.jobs.studies.tune import TrialFinished, tune
from levolve.recipes.recipe import Recipe

QUICK = [
    "meta",
    "dungeon-meta",
    "--population",
    "8",
    "--generations",
    "2",
    "--size",
    "6x6",
    "--set",
    "generations=5",
    "--seed",
    "1",
]


def test_the_tuned_recipe_is_written_and_evolves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tuned, plot = tmp_path / "tuned.toml", tmp_path / "plot.png"
    assert (
        run([*QUICK, "-o", str(tuned), "-o", str(tmp_path / "tuned.json"), "--plot", str(plot)])
        == 0
    )
    captured = capsys.readouterr()
    assert "the best set" in captured.out
    assert "strategy.crossover.width" in captured.out
    assert "the score it was chosen by: one run, a lucky one" in captured.out
    assert "the mean of 20 runs with fresh seeds" in captured.out
    assert f"written: {tuned}" in captured.err
    assert "tuning" not in captured.err, "no display where there is no terminal"
    assert Recipe.read(tuned) == Recipe.read(tmp_path / "tuned.json")
    with Image.open(plot) as picture:
        assert picture.size[0] > 1000
    assert run(["evolve", str(tuned), "--seed", "1", "--json"]) == 0


def test_data_is_json_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*QUICK, "--json", "--quiet", "--seeds", "2"]) == 0
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert captured.err == ""
    assert data["recipe"] == "dungeon-meta"
    assert data["seed"] == 1
    assert len(data["fresh_scores"]) == 20
    assert data["runs"] % 2 == 0
    assert set(data["settings"]) >= {"genotype.floor", "strategy.kill"}


def test_a_race_prints_its_final_with_a_rank_test_and_the_interval_of_the_mean(
    capsys: pytest.CaptureFixture[str],
) -> None:
    race = ["meta", "dungeon-race", *QUICK[2:], "--set", "meta.final_runs=10"]
    assert run([*race, "--json", "--quiet"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["judged_by"] == 10
    assert run(race) == 0
    printed = capsys.readouterr().out
    assert "p, corrected" in printed
    assert "the score it was chosen by: the mean of 10 runs" in printed
    assert f"± {data['fresh_half_width']:<4.2g} the mean of 100 runs with fresh seeds" in printed
    assert f"p = {data['test']['p']:.2g}" in printed


def test_any_recipe_can_be_raced_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "meta",
                "maze",
                "--set",
                "meta=race",
                "--vary",
                "strategy.population=10..30",
                *QUICK[2:],
                "--json",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["scheme"] == "race"


def test_any_recipe_can_be_tuned_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    ranges = [
        "--vary",
        "strategy.population=10..30",
        "--vary",
        "strategy.crossover=uniform,one_point",
    ]
    assert run(["meta", "maze", *ranges, *QUICK[2:], "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["settings"]) == {
        "strategy.population",
        "strategy.crossover",
    }


def test_the_display_has_the_best_set_and_its_level() -> None:
    found = tune(
        "dungeon-meta",
        population=8,
        generations=1,
        size="6x6",
        settings={"generations": 5},
        seed=1,
        executor=1,
    )
    display = meta._Display(found.source)
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="truecolor")
    console.print(display.picture())
    display.event = TrialFinished(3, 9, 40, 90, 33, 123_456, found.best)
    console.print(display.picture())
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "generation 3 of 9, 123,456 evaluations" in shown
    assert f"best set: {found.best_score:g}" in shown
    assert all(path in shown for path in found.settings)
    assert shown.count("▀") == 6 * 3


def test_a_terminal_shows_the_display_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(progress, "is_terminal", lambda _stream: True)
    monkeypatch.setattr(
        terminal, "console", lambda **_: Console(file=screen, force_terminal=True, width=120)
    )
    monkeypatch.setattr(progress, "SHOW_AFTER_SECONDS", 0.0)
    assert run([*QUICK, "--generations", "100000", "--budget", "1s"]) == 0
    assert "best set: " in screen.getvalue()
    assert "tuning dungeon-meta" in screen.getvalue()


@pytest.mark.parametrize(
    ("arguments", "words", "code"),
    [
        (["meta", "maze"], "recipe maze does not say which settings may vary", 2),
        ([*QUICK, "--vary", "strategy.kil=1..5"], "did you mean 'strategy.kill'?", 2),
        ([*QUICK, "--vary", "strategy.kill"], "--vary: expected KEY=LOW..HIGH", 2),
        (
            [*QUICK, "--vary", "strategy.kill=1..5", "--vary", "strategy.kill=2..5"],
            "--vary: expected each setting once",
            2,
        ),
        ([*QUICK, "--vary", "strategy.kill=7..5"], "expected low to be at most high", 2),
        ([*QUICK, "--budget", "soon"], "budget: expected a number of evaluations such as 2e6", 2),
        (
            [*QUICK, "--population", "1"],
            "meta: population: expected greater than or equal to 2, got 1",
            2,
        ),
        ([*QUICK, "--seeds", "0"], "meta: seeds: expected greater than or equal to 1, got 0", 2),
        (
            [*QUICK, "-o", "tuned.png"],
            "--output: expected a file name that ends in .toml or .json",
            2,
        ),
        ([*QUICK, "--plot", "plot.jpg"], "--plot: expected a file name that ends in .png", 2),
        ([*QUICK, "-o", "/proc/nowhere/tuned.toml"], "choose another path", 1),
        (
            [*QUICK, "--cluster", "somewhere"],
            "--cluster: expected 'local' or a scheduler's address",
            2,
        ),
        (
            [*QUICK, "--cluster", "tcp://127.0.0.1:9"],
            "no Dask scheduler answers at tcp://127.0.0.1:9",
            1,
        ),
        ([*QUICK, "--threads", "0"], "threads: expected at least 1", 2),
        ([*QUICK, "--cluster", "local", "--threads", "0"], "threads: expected at least 1", 2),
    ],
)
def test_a_wrong_call_is_explained(
    arguments: list[str], words: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    assert words in capsys.readouterr().err


def test_without_dask_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "levolve.jobs.cluster", raising=False)
    assert run([*QUICK, "--cluster", "local"]) == 1
    assert "pip install 'levolve[cluster]'" in capsys.readouterr().err


def test_an_interrupted_search_leaves_nothing_half_written(tmp_path: Path) -> None:
    arguments = [
        "meta",
        "dungeon-meta",
        "--seed",
        "1",
        "--generations",
        "100000",
        "-o",
        "tuned.toml",
    ]
    code, seen = interrupted(arguments, b"tuning dungeon-meta", tmp_path)
    assert b"interrupted" in seen
    assert b"Traceback" not in seen
    assert code == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", ["1" * 400, "1" * 5000, "1e9999"])
@pytest.mark.parametrize(
    "option",
    [
        "--vary=strategy.population=2..",
        "--set=strategy.population=",
        "--set=strategy.mutation.rate=",
    ],
)
def test_numbers_of_hundreds_of_digits_are_refused_in_one_paragraph(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["meta", "maze", "--population", "2", "--generations", "1", option + number]) == 2
    message = capsys.readouterr().err
    assert message.startswith("levolve: ")
    assert message.count("\n") == 1
    assert len(message) < 2000
