"""`levolve breed`: whole sessions from a pipe and in a real terminal of 80x24."""

import io
import json
import re
from pathlib import Path

import pytest

import levolve
from cli.processes import Terminal
from levolve.cli.app import run

MAZE = ["breed", "maze", "--size", "10x10", "--sheet", "6", "--seed", "3"]


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))


def test_a_whole_session_from_a_pipe_is_the_same_as_from_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, exported = tmp_path / "session.json", tmp_path / "level.tmx"
    typed(
        monkeypatch,
        "3 5",
        "love 1",
        "never 2",
        "next",
        "wild 0.5",
        "blend 0.25",
        "like 2",
        "lock 2 4,4..5,5 0,3",
        "next",
        "unlock 0,3",
        "undo",
        "redo",
        "none 1",
        f"save {saved}",
        f"export 4 {exported}",
        "quit",
        "next",
    )
    assert run(MAZE) == 0
    session = levolve.breed("maze", size=(10, 10), sheet=6, seed=3)
    session.pick({2: "like", 4: "like"})
    session.pick({0: "love"})
    session.pick({1: "never"})
    session.next()
    session.wildness = 0.5
    session.blend = 0.25
    session.pick({1: "like"})
    session.lock("4,4..5,5 0,3", 1)
    session.next()
    session.unlock([(0, 3)])
    session.pick({0: "none"})
    assert json.loads(saved.read_text()) == session.to_data()
    assert levolve.load(exported) == session.levels[3]
    out = capsys.readouterr().out
    assert "picks: 1 love, 2 never, 3 like, 5 like" in out
    assert "maze 10x10, seed 3, sheet 2; wild 0.5, blend 0.25, 5 locked" in out
    assert "\x1b" not in out
    typed(monkeypatch, "1", "next")
    assert run(["breed", "--session", str(saved), "--json"]) == 0
    shown = capsys.readouterr()
    session.pick([0])
    session.next()
    assert json.loads(shown.out) == session.to_data()
    assert "sheet 3" in shown.err
    assert run(["replay", str(exported), "--json"]) == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nxt", "unknown command 'nxt': did you mean 'next'?"),
        ("7", "expected the number of a level, from 1 to 6, got '7'"),
        ("0", "from 1 to 6"),
        ("love", "love: expected the numbers of levels after it"),
        ("love you", "from 1 to 6, got 'you'"),
        ("3 ²", "from 1 to 6, got '²'"),
        ("next 5", "next: expected nothing after it, got 5"),
        ("undo", "nothing to undo"),
        ("redo", "nothing to redo"),
        ("wild", "wild: expected a number from 0 to 1 after it, got nothing"),
        ("wild very", "wild: expected a number from 0 to 1, got 'very'"),
        ("wild 7", "wildness: expected a number from 0 to 1, got 7.0"),
        ("wild nan", "wildness: expected a number from 0 to 1"),
        ("lock", "at least one cell"),
        ("lock 2 99,1", "lock: expected cells inside the 10x10 level, got 99,1"),
        ("lock everything", "cells: expected x,y"),
        ("unlock", "none is locked"),
        ("export 1", "export: expected the number of a level and a file name after it"),
        ("export 1 level.doc", "unknown format 'doc'"),
        ("export 1 level", "expected a file name that ends in one of"),
        ("save", "save: expected a file name after it"),
        ("save /proc/none/session.json", "cannot write to the folder"),
        ("show 9", "from 1 to 6"),
        ("cross 1", "cross: expected the numbers of two levels after it, got 1"),
        ("cross 1 1", "places: expected two different places of the sheet"),
        ("more", "more: expected the number of a level after it"),
        ("auto many", "generations: expected a whole number from 1 to 500, got 'many'"),
        ("go 9", "number: expected the number of a sheet, from 0 to 0, got 9"),
        ("go back", "number: expected the number of a sheet"),
        ("tree 3", "tree: expected nothing after it"),
        ("paint 1 wall", "paint: expected the number of a level, a tile and cells after it"),
        ("paint 1 lava 2,2", "tile: expected the name or the character of a tile"),
        ("\x00\x1b[A \ufffd", "unknown command"),
    ],
)
def test_nonsense_is_answered_and_the_session_continues(
    line: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, line, "love 1")
    assert run(MAZE) == 0
    out = capsys.readouterr().out
    assert f"levolve: {words}" in out or words in out
    assert out.endswith("picks: 1 love\n")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (["breed"], "RECIPE: expected a recipe's name, or --session FILE, or --resume N"),
        (
            ["breed", "maze", "--resume", "1"],
            "--resume 1: expected no recipe and no other settings together with it",
        ),
        (["breed", "--resume", "1", "--no-store"], "--resume 1: expected a store, got --no-store"),
        (["breed", "--resume", "77777"], "there is no session 77777"),
        (
            ["breed", "maze", "--session", "a.json"],
            "expected no recipe and no other settings together with it",
        ),
        (["breed", "--session", "a.json"], "a.json: expected a file that can be read"),
        (["breed", "mze"], "did you mean 'maze'"),
        (
            ["breed", "maze", "--sheet", "1"],
            "sheet: expected a whole number of levels from 2 to 48, got 1",
        ),
        (["breed", "maze", "--wild", "2"], "wildness: expected a number from 0 to 1, got 2.0"),
    ],
)
def test_a_wrong_call_is_refused_in_one_paragraph(
    call: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(call) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert not said.out


def test_quiet_with_json_prints_data_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "help", "show 2", "next")
    assert run([*MAZE, "--json", "--quiet"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["seed"] == 3
    assert not said.err


def test_help_and_show_explain_and_fit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "help", "show 2")
    assert run(MAZE) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"level 2: 10x10, solution of \d+ moves", out)
    for word in (
        "love",
        "never",
        "next",
        "undo",
        "redo",
        "cross",
        "more",
        "auto",
        "tree",
        "go",
        "paint",
        "wild",
        "blend",
        "lock",
        "unlock",
        "save",
        "export",
        "quit",
    ):
        assert re.search(rf"^  .*{word}", out, re.MULTILINE)


