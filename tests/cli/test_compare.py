"""`levolve compare`: what it prints and writes, and how it refuses."""

import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from levolve.cli.app import run
from levolve.recipes.recipe import Recipe

SMALL = ["--runs", "5", "--evaluations", "800", "--size", "9x9"]


@pytest.fixture
def rivals(tmp_path: Path) -> list[str]:
    maze = Recipe.from_data(
        {
            "name": "maze",
            "genotype": {"kind": "direct"},
            "objective": {"kind": "exit_path"},
            "strategy": {
                "kind": "generational",
                "population": 30,
                "mutation": {"kind": "uniform", "rate": 0.02},
            },
        }
    )
    good, bad = tmp_path / "good.toml", tmp_path / "bad.json"
    good.write_text(maze.to_toml())
    bad.write_text(
        maze.changed(
            {"name": "bad", "strategy.mutation.rate": 0.0, "strategy.crossover.rate": 0.0}
        ).to_json()
    )
    return [str(bad), str(good)]


def test_the_table_is_best_first_and_the_tests_are_in_words(
    rivals: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *rivals, *SMALL]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == "exit_path, 9x9, 5 runs of 800 evaluations each, seeds from 1"
    header, rule, first, second = (line.split() for line in lines[2:6])
    assert header == [
        "recipe",
        "median",
        "quartiles",
        "best",
        "worst",
        "feasible",
        "used",
        "seconds",
    ]
    assert len(rule) == 1
    assert (first[0], second[0]) == ("maze", "bad")
    assert first[-3] == second[-3] == "5/5"
    assert (first[-2], second[-2]) == ("800", "30"), (
        "the budget is used exactly; the bad one never has anything new"
    )
    assert float(first[1]) > float(second[1])
    assert "maze beats bad in 100 % of pairs, p = 0.0" in captured.out
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in captured.out
    assert "Holm" not in captured.out, "one test needs no correction"


