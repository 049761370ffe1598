"""Text of others never controls the terminal: names, contents and paths with escape sequences, in
every command.
"""

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.table import Table

import levolve
from levolve.cli import app
from levolve.cli.app import run
from levolve.cli.output import PrintableStream, printable_output
from levolve.cli.progress import Report
from levolve.cli.terminal import TerminalConsole, picture_text
from levolve.core.plugins import VARIABLE
from levolve.core.safe_text import CONTROLS, one_line, only_colours, printable
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.objectives import OBJECTIVES
from levolve.search.objectives.paths import ExitPath
from levolve.worlds.shipped import find_design

# The title of the window, a colour by a C1 character, text from right to left, a line of its own,
# markup, a link.
EVIL = "evil\x1b]0;owned\x07\x9b31m\u202e\nlevolve: all proven\r[/nope]\x1b]8;;http://x\x1b\\y"
PATH = EVIL.replace("/", "")
UNSAFE = re.compile(f"[{CONTROLS}]")
QUICK = ["--size", "6x6", "--seed", "1", "--set", "generations=2"]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs a command; what it prints, which has neither control characters nor the line that the
    name forges.
    """

    def command(*arguments: str | Path, code: int = 0) -> str:
        found = run([str(argument) for argument in arguments])
        output = "".join(capsys.readouterr())
        assert found == code, output
        assert not UNSAFE.search(output), repr(output)
        assert "\nlevolve: all proven" not in output
        return output

    return command


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.json"
    path.write_text(
        json.dumps({**json.loads(find_recipe("maze").to_json()), "name": EVIL, "summary": EVIL})
    )
    return path


@pytest.fixture
def level(tmp_path: Path, recipe: Path) -> Path:
    path = tmp_path / f"{PATH}.json"
    levolve.save(
        levolve.evolve(
            Recipe.from_text(recipe.read_text(), "json"), size=(6, 6), seed=1, generations=2
        ).best,
        path,
    )
    return path


def test_recipes_with_such_names_are_listed_printed_and_run(
    recipe: Path, tmp_path: Path, printed: Callable[..., str]
) -> None:
    assert Recipe.from_text(printed("recipes", recipe)).name == EVIL, (
        "printed as TOML that means the same"
    )
    assert json.loads(printed("recipes", recipe, "--json"))["name"] == EVIL
    assert r"evil\u001b]0;owned" in printed("evolve", recipe, *QUICK)
    assert json.loads(printed("evolve", recipe, *QUICK, "--json", "-q"))["recipe"] == EVIL
    assert r"\u009b31m" in printed(
        "pack", recipe, *QUICK, "--count", "2", "-o", tmp_path / f"{PATH}pack"
    )
    assert r"\u202e" in printed(
        "compare", recipe, "maze", "--runs", "2", "--evaluations", "150", "--size", "6x6"
    )
    tuned = tmp_path / f"{PATH}.toml"
    assert "evil" in printed(
        "meta",
        recipe,
        *QUICK,
        "--population",
        "4",
        "--generations",
        "1",
        "--vary",
        "strategy.group=4..6",
        "-o",
        tuned,
    )


def test_stored_runs_with_such_names_are_listed_shown_and_exported(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Callable[..., str]
) -> None:
    monkeypatch.setenv("LEVOLVE_STORE", str(tmp_path / f"{PATH}.sqlite"))
    assert "no runs in" in printed("runs")
    printed("evolve", recipe, *QUICK, "-o", tmp_path / f"{PATH}.png")
    recipe.write_text(json.dumps({**json.loads(recipe.read_text()), "name": "=1+1"}))
    printed("evolve", recipe, *QUICK)
    assert r"evil\u001b]0;owned" in printed("runs").replace("\n", "")
    assert r"evil\u001b]0;owned" in printed("runs", "show", "1")
    assert "evil" in printed("runs", "plot", "1")
    assert json.loads(printed("runs", "show", "1", "--json"))["name"] == EVIL
    assert ",'=1+1," in printed("runs", "export"), "a spreadsheet takes no name for a formula"
    assert "evil" in printed("resume", "1")


def test_level_files_with_such_contents_are_shown_checked_and_converted(
    level: Path, tmp_path: Path, printed: Callable[..., str]
) -> None:
    shown = printed("show", level)
    assert r"recipe evil\u001b]0;owned\u0007" in shown
    assert rf"{tmp_path}/evil\u001b" in shown
    assert "replayed" in printed("check", level)
    assert "written" in printed("convert", level, tmp_path / f"{PATH}.tmx")
    assert "written" in printed("show", level, "-o", tmp_path / f"{PATH}.png")
    assert "same bytes" in printed("replay", level)
    for json_too in (["show", level, "--json"], ["check", level, "--json"]):
        assert "evil" in json.dumps(json.loads(printed(*json_too)))
    data = json.loads(level.read_text())
    for key in ("tileset", "goal"):
        level.write_text(json.dumps({**data, key: EVIL}))
        printed("show", level, code=2)
    level.write_text(json.dumps({**data, "places": {EVIL: [0, 0]}, "solution": None}))
    printed("show", level, code=2)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps({EVIL: EVIL})),
        ("a.json", EVIL),
        ("a.txt", f"S.E\ntileset: {EVIL}\n"),
        ("a.txt", f"S.E\n{EVIL}"),
        ("a.tmx", f"<map {EVIL}>"),
        ("a.xsb", EVIL),
        ("a.csv", f"0,1\n{EVIL},2"),
        ("a.tscn", f"[node name={EVIL}]"),
        ("a.ldtk", json.dumps({"levels": [{"identifier": EVIL}]})),
        ("a.toml", f"name = {json.dumps(EVIL)}\nother = 1"),
    ],
)
def test_errors_that_quote_a_file_are_one_harmless_line(
    name: str, content: str, tmp_path: Path, printed: Callable[..., str]
) -> None:
    path = tmp_path / name
    path.write_text(content)
    for command in (
        ["show", path],
        ["convert", path, tmp_path / "b.json"],
        ["evolve", path, *QUICK],
        ["map", path],
    ):
        assert len(printed(*command, code=2).splitlines()) == 1
    # One line about the file, and one about all of them.
    assert len(printed("check", path, code=1).splitlines()) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "FOREIGN"],
        ["evolve", "FOREIGN"],
        ["FOREIGN"],
        ["evolve", "maze", "--FOREIGN"],
        ["evolve", "maze", "--set", "FOREIGN=1"],
        ["evolve", "maze", "--plugin", "FOREIGN"],
        ["evolve", "maze", "--plugin", "FOREIGN.py"],
        ["solve", "FOREIGN", "1"],
        ["make", "flag", "--tiles", "FOREIGN"],
        ["pack", "FOREIGN"],
        ["pack", "maze", "--to", "FOREIGN"],
        ["compare", "maze", "FOREIGN"],
        ["meta", "FOREIGN"],
        ["map", "FOREIGN"],
        ["fingerprint", "FOREIGN"],
        ["parts", "FOREIGN"],
        ["recipes", "FOREIGN"],
        ["breed", "--session", "FOREIGN"],
        ["replay", "FOREIGN"],
    ],
)
def test_arguments_are_quoted_harmlessly(arguments: list[str], printed: Callable[..., str]) -> None:
    assert "evil" in printed(*(argument.replace("FOREIGN", PATH) for argument in arguments), code=2)


def test_fashion_rules_with_such_names_are_run_and_fingerprinted(
    tmp_path: Path, printed: Callable[..., str]
) -> None:
    path = tmp_path / f"{PATH}.json"
    path.write_text(json.dumps({**find_design("coral").to_data(), "name": EVIL}))
    assert "evil" in printed(
        "map",
        path,
        "--size",
        "8x8",
        "--updates",
        "2",
        "--seed",
        "1",
        "-o",
        tmp_path / f"{PATH}.png",
    )
    assert "evil" in printed("fingerprint", path)


@pytest.fixture
def objective() -> Iterator[None]:
    class Evil(ExitPath):
        pass

    Evil.__doc__ = EVIL
    OBJECTIVES.add(EVIL, Evil)
    yield
    del OBJECTIVES._entries[EVIL], OBJECTIVES._sources[EVIL]


@pytest.mark.usefixtures("objective")
def test_the_parts_of_plug_ins_with_such_names_are_listed(printed: Callable[..., str]) -> None:
    assert r"evil\u001b]0;owned" in printed("parts", "objectives")
    assert EVIL in json.loads(printed("parts", "objectives", "--json"))["objectives"]
    refusal = printed("evolve", "maze", "--objective", EVIL.replace(":", ""), code=2)
    assert refusal.count(r"proven\r[/nope]") == 2, "what was given, and the nearest name"


def test_a_plug_in_that_raises_such_an_error_is_reported_harmlessly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Callable[..., str]
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv(VARIABLE, "")
    plugin = tmp_path / "terminal_test_plugin.py"
    plugin.write_text(f"raise RuntimeError({EVIL!r})")
    assert "RuntimeError: evil" in printed("parts", "goals", "--plugin", plugin, code=1)


def test_a_session_with_such_a_name_is_bred(
    recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, printed: Callable[..., str]
) -> None:
    for commands in (
        f"love 1\n{PATH[:30].splitlines()[0]}\nnext\nsave {tmp_path / 'a.json'}\n",
        "show 1\n",
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(commands))
        start = (
            [recipe, "--size", "6x6", "--seed", "1"]
            if "love" in commands
            else ["--session", tmp_path / "a.json"]
        )
        assert r"evil\u001b]0;owned" in printed("breed", *start)


def test_warnings_and_unexpected_errors_are_printed_harmlessly(
    capsys: pytest.CaptureFixture[str],
) -> None:
    app._show_warning(UserWarning(EVIL))
    app._show_bug(ValueError, ValueError(EVIL), None)
    assert not UNSAFE.search("".join(capsys.readouterr()))


@pytest.fixture
def screen() -> TerminalConsole:
    return TerminalConsole(
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        width=300,
        highlight=False,
        markup=False,
    )


def drawn(screen: TerminalConsole) -> str:
    """What was written to a terminal, without the colours and cursor movements of Rich."""
    assert isinstance(screen.file, io.StringIO)
    text = screen.file.getvalue()
    assert "evil" in text
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", text)


def test_bars_and_tables_on_a_terminal_are_harmless(
    screen: TerminalConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = Report(quiet=False)
    report.console, report._bars, report._began = screen, True, -10.0
    assert isinstance(screen.file, io.StringIO)
    monkeypatch.setattr(sys, "stdout", PrintableStream(screen.file))
    with report, report.bar(f"evolving {EVIL}", 3) as bar:
        bar.reach(1, EVIL)
        sys.stdout.write(f"{EVIL}\n")
        report.say(EVIL)
    table = Table(EVIL)
    table.add_row(EVIL)
    screen.print(table)
    assert not UNSAFE.search(drawn(screen))


def test_bars_are_drawn_with_real_sequences_where_all_output_is_escaped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(sys, "stderr", PrintableStream(terminal))
    report = Report(quiet=False)
    report.console = TerminalConsole(stderr=True, force_terminal=True, width=100)
    report._bars, report._began = True, -10.0
    with report, report.bar("evolving", 3) as bar:
        bar.reach(1)
        report.live().refresh()
    assert "evolving" in terminal.getvalue()
    assert "\\u001b" not in terminal.getvalue()


def test_pictures_have_colours_and_no_other_sequences(screen: TerminalConsole) -> None:
    screen.print(picture_text(f"\x1b[38;2;1;2;3m▀\x1b[0m{EVIL}"))
    assert isinstance(screen.file, io.StringIO)
    assert "\x1b[38;2;1;2;3m▀" in screen.file.getvalue()
    assert "\x1b]" not in screen.file.getvalue()
    assert not UNSAFE.search(drawn(screen))


def test_what_is_printed_is_escaped_and_what_rich_draws_is_written_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    below = io.StringIO()
    monkeypatch.setattr(sys, "stdout", below)
    with printable_output():
        sys.stdout.writelines([EVIL, "\x1b[0m"])
        assert not hasattr(sys.stdout, "buffer"), "no way around"
        with pytest.raises(TypeError, match="expected a text, got bytes"):
            sys.stdout.write(b"")  # type: ignore[arg-type]
        assert TerminalConsole().file is below
    assert sys.stdout is below
    assert not UNSAFE.search(below.getvalue())


@given(st.text())
def test_an_escaped_text_is_harmless_and_still_says_what_was_there(text: str) -> None:
    assert not UNSAFE.search(printable(text))
    assert not UNSAFE.search(one_line(text) + only_colours(text).replace("\x1b[", ""))
    assert "\n" not in one_line(text)
    plain = text.replace("\\", "")
    assert json.loads('"' + one_line(plain).replace('"', r"\"") + '"') == plain
    harmless = UNSAFE.sub("", text)
    assert printable(harmless) == harmless
