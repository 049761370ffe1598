"""Registries find what installed packages and modules in development bring along, and a faulty
plug-in harms nobody but itself.
"""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from levolve.cli.app import run
from levolve.core import plugins
from levolve.core.errors import InputError, PluginError, UnknownNameError
from levolve.core.plugins import BUILT_IN, PluginWarning, Source, load_plugin
from levolve.core.registry import Registry
from levolve.levels.level import Level
from levolve.recipes.part_tables import plugins_of
from levolve.recipes.recipe import RECIPES, find_recipe
from levolve.search.genotypes import GENOTYPES

Install = Callable[[str, str, str], None]
LOOKUP_OF_BUILT_INS = """
from levolve.core import plugins
from levolve.search.genotypes import GENOTYPES
from levolve.recipes.recipe import find_recipe
GENOTYPES["direct"], find_recipe("maze").parts
assert plugins._entry_points.cache_info().misses == 0
list(GENOTYPES)
assert plugins._entry_points.cache_info().misses == 1
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts packages on the Python path that name entry points of the group `levolve.numbers`."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    loaded = set(sys.modules)

    def put(package: str, entries: str, content: str = "") -> None:
        information = tmp_path / f"{package}-1.5.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n"
        )
        (information / "entry_points.txt").write_text(f"[levolve.numbers]\n{entries}\n")
        (tmp_path / f"{package}_module.py").write_text(content)
        importlib.invalidate_caches()
        plugins._entry_points.cache_clear()

    yield put
    plugins._entry_points.cache_clear()
    plugins._warned.clear()
    for name in set(sys.modules) - loaded:
        if name.endswith("_module"):
            del sys.modules[name]


def numbers() -> Registry[int]:
    return Registry(
        "number", {"cross": "levolve.kernels.bits.random_streams:CROSS"}, "levolve.numbers"
    )


def test_a_registry_finds_the_entries_of_an_installed_package_and_says_where_they_come_from(
    install: Install,
) -> None:
    install("alpha", "seven = alpha_module:SEVEN", "SEVEN = 7")
    registry = numbers()
    assert registry["seven"] == 7
    assert list(registry) == ["cross", "seven"]
    assert "seven" in registry
    assert str(registry.origin_of("seven")) == "alpha 1.5"
    assert registry.origin_of("seven") == Source("package", "alpha", "1.5")
    assert registry.origin_of("cross") == BUILT_IN
    assert registry.name_of(registry["seven"]) == "seven"


def test_a_package_is_not_imported_before_one_of_its_names_is_used(install: Install) -> None:
    install("alpha", "seven = alpha_module:SEVEN", "SEVEN = 7")
    registry = numbers()
    registry["cross"]
    assert "seven" in registry
    assert "alpha_module" not in sys.modules
    registry["seven"]
    assert "alpha_module" in sys.modules


def test_a_broken_package_is_named_and_harms_no_other_name(install: Install) -> None:
    install("alpha", "seven = alpha_module:SEVEN", "SEVEN = 7")
    install("beta", "eight = beta_module:EIGHT\nnine = beta_module:NINE", "import no_such_module")
    registry = numbers()
    assert registry["seven"] == 7
    with pytest.warns(PluginWarning) as caught:
        assert list(registry) == ["cross", "seven"]
    [sentence] = [str(warning.message) for warning in caught]
    assert (
        "plug-in beta 1.5: its number 'eight' (beta_module:EIGHT) cannot be loaded: "
        "ModuleNotFoundError"
    ) in sentence
    assert sentence.endswith("update or uninstall that package")
    with pytest.raises(PluginError, match=r"plug-in beta 1\.5: its number 'nine'"):
        registry["nine"]
    assert set(registry.broken()) == {"eight", "nine"}
    with pytest.raises(UnknownNameError, match="unknown number 'sevn': did you mean 'seven'"):
        registry["sevn"]


def test_a_package_never_replaces_a_built_in_name_nor_that_of_another(install: Install) -> None:
    install("alpha", "cross = alpha_module:SEVEN\nseven = alpha_module:SEVEN", "SEVEN = 7")
    install("beta", "seven = beta_module:SEVEN", "SEVEN = 70")
    registry = numbers()
    with pytest.warns(PluginWarning) as caught:
        assert list(registry) == ["cross", "seven"]
    sentences = [str(warning.message) for warning in caught]
    assert any(
        "plug-in alpha 1.5: its number 'cross' is left out" in sentence and "(built-in)" in sentence
        for sentence in sentences
    )
    assert any(
        "plug-in beta 1.5: its number 'seven' is left out" in sentence and "(alpha 1.5)" in sentence
        for sentence in sentences
    )
    assert registry["cross"] == numbers()["cross"] != 7
    assert registry["seven"] == 7


def test_what_is_added_in_python_belongs_to_the_module_that_adds_it(install: Install) -> None:
    install("alpha", "seven = alpha_module:SEVEN", "SEVEN = 7")
    registry = numbers()
    registry.add("mine", 5)
    registry.add("mine", registry["mine"])
    source = registry.origin_of("mine")
    assert (source.kind, source.version[:7]) == ("module", "sha256:")
    for taken in ("cross", "seven", "mine"):
        with pytest.raises(UnknownNameError, match="is already registered"):
            registry.add(taken, 6)


PLUGIN = """
from dataclasses import dataclass
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.direct import Direct
from levolve.recipes.recipe import RECIPES, find_recipe
OFFSET = 0

