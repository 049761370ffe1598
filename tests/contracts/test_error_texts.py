"""Messages of errors and warnings contain no control characters and no marks of direction."""

import json
import os
import subprocess
import sys
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import levolve
from levolve.bench import SUBJECTS
from levolve.contents import CONTENTS
from levolve.core.errors import EvaluationError, LevolveError, MissingExtraError
from levolve.core.plugins import load_plugin
from levolve.core.registry import Registry
from levolve.core.safe_text import printable
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.genotypes import GENOTYPES

MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
EVIL = f"e\x1b[2Jv\x07\x9bil{MARKS}\u2028\u2029\x7f\x00\x85name"


def unsafe(character: str) -> bool:
    """Whether a terminal or a page would obey this character instead of showing it."""
    if character in "\t\n":
        return False
    category, direction = unicodedata.category(character), unicodedata.bidirectional(character)
    marks = direction in DIRECTIONS or character in MARKS
    return marks or category in {"Cc", "Cs", "Zl", "Zp"}


def harmless(text: str) -> None:
    found = [f"U+{ord(character):04X}" for character in text if unsafe(character)]
    assert not found, (found, ascii(text))


def test_every_such_character_is_escaped_and_all_others_are_kept() -> None:
    for point in range(sys.maxunicode + 1):
        character = chr(point)
        assert (printable(character) != character) == unsafe(character), f"U+{point:04X}"


def classes(kind: type[LevolveError]) -> list[type[LevolveError]]:
    return [kind, *(found for below in kind.__subclasses__() for found in classes(below))]


def test_the_message_of_every_kind_of_error_is_harmless() -> None:
    for kind in classes(LevolveError):
        if kind is MissingExtraError:
            error: LevolveError = kind(EVIL, (EVIL,), EVIL)
        elif kind is EvaluationError:
            error = EvaluationError(EVIL, 3, EVIL).at(lambda position: position + 1)
        elif "__init__" in vars(kind):
            continue
        else:
            error = kind(EVIL)
        harmless(str(error))
        assert r"e\u001b[2Jv" in str(error)
    assert len(str(LevolveError(EVIL * 1000))) < 9000


NAME = EVIL.replace("\x00", "")


def recipe_file(folder: Path) -> object:
    path = folder / f"{NAME}.toml"
    path.write_text("nonsense = 1")
    return Recipe.read(path)


def level_file(folder: Path) -> object:
    path = folder / f"{NAME}.json"
    path.write_text(json.dumps({"format": "levolve level", EVIL: EVIL}))
    return levolve.load(path)


def plugin_file(folder: Path) -> None:
    path = folder / "error_text_plugin.py"
    path.write_text(f"raise RuntimeError({EVIL!r})")
    load_plugin(str(path))


def fail(_: object) -> float:
    raise RuntimeError(EVIL)


def evolve(**changes: Any) -> object:
    return levolve.evolve("maze", size=(6, 6), seed=1, generations=1, **changes)


# What a caller of the library does with foreign text.
PATHS: dict[str, Callable[[Path], object]] = {
    "recipe name": lambda _: find_recipe(NAME),
    "recipe file": recipe_file,
    "recipe setting": lambda _: find_recipe("maze").changed({NAME: 1}),
    "recipe value": lambda _: find_recipe("maze").changed({"strategy.kind": NAME}),
    "recipe text": lambda _: Recipe.from_text(EVIL, "toml", EVIL),
    "recipe json": lambda _: Recipe.from_text(EVIL, "json", EVIL),
    "recipe data": lambda _: Recipe.from_data({"name": EVIL, EVIL: EVIL}, EVIL),
    "level file": level_file,
    "missing file": lambda folder: levolve.load(folder / NAME),
    "missing suffix": lambda folder: levolve.save(Level.from_text("S.E"), folder / f"a.{NAME}"),
    "folder": lambda folder: levolve.save(Level.from_text("S.E"), folder / NAME / "a.json"),
    "level text": lambda _: Level.from_text(EVIL),
    "level setting": lambda _: Level.from_text(f"S.E\n{NAME}: 1,1"),
    "level value": lambda _: Level.from_text(f"S.E\ntileset: {NAME}"),
    "measure": lambda _: MEASURES[NAME],
    "measured": lambda _: levolve.measure(Level.from_text("S.E"))[NAME],
    "genotype": lambda _: GENOTYPES[NAME],
    "content": lambda _: CONTENTS[NAME],
    "benchmark": lambda _: SUBJECTS[NAME],
    "registry": lambda _: Registry(EVIL, {})[EVIL],
    "function name": lambda _: evolve(objective=f"{EVIL}:f"),
    "function": lambda _: evolve(objective=levolve.one_level(fail)),
    "function returns": lambda _: evolve(objective=levolve.one_level(lambda _: EVIL)),
    "feature": lambda _: evolve(
        settings={"strategy.kind": "nsga2", "strategy.objectives": {EVIL: "max"}}
    ),
    "target": lambda _: evolve(target={EVIL: 1}),
    "axes": lambda _: levolve.illuminate("maze", axes=f"walls,{NAME}"),
    "plug-in": lambda _: load_plugin(EVIL),
    "plug-in file": lambda folder: load_plugin(str(folder / f"{NAME}.py")),
    "plug-in raises": plugin_file,
    "puzzle": lambda _: levolve.solve(NAME, "1"),
    "position": lambda _: levolve.solve("sliding", NAME),
    "pack": lambda _: levolve.pack(NAME, count=2),
    "run": lambda _: levolve.resume(NAME),
}