def test_a_tie_is_called_a_tie_and_too_few_runs_too_few(
    rivals: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", rivals[1], rivals[1], *SMALL[2:], "--runs", "3"]) == 0
    out = capsys.readouterr().out
    assert "maze (good.toml) #1 and maze (good.toml) #2 are equal, p = 1" in out
    assert "3 runs are too few for any difference to be significant" in out


def test_several_tests_are_corrected_and_a_difference_that_may_be_chance_is_called_so(
    rivals: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    near = tmp_path / "near.toml"
    near.write_text(
        Recipe.read(rivals[1]).changed({"name": "near", "strategy.mutation.rate": 0.021}).to_toml()
    )
    assert run(["compare", *rivals, str(near), *SMALL]) == 0
    out = capsys.readouterr().out
    assert "Holm's correction over 3 tests" in out
    assert "not significant, p = " in out


def test_long_names_leave_the_figures_whole(
    rivals: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = tmp_path / "long.toml"
    long.write_text(Recipe.read(rivals[1]).changed({"name": "[red]" + "long" * 30}).to_toml())
    assert run(["compare", rivals[0], str(long), *SMALL]) == 0
    table = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert max(map(len, table[:8])) <= 80
    assert any(
        line.strip().startswith("[red]long") and line.split()[-3] == "5/5"
        for line in table
        if len(line.split()) > 3
    )


def test_json_and_files_hold_the_same_data(
    rivals: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture, data = tmp_path / "new" / "plot.png", tmp_path / "new" / "data.json"
    arguments = [
        "compare",
        *rivals,
        *SMALL,
        "--objective",
        "culs_de_sac",
        "--set",
        "genotype.fill=0.2",
        "--seed",
        "9",
    ]
    assert run([*arguments, "--json", "-o", str(picture), "-o", str(data)]) == 0
    captured = capsys.readouterr()
    printed = json.loads(captured.out)
    for entry in printed["recipes"]:
        assert len(entry.pop("seconds")) == printed["runs"]
    assert printed == json.loads(data.read_text())
    assert f"written: {picture}" in captured.err
    assert (printed["seed"], printed["objective"]["kind"], len(printed["pairs"])) == (
        9,
        "culs_de_sac",
        1,
    )
    for entry in printed["recipes"]:
        assert entry["recipe"]["genotype"]["fill"] == 0.2
        assert [curve[-1] for curve in entry["curves"]] == entry["scores"]
        assert len(entry["curves"][0]) == len(printed["grid"])
    with Image.open(picture) as image:
        image.load()
        assert image.format == "PNG"
    before = picture.read_bytes(), data.read_bytes()
    assert run([*arguments, "--quiet", "--threads", "1", "-o", str(picture), "-o", str(data)]) == 0
    assert (picture.read_bytes(), data.read_bytes()) == before
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "RECIPE"),
        (["maze"], 2, "recipes: expected at least 2 to compare, got 1"),
        (["maze", "maize"], 2, "did you mean 'maze'"),
        (["maze", "maze", "--runs", "1"], 2, "runs: expected at least 2 to compare, got 1"),
        (["maze", "maze", "--runs", "-3"], 2, "runs: expected at least 2 to compare, got -3"),
        (
            ["FOLDER/bad.json", "FOLDER/good.toml", "--evaluations", "29"],
            2,
            "expected at least 30, the population of recipe bad, got 29",
        ),
        (
            ["maze", "maze", "--evaluations", "-1"],
            2,
            "evaluations: expected greater than or equal to 1",
        ),
        (["maze", "maze", "--seed", "-1"], 2, "seed: expected a whole number"),
        (["maze", "maze", "--size", "0x3"], 2, "size: expected at least 2x2"),
        (["maze", "maze", "--objective", "exit"], 2, "unknown objective 'exit'"),
        (
            ["FOLDER/bad.json", "FOLDER/good.toml", "--set", "strategy.elite=2"],
            2,
            "did you mean 'elites'",
        ),
        (["maze", "maze", "--set", "evaluations=200"], 2, "expected nothing about 'evaluations'"),
        (["maze", "maze", "--threads", "0"], 2, "threads: expected at least 1"),
        (
            ["maze", "maze", "-o", "FOLDER/plot.svg"],
            2,
            (
                "expected a file name that ends in .png (a plot), .json (all data), or .csv or "
                ".parquet (all runs)"
            ),
        ),
        (
            ["maze", "maze", "-o", "FOLDER/good.toml/plot.png"],
            1,
            "is not a folder that can be written",
        ),
    ],
)
def test_a_wrong_call_gets_one_paragraph_and_leaves_nothing(
    arguments: list[str],
    code: int,
    words: str,
    rivals: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Path(rivals[0]).parent
    before = sorted(folder.iterdir())
    assert (
        run(["compare", *(argument.replace("FOLDER", str(folder)) for argument in arguments)])
        == code
    )
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.startswith("levolve: ")
    assert captured.err.count("\n") == 1, "one paragraph"
    assert captured.out == ""
    assert sorted(folder.iterdir()) == before


def without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let charts be as if they had never been loaded, and could not be."""
    for name in [name for name in sys.modules if name.startswith("levolve.jobs.charts.")]:
        monkeypatch.delitem(sys.modules, name)
    for name in {"matplotlib", *(name for name in sys.modules if name.startswith("matplotlib."))}:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("command", ["compare", "bench"])
def test_a_missing_extra_is_named_before_the_work(
    command: str,
    rivals: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_matplotlib(monkeypatch)
    plot = Path(rivals[0]).with_name("plot.png")
    arguments = [*rivals, *SMALL] if command == "compare" else ["--quick"]
    assert run([command, *arguments, "-o", str(plot)]) == 1
    captured = capsys.readouterr()
    assert "pip install 'levolve[plot]'" in captured.err
    assert "matplotlib" in captured.err
    assert captured.err.count("\n") == 1
    assert not plot.exists()


def test_a_chart_that_is_missing_after_the_work_is_no_traceback(
    rivals: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = Path(rivals[0]).with_name("plot.png")
    assert run(["compare", *rivals, *SMALL, "-o", str(plot)]) == 0
    without_matplotlib(monkeypatch)
    capsys.readouterr()
    assert run(["resume", "last"]) == 1
    error = capsys.readouterr().err
    assert error.startswith(
        "levolve: a plot of a comparison: requires matplotlib, which is not installed"
    )
    assert error.count("\n") == 1


def test_charts_that_need_no_extra_are_drawn_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["evolve", "maze", "--size", "8x8", "--generations", "3", "--seed", "1"]) == 0
    without_matplotlib(monkeypatch)
    for suffix in (".png", ".svg"):
        assert run(["runs", "plot", "last", "-o", str(tmp_path / f"history{suffix}")]) == 0
    assert run(["runs", "plot", "last"]) == 0
    call = ["range", "maze", "--levels", "random", "--samples", "20", "--size", "8x8"]
    assert run([*call, "-o", str(tmp_path / "range.png")]) == 0
    call = ["illuminate", "maze", "--size", "8x8", "--evaluations", "300", "--seed", "1"]
    assert run([*call, "-o", str(tmp_path / "archive")]) == 0
    written = [path.name for path in sorted(tmp_path.rglob("*.[ps][nv]g"))]
    assert written == ["heat_map.png", "history.png", "history.svg", "range.png"]


def test_a_target_is_compared_by_success_and_evaluations_to_it(
    rivals: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", *rivals, *SMALL, "--target", "exit_path=20..30"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == [
        "recipe",
        "success",
        "to",
        "target",
        "expected",
        "best",
        "score",
        "used",
        "seconds",
    ]
    assert lines[4].split()[1].endswith("/5")
    assert max(map(len, lines)) <= 80
    assert "target, runs without success last, ties half." in lines


def test_archives_are_compared_by_both_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "runs.csv"
    call = [
        "compare",
        "maze",
        "maze-barriers",
        "--axes",
        "walls,exit_path",
        "--grid",
        "6x6",
        "--size",
        "8x8",
        "--runs",
        "4",
        "--evaluations",
        "600",
    ]
    assert run([*call, "--range", "walls=0..30", "-o", str(table), "--no-store"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines if "seeds from" in line] == [
        "qd_score",
        "coverage",
    ]
    assert max(map(len, lines)) <= 80
    assert sum("maze beats maze-barriers" in line for line in lines) == 2
    assert table.read_text().startswith(
        "recipe,size,seed,qd_score,coverage,evaluations\nmaze,8x8,1,"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--grid", "9x9"], "--grid: expected only with --axes"),
        (["--range", "walls=0..9"], "--range: expected only with --axes"),
        (["--axes", "walls", "--size", "8x8,9x9"], "--axes: expected without several sizes"),
        (["--axes", "walls", "--target", "exit_path=3..9"], "--axes: expected without --target"),
    ],
)
def test_options_of_archives_are_refused_where_they_have_no_meaning(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["compare", "maze", "castle", *options]) == 2
    assert message in capsys.readouterr().err
