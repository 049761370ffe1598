"""The wheel without extras, in an environment of its own: every command of README works, or names
the extra.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli.processes import SECONDS

ROOT = Path(__file__).parents[2]
COMMANDS = [
    line.partition("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    for line in block.splitlines()
    if line.startswith("levolve ")
]
# What needs an extra, with the extra that the message must name.
EXTRAS = {
    "levolve studio --port 0": "studio",
    "levolve evolve maze --size 8x8 --generations 3 --cluster local": "cluster",
    "levolve meta dungeon-meta --population 4 --generations 1 --plot plot.png": "plot",
    "levolve compare maze maze-barriers --size 8x8 --runs 2 --evaluations 300 -o plot.png": "plot",
    "levolve bench fashion --quick -o plot.png": "plot",
}
PYTHON = """
import levolve
options = dict(size="6x6", settings={"generations": 5}, seed=1, executor=1)
levolve.tune("dungeon-meta", population=4, generations=1, **options)
levolve.compare(["maze", "maze-barriers"], size="8x8", runs=2, evaluations=300)
levolve.compare_sizes(["maze", "maze-barriers"], ["6x6", "8x8"], runs=2, evaluations=300)
for name in levolve.__all__:
    getattr(levolve, name)
"""


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with the wheel and what it depends on. Pip loads
    what it has not kept.
    """
    folder = tmp_path_factory.mktemp("wheel")
    wheel = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
    ]
    subprocess.run([*wheel, str(ROOT)], check=True, timeout=SECONDS)
    subprocess.run(
        [sys.executable, "-m", "venv", str(folder / "venv")], check=True, timeout=SECONDS
    )
    programs = folder / "venv" / "bin"
    found = next(folder.glob("*.whl"))
    subprocess.run(
        [programs / "python", "-m", "pip", "install", "-q", str(found)], check=True, timeout=SECONDS
    )
    return programs


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder, in which the commands of README run in their order."""
    return tmp_path_factory.mktemp("reader")


def levolve(call: str, base: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(call)
    return subprocess.run(
        [base / program, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "LEVOLVE_STORE": str(folder / "runs.sqlite")},
        timeout=SECONDS,
    )


def test_there_are_commands_to_run() -> None:
    assert len(COMMANDS) > 20


def test_each_command_of_readme_works_or_names_an_extra(base: Path, folder: Path) -> None:
    failed = []
    for call in COMMANDS:
        done = levolve(call, base, folder)
        hint = re.search(r"pip install 'levolve\[\w+\]'", done.stderr)
        if "Traceback" in done.stderr or (
            done.returncode != 0 and not (done.returncode == 1 and hint)
        ):
            failed.append((call, done.returncode, done.stderr[-500:]))
    assert failed == []


@pytest.mark.parametrize("call", EXTRAS)
def test_a_missing_extra_is_named(call: str, base: Path, folder: Path) -> None:
    done = levolve(call, base, folder)
    assert done.returncode == 1
    assert f"pip install 'levolve[{EXTRAS[call]}]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_library_works_without_extras(base: Path, folder: Path) -> None:
    program = [str(base / "python"), "-W", "error", "-c", PYTHON]
    done = subprocess.run(
        program, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert (done.returncode, done.stderr) == (0, "")