def test_a_session_is_stored_after_each_command_and_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ["--store", str(tmp_path / "runs.sqlite")]
    typed(monkeypatch, "3", "next", "cross 1 2", "go 1", "auto 3", "more 2", "tree")
    assert run([*MAZE, *store]) == 0
    said = capsys.readouterr()
    assert (
        "session 1 is stored; continue with: levolve breed --resume 1 --store "
        f"{tmp_path / 'runs.sqlite'}"
    ) in said.err
    assert said.out.endswith("""\
sheet 0: the first, generation 0
sheet 1: from 0 by next, generation 1
sheet 2: from 1 by cross, generation 2
sheet 3: from 1 by advance, generation 4
sheet 4: from 3 by more_like, generation 12  (this one)
""")
    session = levolve.breed("maze", size=(10, 10), sheet=6, seed=3)
    session.pick([2])
    session.next()
    session.cross(0, 1)
    session.go(1)
    session.advance(3)
    session.more_like(1)
    wall = next((x, y) for y in range(10) for x in range(10) if session.levels[1].tiles[y, x])
    typed(monkeypatch, f"paint 2 floor {wall[0]},{wall[1]}", "next")
    assert run(["breed", "--resume", "last", *store, "--json"]) == 0
    session.paint(1, [wall], "floor")
    session.next()
    assert json.loads(capsys.readouterr().out) == session.to_data()
    assert run(["breed", "--sessions", *store]) == 0
    assert re.search(
        r"^    1  maze 10x10 +\d+ (s|min) ago\nlevolve breed --resume 1\n$", capsys.readouterr().out
    )
    assert run(["breed", "--sessions", *store, "--json"]) == 0
    assert [record["name"] for record in json.loads(capsys.readouterr().out)] == ["maze 10x10"]


def test_nothing_is_stored_without_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEVOLVE_STORE", str(tmp_path / "runs.sqlite"))
    typed(monkeypatch, "next")
    assert run([*MAZE, "--no-store"]) == 0
    assert "stored" not in capsys.readouterr().err
    assert run(["breed", "--sessions"]) == 0
    assert "no breeding sessions in" in capsys.readouterr().out


def lines_of(screen: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;]*m", "", screen).split("\n")


def test_a_whole_session_in_a_terminal_fits_its_80_by_24_characters(tmp_path: Path) -> None:
    with Terminal("breed", "maze", "--size", "20x20", "--seed", "3") as terminal:
        first = terminal.until(r"\n> $")
        assert "\x1b[38;" in first, "in colour"
        pages = [first, terminal.type("")]
        assert "page 1 of 2" in pages[0]
        assert "page 2 of 2" in pages[1]
        assert "page 1 of 2" in terminal.type("")
        shown = "".join(lines[0] + "\n" + "\n".join(lines[1:]) for lines in map(lines_of, pages))
        assert [
            number for number in map(str, range(1, 13)) if re.search(rf"(^|\s){number}\s", shown)
        ] == [str(number) for number in range(1, 13)]
        assert "picks: 3 like, 5 like" in terminal.type("3 5")
        assert "picks: 1 love, 3 like, 5 like" in terminal.type("love 1")
        pages.append(terminal.type("next"))
        assert "sheet 1" in pages[-1]
        pages.append(terminal.type("undo"))
        assert "sheet 0" in pages[-1]
        assert "1 love" in pages[-1]
        assert "nothing" not in terminal.type("redo")
        assert "unknown command 'what'" in " ".join(terminal.type("what").split())
        pages.append(terminal.type("help"))
        assert "written" in terminal.type(f"save {tmp_path / 's.json'}")
        for page in pages:
            lines = lines_of(page)
            assert len(lines) <= 24
            assert max(len(line.rstrip("\r")) for line in lines) <= 80
        assert terminal.end(b"quit\n") == 0
    session = levolve.breed("maze", size=(20, 20), seed=3)
    session.pick([2, 4])
    session.pick({0: "love"})
    session.next()
    assert json.loads((tmp_path / "s.json").read_text()) == session.to_data()


@pytest.mark.parametrize(
    ("recipe", "size"), [("cavern", "64x64"), ("maze-chromatic", "30x30"), ("maze", "200x9")]
)
def test_large_levels_and_a_terminal_without_colour_fit_too(recipe: str, size: str) -> None:
    with Terminal(
        "breed", recipe, "--size", size, "--seed", "1", "--sheet", "2", NO_COLOR="1"
    ) as terminal:
        lines = lines_of(terminal.until(r"\n> $").split("first run only")[-1])
        assert len(lines) <= 24
        assert max(len(line.rstrip("\r")) for line in lines) <= 80
        assert "38;2" not in "".join(lines)
        assert terminal.end(b"\x04") == 0, "the end of the input ends the session"


def test_control_c_ends_a_session_with_130_and_no_traceback() -> None:
    with Terminal(*MAZE) as terminal:
        terminal.until(r"\n> $")
        assert terminal.interrupt() == 130
        assert "interrupted" in terminal.seen
        assert "Traceback" not in terminal.seen
