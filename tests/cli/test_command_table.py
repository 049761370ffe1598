"""Commands are imported when they are called; until then they have a name and a summary."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from cli.processes import SECONDS
from levolve import cli
from levolve.cli.commands import COMMANDS, load_command


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_a_command_is_the_first_paragraph_of_its_help(name: str) -> None:
    command = load_command(name)
    assert command.name == name
    assert " ".join(inspect.cleandoc(command.help).split("\n\n")[0].split()) == COMMANDS[name]


def test_every_command_is_in_the_table() -> None:
    names = {path.stem for path in Path(str(cli.__file__)).parent.glob("*.py")}
    found = set()
    for name in names - {"__init__"}:
        value = getattr(__import__(f"levolve.cli.{name}", fromlist=[name]), name, None)
        if inspect.isfunction(value) or isinstance(value, typer.Typer):
            found.add(name)
    # The module of the application itself.
    assert found - {"app"} == set(COMMANDS)


@pytest.mark.parametrize(("words", "loaded"), [([], []), (["--help"], []), (["--version"], []), (["show", "--help"], ["show"])])
def test_only_the_command_that_is_called_is_imported(words: list[str], loaded: list[str]) -> None:
    shown = "print(*(name for name in sys.modules if 'levolve.cli.' in name), file=sys.stderr)"
    probe = f"import sys\nfrom levolve.cli.app import run\nrun({words!r})\n{shown}"
    finished = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=SECONDS)
    modules = {name.rsplit(".", 1)[-1] for name in finished.stderr.split()}
    assert sorted(modules & set(COMMANDS)) == loaded
