"""`--frame` closes the border, so that a player cannot walk off the map: in every format, for
packs, and not for puzzles.
"""

from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.formats import FORMATS
from levolve.levels.level import Level, has_closed_border
from levolve.levels.solver import recertified
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.sliding.rules import Board

LEVELS = ["S.\n.E", "S..#.\n.#...\n...1E", "A..\n.B.\n..C"]


@pytest.mark.parametrize("suffix", list(FORMATS))
@pytest.mark.parametrize("text", LEVELS)
def test_a_converted_level_gets_a_closed_border(text: str, suffix: str, tmp_path: Path) -> None:
    level = recertified(Level.from_text(text))
    source = levolve.save(level, tmp_path / "level.json")
    target = tmp_path / f"framed.{suffix}"
    assert run(["convert", str(source), str(target), "--frame", "--quiet"]) == 0
    found = levolve.load(target)
    # XSB has a border of its own, which is no part of the level.
    framed = found if suffix != "xsb" else levolve.levels.level.with_border(found)
    assert has_closed_border(framed)
    assert (framed.width, framed.height) == (level.width + 2, level.height + 2)
    assert framed.solution == level.solution
    found.check()


@pytest.mark.parametrize("suffix", ["tmx", "tmj", "ldtk", "tscn", "csv"])
def test_a_framed_level_stays_as_it_is(suffix: str, tmp_path: Path) -> None:
    level = levolve.levels.level.with_border(recertified(Level.from_text(LEVELS[1])))
    source = levolve.save(level, tmp_path / f"level.{suffix}")
    target = tmp_path / f"again.{suffix}"
    assert run(["convert", str(source), str(target), "--frame", "--quiet"]) == 0
    assert levolve.load(target) == level


@pytest.mark.parametrize("size", ["7x6", "24x18"])
def test_the_levels_of_a_pack_get_a_closed_border(size: str, tmp_path: Path) -> None:
    call = [
        "pack",
        "maze",
        "--count",
        "2",
        "--size",
        size,
        "--frame",
        "--to",
        "json,tmx,csv",
        "--seed",
        "1",
        "--quiet",
        "--no-store",
    ]
    assert run([*call, "-o", str(tmp_path / "pack")]) == 0
    files = [
        path
        for suffix in ("json", "tmx", "csv")
        for path in sorted((tmp_path / "pack").glob(f"0*.{suffix}"))
    ]
    assert len(files) == 6
    assert all(has_closed_border(levolve.load(path)) for path in files)


def test_a_pack_that_continues_from_a_level_gets_a_closed_border(tmp_path: Path) -> None:
    start = levolve.save(
        levolve.evolve("maze", size=(9, 9), seed=1, generations=20).best, tmp_path / "start.tmx"
    )
    call = [
        "pack",
        "maze",
        "--from",
        str(start),
        "--frame",
        "--count",
        "2",
        "--to",
        "tmx",
        "--seed",
        "1",
        "--quiet",
        "--no-store",
    ]
    assert run([*call, "-o", str(tmp_path / "pack")]) == 0
    levels = [levolve.load(path) for path in sorted((tmp_path / "pack").glob("0*.tmx"))]
    assert [(level.width, level.height) for level in levels] == [(11, 11)] * 2
    assert all(map(has_closed_border, levels))


@pytest.mark.parametrize(
    "position", [Round.from_text("S2F\n.1."), Board.read("1234567_8")], ids=["flag", "sliding"]
)
@pytest.mark.parametrize("suffix", ["json", "tmx"])
def test_puzzles_take_no_frame(
    position: Round | Board, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = levolve.save(position, tmp_path / f"position.{suffix}")
    assert run(["convert", str(source), str(tmp_path / "framed.csv"), "--frame"]) == 2
    assert "--frame: expected a level, got a" in capsys.readouterr().err
    assert not (tmp_path / "framed.csv").exists()


def test_a_level_without_walls_takes_no_frame(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = levolve.save(Level.from_text("RO\nOY"), tmp_path / "level.json")
    assert run(["convert", str(source), str(tmp_path / "framed.tmx"), "--frame"]) == 2
    assert "frame: expected a level with walls" in capsys.readouterr().err
