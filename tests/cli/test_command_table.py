"""Commands are imported when they are called; until then they have a name and a summary."""

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.models import ParameterInfo

import levolve
from cli.processes import SECONDS
from levolve import cli
from levolve.cli.app import run
from levolve.cli.command_table import ALIASES, COMMANDS, HOMES, load_command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_a_command_is_the_first_paragraph_of_its_help(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert " ".join(inspect.cleandoc(command.help).split("\n\n")[0].split()) == COMMANDS[name]


@pytest.mark.parametrize("alias", ALIASES)
def test_a_command_also_has_the_name_of_its_function(
    alias: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert alias.replace("-", "_") in levolve.__all__
    assert alias not in COMMANDS
    assert run([alias, "--help"]) == 0
    named = capsys.readouterr().out
    assert run([ALIASES[alias], "--help"]) == 0
    assert capsys.readouterr().out == named


def takes_options(function: object) -> bool:
    """Whether a function declares arguments of a command."""
    if not inspect.isfunction(function):
        return False
    annotations = [
        parameter.annotation for parameter in inspect.signature(function).parameters.values()
    ]
    return any(
        isinstance(part, ParameterInfo)
        for annotation in annotations
        for part in getattr(annotation, "__metadata__", ())
    )


def test_every_command_is_in_the_table() -> None:
    folder = Path(str(cli.__file__)).parent
    found = set()
    for path in folder.rglob("*.py"):
        name = ".".join(
            ["levolve.cli", *path.relative_to(folder).with_suffix("").parts]
        ).removesuffix(".__init__")
        values = vars(importlib.import_module(name))
        groups = [value for value in values.values() if isinstance(value, typer.Typer)]
        inner = {
            id(command.callback)
            for group in groups
            for command in [*group.registered_commands, group.registered_callback]
            if command
        }
        found |= {
            f"{name}:{key}"
            for key, value in values.items()
            if takes_options(value) and value.__module__ == name and id(value) not in inner
        }
        found |= {
            f"{name}:{key}"
            for key, value in values.items()
            if isinstance(value, typer.Typer) and key != "app"
        }
    assert found == set(HOMES.values())
    assert list(HOMES) == list(COMMANDS)


@pytest.mark.parametrize(
    ("words", "loaded"),
    [([], []), (["--help"], []), (["--version"], []), (["map", "--help"], ["map"])],
)
def test_only_the_command_that_is_called_is_imported(words: list[str], loaded: list[str]) -> None:
    shown = "print(*(name for name in sys.modules if 'levolve.cli.' in name), file=sys.stderr)"
    probe = f"import sys\nfrom levolve.cli.app import run\nrun({words!r})\n{shown}"
    finished = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    modules = {name.rsplit(".", 1)[-1] for name in finished.stderr.split()}
    assert sorted(modules & set(COMMANDS)) == loaded
