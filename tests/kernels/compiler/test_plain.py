"""Plain mode, which needs no private parts of Numba: the same results in real processes."""

import os
import re
import subprocess
import sys
import time
from importlib.metadata import requires
from pathlib import Path

import pytest

from levolve.core.errors import InputError
from levolve.kernels.compiler import LINKED, PLAIN, CompilerWarning
from levolve.kernels.compiler.cache_files import locked
from levolve.kernels.compiler.modes import TESTED_NUMBA, is_tested, numba_version
from levolve.kernels.compiler.modes import mode as cached_mode
from levolve.kernels.compiler.plain import FOLDER, LOCK

mode = cached_mode.__wrapped__
needs_compiler = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="kernels run as plain Python"
)

# What a user runs, with the kernels of each kind: a fused search that calls others by address, a
# search on two threads, a puzzle, a map, measures of a level that is too large for plain Python.
WORK = """
import sys
from hashlib import sha256
import numpy as np
import levolve
from levolve.kernels.compiler import mode, watching_compiler

compiled = []
with watching_compiler(lambda started, name: compiled.append(name)):
    maze = levolve.evolve("maze", size=(12, 12), seed=3, generations=20, store=False)
    threads = levolve.evolve(
        "maze", size=(12, 12), seed=3, generations=20, executor=2, store=False
    )
    solution = levolve.solve("sliding", "8672543_1", seed=1)
    world = levolve.fashion.World(levolve.fashion.find_design("caverns").rule, seed=3)
    window = np.ascontiguousarray(world.window(-9, 4, 70, 50))
    level = levolve.Level(np.zeros((40, 40), np.uint8), {"entrance": (0, 0), "exit": (39, 39)})
    steps = levolve.measure([level])["exit_path"][0]
print(maze.digest, threads.digest, solution.moves, sha256(window).hexdigest(), steps)
print(mode(), len(compiled), "numba" in sys.modules, file=sys.stderr)
"""


def work(chosen: str, cache: Path | None) -> tuple[str, str, int]:
    """Return the results, the mode and the number of compilations of a new process."""
    environment = {**os.environ, "LEVOLVE_COMPILER": chosen}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    command = [sys.executable, "-c", WORK]
    done = subprocess.run(
        command, env=environment, check=True, capture_output=True, text=True, timeout=600
    )
    found, compilations, _ = done.stderr.split()
    return done.stdout, found, int(compilations)


@needs_compiler
def test_both_modes_give_the_same_results_and_plain_mode_keeps_what_it_compiled(
    tmp_path: Path,
) -> None:
    expected, found, _ = work(LINKED, None)
    assert found == LINKED
    results, found, compilations = work(PLAIN, tmp_path)
    assert (results, found) == (expected, PLAIN)
    assert compilations > 0
    (folder,) = tmp_path.iterdir()
    assert [path.name for path in folder.iterdir()] == [FOLDER], "nothing of linked mode"
    for path in [folder, folder / FOLDER]:
        assert path.stat().st_mode & 0o077 == 0
    assert work(PLAIN, tmp_path) == (expected, PLAIN, 0)


ONE = """
import sys
from pathlib import Path
import numpy
from levolve.kernels.bits.random_streams import mix
Path(sys.argv[1]).touch()
print(mix(numpy.uint64(7)))
"""


@needs_compiler
def test_one_process_at_a_time_uses_the_cache_of_plain_mode(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "LEVOLVE_COMPILER": PLAIN}
    started = tmp_path / "started"
    command = [sys.executable, "-c", ONE, str(started)]
    began = time.monotonic()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    longest = time.monotonic() - began
    started.unlink()
    (folder,) = tmp_path.glob(f"*/{FOLDER}")
    files = sorted(folder.rglob("*.nb?"))
    assert len(files) == 2
    for path in files:
        path.unlink()
    with locked(folder / LOCK, 60):
        second = subprocess.Popen(command, env=environment)
        while not started.exists():
            assert second.poll() is None
            time.sleep(0.01)
        # As long as the first process took to load all and to compile.
        time.sleep(longest)
        assert second.poll() is None
        assert not list(folder.rglob("*.nb?"))
    assert second.wait(100) == 0
    assert sorted(folder.rglob("*.nb?")) == files


