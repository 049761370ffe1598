"""`--cluster local` as a person calls it: a process that starts a cluster and ends without it.

Each command that has the option gives the same data as without it. Workers start once per command,
which takes most of the time, so there is one of them and one call per command.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.processes import COMMAND, SECONDS
from levolve.cli.command_table import COMMANDS, load_command

SMALL = ("--size", "8x8", "--seed", "1")
CALLS = {
    "demo": ("-o", "OUT"),
    "evolve": ("maze", *SMALL, "--generations", "5", "-o", "OUT/level.json"),
    "pack": ("maze", *SMALL, "--count", "2", "--set", "generations=5", "-o", "OUT"),
    "compare": ("maze", "maze-barriers", *SMALL, "--runs", "2", "--evaluations", "300"),
    "range": ("maze", *SMALL, "--samples", "2", "--evaluations", "300", "-o", "OUT/range.csv"),
    "meta": (
        *("dungeon-meta", "--size", "6x6", "--seed", "1", "--set", "generations=5"),
        *("--population", "4", "--generations", "1", "-o", "OUT/tuned.toml"),
    ),
    "map": ("spirals", "--size", "256x256", "--seed", "1", "--updates", "2", "--tiles", "OUT"),
    "replay": ("FOLDER/level.json",),
    "resume": ("last", "--store", "FOLDER/runs.sqlite"),
}


def levolve(*arguments: str, folder: Path) -> Any:
    finished = subprocess.run(
        [COMMAND, *arguments, "--json", "--quiet"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
    return json.loads(finished.stdout)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A level to replay, and a run to resume."""
    made = tmp_path_factory.mktemp("cluster")
    call = ("evolve", *CALLS["evolve"][:-1], "level.json", "--store", "runs.sqlite")
    levolve(*call, folder=made)
    return made


def untimed(data: Any) -> Any:
    """The data without times, which differ between two calls."""
    if isinstance(data, dict):
        return {name: untimed(value) for name, value in data.items() if "seconds" not in name}
    return [untimed(value) for value in data] if isinstance(data, list) else data


def files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()


def test_each_command_with_a_cluster_is_called_here() -> None:
    having = {name for name in COMMANDS if any(each.name == "cluster" for each in _options(name))}
    assert having == set(CALLS)


def _options(command: str) -> list[Any]:
    return getattr(load_command(command), "params", [])


def test_the_demo_is_made_on_a_local_cluster(tmp_path: Path) -> None:
    """Its levels are those of packs, which are compared below."""
    made = levolve("demo", "-o", "demo", "--cluster", "local", "--threads", "1", folder=tmp_path)
    assert len({each["digest"] for each in made["levels"]}) == 24


@pytest.mark.parametrize("command", [command for command in CALLS if command != "demo"])
def test_a_local_cluster_gives_the_same_data_and_files(
    command: str, folder: Path, tmp_path: Path
) -> None:
    found, written = [], []
    # The same path for both, because data names it.
    out = tmp_path / "out"
    for number, options in enumerate([(), ("--cluster", "local", "--threads", "1")]):
        out.mkdir()
        call = [
            each.replace("OUT", str(out)).replace("FOLDER", str(folder)) for each in CALLS[command]
        ]
        found.append(untimed(levolve(command, *call, *options, folder=folder)))
        written.append(dict(files(out)))
        out.rename(tmp_path / f"out{number}")
    assert found[0] == found[1]
    assert written[0] == written[1]
