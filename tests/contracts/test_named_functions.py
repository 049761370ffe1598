"""A file names only marked functions of plug-ins: nothing of levolve, nothing that is unmarked."""

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import levolve
from levolve.core.errors import InputError
from levolve.core.function_names import FunctionName
from levolve.core.plugins import VARIABLE

# Importing it writes a file, and so does calling any of its functions.
TRAP = """
from pathlib import Path
Path(__file__).with_name("imported").touch()

def boom(given):
    Path(__file__).with_name("called").touch()
    return 0.0

class Holder:
    boom = boom
"""
MINE = """
import levolve
import os
from subprocess import call

@levolve.many_levels
def walls(tiles):
    return tiles.sum(axis=(1, 2))

def helper(given):
    raise SystemExit("called")

class Group:
    @staticmethod
    @levolve.one_level
    def corners(level):
        return float(level.tiles[0, 0])
"""


def modules() -> list[str]:
    """Every module of the package that can be imported here."""
    found = ["levolve"]
    for module in pkgutil.walk_packages(levolve.__path__, "levolve."):
        # The modules of other libraries that are compared need those libraries.
        if module.name.startswith("levolve.bench.peers.") or module.name.endswith("__main__"):
            continue
        found.append(module.name)
    return found


def callables(name: str) -> Iterator[str]:
    """Every name by which a recipe could try to reach a callable of a module."""
    module = importlib.import_module(name)
    public = {*vars(module), *getattr(module, "__all__", ())}
    for entry in public:
        value = getattr(module, entry, None)
        if callable(value):
            yield f"{name}:{entry}"
        for inner, attribute in list(vars(value).items()) if hasattr(value, "__dict__") else ():
            if callable(attribute) or isinstance(attribute, staticmethod | classmethod):
                yield f"{name}:{entry}.{inner}"


def test_no_callable_of_the_package_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    # Even where modules of levolve are named as plug-ins.
    plugins = (
        "levolve.core.plugins",
        "levolve.core.function_names",
        "levolve.search.objectives.function",
    )
    monkeypatch.setenv(VARIABLE, os.pathsep.join(plugins))
    tried = 0
    for module in modules():
        for name in callables(module):
            with pytest.raises(InputError):
                FunctionName.of(name)
            tried += 1
    assert tried > 5000, "the test must reach the package"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a trap and a plug-in on the Python path, and files of a stranger."""
    (tmp_path / "trap.py").write_text(TRAP)
    (tmp_path / "mine.py").write_text(MINE)
    package = tmp_path / "group"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "unloaded.py").write_text(TRAP)
    return tmp_path


def levolve_in(
    folder: Path, *arguments: str, plugins: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "LEVOLVE_PLUGINS": plugins,
        "LEVOLVE_STORE": str(folder / "store.sqlite"),
    }
    call = [sys.executable, "-m", "levolve", *arguments]
    return subprocess.run(
        call, check=False, capture_output=True, text=True, env=environment, cwd=folder, timeout=300
    )


def recipe_of_levels(folder: Path, function: str) -> Path:
    path = folder / "stranger.toml"
    changes = {"objective": "function", "size": "6x6", "generations": 2}
    text = levolve.Recipe.read(levolve_recipe(folder)).changed(changes).to_toml()
    path.write_text(text.replace("open_cells", function))
    return path


def levolve_recipe(folder: Path) -> Path:
    from levolve.recipes.recipe import find_recipe

    path = folder / "maze.toml"
    path.write_text(find_recipe("maze").to_toml())
    return path


def refused(folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 2, (done.args, done.stdout, done.stderr)
    others = "is not a plug-in, and a recipe must not use other code" in done.stderr
    # Advice to load a module of levolve as a plug-in would not help.
    assert others != ("no function of levolve can be named in a recipe" in done.stderr)
    assert "--plugin levolve" not in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(folder.rglob("imported")), "a module of the stranger was imported"
    assert not list(folder.rglob("called"))


CONTENT = """
name = "gift"
generations = 3

