"""Broken packages and modules are named, and no command fails because of them.

Every group of entry points gets entries of a wrong type, and entries whose module exits, raises or
is missing. All are installed at once, next to packages with damaged metadata.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.recipes.catalogue import REGISTRIES

# Entries by name: what each registry must refuse.
ENTRIES = {
    "number": "7",
    "text": "'nonsense'",
    "nothing": "None",
    "function": "print",
    "class": "type('Some', (), {})",
    "hostile": "type('H', (), {'__getattr__': lambda s, n: 1 / 0, '__repr__': lambda s: 1 / 0})()",
}
GROUPS = (*REGISTRIES, "contents", "content_sources", "jobs")
MODULES = {
    "exits": "import sys\nsys.exit(3)\n",
    "raises": "raise RuntimeError('no')\n",
    "quits": "class Quit(BaseException): pass\nraise Quit('no')\n",
}


def install(
    folder: Path, name: str, entries: str | bytes, metadata: str | bytes | None = ""
) -> None:
    """Put the metadata of a package into a folder."""
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir()
    given = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n" if metadata == "" else metadata
    for file, content in (("entry_points.txt", entries), ("METADATA", given)):
        if content is not None:
            encoded = content.encode() if isinstance(content, str) else content
            (information / file).write_bytes(encoded)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the Python path with every kind of broken package, and a few levels."""
    folder = tmp_path_factory.mktemp("broken")
    lines = [f"{name}_ = {value}\n" for name, value in ENTRIES.items()]
    (folder / "wrong_things.py").write_text("".join(lines))
    for module, content in MODULES.items():
        (folder / f"{module}.py").write_text(content)
    groups = []
    for group in GROUPS:
        points = [f"bad_{name} = wrong_things:{name}_" for name in ENTRIES]
        points += [f"bad_{module} = {module}:THING" for module in (*MODULES, "missing")]
        points += ["bad_reference = ", "bad_words = not a reference"]
        groups.append("\n".join([f"[levolve.{group}]", *points]))
    install(folder, "wrong", "\n".join(groups))
    goals = "[levolve.goals]\nother = wrong_things:number_\n"
    install(folder, "nameless", goals, "Metadata-Version: 2.1\n")
    install(folder, "bare", goals, None)
    install(folder, "bytes_points", b"[levolve.goals]\n\xff\xfe = a:b\n")
    install(folder, "bytes_names", goals, b"Name: \xff\xfe\nVersion: \xff\n")
    install(folder, "headless", "other = levolve.x:y\nno section\n")
    install(folder, "foreign", b"[console_scripts]\n\xff = a:b\n")
    (folder / "folder-1.0.dist-info" / "entry_points.txt").mkdir(parents=True)
    return folder


def levolve(
    broken: Path, folder: Path, *arguments: str, plugins: str = "exits:raises:missing:a.b.py:..:os"
) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(broken),
        "LEVOLVE_PLUGINS": plugins,
        "LEVOLVE_STORE": str(folder / "store.sqlite"),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
    }
    call = [sys.executable, "-m", "levolve", *arguments]
    return subprocess.run(
        call, check=False, capture_output=True, text=True, env=environment, cwd=folder, timeout=600
    )


SMALL = ("--size", "6x6", "--seed", "1", "-q")
COMMANDS = (
    ("--version",),
    ("--help",),
    ("recipes",),
    ("recipes", "maze"),
    ("parts",),
    ("parts", "--json"),
    ("rules",),
    ("evolve", "maze", *SMALL, "--generations", "2", "-o", "a.json", "-o", "a.tmx", "-o", "a.png"),
    ("evolve", "maze", *SMALL, "--generations", "2", "--theme", "paper", "-o", "b.tmx"),
    ("show", "LEVEL"),
    ("check", "LEVEL"),
    ("convert", "LEVEL", "c.ldtk"),
    ("replay", "LEVEL"),
    ("pack", "maze", *SMALL, "--count", "2", "--to", "json,tiled,png", "-o", "pack"),
    ("join", "PACK", "PACK", "-o", "joined"),
    ("illuminate", "maze", *SMALL, "--axes", "walls,turns", "--grid", "4x4", "--evaluations", "99"),
    ("compare", "maze", "labyrinth", "--size", "6x6", "--seed", "1", "--runs", "2", "-q"),
    ("range", "maze", "--size", "6x6", "--seed", "1", "--samples", "2", "-q"),
    ("solve", "sliding", "123456708"),
    ("make", "sliding", "--count", "1", "--seed", "1"),
    ("make", "flag", "--count", "1", "--seed", "1"),
    ("map", "RULE", "--size", "16x16", "--seed", "1", "-o", "map.png"),
    ("fingerprint", "RULE"),
    ("runs",),
    ("runs", "show", "1"),
    ("resume", "1"),
    ("bench", "--help"),
    ("studio", "--help"),
    ("prepare", "--help"),
)


