"""Positions of puzzles in the formats of editors and engines: they come back with their solution,
and edited ones are solved again.
"""

import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import levolve
from levolve.cli.app import app
from levolve.core.errors import InputError, ProofError
from levolve.formats import FORMATS
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS
from levolve.puzzles import PUZZLES
from levolve.puzzles.check_file import check_file
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.load_save import read_position
from levolve.puzzles.position import Position
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.tile_map import MAP_FORMS, from_level, to_level

FLAG, SLIDING = PUZZLES["flag"], PUZZLES["sliding"]
ROUND = Round.from_text("S2F\n.1.").with_solution("rdur")


@cache
def solved(puzzle: str, source: object, **options: Any) -> Position:
    kind = PUZZLES[puzzle]
    position: Position = kind.read(source, **options)
    return position.with_solution(kind.search_exactly(position, kind.exact()).moves).with_facts(
        {"name": "a: <name>, #1", "hard": 3}
    )


POSITIONS = [
    partial(solved, "flag", 5),
    partial(solved, "flag", 18),
    partial(solved, "flag", "2*1\n.1F\nstart: 0,0"),
    partial(solved, "sliding", "8672543_1"),
    partial(solved, "sliding", "1,2,3,4,5,6,7,8,9,10,_,11", size="4x3"),
    partial(solved, "sliding", "1234567_8", goal="123456_78"),
]


@pytest.mark.parametrize("form", MAP_FORMS)
@pytest.mark.parametrize("make_position", POSITIONS, ids=lambda made: made.args[0])
def test_a_position_comes_back_with_its_solution_and_facts(
    make_position: Callable[[], Position], form: str, tmp_path: Path
) -> None:
    position = make_position()
    path = levolve.save(position, tmp_path / f"position.{form}")
    again = levolve.load(path, type(position))
    assert (again, again.solution, again.facts) == (position, position.solution, position.facts)
    again.check()
    assert check_file(path).proven


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_every_round_is_shown_by_tiles(data: st.DataObject) -> None:
    width, height = data.draw(st.integers(2, 6)), data.draw(st.integers(2, 6))
    tiles = np.array(
        data.draw(
            st.lists(
                st.sampled_from([0, 1, 2, 9, NEVER]),
                min_size=width * height,
                max_size=width * height,
            )
        ),
        np.uint8,
    )
    cells = data.draw(st.permutations(range(width * height)))[:2]
    tiles[cells[0]] = max(tiles[cells[0]], 1)
    start, flag = ((cell % width, cell // width) for cell in cells)
    drawn = Round(tiles.reshape(height, width), start, flag)
    level = FORMATS["csv"].decode(FORMATS["csv"].encode(to_level(FLAG, drawn)))
    assert from_level(FLAG, level) == drawn


@pytest.mark.parametrize("form", ["csv", "tmj"])
def test_an_edited_position_is_solved_again(form: str, tmp_path: Path) -> None:
    """One tile more: the stored solution does not win, and another one is found; the facts were
    about another round.
    """
    level = to_level(FLAG, ROUND.with_facts({"hard": 3}))
    tiles = level.tiles.copy()
    tiles[1, 0] = 1
    edited = Level(tiles, level.places, level.tileset, level.solution, puzzle=level.puzzle)
    path = tmp_path / f"edited.{form}"
    levolve.formats.level_files.save_level(edited.with_solution(None), path)
    again = levolve.load(path, type(ROUND))
    assert again.tiles[1, 0] == 1
    assert again.solution not in {None, ROUND.solution}
    assert again.facts == {}
    again.check()


def csv_of(position: Position) -> str:
    return (
        FORMATS["csv"]
        .encode(to_level(PUZZLES["flag" if isinstance(position, Round) else "sliding"], position))
        .decode()
    )


def written(text: str, folder: Path) -> Path:
    path = folder / "edited.csv"
    path.write_text(text)
    return path


def test_a_position_that_cannot_be_won_any_more_is_reported(tmp_path: Path) -> None:
    path = written(csv_of(ROUND).replace("1,2,10", "1,0,10"), tmp_path)
    assert levolve.load(path).solution is None
    result = check_file(path)
    assert not result.proven
    assert "cannot be reached" in str(result.why)
    swapped = written(csv_of(solved("sliding", "1234567_8")).replace("1,2,3", "2,1,3"), tmp_path)
    assert levolve.load(swapped).solution is None
    assert "parity" in str(check_file(swapped).why)


def test_a_map_drawn_by_hand_is_a_position(tmp_path: Path) -> None:
    """The tileset names the puzzle; a property is not needed."""
    path = written("# tileset: flag\n# entrance: 0,0\n# exit: 2,0\n1,2,10\n0,1,0\n", tmp_path)
    found = levolve.load(path)
    assert found == ROUND
    found.check()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# tileset: flag\n# entrance: 0,0\n1,1\n1,10\n", "flag: expected a place called exit"),
        ("# tileset: flag\n# exit: 1,1\n1,1\n1,10\n", "start: expected a place called entrance"),
        (
            "# tileset: flag\n# entrance: 0,0\n# exit: 1,1\n1,1\n1,0\n",
            "exit: expected a walkable tile, got gap at 1,1",
        ),
        ("# tileset: flag\n# entrance: 0,0\n# exit: 1,1\n# A: 1,0\n1,1\n1,10\n", "got A"),
        ("# tileset: sliding\n# goal: none\n1,2\n2,0\n", "2 more than once"),
        ("# tileset: sliding\n1,2\n3,0\n# entrance: 0,0\n", "places: expected none on a board"),
        (
            '# tileset: sliding\n# puzzle: {"name": "flag"}\n1,2\n3,0\n',
            "expected those of a round of Reach the Flag",
        ),
        ("# puzzle: [1]\n0,1\n0,0\n", "puzzle: expected an object with the name of a puzzle"),
        ('# puzzle: {"name": "chess"}\n0,1\n0,0\n', "chess"),
        ("# puzzle: {\n0,1\n0,0\n", "puzzle"),
    ],
)
def test_what_shows_no_position_is_refused_and_the_reason_is_named(
    text: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as problem:
        levolve.load(written(text, tmp_path))
    assert words in str(problem.value)


def test_damaged_data_about_a_puzzle_do_no_harm(tmp_path: Path) -> None:
    """A solution or facts of another type are dropped, and a new solution is found."""
    data = {"name": "flag", "solution": 7, "facts": [1], "digest": None}
    path = written(
        (
            f"# tileset: flag\n# puzzle: {json.dumps(data)}\n# entrance: 0,0\n# exit: "
            "2,0\n1,2,10\n0,1,0\n"
        ),
        tmp_path,
    )
    assert (levolve.load(path), levolve.load(path, type(ROUND)).facts) == (ROUND, {})
    data["solution"] = "rrx"
    levolve.load(
        written(path.read_text().replace('"solution": 7', '"solution": "rrx"'), tmp_path)
    ).check()


def test_the_file_of_another_puzzle_is_refused(tmp_path: Path) -> None:
    board = levolve.save(Board.read("1234567_8"), tmp_path / "board.csv")
    with pytest.raises(InputError, match="expected those of a round of Reach the Flag"):
        read_position(FLAG, board)
    maze = levolve.save(Level.from_text("S.\n.E"), tmp_path / "maze.csv")
    with pytest.raises(InputError, match="got the tileset 'walls'"):
        SLIDING.read(str(maze))


@pytest.mark.parametrize("text", ["S1F", "S\n1\n1\nF"])
def test_a_round_of_one_row_gets_a_second_one_of_gaps_and_loses_it(
    text: str, tmp_path: Path
) -> None:
    position = Round.from_text(text)
    path = levolve.save(position, tmp_path / "round.csv")
    assert levolve.load(path) == position
    # A tile in the second row belongs to the round.
    level = to_level(FLAG, position)
    tiles = level.tiles.copy()
    tiles[-1, -1] = 1
    assert (
        from_level(FLAG, Level(tiles, level.places, level.tileset, puzzle=level.puzzle)).tiles.shape
        == tiles.shape
    )


def test_a_wrong_solution_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ProofError):
        levolve.save(ROUND.with_solution("rrd"), tmp_path / "round.tmx")
    assert list(tmp_path.iterdir()) == []


