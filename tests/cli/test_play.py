"""`levolve play` as a process: on a terminal of 80x24 by its keys, and with moves from a pipe."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import levolve
from as_a_user.user import ESCAPES
from cli.processes import COMMAND, SECONDS, Terminal
from cli.test_things import LOSABLE
from levolve.cli.keyboard import split_keys
from levolve.levels.level import Level
from levolve.levels.solver import recertified

CASTLE = """##############
#S...#...#..E#
#.##.#.#.#.#.#
#..#...#...#.#
##.#####.###.#
#............#
##############
thing: player 1,1 health=2
thing: key 4,1 color=blue
thing: key 1,3 color=red
thing: door 4,2 color=red
thing: monster 8,3
thing: lever 12,5 id=a
thing: gate 10,3 lever=a
thing: treasure 2,5
goal: all
"""
CLEAR = "\x1b[H"


def frame(seen: str) -> list[str]:
    """The lines of the last complete screen in what was drawn."""
    screens = [part for part in seen.split(CLEAR) if part.endswith("\x1b[J")]
    return ESCAPES.sub("", screens[-1]).replace("\r\n", "\n").split("\n")


def shown(terminal: Terminal, keys: str, words: str) -> list[str]:
    """The screen on which some words appear after keys were pressed."""
    seen = terminal.press(keys, rf"{words}[^\x00]*\x1b\[J")
    lines = frame(seen)
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    return lines


def script(folder: Path, *words: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [COMMAND, "play", *words],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "castle.txt").write_text(CASTLE)
    (tmp_path / "losable.txt").write_text(LOSABLE)
    return tmp_path


@pytest.fixture
def castle() -> Level:
    return recertified(Level.from_text(CASTLE))


@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}, {"COLORTERM": "truecolor"}])
def test_a_level_is_played_to_its_end_by_its_solution(
    folder: Path, castle: Level, variables: dict[str, str]
) -> None:
    assert castle.solution is not None
    with Terminal("play", str(folder / "castle.txt"), **variables) as terminal:
        first = frame(terminal.until(r"q quit\x1b\[K\x1b\[J"))
        assert first[0].startswith("castle.txt: collect 1 thing, then walk to the exit")
        assert "2 health" in "".join(first)
        assert not terminal.echoes()
        seen = ""
        for number, move in enumerate(castle.solution, 1):
            key = {"u": "\x1b[A", "d": "j", "l": "a", "r": "\x1bOC", "x": "x"}[move]
            seen = terminal.press(key, rf"move {number} [^\x00]*\x1b\[J|You have[^\x00]*\x1b\[J")
        assert "the fewest possible" in "".join(frame(seen))
        assert ("\x1b[38;2;" in seen) == ("COLORTERM" in variables)
        assert (re.search(r"\x1b\[[0-9;]+m", seen) is None) == ("NO_COLOR" in variables)
        assert terminal.end(b"q") == 0
        assert f"won in {len(castle.solution)} moves, the fewest possible" in terminal.seen
        assert "\x1b[?1049l" in terminal.seen
        assert terminal.echoes()


def test_space_makes_the_moves_of_a_solution_and_undo_takes_them_back(folder: Path) -> None:
    with Terminal("play", str(folder / "castle.txt")) as terminal:
        shown(terminal, "", "q quit")
        shown(terminal, " " * 60, "You have won in")
        lines = shown(terminal, "u\x7f", "move [0-9]+")
        assert "won" not in "".join(lines)
        assert "Hint: " in "".join(shown(terminal, "H", "Hint"))
        assert "move 0" in "".join(shown(terminal, "r", "move 0"))
        assert terminal.end(b"\x04") == 0


def test_a_level_is_lost_on_purpose_and_a_warning_names_the_move(folder: Path) -> None:
    with Terminal("play", str(folder / "losable.txt"), "--warn") as terminal:
        shown(terminal, "", "q quit")
        assert "Right loses." in "".join(shown(terminal, "dass", "Right loses"))
        lost = shown(terminal, "d", "This move loses")
        assert "cannot be won any more" in "".join(lost)
        assert "cannot be won from here" in "".join(shown(terminal, "H", "from here"))
        assert terminal.end(b"q") == 0
        assert "lost: it cannot be won after" in terminal.seen
    with Terminal("play", str(folder / "losable.txt")) as terminal:
        shown(terminal, "", "q quit")
        seen = "".join(shown(terminal, "dassd", "move 5"))
        assert "loses" not in seen
        terminal.end(b"q")


@pytest.mark.parametrize("key", [True, False])
def test_an_interrupt_gives_the_terminal_back(folder: Path, key: bool) -> None:
    with Terminal("play", str(folder / "castle.txt")) as terminal:
        shown(terminal, "", "q quit")
        assert not terminal.echoes()
        assert (terminal.end(b"\x03") if key else terminal.interrupt()) == 130
        assert "\x1b[?1049l" in terminal.seen
        assert terminal.echoes()


def test_a_large_level_scrolls_around_the_player_and_follows_the_size_of_the_terminal(
    folder: Path,
) -> None:
    rows = ["#" * 120, "#S" + "." * 116 + "E#", *["#" + "." * 118 + "#"] * 60, "#" * 120]
    (folder / "large.txt").write_text("\n".join([*rows, "thing: key 110,55"]))
    with Terminal("play", str(folder / "large.txt")) as terminal:
        lines = shown(terminal, "", "q quit")
        assert len(lines) == 24
        assert "@" in lines[2]
        lines = shown(terminal, "j" * 40 + "l" * 60, "move 100")
        assert any("@" in line for line in lines[8:13])
        terminal.resize(60, 16)
        seen = terminal.until(r"\x1b\[H[^\x00]*\x1b\[J")
        assert (len(frame(seen)), max(map(len, frame(seen)))) == (16, 60)
        assert terminal.end(b"q") == 0


def test_moves_from_a_pipe_are_played_line_by_line(folder: Path) -> None:
    done = script(folder, "losable.txt", typed="rrr\n\nrr\ndd\n")
    # A first run says that it compiles kernels, and nothing else.
    assert done.returncode == 0
    assert all("compiling kernels" in line for line in done.stderr.splitlines())
    assert done.stdout.endswith("losable.txt: won in 7 moves, the fewest possible\n")
    done = script(folder, "losable.txt", "--moves", "rlddr", "--warn", "--json")
    assert done.returncode == 1
    assert "losable.txt: move 5 (r) loses" in done.stderr
    assert "lost: it cannot be won after 5 moves" in done.stderr
    found = json.loads(done.stdout)
    assert (found["won"], found["lost"], found["moves"]) == (False, True, "rlddr")
    assert found["digest"] == Level.from_text(LOSABLE).digest
    done = script(folder, "losable.txt", "--moves", "u", "--quiet")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "levolve: losable.txt: move 1 (u): The way is blocked.\n"


def test_a_pack_is_played_level_by_level(folder: Path) -> None:
    pack = levolve.pack("maze", count=2, size=(8, 8), seed=1, settings={"generations": 10})
    pack.save(folder / "pack", formats=("json",))
    solutions = [str(level.solution) for level in pack.levels]
    done = script(folder, "pack", "--json", typed="\n".join(solutions))
    found = json.loads(done.stdout)
    assert (done.returncode, found["won"]) == (0, True)
    assert [level["moves"] for level in found["levels"]] == solutions
    done = script(folder, "pack", typed=solutions[0])
    assert done.returncode == 1
    with Terminal("play", str(folder / "pack")) as terminal:
        assert "(1 of 2)" in shown(terminal, "", "n next")[0]
        assert "n plays the next level" in "".join(shown(terminal, " " * 60, "You have won"))
        assert "(2 of 2)" in shown(terminal, "n", "2 of 2")[0]
        assert "There is no next level." in shown(terminal, "n", "no next")
        assert terminal.end(b"q") == 0


@pytest.mark.parametrize("suffix", ["json", "tmx", "tmj", "ldtk", "tscn", "png"])
def test_files_of_every_format_are_played(folder: Path, castle: Level, suffix: str) -> None:
    levolve.save(castle, folder / f"castle.{suffix}")
    done = script(folder, f"castle.{suffix}", "--moves", str(castle.solution), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["won"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("castle.txt", "--moves", "ruq"), "line 1: expected moves u, d, l, r and x, got 'q'"),
        (("nowhere.txt",), "nowhere.txt"),
        (("open.txt",), "expected places to walk to, got none for exit"),
        ((".",), "the folder of a pack"),
    ],
)
def test_a_wrong_call_is_refused(folder: Path, words: tuple[str, ...], reason: str) -> None:
    (folder / "open.txt").write_text("S..\n...\n")
    done = script(folder, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_keys_that_arrive_together_are_told_apart() -> None:
    sent = "ab\x1b[A\x1bOB\x1b[3~\x1b[1;5C\x1b"
    assert list(split_keys(sent)) == ["a", "b", "up", "down", "right", "\x1b"]


def test_the_floor_of_the_player_is_shown(folder: Path) -> None:
    tower = levolve.evolve("tower", size=(13, 9), seed=1, generations=3).best
    levolve.save(tower, folder / "tower.json")
    climb = str(tower.solution).index("x")
    with Terminal("play", str(folder / "tower.json"), NO_COLOR="1") as terminal:
        lines = shown(terminal, "", "q quit")
        assert "floor 1 of 3" in "".join(lines)
        assert "█" * 26 in lines[1]
        assert "stairs" in "".join(lines)
        first = [line for line in lines if line.startswith("█")]
        lines = shown(terminal, " " * (climb + 1), f"move {climb + 1} ")
        assert "floor 2 of 3" in "".join(lines)
        assert [line for line in lines if line.startswith("█")] != first
        assert len([line for line in lines if line.startswith("█")]) == 9
        assert terminal.end(b"q") == 0
