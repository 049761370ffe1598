"""`levolve illuminate` and `levolve pack --from-archive`: what they print and write, and how they
refuse.
"""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.core.events import Event
from levolve.jobs.archives.illuminate import Illumination

SMALL = [
    "illuminate",
    "maze",
    "--size",
    "8x8",
    "--grid",
    "10x10",
    "--evaluations",
    "3e3",
    "--seed",
    "1",
    "--no-store",
]


def test_an_archive_is_written_and_a_pack_is_chosen_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, made = str(tmp_path / "archive"), str(tmp_path / "pack")
    assert run([*SMALL, "-o", folder, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {"coverage", "qd_score", "evaluations", "seconds", "digest"} <= set(data)
    assert data["evaluations"] == 3000
    assert sorted(path.name for path in Path(folder).iterdir()) == [
        "archive.json",
        "archive.npz",
        "heat_map.png",
        "index.html",
        "progress.csv",
    ]
    assert (
        run(
            ["pack", "--from-archive", folder, "--count", "3", "--to", "json", "-o", made, "--json"]
        )
        == 0
    )
    assert levolve.check_pack(made).problems == {}


def test_an_interrupted_illumination_is_resumed_to_the_same_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, parts, store = (
        tmp_path / "whole",
        tmp_path / "parts",
        ["--store", str(tmp_path / "runs.sqlite")],
    )
    assert run([*SMALL, "-o", str(whole)]) == 0
    events = Illumination.events

    def interrupted(job: Illumination) -> Iterator[Event]:
        for number, event in enumerate(events(job)):
            yield event
            if number == 2:
                signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Illumination, "events", interrupted)
        assert run([*SMALL[:-1], *store, "-o", str(parts)]) == 130
    assert "covered so far; the archive so far is in" in capsys.readouterr().err
    assert 0 < levolve.load_archive(parts).evaluations < 3000
    assert run(["resume", "last", *store]) == 0
    assert {path.name: path.read_bytes() for path in parts.iterdir()} == {
        path.name: path.read_bytes() for path in whole.iterdir()
    }


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
