"""`levolve illuminate` and `levolve pack --from-archive`: what they print and write, and how they refuse."""

import json
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run

SMALL = ["illuminate", "maze", "--size", "8x8", "--grid", "10x10", "--evaluations", "3e3", "--seed", "1", "--no-store"]


def test_an_archive_is_written_and_a_pack_is_chosen_from_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, made = str(tmp_path / "archive"), str(tmp_path / "pack")
    assert run([*SMALL, "-o", folder, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {"coverage", "qd_score", "evaluations", "seconds", "digest"} <= set(data)
    assert data["evaluations"] == 3000
    assert sorted(path.name for path in Path(folder).iterdir()) == ["archive.json", "archive.npz", "heat_map.png", "index.html", "progress.csv"]
    assert run(["pack", "--from-archive", folder, "--count", "3", "--to", "json", "-o", made, "--json"]) == 0
    assert levolve.check_pack(made).problems == {}


def test_the_map_fits_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(SMALL) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    "call",
    [
        ["pack", "maze", "--from-archive", "nowhere"],
        ["illuminate", "maze", "--range", "walls:3"],
        ["illuminate", "maze", "--evaluations", "none"],
        ["illuminate", "maze", "--axes", "wals"],
    ],
)
def test_wrong_calls_are_refused(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(call) == 2
    assert "Traceback" not in capsys.readouterr().err