@pytest.fixture(scope="module")
def folder(broken: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where commands run: with a level, two packs and a stored run."""
    folder = tmp_path_factory.mktemp("work")
    evolve = ("evolve", "maze", *SMALL, "--generations", "2", "-o", "level.json")
    done = levolve(broken, folder, *evolve)
    assert done.returncode == 0, done.stderr
    done = levolve(broken, folder, "pack", "maze", *SMALL, "--count", "2", "-o", "first")
    assert done.returncode == 0, done.stderr
    done = levolve(broken, folder, "pack", "labyrinth", *SMALL, "--count", "2", "-o", "second")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_fails(broken: Path, folder: Path, command: tuple[str, ...]) -> None:
    packs = iter(("first", "second"))
    words = {"LEVEL": "level.json", "RULE": "caverns"}
    call = [next(packs) if word == "PACK" else words.get(word, word) for word in command]
    done = levolve(broken, folder, *call)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    # Other modules would be imported by name.
    assert "SystemExit" not in done.stdout or command[0] == "parts"


def test_every_broken_plugin_is_named_once_with_its_reason(broken: Path, folder: Path) -> None:
    done = levolve(broken, folder, "parts", "--json")
    listed = json.loads(done.stdout)
    for noun in REGISTRIES:
        for name in (*ENTRIES, *MODULES, "missing"):
            entry = listed[noun][f"bad_{name}"]
            if noun == "recipes" and "broken" not in entry:
                continue
            assert entry["source"] == "wrong 1.0"
            assert "cannot be loaded" in entry["broken"] or "cannot be used" in entry["broken"]
        assert "SystemExit: 3" in listed[noun]["bad_exits"]["broken"]
        assert "expected a" in listed[noun]["bad_number"]["broken"]
    reasons = listed["plugins"]
    for plugin in ("exits", "raises", "missing", ".."):
        assert plugin in reasons
        assert "broken" in reasons[plugin]
    named = " ".join(reasons)
    for package in ("nameless", "bare", "bytes_points"):
        assert f"{package}-1.0.dist-info" in named, named
    assert "foreign-1.0" not in named, "a package that has nothing to do with levolve"
    printed = " ".join(levolve(broken, folder, "parts", "plugins").stdout.split())
    assert "SystemExit: 3" in printed


def test_a_broken_plugin_that_is_asked_for_is_an_error(broken: Path, folder: Path) -> None:
    for plugin, reason in {
        "exits": "plug-in exits: cannot be loaded: SystemExit: 3",
        "quits": "plug-in quits: cannot be loaded: Quit: no",
    }.items():
        done = levolve(broken, folder, "recipes", "--plugin", plugin)
        assert done.returncode == 1
        assert reason in done.stderr
        assert "Traceback" not in done.stderr
    done = levolve(broken, folder, "evolve", "maze", "--objective", "bad_number", *SMALL)
    assert done.returncode == 1
    assert "its objective 'bad_number' (wrong_things:number_) cannot be used" in done.stderr


REGISTERS = """
from levolve.search.genotypes import GENOTYPES
GENOTYPES.add("wrong_test", {entry})
"""


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("7", "expected a subclass of Genotype, got 7"),
        ("type('Some', (), {})", "expected a subclass of Genotype"),
        (
            (
                "type('Bare', "
                "(__import__('levolve.search.genotypes.genotype').search.genotypes.genotype.Genotype,), "
                "{})"
            ),
            "expected a class that defines",
        ),
    ],
)
def test_a_module_that_registers_a_wrong_entry_is_refused(
    tmp_path: Path, broken: Path, entry: str, reason: str
) -> None:
    (tmp_path / "registers.py").write_text(REGISTERS.format(entry=entry))
    done = levolve(broken, tmp_path, "parts", "genotypes", "--plugin", "registers.py", plugins="")
    assert done.returncode == 1
    assert "plug-in registers.py: genotype 'wrong_test': " in done.stderr
    assert reason in done.stderr
    listed = levolve(broken, tmp_path, "parts", plugins=str(tmp_path / "registers.py"))
    assert listed.returncode == 0
    assert reason.partition(",")[0] in " ".join(listed.stdout.split())
