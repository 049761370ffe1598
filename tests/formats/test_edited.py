"""A level that a person edited: it loads, keeps its places, and is certified again, or the broken
thing is named.
"""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

import levolve
from levolve.cli.app import run
from levolve.core.errors import PlaceError, ProofError
from levolve.formats import FORMATS
from levolve.levels.level import Level, Origin
from levolve.levels.solver import explain_unwinnable
from levolve.puzzles.flag.files import shipped_round
from levolve.recipes.recipe import find_recipe

ORIGIN = Origin.of(find_recipe("maze").to_data(), 5, 0, "0.1.0")
GROWN = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd").with_origin(ORIGIN)
EDITED = [name for name in FORMATS if FORMATS[name].edited]


def edit(name: str, text: str) -> bytes:
    """The file of GROWN after somebody drew another level into it: what was said about GROWN still
    stands there.
    """
    level = Level.from_text(text)
    if name != "tiles.png":
        content = FORMATS[name].encode(level.with_solution(GROWN.solution).with_origin(ORIGIN))
        assert level.digest.encode() in content
        return content.replace(level.digest.encode(), GROWN.digest.encode())
    information = PngImagePlugin.PngInfo()
    with (
        Image.open(io.BytesIO(FORMATS[name].encode(GROWN))) as before,
        Image.open(io.BytesIO(FORMATS[name].encode(level))) as after,
    ):
        chunks: Any = getattr(before, "private_chunks", None)
        information.add(*chunks[0][:2])
        buffer = io.BytesIO()
        after.save(buffer, "PNG", pnginfo=information)
    return buffer.getvalue()


def test_formats_for_people_are_edited_and_others_are_strict() -> None:
    assert EDITED == ["txt", "tiles.png", "csv", "tmx", "tmj", "ldtk", "tscn", "xsb"]


@pytest.mark.parametrize("name", EDITED)
@pytest.mark.parametrize(
    ("text", "solution"),
    [("S##\n..1\n#.E", "drrd"), ("S..\n..1\n#.E", "rrdd"), ("E.#\n..1\n#.S", "luul")],
)
def test_an_edited_level_keeps_its_places_gets_a_shortest_solution_and_loses_its_origin(
    name: str, text: str, solution: str, tmp_path: Path
) -> None:
    path = tmp_path / f"edited.{name}"
    path.write_bytes(edit(name, text))
    level = levolve.load(path)
    assert level.to_text() == text
    level.check()
    assert len(level.solution or "") == len(solution)
    assert level.origin is None


@pytest.mark.parametrize("name", EDITED)
def test_an_unedited_level_keeps_its_solution_and_origin(name: str, tmp_path: Path) -> None:
    level = levolve.load(levolve.save(GROWN, tmp_path / f"level.{name}"))
    assert (level, level.solution, level.origin) == (GROWN, GROWN.solution, ORIGIN)


@pytest.mark.parametrize("name", EDITED)
def test_an_edited_level_that_cannot_be_won_loads_and_check_names_what_is_broken(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"edited.{name}"
    path.write_bytes(edit(name, "S##\n##1\n#.E"))
    assert levolve.load(path).solution is None
    assert run(["check", "--quiet", str(path)]) == 1
    captured = capsys.readouterr()
    assert "there is no path from the entrance at 0,0 to the exit at 2,2" in captured.err
    assert captured.err.count("\n") == 1
    assert "walls                  5" in captured.out
    assert run(["show", str(path)]) == 0
    assert "none: there is no path from the entrance" in capsys.readouterr().out


def test_check_prints_measures_for_all_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / f"{position}.tmx" for position in range(3)]
    for path, text in zip(paths, ["S..\n..1\n#.E", "S##\n##1\n#.E", "S.#\n..1\n#.E"], strict=True):
        path.write_bytes(edit("tmx", text))
    walled = paths[2]
    before, begin, walls = walled.read_text().partition(
        'name="walls" width="3" height="3">\n  <data encoding="csv">\n'
    )
    walled.write_text(f"{before}{begin}6{walls[1:]}")
    assert run(["check", *map(str, paths), "--json"]) == 1
    captured = capsys.readouterr()
    good, blocked, inside = json.loads(captured.out)
    assert (good["proven"], good["length"], good["measures"]["exit_path"], "why" in good) == (
        True,
        4,
        4,
        False,
    )
    assert (blocked["proven"], blocked["measures"]["exit_path"]) == (False, -1)
    assert inside["why"].startswith("entrance: expected a walkable tile, got wall at 0,0")
    assert "1.tmx: there is no path" in captured.err
    assert "2.tmx: entrance: expected" in captured.err
    with pytest.raises(PlaceError, match=r"2\.tmx: entrance"):
        levolve.load(walled)


@pytest.mark.parametrize("name", ["json", "npz"])
def test_a_false_proof_in_a_strict_format_stays_an_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"level.{name}"
    path.write_bytes(FORMATS[name].encode(GROWN.with_solution("rr")))
    with pytest.raises(ProofError, match="not a legal step"):
        levolve.load(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("..\n..", "it has no entrance and no exit"),
        ("S.\n..", "it has no exit"),
        ("A.\n.B", "it has no C"),
        ("A#C\n.#.\nB#.", "there is no path from the B at 0,2 to the C at 2,0"),
        ("A#C\n##.\nB#.", "there is no path from the A at 0,0 to the B at 0,2"),
        ("S.\n.E", "it has no solution"),
    ],
)
def test_what_stands_in_the_way_is_named(text: str, words: str) -> None:
    assert explain_unwinnable(Level.from_text(text)) == words


def test_a_round_is_not_converted_into_a_format_without_tiles_of_puzzles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "round.json"
    levolve.save(shipped_round(7), path)
    assert run(["convert", str(path), str(tmp_path / "a.npz")]) == 2
    assert "expected a file name for a round" in capsys.readouterr().err


def test_base64_in_a_map_is_not_taken_for_a_record(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    path.write_bytes(FORMATS["tmx"].encode(GROWN).replace(b"</map>", b"<!-- sMs --></map>"))
    assert run(["convert", str(path), str(tmp_path / "a.csv"), "-q"]) == 0
    assert levolve.load(tmp_path / "a.csv") == GROWN