@pytest.mark.parametrize("path", PATHS)
def test_an_error_about_foreign_text_is_harmless(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEVOLVE_PLUGINS", "")
    monkeypatch.setenv("LEVOLVE_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    with (
        warnings.catch_warnings(record=True, action="always") as caught,
        pytest.raises(LevolveError) as raised,
    ):
        PATHS[path](tmp_path)
    harmless(str(raised.value))
    for warning in caught:
        harmless(str(warning.message))


def test_commands_print_nothing_that_controls_a_terminal(tmp_path: Path) -> None:
    """Names in files, of files, of plug-ins, in exceptions, in stored runs and of packages."""
    (tmp_path / "raises.py").write_text(f"raise RuntimeError({EVIL!r})")
    information = tmp_path / "package-1.0.dist-info"
    information.mkdir()
    points = f"[levolve.goals]\n{MARKS}evil = raises:THING\n{MARKS}2 = raises:{MARKS}\n"
    (information / "entry_points.txt").write_text(points)
    metadata = f"Metadata-Version: 2.1\nName: pack{MARKS}age\nVersion: 1{MARKS}\n"
    (information / "METADATA").write_text(metadata)
    named = tmp_path / f"{NAME}.toml"
    named.write_text(json.dumps(EVIL))
    recipe = tmp_path / "named.json"
    data = {**find_recipe("maze").to_data(), "name": EVIL, "summary": EVIL}
    recipe.write_text(json.dumps(data))
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path),
        "LEVOLVE_PLUGINS": f"raises{os.pathsep}{NAME}{os.pathsep}{tmp_path / NAME}.py",
        "LEVOLVE_STORE": str(tmp_path / "store.sqlite"),
    }
    quick = ("--size", "6x6", "--seed", "1", "--generations", "1")
    for arguments, code in {
        ("recipes",): 0,
        ("parts",): 0,
        ("parts", "plugins"): 0,
        ("parts", "goals", "--json"): 0,
        ("evolve", str(recipe), *quick): 0,
        ("runs",): 0,
        ("runs", "show", "1"): 0,
        ("resume", NAME): 2,
        ("evolve", str(named)): 2,
        ("show", str(tmp_path / NAME)): 2,
        ("evolve", "maze", "--set", f"{NAME}=1"): 2,
        ("evolve", "maze", "--objective", f"raises:{NAME}", *quick): 2,
        ("evolve", "maze", "--plugin", "raises"): 1,
        ("replay", str(named)): 2,
        ("check", str(named)): 1,
        ("illuminate", "maze", "--axes", f"walls,{NAME}"): 2,
        (NAME,): 2,
    }.items():
        call = [sys.executable, "-m", "levolve", *arguments]
        done = subprocess.run(
            call, check=False, capture_output=True, env=environment, cwd=tmp_path, timeout=300
        )
        output = (done.stdout + done.stderr).decode()
        assert done.returncode == code, output
        assert "Traceback" not in output
        harmless(output)