@needs_compiler
@pytest.mark.parametrize("end", [0, -9])
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
def test_damaged_files_are_compiled_again(suffix: str, end: int, tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "LEVOLVE_COMPILER": PLAIN}
    command = [sys.executable, "-c", ONE, str(tmp_path / "started")]

    def output() -> bytes:
        return subprocess.run(command, env=environment, check=True, capture_output=True).stdout

    expected = output()
    (file,) = tmp_path.rglob(f"*.{suffix}")
    whole = file.read_bytes()
    file.write_bytes(whole[:end])
    assert output() == expected
    assert len(file.read_bytes()) == len(whole)


def test_the_mode_is_linked_unless_it_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEVOLVE_COMPILER", raising=False)
    assert mode() == LINKED
    monkeypatch.setenv("LEVOLVE_COMPILER", PLAIN)
    assert mode() == PLAIN


@pytest.mark.parametrize("value", ["", "Plain", "numba", "linked "])
def test_another_value_is_an_error(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEVOLVE_COMPILER", value)
    expected = f"LEVOLVE_COMPILER: expected 'linked' or 'plain', got {value!r}"
    with pytest.raises(InputError, match=re.escape(expected)):
        mode()


def test_a_wrong_value_ends_a_command_with_one_line_and_exit_code_2() -> None:
    environment = {**os.environ, "LEVOLVE_COMPILER": "fast"}
    command = [sys.executable, "-m", "levolve", "evolve", "maze", "--no-store"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "levolve: LEVOLVE_COMPILER: expected 'linked' or 'plain', got 'fast'; remove the "
        "variable for the default\n"
    )


# The file of Numba that contains its version, as if it were that of another one.
OTHER_NUMBA = """
import sys
from pathlib import Path
read, version = Path.read_text, sys.argv.pop(1)
def read_text(path, *arguments, **named):
    text = read(path, *arguments, **named)
    return text.replace(version, "0.99.0") if path.name == "_version.py" else text
Path.read_text = read_text
from levolve.kernels.compiler import mode
from levolve.cli.app import main
from atexit import register
register(lambda: print(mode(), file=sys.stderr))
main()
"""


@needs_compiler
def test_a_version_of_numba_that_was_not_tested_is_used_in_plain_mode_with_one_note() -> None:
    environment = {name: os.environ[name] for name in os.environ if name != "LEVOLVE_COMPILER"}
    command = ["solve", "sliding", "8672543_1", "--seed", "1", "--no-store", "--method", "exact"]
    python = [sys.executable, "-W", "default", "-c", OTHER_NUMBA, numba_version()]
    done = subprocess.run(
        [*python, *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert "solved" in done.stdout
    assert done.stderr.count("Numba 0.99.0 was not tested") == 1
    assert done.stderr.count("plain mode") == 1


def test_the_note_about_another_version_has_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEVOLVE_COMPILER", raising=False)
    for other in ("0.67.9", "0.69.0", "1.0.0", "0.680.0", "unknown"):
        monkeypatch.setattr("levolve.kernels.compiler.modes.numba_version", lambda: other)  # noqa: B023 called in this round
        with pytest.warns(CompilerWarning, match=f"Numba {other} was not tested") as caught:
            assert mode() == PLAIN
        assert len(caught) == 1


def test_numba_is_bounded_by_the_version_that_was_tested() -> None:
    major, minor = map(int, TESTED_NUMBA.split("."))
    bounds = [text for text in requires("levolve") or [] if re.match(r"numba\b", text)]
    (pyproject,) = re.findall(
        r'^    "(numba[^"]*)"',
        (Path(__file__).parents[3] / "pyproject.toml").read_text(),
        re.MULTILINE,
    )
    assert pyproject == f"numba>={TESTED_NUMBA},<{major}.{minor + 1}"
    assert len(bounds) == 1
    assert is_tested(numba_version())


def test_the_version_of_numba_is_told_without_loading_it() -> None:
    import numba

    assert numba_version() == numba.__version__
