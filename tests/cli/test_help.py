"""The help of commands: complete, within the width of the terminal, and without what is slow to
load.
"""

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand
from typer.main import get_command

from cli.processes import SECONDS
from levolve.cli.app import run
from levolve.cli.command_table import COMMANDS, Command, load_command
from levolve.cli.options import LevelFile, RecipeNames, Seed, Settings, TileOption

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Screen(io.StringIO):
    """A terminal with an encoding."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__()
        self._encoding, self._terminal = encoding, terminal

    @property
    def encoding(self) -> str:  # type: ignore[override] # that of io.StringIO is fixed
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


def help_of(
    monkeypatch: pytest.MonkeyPatch,
    *words: str,
    columns: int = 80,
    encoding: str = "utf-8",
    terminal: bool = False,
) -> str:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "NO_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = Screen(encoding, terminal=terminal)
    monkeypatch.setattr(sys, "stdout", screen)
    assert run([*words, "--help"]) == 0
    return screen.getvalue()


def without_borders(text: str) -> str:
    return " ".join(" ".join(line.strip("│ ") for line in text.splitlines()).split())


@pytest.mark.parametrize("columns", [50, 80, 300])
@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_every_command_is_complete_and_fits(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = help_of(monkeypatch, name, columns=columns)
    lines = shown.rstrip("\n").splitlines()
    assert max(map(len, lines)) == min(columns, 100)
    panels = [line for line in lines if line[0:1] in "╭│╰" and line]
    assert {len(line) for line in panels} == {min(columns, 100)}
    words = without_borders(shown)
    command = load_command(name)
    context = typer.Context(command, info_name=name)
    for parameter in command.get_params(context):
        if getattr(parameter, "hidden", False):
            # An old spelling.
            assert not any(option in words.split() for option in parameter.opts)
            continue
        # A text without its label, which stands in the first line.
        end = " ".join((parameter.help or "").split()[-3:])
        assert end in words
        assert all(
            option in words.replace(",", "").split()
            for option in parameter.opts
            if option.startswith("-")
        )


def test_the_help_names_all_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = without_borders(help_of(monkeypatch, columns=100))
    for name, summary in COMMANDS.items():
        assert f"{name} " in shown
        assert " ".join(summary.split()[-3:]) in shown


def test_colours_are_for_terminals_and_change_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, coloured = (
        help_of(monkeypatch, "runs", terminal=terminal) for terminal in (False, True)
    )
    assert "\x1b" not in plain
    assert "\x1b[1;36m--store\x1b[0m \x1b[1;33mFILE\x1b[0m" in coloured
    assert "\x1b[1;32m-n\x1b[0m, \x1b[1;36m--count\x1b[0m" in coloured
    assert COLOUR.sub("", coloured) == plain


def test_borders_are_plain_where_the_encoding_has_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert help_of(monkeypatch, "runs", encoding="ascii").isascii()


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["evolve", "--help"],
        ["pack", "--help"],
        ["runs", "show", "--help"],
        ["evlve"],
    ],
)
def test_help_and_mistakes_load_nothing_that_is_slow(words: list[str]) -> None:
    slow = "('numba', 'numpy', 'PIL', 'pydantic', 'rich', 'scipy')"
    probe = (
        f"import sys\nfrom levolve.cli.app import run\nrun({words!r})\nprint([name for name in "
        f"{slow} if name in sys.modules], file=sys.stderr)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    assert finished.stderr.splitlines()[-1] == "[]"


CALLS = [
    [],
    ["level"],
    ["level", "maze", "cavern", "--seed", "12"],
    ["level", "--seed", "-1"],
    ["level", "--seed", "1_0"],
    ["level", "--seed", "٣"],
    ["level", "--seed", "one"],
    ["level", "--seed", ""],
    ["level", "--tile", "0"],
    ["level", "--tile", "4"],
    ["level", "--set", "a=1", "--set", ""],
    ["folder"],
    ["missing"],
]


@pytest.mark.parametrize("words", CALLS)
def test_plain_values_are_what_typer_makes_of_them(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "level").write_text("S.E")
    (tmp_path / "folder").mkdir()

    def outcome(kind: type[TyperCommand]) -> object:
        made = typer.Typer(add_completion=False)

        @made.command(cls=kind)
        def use(
            file: LevelFile,
            *,
            recipes: RecipeNames = None,
            seed: Seed = 5,
            settings: Settings = None,
            tile: TileOption = None,
        ) -> object:
            return [(value, type(value)) for value in (file, recipes, seed, settings, tile)]

        try:
            return get_command(made)(words, standalone_mode=False)
        except typer.BadParameter as problem:
            return problem.format_message()

    assert outcome(Command) == outcome(TyperCommand)
