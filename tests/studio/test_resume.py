"""Runs go on where they were not begun: of the studio by `levolve resume`, of a command in the
studio.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.server import SECONDS, Studio, running_studio

MAZE = {"recipe": "maze", "seed": 3, "settings": {"size": "12x12", "generations": 30_000}}
SAME_MAZE = ["maze", "--seed", "3", "--size", "12x12", "--generations", "30000", "--threads", "1"]
ILLUMINATION = {
    "recipe": "maze",
    "seed": 5,
    "settings": {"size": "9x9"},
    "illuminate": {"axes": ["walls", "exit_path"], "grid": 12, "evaluations": 400_000},
}
BOARD = "15,14,8,12,10,11,13,9,2,6,5,1,3,7,4,_"
SOLVER = {"seed": 1, "solve": {"puzzle": "sliding", "position": BOARD, "generations": 3_000}}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("resume") / "runs.sqlite"


@pytest.fixture(scope="module")
def studio(store: Path) -> Iterator[Studio]:
    with running_studio(store) as started:
        yield started


def command(*arguments: str, store: Path) -> list[str]:
    return [sys.executable, "-m", "levolve", *arguments, "--store", str(store)]


def levolve(*arguments: str, store: Path) -> subprocess.CompletedProcess[str]:
    asked, folder = command(*arguments, store=store), store.parent
    return subprocess.run(
        asked, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=folder
    )


def stopped(studio: Studio, body: object) -> int:
    """Start a run, stop it before its end, and return its number."""
    number: int = studio.json("POST", "/api/runs", body)["id"]
    studio.json("POST", f"/api/runs/{number}/stop")
    assert studio.finished(number)["status"] == "stopped"
    return number


def test_resume_ends_a_run_of_the_studio_with_the_same_bytes(studio: Studio, store: Path) -> None:
    number = stopped(studio, MAZE)
    ended = levolve("resume", str(number), "--json", store=store)
    assert ended.returncode == 0, ended.stderr
    whole = levolve("evolve", *SAME_MAZE, "--json", store=store)
    assert json.loads(ended.stdout)["digest"] == json.loads(whole.stdout)["digest"]
    assert studio.json("GET", f"/api/runs/{number}")["status"] == "done"
    assert "best score" in levolve("resume", str(number), store=store).stdout


@pytest.mark.parametrize("body", [ILLUMINATION, SOLVER], ids=["illumination", "solver"])
def test_other_kinds_of_runs_are_continued_too(studio: Studio, store: Path, body: Any) -> None:
    number = stopped(studio, body)
    ended = levolve("resume", str(number), store=store)
    # A solver that finds no solution says so with exit code 1.
    assert ended.returncode == 0 or ("solve" in body and "not solved" in ended.stderr.lower()), (
        ended.stderr
    )
    assert "Traceback" not in ended.stderr
    assert studio.json("GET", f"/api/runs/{number}")["status"] == "done"


def test_resume_continues_a_run_of_a_killed_studio(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with running_studio(store) as studio:
        number = studio.json("POST", "/api/runs", MAZE)["id"]
        studio.kill()
    ended = levolve("resume", str(number), store=store)
    assert ended.returncode == 0, ended.stderr
    assert "best score" in ended.stdout


def test_a_run_of_a_command_is_continued_in_the_studio(studio: Studio, store: Path) -> None:
    asked = ["evolve", *SAME_MAZE, "-o", "begun.json", "--quiet"]
    known = {run["id"] for run in studio.json("GET", "/api/runs")}
    environment = {**os.environ, "LEVOLVE_CHECKPOINT_SECONDS": "0"}
    with subprocess.Popen(
        command(*asked, store=store), cwd=store.parent, stdout=subprocess.DEVNULL, env=environment
    ) as process:
        limit = time.monotonic() + SECONDS
        new: set[int] = set()
        while not new and time.monotonic() < limit:
            new = {run["id"] for run in studio.json("GET", "/api/runs")} - known
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
    (number,) = new
    (store.parent / "begun.json").unlink()
    assert studio.json("GET", f"/api/runs/{number}")["status"] == "stopped"
    studio.json("POST", f"/api/runs/{number}/resume")
    assert studio.finished(number)["status"] == "done"
    assert levolve("resume", str(number), store=store).returncode == 0
    whole = levolve("evolve", *SAME_MAZE, "-o", "whole.json", store=store)
    assert whole.returncode == 0, whole.stderr
    assert (store.parent / "begun.json").read_bytes() == (store.parent / "whole.json").read_bytes()
