"""The real command, run as a person runs it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import levolve
from cli.processes import COMMAND, SECONDS, interrupted

EVOLVE = ("evolve", "maze", "--size", "20x20", "--seed", "7", "--generations", "200")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        timeout=SECONDS,
    )


def test_the_same_digest_on_one_thread_on_two_and_from_python() -> None:
    one, two = (
        json.loads(run(*EVOLVE, "--json", "--threads", threads).stdout) for threads in ("1", "2")
    )
    here = levolve.evolve("maze", size=(20, 20), seed=7, generations=200)
    assert one["digest"] == two["digest"] == here.digest
    assert one["best_score"] == here.best_score
    assert set(one) == {
        "recipe",
        "seed",
        "best_score",
        "digest",
        "evaluations",
        "seconds",
        "measures",
    }
    assert (one["recipe"], one["seed"], one["evaluations"]) == ("maze", 7, here.evaluations)
    assert one["measures"]["exit_path"] == here.best_score


@pytest.mark.parametrize(
    "code",
    [
        "import levolve; dir(levolve)",
        "from levolve.cli.app import run; run(['--help'])",
        "from levolve.cli.app import run; run(['recipes'])",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    probe = (
        f"import sys\n{code}\nprint([name for name in ('numba', 'numpy', 'PIL') if name in "
        "sys.modules], file=sys.stderr)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    loaded = finished.stderr.strip().splitlines()[-1]
    assert "numba" not in loaded
    assert loaded == "[]" or "recipes" in code


def test_numba_is_not_loaded_if_all_kernels_are_compiled() -> None:
    assert run(*EVOLVE).returncode == 0
    probe = (
        f"import sys\nfrom levolve.cli.app import run\nrun({EVOLVE!r})\nprint('numba' in "
        "sys.modules, file=sys.stderr)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    assert finished.stderr.strip() == "False"


def test_kernels_work_where_nothing_can_be_kept(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    level = str(write_level(tmp_path))
    show = (
        f"import tempfile; tempfile.tempdir = {str(blocked)!r}; from levolve.cli.app import run; "
        f"raise SystemExit(run(['show', {level!r}]))"
    )
    everywhere = dict.fromkeys(("NUMBA_CACHE_DIR", "HOME", "XDG_CACHE_HOME"), str(blocked))
    finished = subprocess.run(
        [sys.executable, "-c", show],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        env={**os.environ, **everywhere},
    )
    assert finished.returncode == 0
    assert re.search(r"exit path +4\b", finished.stdout)
    assert finished.stderr.count("so kernels are compiled on every run") == 1
    assert "because no cache folder can be used" in finished.stderr


def test_kernels_are_not_loaded_from_a_folder_that_others_can_write(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    finished = run("show", str(write_level(tmp_path)), NUMBA_CACHE_DIR=str(shared))
    assert finished.returncode == 0
    assert finished.stderr.count("levolve: kernel cache") == 1
    assert f"other users can write to {shared} (mode 777)" in finished.stderr
    assert not [path for path in shared.rglob("*") if path.is_file()]


def write_level(folder: Path) -> Path:
    path = folder / "small.txt"
    path.write_text("S.#\n..1\n#.E\nsolution: rdrd\n")
    return path


def test_json_is_alone_on_standard_output_and_quiet_is_quiet(tmp_path: Path) -> None:
    finished = run(*EVOLVE, "--json", "-o", str(tmp_path / "a.json"), "-o", str(tmp_path / "a.gif"))
    assert json.loads(finished.stdout)["seed"] == 7
    assert "written" in finished.stderr
    assert "\x1b" not in finished.stdout + finished.stderr
    assert run(*EVOLVE, "--quiet", "-o", str(tmp_path / "b.png")).stderr == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.gif", "a.json", "b.png"]


def test_a_bar_is_shown_on_a_terminal_and_an_interruption_leaves_the_best_so_far(
    tmp_path: Path,
) -> None:
    code, seen = interrupted(
        ["evolve", "maze", "--size", "60x60", "--generations", "1000000", "-o", "best.json"],
        b"evolving maze",
        tmp_path,
    )
    assert b"evolving maze" in seen
    assert b"interrupted" in seen
    assert b"Traceback" not in seen
    assert code == 130
    assert [path.name for path in tmp_path.iterdir()] == ["best.json"]
    levolve.load(tmp_path / "best.json").check()


def test_the_demo_writes_levels_that_can_be_looked_at_and_grown_again(tmp_path: Path) -> None:
    finished = run("demo", "-o", str(tmp_path / "demo"), "--json")
    assert finished.returncode == 0
    data = json.loads(finished.stdout)
    files = sorted(path.name for path in (tmp_path / "demo").iterdir())
    assert len(data["levels"]) == len({entry["digest"] for entry in data["levels"]}) == 24
    assert len({order["name"] for order in data["orders"]}) == 7
    hardness = [entry["difficulty"] for entry in data["levels"]]
    assert hardness == sorted(hardness)
    names = [entry["name"] for entry in data["levels"]]
    assert files == sorted(
        [f"{name}.{suffix}" for name in names for suffix in ("json", "png", "txt")]
        + ["index.html", "pack.json", "sheet.png"]
    )
    assert Path(data["index"]) == tmp_path / "demo" / "index.html"
    for entry in data["levels"]:
        for suffix in ("json", "png", "txt"):
            assert (
                levolve.load(tmp_path / "demo" / f"{entry['name']}.{suffix}").digest
                == entry["digest"]
            )
    again = run(
        "replay",
        str(tmp_path / "demo" / f"{next(name for name in names if name.endswith('dungeon'))}.png"),
        "--json",
    )
    assert again.returncode == 0
    assert json.loads(again.stdout)["same"] is True


def test_output_that_cannot_be_shown_or_written_is_no_traceback(tmp_path: Path) -> None:
    level = str(write_level(tmp_path))
    plain = run("show", level, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert plain.returncode == 0
    assert plain.stdout.startswith("S.#\n..1\n#.E\n")
    with Path("/dev/full").open("w") as full:
        refused = subprocess.run(
            [COMMAND, "recipes"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    assert refused.returncode == 1
    assert "No space left" in refused.stderr
    assert "Traceback" not in refused.stderr
    pipe = f"'{COMMAND}' parts | head -1"
    piped = subprocess.run(  # noqa: S602 a pipe is the point
        pipe, shell=True, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert (piped.stdout, piped.stderr) == ("genotypes\n", "")


@pytest.mark.parametrize("closed", [(1,), (0, 1, 2)])
def test_output_that_is_closed_is_an_error_in_one_line(
    closed: tuple[int, ...], tmp_path: Path
) -> None:
    signs = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    finished = subprocess.run(
        ["sh", "-c", f"{COMMAND} recipes {signs}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert finished.returncode == 1
    assert finished.stderr == (
        "" if 2 in closed else "levolve: standard output: Bad file descriptor\n"
    )
    level = write_level(tmp_path)
    copied = subprocess.run(
        ["sh", "-c", f"{COMMAND} convert {level} {tmp_path}/b.json {signs}"],
        check=False,
        timeout=SECONDS,
    )
    assert copied.returncode == 0, "a command that prints nothing succeeds"
    assert levolve.load(tmp_path / "b.json") == levolve.load(level)
