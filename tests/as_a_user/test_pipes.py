"""Output that nobody reads, or that cannot be written: what each command does, as a process.

A reader that leaves early changes neither the work nor the exit code, and causes no message. Output
that is lost for another reason is an error of one line.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from cli.processes import COMMAND, SECONDS
from levolve.cli.command_table import COMMANDS

SMALL = ("--size", "8x8", "--seed", "1")
# A call of each command that prints something. Those without one are slow or have a test below.
CALLS: dict[str, tuple[str, ...] | None] = {
    "demo": None,
    "recipes": (),
    "parts": ("--json",),
    "evolve": ("maze", *SMALL, "--generations", "5"),
    "breed": ("maze", *SMALL),
    "pack": ("maze", *SMALL, "--count", "2", "--set", "generations=5", "-o", "new"),
    "furnish": ("level.json", "--things", "treasure=1", "--generations", "2", "--seed", "1"),
    "join": ("pack1", "pack2", "-o", "joined"),
    "compare": ("maze", "maze-barriers", *SMALL, "--runs", "2", "--evaluations", "300"),
    "range": ("maze", *SMALL, "--samples", "2", "--evaluations", "300"),
    "illuminate": ("maze", *SMALL, "--axes", "walls,exit_path", "--evaluations", "300"),
    "meta": ("dungeon-meta", "--size", "6x6", "--population", "4", "--generations", "1"),
    "solve": ("sliding", "8672543_1", "--seed", "1"),
    "make": ("sliding", "--seed", "1"),
    "map": ("spirals", "--size", "20x20", "--seed", "1"),
    "rules": (),
    "fingerprint": ("spirals",),
    "show": ("level.json",),
    "check": ("level.json", "--json"),
    "convert": ("level.json", "level.txt"),
    "play": ("corner.txt", "--moves", "rd"),
    "replay": ("level.json",),
    "resume": ("last", "--store", "runs.sqlite"),
    "studio": None,
    "prepare": None,
    "bench": None,
    "runs": ("--store", "runs.sqlite"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What some commands read: a level, the run that made it, and two packs."""
    folder = tmp_path_factory.mktemp("pipes")
    (folder / "corner.txt").write_text("S.\n#E\n", encoding="utf-8")
    evolve = [
        "evolve",
        "maze",
        *SMALL,
        "--generations",
        "5",
        "-o",
        "level.json",
        "--store",
        "runs.sqlite",
    ]
    packs = [
        [
            "pack",
            "maze",
            "--size",
            "8x8",
            "--count",
            "2",
            "--set",
            "generations=5",
            "--seed",
            seed,
            "-o",
            f"pack{seed}",
        ]
        for seed in "12"
    ]
    for call in (evolve, *packs):
        subprocess.run(
            [COMMAND, *call, "--quiet"],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=SECONDS,
        )
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "copy"))


def unread(
    arguments: list[str], folder: Path, *streams: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command with a reader of these streams that has left already."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            [COMMAND, *arguments],
            cwd=folder,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=writing if "stdout" in streams else subprocess.PIPE,
            stderr=writing if "stderr" in streams else subprocess.PIPE,
            env={**os.environ, **variables},
            timeout=SECONDS,
        )
    finally:
        os.close(writing)


def test_each_command_is_called_here() -> None:
    assert set(CALLS) == set(COMMANDS)


@pytest.mark.parametrize(
    "command", [command for command, call in CALLS.items() if call is not None]
)
def test_a_reader_that_leaves_changes_nothing(command: str, folder: Path) -> None:
    call = CALLS[command] or ()
    left = unread([command, *call], folder, "stdout")
    assert left.returncode == 0
    lines = [
        line
        for line in left.stderr.splitlines()
        if not line.startswith(("written: ", "levolve: compiling kernels"))
    ]
    # breed names its stored session.
    assert [line for line in lines if command != "breed" or "is stored" not in line] == []


@pytest.mark.parametrize(
    "words",
    [[], *([command] for command in ("demo", "evolve", "studio", "prepare", "bench", "runs"))],
)
def test_help_without_a_reader_is_silent(words: list[str], tmp_path: Path) -> None:
    left = unread([*words, "--help"], tmp_path, "stdout")
    assert (left.returncode, left.stderr) == (0, "")


def test_a_first_line_is_all_that_some_readers_take(folder: Path) -> None:
    for call in (
        "parts",
        "--help",
        "show level.json",
        "evolve maze --size 8x8 --generations 5 --json",
    ):
        pipe = f"set -o pipefail; '{COMMAND}' {call} | head -1"
        taken = subprocess.run(
            ["bash", "-c", pipe],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert (taken.returncode, taken.stderr, taken.stdout.count("\n")) == (0, "", 1)


def test_work_goes_on_and_its_files_are_written_when_both_readers_leave(folder: Path) -> None:
    call = ["evolve", "maze", *SMALL, "--generations", "5", "-o", "again.json"]
    assert unread(call, folder, "stdout", "stderr").returncode == 0
    assert (folder / "again.json").read_bytes() == (folder / "level.json").read_bytes()


def test_progress_that_nobody_reads_is_no_error(tmp_path: Path) -> None:
    # Bars are drawn after a second.
    call = [
        "evolve",
        "maze",
        "--size",
        "60x60",
        "--seed",
        "1",
        "--generations",
        "9000",
        "--no-store",
    ]
    left = unread([*call, "--json"], tmp_path, "stderr", TTY_COMPATIBLE="1", COLUMNS="80")
    assert left.returncode == 0
    found = json.loads(left.stdout)
    assert found["recipe"] == "maze"
    assert found["seconds"] > 1


def test_a_studio_goes_on_without_a_reader(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [COMMAND, "studio", "--port", str(port)], cwd=tmp_path, stdout=writing
    )
    os.close(writing)
    try:
        limit = time.monotonic() + SECONDS
        while not _answers(port):
            assert process.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        # The server ends in order, then by the signal itself: 143 in a shell.
        assert process.wait(SECONDS) == -signal.SIGTERM
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize(
    "call",
    [
        "--help",
        "recipes",
        "show level.json",
        "evolve maze --size 8x8 --generations 5",
        "check level.json --json",
    ],
)
def test_output_that_cannot_be_written_is_an_error_of_one_line(call: str, folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        refused = subprocess.run(
            [COMMAND, *call.split()],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    assert refused.returncode == 1
    assert refused.stderr.splitlines()[-1] == "levolve: standard output: No space left on device"
    assert "Traceback" not in refused.stderr


def test_messages_that_cannot_be_written_are_no_error(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        call = ["convert", "level.json", "level.txt"]
        done = subprocess.run(
            [COMMAND, *call],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
            timeout=SECONDS,
        )
    assert done.returncode == 0
    assert (folder / "level.txt").is_file()
