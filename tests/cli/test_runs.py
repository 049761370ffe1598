"""Stored runs at the command line: killed or interrupted, they are resumed to the same output and
files; `levolve runs` shows them.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import levolve
from cli.processes import ANSWERING, COMMAND, SECONDS
from levolve.cli.app import run
from levolve.cli.commands.pack import PackPresenter
from levolve.cli.commands.runs import PRESENTERS
from levolve.core.stopping import GRACE_SECONDS, Interrupts
from levolve.jobs.checkpoints import complete
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.pack_job import KINDS, PackJob
from levolve.jobs.resume import JOBS
from levolve.jobs.runs.solver_job import SolverJob
from levolve.jobs.runs.world_jobs import MapJob
from levolve.puzzles import PUZZLES
from levolve.recipes.recipe import find_recipe
from levolve.worlds.tiling import plan_tiles

EVOLVE = ["evolve", "maze", "--size", "10x10", "--seed", "3", "--generations", "6000", "--json"]
PACK = [
    "pack",
    "maze",
    "-n",
    "60",
    "--size",
    "9x9",
    "--seed",
    "2",
    "--target",
    "exit_path=20..30",
    "--set",
    "generations=60",
    "--json",
]


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "runs.sqlite"
    monkeypatch.setenv("LEVOLVE_STORE", str(path))
    monkeypatch.chdir(tmp_path)
    return path


def stopped(arguments: list[str], number: int, progress: float) -> tuple[int, str]:
    """Run the real command, send it a signal once it has come so far; its exit code and what it
    printed on standard error.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", f"import os; os.nice(10); {ANSWERING}", COMMAND, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LEVOLVE_CHECKPOINT_SECONDS": "0"},
    )
    try:
        limit = time.monotonic() + SECONDS
        while come_to() < progress and process.poll() is None and time.monotonic() < limit:
            time.sleep(0.002)
        process.send_signal(number)
        _, errors = process.communicate(timeout=SECONDS)
        return process.returncode, errors
    finally:
        process.kill()
        process.wait()