[content]
kind = "function"
function = "{function}"
space = {{kind = "one_of", options = [{options}]}}
"""


def test_a_recipe_of_contents_does_not_import_a_file_that_it_names(folder: Path) -> None:
    path = folder / "gift.toml"
    options = json.dumps(str(folder / "trap.py"))
    for function in ("levolve.core.plugins:load_plugin", "trap:boom", "trap:Holder.boom"):
        path.write_text(CONTENT.format(function=function, options=f"{options}, {options}"))
        refused(folder, levolve_in(folder, "evolve", str(path), "--seed", "1", "-q"))


def test_a_recipe_of_contents_does_not_run_a_command(folder: Path) -> None:
    path, victim = folder / "gift.toml", folder / "victim.txt"
    victim.write_text("precious")
    run = '["evolve", "maze", "--size", "6x6", "--generations", "1", "-q", "-o", "victim.txt"]'
    path.write_text(CONTENT.format(function="levolve.cli.app:run", options=f"{run}, {run}"))
    refused(folder, levolve_in(folder, "evolve", str(path), "--seed", "1", "-q"))
    assert victim.read_text() == "precious"


COMMANDS = (
    ("evolve", "FILE"),
    ("pack", "FILE", "--count", "2", "-o", "out"),
    ("illuminate", "FILE", "--axes", "walls,turns", "--evaluations", "50"),
    ("compare", "FILE", "maze", "--runs", "2"),
    ("range", "FILE"),
    ("meta", "FILE", "--population", "4", "--generations", "1"),
    ("breed", "FILE"),
    ("recipes", "FILE"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_no_command_with_a_recipe_imports_what_it_names(
    folder: Path, command: tuple[str, ...]
) -> None:
    path = recipe_of_levels(folder, "trap:boom")
    refused(
        folder, levolve_in(folder, *[str(path) if word == "FILE" else word for word in command])
    )


def test_a_level_with_the_recipe_of_a_stranger_is_not_grown_again(folder: Path) -> None:
    level, picture = folder / "level.json", folder / "level.png"
    evolve = ("evolve", "maze", "--size", "6x6", "--generations", "2", "--seed", "1", "-q")
    assert levolve_in(folder, *evolve, "-o", str(level)).returncode == 0
    data = json.loads(level.read_text())
    data["recipe"]["objective"] = {"kind": "function", "function": "trap:boom"}
    level.write_text(json.dumps(data))
    refused(folder, levolve_in(folder, "replay", str(level)))
    # Showing and converting it need no recipe; the picture has the recipe of the stranger in it.
    assert levolve_in(folder, "show", str(level)).returncode == 0
    assert levolve_in(folder, "convert", str(level), str(picture)).returncode == 0
    refused(folder, levolve_in(folder, "replay", str(picture)))


def test_marked_functions_of_a_loaded_module_are_used_and_no_others(folder: Path) -> None:
    path = recipe_of_levels(folder, "mine:walls")
    call = ("evolve", str(path), "--seed", "1", "-q")
    assert "'mine' is not a plug-in" in levolve_in(folder, *call).stderr
    for plugin in ({"plugins": "mine"}, {"plugins": str(folder / "mine.py")}):
        assert levolve_in(folder, *call, **plugin).returncode == 0
    assert levolve_in(folder, *call, "--plugin", "mine.py").returncode == 0
    options = ("evolve", "maze", "--size", "6x6", "--generations", "2", "--seed", "1", "-q")
    for function in ("mine:walls", "mine:Group.corners"):
        named = (*options, "--objective", function, "--plugin", "./mine.py")
        done = levolve_in(folder, *named)
        assert done.returncode == 0, done.stderr
    for function, reason in {
        "mine:helper": "expected a function that is marked for use in recipes",
        "mine:call": "expected a function that the plug-in defines itself, got one of subprocess",
        "mine:os.remove": "expected a function that the plug-in defines itself",
        "mine:levolve.evolve": "has no attribute 'evolve'|plug-in defines itself",
        "mine:walls.__class__": "has no attribute '__class__'",
    }.items():
        path = recipe_of_levels(folder, function)
        done = levolve_in(folder, "evolve", str(path), "-q", "--plugin", "mine.py")
        assert done.returncode == 2, (function, done.stderr)
        assert any(part in done.stderr for part in reason.split("|")), done.stderr


def test_a_module_of_a_package_that_the_package_does_not_load_is_not_imported(folder: Path) -> None:
    path = recipe_of_levels(folder, "group.unloaded:boom")
    refused(folder, levolve_in(folder, "evolve", str(path), "-q", "--plugin", "group"))
    information = folder / "group-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: group\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[levolve.goals]\nnothing = group:nothing\n")
    refused(folder, levolve_in(folder, "evolve", str(path), "-q"))


def test_a_stored_run_is_continued_only_with_the_plug_in_of_its_function(folder: Path) -> None:
    options = ("maze", "--size", "6x6", "--generations", "2", "--seed", "1", "-q")
    objective = ("--objective", "mine:walls")
    done = levolve_in(folder, "evolve", *options, *objective, "--plugin", "mine.py")
    assert done.returncode == 0, done.stderr
    resumed = levolve_in(folder, "resume", "last")
    assert resumed.returncode == 1
    assert "it was begun with a plug-in: add --plugin" in resumed.stderr
    again = levolve_in(folder, "resume", "last", "--plugin", "mine.py")
    assert again.returncode == 0, again.stderr