@dataclass(frozen=True)
class Sparse(Direct):
    "Few walls."
    fill: float = 0.01

    def start(self, frame, seed, generation, count):
        return super().start(frame, seed + OFFSET, generation, count)

GENOTYPES.add("sparse_test", Sparse)
RECIPES.add("maze-sparse-test", find_recipe("maze").changed({"genotype": "sparse_test", "size": "6x6"}))
"""


def test_a_module_in_development_is_loaded_from_its_file_and_named_in_the_origin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, level = tmp_path / "sparse_test_plugin.py", tmp_path / "level.json"
    file.write_text(PLUGIN)
    environment = {**os.environ, plugins.VARIABLE: ""}
    command = [sys.executable, "-m", "levolve"]
    evolve = [
        "evolve",
        "maze-sparse-test",
        "--generations",
        "3",
        "--seed",
        "1",
        "-q",
        "-o",
        str(level),
    ]
    plugin = ["--plugin", str(file)]
    subprocess.run([*command, *evolve, *plugin, *plugin], check=True, env=environment)
    assert '"plugins": {\n    "module:sparse_test_plugin": "sha256:' in level.read_text()
    subprocess.run(
        [*command, "replay", str(level)],
        check=True,
        env={**environment, plugins.VARIABLE: str(file)},
    )
    refused = subprocess.run(
        [*command, "replay", str(level)],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1
    assert "this level requires the plug-in module sparse_test_plugin" in refused.stderr
    assert "--plugin sparse_test_plugin" in refused.stderr
    file.write_text(PLUGIN.replace("OFFSET = 0", "OFFSET = 9"))
    changed = subprocess.run(
        [*command, "replay", str(level), *plugin],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert changed.returncode == 1
    assert "it was made with the plug-in module sparse_test_plugin" in changed.stderr
    assert run(["parts", "--plugin", "no_such_plugin"]) == 2
    assert "plug-in no_such_plugin: expected a module on the Python path" in capsys.readouterr().err


def test_a_module_that_cannot_be_loaded_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv(plugins.VARIABLE, raising=False)
    with pytest.raises(InputError, match="expected the path of a Python file"):
        load_plugin(str(tmp_path / "missing.py"))
    (tmp_path / "json.py").write_text("")
    with pytest.raises(
        InputError, match="expected a file name that no other module has, got 'json'"
    ):
        load_plugin(str(tmp_path / "json.py"))
    (tmp_path / "broken_test_plugin.py").write_text("1 / 0")
    with pytest.raises(
        PluginError, match=r"broken_test_plugin\.py: cannot be loaded: ZeroDivisionError"
    ):
        load_plugin(str(tmp_path / "broken_test_plugin.py"))
    assert plugins.VARIABLE not in os.environ


def test_a_recipe_of_built_in_parts_needs_no_plug_in() -> None:
    assert plugins_of(find_recipe("maze").to_data(), Level.from_text("S.\n.E")) == {}
    assert {str(RECIPES.origin_of(name)) for name in ("maze", "dungeon")} == {"built-in"}


def test_origins_name_the_plug_ins_of_nested_parts_and_of_measures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from levolve.levels.measures import MEASURES
    from levolve.search.variation import MUTATIONS

    recipe = (
        find_recipe("maze")
        .changed({"objective": "target", "objective.targets": {"regions": 1}})
        .to_data()
    )
    assert plugins_of(recipe) == {}
    monkeypatch.setitem(
        MUTATIONS._sources, recipe["strategy"]["mutation"]["kind"], Source("package", "one", "1")
    )
    monkeypatch.setitem(MEASURES._sources, "regions", Source("package", "two", "2"))
    monkeypatch.setitem(MEASURES._sources, "walls", Source("module", "three", "3"))
    assert plugins_of(recipe) == {"one": "1", "two": "2"}
    assert plugins_of({**recipe, "pack": {"target": {"walls": "3..5"}}}) == {
        "module:three": "3",
        "one": "1",
        "two": "2",
    }


def test_built_in_names_are_found_without_reading_entry_points() -> None:
    subprocess.run([sys.executable, "-c", LOOKUP_OF_BUILT_INS], check=True)
    assert GENOTYPES.origin_of("direct") == BUILT_IN