def test_a_puzzle_without_a_tile_map_has_no_such_forms(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(type(SLIDING), "tile_map", lambda _self: None)
    with pytest.raises(InputError, match=r"ending in \.json, \.txt, \.png, \.gif$"):
        levolve.save(Board.read("1234567_8"), tmp_path / "board.tmx")


def test_kinds_of_tiles_belong_to_one_puzzle() -> None:
    names = [set(TILESETS[name].names) for name in ("walls", "rainbow", "flag", "sliding")]
    assert sum(map(len, names)) == len(set.union(*names))


def test_commands_read_and_write_maps(tmp_path: Path) -> None:
    run = CliRunner()
    source = levolve.save(ROUND, tmp_path / "round.json")
    for form in MAP_FORMS:
        path = tmp_path / f"round.{form}"
        assert run.invoke(app, ["convert", str(source), str(path), "--quiet"]).exit_code == 0
        found = run.invoke(
            app,
            ["solve", "flag", str(path), "--method", "exact", "--json", "--quiet", "--no-store"],
        )
        assert json.loads(found.stdout)["solved"]
        assert "proven, 4 moves replayed" in run.invoke(app, ["check", str(path)]).stdout
    framed = run.invoke(app, ["convert", str(source), str(tmp_path / "framed.tmx"), "--frame"])
    assert framed.exit_code != 0
    assert "--frame: expected a level" in str(framed.exception) + framed.output