def come_to() -> float:
    """The progress of the first run; -1 if there is none yet. Looked up without much work, so that
    the command does not get far in the meantime.
    """
    path = Path(os.environ["LEVOLVE_STORE"])
    if not path.exists():
        return -1.0
    connection = sqlite3.connect(path, timeout=SECONDS)
    try:
        row = connection.execute("SELECT coalesce(progress, 0) FROM runs WHERE id = 1").fetchone()
    except sqlite3.OperationalError:
        row = None  # no tables yet
    finally:
        connection.close()
    return -1.0 if row is None else float(row[0])


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    data = json.loads(capsys.readouterr().out)
    return {key: value for key, value in data.items() if key not in {"seconds", "folder", "index"}}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)]
)
def test_an_evolution_that_is_stopped_is_resumed_to_the_same_bytes(
    number: int, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    look = ["--theme", "paper", "--tile", "9"]
    assert run([*EVOLVE, *look, "-o", "whole.json", "-o", "whole.png", "--no-store"]) == 0
    whole = printed(capsys)
    returned, errors = stopped([*EVOLVE, *look, "-o", "best.json", "-o", "best.png"], number, 0.02)
    assert returned == code
    if number != signal.SIGKILL:
        assert errors == (
            "levolve: interrupted; the best level so far is in best.json, best.png; continue "
            "with: levolve resume 1\n"
        )
        assert run(["check", "best.json"]) == 0
        capsys.readouterr()
    assert run(["resume", "last", "--threads", "1"]) == 0
    assert printed(capsys) == whole
    assert Path("best.json").read_bytes() == Path("whole.json").read_bytes()
    assert Path("best.png").read_bytes() == Path("whole.png").read_bytes(), "in the same look"
    assert run(["resume", "1", "--quiet"]) == 0, "a finished run is shown again"
    assert printed(capsys) == whole


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_pack_that_is_stopped_is_resumed_to_the_same_files(
    number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    look = ["--theme", "paper", "--tile", "9"]
    assert run([*PACK, *look, "-o", "whole", "--no-store"]) == 0
    whole = printed(capsys)
    returned, errors = stopped([*PACK, *look, "-o", "pack", "--threads", "1"], number, 0.05)
    if number == signal.SIGKILL:
        assert (returned, Path("pack").exists()) == (-signal.SIGKILL, False)
    else:
        assert returned == 143
        assert "found so far are in pack; continue with: levolve resume 1" in errors
        assert 0 < len(json.loads(Path("pack/pack.json").read_text())["levels"]) < 60
    assert run(["resume"]) == 0
    assert printed(capsys) == whole
    assert files(Path("pack")) == files(Path("whole"))


def test_an_interrupted_pack_does_not_replace_a_whole_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = ["pack", "maze", "-n", "2", "--size", "8x8", "--set", "generations=10", "-o", "pack"]
    assert run([*small, "--seed", "1", "--no-store"]) == 0
    before = files(Path("pack"))

    def interrupt_at_once(self: Interrupts) -> bool:
        self.requested = signal.SIGINT
        return True

    with monkeypatch.context() as patched:
        patched.setattr(Interrupts, "__call__", interrupt_at_once)
        assert run([*small, "--seed", "2"]) == 130
    assert (
        "the pack in pack was left as it is; continue with: levolve resume 1"
        in capsys.readouterr().err
    )
    assert files(Path("pack")) == before


def test_without_a_store_an_interrupt_says_that_nothing_was_stored(store: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            ANSWERING,
            COMMAND,
            "evolve",
            "maze",
            "--generations",
            "1000000000",
            "-o",
            "best.json",
            "--no-store",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        # The process that handles SIGTERM itself is one that works on the job.
        limit = time.monotonic() + SECONDS
        while not handles(process.pid, signal.SIGTERM) and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=SECONDS)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 143
    assert errors.endswith("; nothing was stored\n")
    assert not store.exists()


def handles(pid: int, number: int) -> bool:
    fields = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
    )
    return bool(int(fields["SigCgt"], 16) >> (number - 1) & 1)


def test_a_second_signal_ends_the_process_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    before = signal.getsignal(signal.SIGTERM)
    with Interrupts() as interrupts:
        assert not interrupts()
        os.kill(os.getpid(), signal.SIGTERM)
        assert interrupts()
        assert codes == []
        os.kill(os.getpid(), signal.SIGTERM)
        assert codes == [143]
        interrupts.settle()
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_job_without_an_event_is_interrupted_after_a_moment() -> None:
    with Interrupts() as interrupts:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(2):
            # Again, if the first one is lost.
            with pytest.raises(KeyboardInterrupt):
                time.sleep(SECONDS)
        assert interrupts()
        time.sleep(2 * GRACE_SECONDS)
    assert interrupts.requested == signal.SIGTERM


def test_a_run_of_a_living_process_is_not_resumed_by_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    process = subprocess.Popen(
        [COMMAND, "evolve", "maze", "--generations", "1000000000"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        limit = time.monotonic() + SECONDS
        while come_to() < 0 and time.monotonic() < limit:
            time.sleep(0.01)
        assert run(["resume", "last"]) == 1
        assert f"run 1 is being carried out by process {process.pid}" in capsys.readouterr().err
        assert run(["runs"]) == 0
        assert "running 0 %" in capsys.readouterr().out
        assert run(["runs", "delete", "1"]) == 1
    finally:
        process.kill()
        process.wait()
    assert run(["runs"]) == 0
    assert "stopped 0 %" in capsys.readouterr().out


def test_every_kind_of_job_can_be_resumed_and_presented() -> None:
    assert list(JOBS) == list(PRESENTERS)
    for kind in JOBS:
        assert kind in KINDS or JOBS[kind].kind == PRESENTERS[kind].kind == kind


def test_a_pack_has_the_kind_under_which_its_job_and_its_presenter_are_found() -> None:
    levels, puzzles = Order.of(find_recipe("maze"), count=1), PuzzleOrder.of("flag", count=1)
    jobs = [PackJob([levels]), PackJob([puzzles]), PackJob([levels, puzzles])]
    assert tuple(job.kind for job in jobs) == KINDS == ("pack", "puzzle-pack", "mixed-pack")
    for job in jobs:
        assert JOBS[job.kind] is PackJob
        assert isinstance(PRESENTERS[job.kind], PackPresenter)
        assert JOBS[job.kind].from_call(job.call()).kind == job.kind


def test_the_list_fits_eighty_columns_and_names_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["runs"]) == 0
    assert capsys.readouterr().out == f"no runs in {os.environ['LEVOLVE_STORE']}\n"
    assert (
        run(["evolve", "maze", "--size", "8x8", "--generations", "2", "--seed", str((1 << 32) - 1)])
        == 0
    )
    assert run(["pack", "sliding", "-n", "2", "--seed", "1", "-o", "pack"]) == 0
    compare = [
        "compare",
        "maze",
        "maze-chromatic",
        "maze-barriers",
        "--runs",
        "2",
        "--evaluations",
        "1000",
        "--size",
        "8x8",
    ]
    assert run(compare) == 0
    capsys.readouterr()
    assert run(["runs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    words = [line.split() for line in lines if line.strip() and line.split()[0].isdigit()]
    assert [(row[0], row[1]) for row in words] == [
        ("3", "compare"),
        ("2", "puzzle-pack"),
        ("1", "evolve"),
    ]
    assert all("done" in row for row in words)
    assert str((1 << 32) - 1) in lines[4]
    assert lines[-1] == "levolve runs show 3   levolve runs plot 3   levolve resume 3"
    assert run(["runs", "--json", "-n", "1"]) == 0
    assert [record["kind"] for record in json.loads(capsys.readouterr().out)] == ["compare"]


def test_a_run_is_shown_plotted_exported_and_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "8x8",
                "--generations",
                "30",
                "--seed",
                "1",
                "-o",
                "best.json",
            ]
        )
        == 0
    )
    drawn = capsys.readouterr().out.splitlines()
    assert run(["runs", "show"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("\n".join(drawn[:6])), "the best level"
    for words in (
        "run 1: evolve maze 8x8, seed 1",
        "state                  done",
        str(Path("best.json").absolute()),
        drawn[-2].split()[-1],
    ):
        assert words in shown
    assert run(["runs", "plot", "1"]) == 0
    chart = capsys.readouterr().out
    assert chart.startswith("run 1: evolve maze 8x8, seed 1\n")
    assert "░ best so far, █ mean of the population, by generation" in chart
    for name, head in (("plot.png", b"\x89PNG"), ("plot.svg", b"<svg xmlns=")):
        assert run(["runs", "plot", "last", "-o", name]) == 0
        assert Path(name).read_bytes().startswith(head)
    assert run(["runs", "plot", "-o", "plot.txt"]) == 2
    assert run(["runs", "export", "-o", "runs.csv"]) == 0
    assert Path("runs.csv").read_text().splitlines()[1].startswith("1,evolve,maze,8x8,1,done,1.0,")
    capsys.readouterr()
    assert run(["runs", "export", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 32
    for wrong in (
        ["delete"],
        ["delete", "1", "--all"],
        ["delete", "--older-than", "soon"],
        ["delete", "9"],
        ["show", "x"],
        ["export", "-o", "a.txt"],
    ):
        assert run(["runs", *wrong]) == 2, wrong
    assert run(["runs", "delete", "--older-than", "1d"]) == 0
    assert run(["runs", "delete", "--older-than", "0s"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if "deleted" in line] == [
        "deleted: 0 runs",
        "deleted: 1 run",
    ]
    assert run(["runs", "show"]) == 2


def test_the_store_is_chosen_by_an_option(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["evolve", "maze", "--size", "8x8", "--generations", "2", "--seed", "1"]
    assert run([*small, "--store", "mine/runs.sqlite"]) == 0
    assert run([*small, "--no-store"]) == 0
    assert not store.exists()
    capsys.readouterr()
    for arguments in (
        ["runs", "--store", "mine/runs.sqlite", "export"],
        ["runs", "export", "--store", "mine/runs.sqlite"],
    ):
        assert run(arguments) == 0
        assert len(capsys.readouterr().out.splitlines()) == 2
    assert run(["resume", "--store", "mine/runs.sqlite"]) == 0
    assert run([*small, "--store", "a.sqlite", "--no-store"]) == 2
    assert run(["runs", "--store", "nothing.sqlite"]) == 1
    assert not Path("nothing.sqlite").exists()
    Path("notes.txt").write_text("my notes " * 100)
    assert run([*small, "--store", "notes.txt"]) == 1
    assert "expected a store of levolve, got another file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (
            ["evolve", "maze", "--size", "8x8", "--generations", "20", "--seed", "1", "-o"],
            "best.txt",
        ),
        (
            [
                "pack",
                "maze",
                "-n",
                "3",
                "--size",
                "8x8",
                "--seed",
                "1",
                "--set",
                "generations=10",
                "-o",
            ],
            "made",
        ),
        (["pack", "sliding", "-n", "2", "--seed", "1", "-o"], "made"),
        (
            [
                "compare",
                "maze",
                "maze-barriers",
                "--runs",
                "2",
                "--evaluations",
                "400",
                "--size",
                "8x8",
                "-o",
            ],
            "data.json",
        ),
        (
            [
                "range",
                "maze",
                "maze-barriers",
                "--samples",
                "2",
                "--evaluations",
                "400",
                "--size",
                "8x8",
                "-o",
            ],
            "data.json",
        ),
        (
            [
                "meta",
                "dungeon-meta",
                "--seed=1",
                "--population=4",
                "--generations=1",
                "--set",
                "generations=3",
                "--size",
                "5x5",
                "-o",
            ],
            "a.toml",
        ),
        (["solve", "flag", "20", "--seed", "1", "--scheme", "plain", "-o"], "solved.json"),
        (["solve", "sliding", "8672543_1", "--method", "exact", "-o"], "solved.json"),
        (["map", "spirals", "--seed", "1", "--size", "600x500", "--tiles"], "map.npy"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_every_command_that_is_interrupted_is_resumed_to_the_same_output(
    arguments: list[str],
    output: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run([*arguments, f"whole-{output}", "--json", "--no-store"]) == 0
    whole = comparable(capsys.readouterr().out, f"whole-{output}")
    events = 0

    def interrupt_after_the_second(self: Interrupts) -> bool:
        nonlocal events
        events += 1
        self.requested = signal.SIGINT if events == 2 else self.requested
        return self.requested is not None

    with monkeypatch.context() as patched:
        patched.setattr(Interrupts, "__call__", interrupt_after_the_second)
        code = run([*arguments, output, "--json"])
    captured = capsys.readouterr()
    if code:
        # Exact search of a small board is over before the second event.
        assert (code, captured.out) == (130, "")
        assert captured.err.startswith("levolve: interrupted; ")
        assert captured.err.endswith("; continue with: levolve resume 1\n")
    assert run(["resume", "last", "--threads", "1"]) == 0
    assert comparable(capsys.readouterr().out, output) == whole
    assert contents(Path(output)) == contents(Path(f"whole-{output}"))


def comparable(text: str, output: str) -> Any:
    """What a command printed, without times and the names of its files."""
    return without_times(
        json.loads(
            text.replace(str(Path(output).absolute()), "FILE").replace(f'"{output}"', '"FILE"')
        )
    )


def without_times(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_times(value) for key, value in data.items() if key != "seconds"}
    return [without_times(value) for value in data] if isinstance(data, list) else data


def contents(path: Path) -> Any:
    return files(path) if path.is_dir() else path.read_bytes()


SMALL: dict[str, Any] = {"runs": 2, "evaluations": 300, "seed": 1, "store": True}
BOARD = PUZZLES["sliding"].parse("8672543_1")
MAZES = ["maze", "maze-barriers", "maze-long"]
MAP: dict[str, Any] = {"axes": "walls,exit_path", "grid": "6x6", "evaluations": 300}
META: dict[str, Any] = {"population": 4, "generations": 1, "settings": {"generations": 3}}
IN_PYTHON: dict[str, Callable[[], object]] = {
    "evolve": lambda: levolve.evolve("maze", size=(8, 8), generations=3, seed=1, store=True),
    "pack": lambda: levolve.pack("maze", count=2, size=(8, 8), seed=2, store=True),
    "puzzle-pack": lambda: levolve.pack("sliding", count=2, seed=2, store=True),
    "illuminate": lambda: levolve.illuminate("maze", size=(8, 8), seed=5, store=True, **MAP),
    "compare": lambda: levolve.compare(MAZES, size=(8, 8), **SMALL),
    "compare-sizes": lambda: levolve.compare_sizes(MAZES, ["6x6", "8x8"], **SMALL),
    "range": lambda: levolve.expressive_range(["maze"], samples=2, evaluations=300, store=True),
    "meta": lambda: levolve.tune("dungeon-meta", seed=1, size=(5, 5), store=True, **META),
    "solve": lambda: complete(SolverJob("sliding", BOARD, seed=5), True),
    "map": lambda: complete(MapJob(plan_tiles("spirals", "map.npy", size="600x500", seed=1)), True),
}


@pytest.mark.parametrize("kind", IN_PYTHON)
def test_a_job_that_python_began_is_printed(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A job without options of a command is shown; no file is written."""
    IN_PYTHON[kind]()
    before = set(Path.cwd().iterdir())
    capsys.readouterr()
    assert run(["resume", "last"]) == 0, capsys.readouterr().err
    assert capsys.readouterr().out
    assert set(Path.cwd().iterdir()) == before
    assert run(["runs", "show", "last", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == kind
