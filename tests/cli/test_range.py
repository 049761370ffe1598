"""`levolve range`: what it prints and writes, and how it refuses."""

import json
from pathlib import Path

import pytest
from PIL import Image

from levolve.cli.app import run

SMALL = ["--samples", "4", "--evaluations", "300", "--size", "8x8"]


def test_the_table_and_the_overlaps_fit_the_terminal_and_files_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "range.png", tmp_path / "range.csv", tmp_path / "range.json"]
    assert (
        run(
            [
                "range",
                "maze",
                "maze-barriers",
                *SMALL,
                *(part for file in files for part in ("-o", str(file))),
            ]
        )
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("walls and exit_path on ")
    assert lines[2].split() == [
        "recipe",
        "levels",
        "winnable",
        "distinct",
        "walls",
        "exit_path",
        "cells",
    ]
    assert max(map(len, lines)) <= 80
    assert any(line.endswith("%  maze and maze-barriers") for line in lines)
    with Image.open(files[0]) as picture:
        assert picture.width > 500
    assert files[1].read_text().splitlines()[0] == "recipe,seed,walls,exit_path,score"
    assert len(files[1].read_text().splitlines()) == 9
    assert [one["name"] for one in json.loads(files[2].read_text())["recipes"]] == [
        "maze",
        "maze-barriers",
    ]


def test_json_is_the_data_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "range.json"
    assert (
        run(
            [
                "range",
                "maze",
                "--levels",
                "random",
                "--samples",
                "50",
                "--size",
                "8x8",
                "--axes",
                "walls, dead_ends",
                "--json",
                "-o",
                str(file),
            ]
        )
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads(file.read_text())
    assert data["axes"] == ["walls", "dead_ends"]


def test_wrong_calls_end_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["range", "maze", "-o", "range.gif"]) == 2
    assert (
        "expected a file name that ends in .png (heat maps), .json (all data), or .csv or .parquet "
        "(levels)"
    ) in " ".join(capsys.readouterr().err.split())
    assert run(["range"]) == 2
