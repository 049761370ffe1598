"""The plug-in package in `examples/plugin` is installed, listed, run from the command line,
replayed, and keeps every contract.
"""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.formats import FORMATS

PACKAGE = Path(__file__).parents[2] / "examples" / "plugin"
CONTRACTS = """
from levolve import testing
from levolve.formats import FORMATS
from levolve.search.genotypes import GENOTYPES
from levolve.levels.measures import MEASURES
from levolve.search.objectives import OBJECTIVES
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import load
import sys

genotype, objective = GENOTYPES["lakeland"](), OBJECTIVES["lakeside"]()
testing.check_genotype(genotype)
testing.check_objective(objective, genotype)
testing.check_format(FORMATS["svg"], load(sys.argv[1]))
testing.check_puzzle(PUZZLES["ice"], "S~o\\n~~o\\nooX")
print("kept")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed: a folder for the Python path of a process. Its build needs
    the network only where hatchling is missing.
    """
    folder = tmp_path_factory.mktemp("plugin")
    source = folder / "source"
    shutil.copytree(
        PACKAGE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "dist", "build")
    )
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    call = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-deps",
        "--disable-pip-version-check",
        *isolation,
        "--target",
        str(folder / "there"),
        str(source),
    ]
    subprocess.run(call, check=True)
    return folder / "there"


def levolve(
    *arguments: str, plugin: Path | None = None, program: tuple[str, ...] = ("-m", "levolve")
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(
        filter(None, [str(plugin) if plugin else "", os.environ.get("PYTHONPATH", "")])
    )
    environment = {**os.environ, "PYTHONPATH": path, "LEVOLVE_PLUGINS": ""}
    return subprocess.run(
        [sys.executable, *program, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )


@pytest.fixture(scope="module")
def lake(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A level that was evolved with the package, written in its own format and as JSON."""
    made = tmp_path_factory.mktemp("levels") / "lake.json"
    done = levolve(
        "evolve",
        "lakeside",
        "--seed",
        "3",
        "--generations",
        "20",
        "-q",
        "-o",
        str(made),
        "-o",
        str(made.with_suffix(".svg")),
        plugin=folder,
    )
    assert done.returncode == 0, done.stderr
    return made


def test_its_parts_are_listed_with_their_package_and_version(folder: Path) -> None:
    listed = json.loads(levolve("parts", "--json", plugin=folder).stdout)
    found = {
        (noun, name)
        for noun, entries in listed.items()
        for name, about in entries.items()
        if about["source"] == "levolve-example 1.0"
    }
    assert {noun for noun, _ in found} >= {
        "tilesets",
        "genotypes",
        "measures",
        "objectives",
        "formats",
        "puzzles",
        "recipes",
    }
    assert found >= {
        ("genotypes", "lakeland"),
        ("formats", "svg"),
        ("recipes", "lakeside"),
        ("tilesets", "lakes"),
        ("measures", "shore"),
    }
    assert listed["genotypes"]["lakeland"]["settings"]["water"] == {
        "default": 0.15,
        "range": "0 to 1",
    }
    printed = levolve("parts", plugin=folder).stdout
    assert "[levolve-example 1.0]" in printed
    assert max(map(len, printed.splitlines())) < 80
    assert "lakeside" in levolve("recipes", plugin=folder).stdout
    assert "levolve-example" not in levolve("parts").stdout


def test_its_recipe_is_evolved_and_its_level_is_grown_again_with_the_same_bytes(
    folder: Path, lake: Path
) -> None:
    assert json.loads(lake.read_text())["plugins"] == {"levolve-example": "1.0"}
    for file in (lake, lake.with_suffix(".svg")):
        again = levolve("replay", str(file), plugin=folder)
        assert again.returncode == 0, again.stderr
        assert "the same bytes" in again.stdout
    shown = levolve("show", str(lake.with_suffix(".svg")), "--all", plugin=folder)
    assert "shore" in shown.stdout


def test_without_the_package_replay_names_it_and_its_version(lake: Path) -> None:
    refused = levolve("replay", str(lake))
    assert refused.returncode == 1
    assert "requires the plug-in levolve-example 1.0, which is not installed" in refused.stderr
    assert "pip install 'levolve-example==1.0'" in refused.stderr


@pytest.mark.parametrize("suffix", [name for name in FORMATS if name not in {"tiles.png", "xsb"}])
def test_without_the_package_check_names_it_in_every_format(
    suffix: str, lake: Path, folder: Path
) -> None:
    file = lake.with_suffix(f".{suffix}")
    made = levolve("convert", str(lake), str(file), plugin=folder)
    assert made.returncode == 0, made.stderr
    refused = levolve("check", str(file))
    assert refused.returncode == 1
    assert "requires the plug-in levolve-example 1.0, which is not installed" in refused.stderr
    assert "expected tiles called" not in refused.stderr


def test_with_another_version_replay_says_so_where_the_bytes_differ(
    folder: Path, lake: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    information = other / "levolve_example-1.0.dist-info"
    metadata = (information / "METADATA").read_text().replace("Version: 1.0", "Version: 1.1")
    (information / "METADATA").write_text(metadata)
    assert levolve("replay", str(lake), plugin=other).returncode == 0, (
        "another version that gives the same bytes is accepted"
    )
    genotype = other / "levolve_example" / "genotype.py"
    genotype.write_text(re.sub(r"\.draw\(\s*seed,", ".draw(seed + 1,", genotype.read_text()))
    differs = levolve("replay", str(lake), plugin=other)
    assert differs.returncode == 1
    assert (
        "it was made with the plug-in levolve-example 1.0, but 1.1 is installed" in differs.stderr
    )


def test_a_pack_by_its_recipe_and_measure_is_built(folder: Path, tmp_path: Path) -> None:
    pack = tmp_path / "lakes"
    call = (
        "pack",
        "lakeside",
        "--count",
        "2",
        "--seed",
        "1",
        "--target",
        "shore=20..60",
        "--to",
        "json,svg",
        "-q",
        "-o",
        str(pack),
    )
    built = levolve(*call, plugin=folder)
    assert built.returncode == 0, built.stderr
    level = next(iter(sorted(pack.rglob("*.svg"))))
    again = levolve("replay", str(level), plugin=folder)
    assert again.returncode == 0, again.stderr


def test_its_parts_keep_the_contracts(folder: Path, lake: Path) -> None:
    kept = levolve(str(lake), plugin=folder, program=("-c", CONTRACTS))
    assert kept.stdout == "kept\n", kept.stderr


def test_a_faulty_package_is_named_and_harms_no_other_command(folder: Path, tmp_path: Path) -> None:
    faulty = tmp_path / "faulty"
    shutil.copytree(folder, faulty)
    (faulty / "levolve_example" / "genotype.py").write_text("import no_such_module")
    listed = levolve("parts", "genotypes", plugin=faulty)
    assert listed.returncode == 0
    assert "plug-in levolve-example 1.0: its genotype 'lakeland'" in " ".join(listed.stdout.split())
    assert "direct" in listed.stdout
    used = levolve("evolve", "lakeside", "-q", plugin=faulty)
    assert used.returncode == 1
    assert "plug-in levolve-example 1.0: its genotype 'lakeland'" in used.stderr
    assert (
        levolve(
            "evolve",
            "maze",
            "--size",
            "6x6",
            "--generations",
            "2",
            "--seed",
            "1",
            "-q",
            plugin=faulty,
        ).returncode
        == 0
    )
