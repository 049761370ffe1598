"""How long commands take to start: the help, a command with compiled kernels, and the first command on a new machine."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from levolve.bench.figures import Effort, Figure
from levolve.errors import LevolveError
from levolve.kernels.compiler import VARIABLE

SUBJECT = "startup"
EVOLVE = ("evolve", "maze", "--seed", "1", "--quiet", "--no-store")
SOLVE = ("solve", "sliding", "8672543_1", "--seed", "1", "--quiet", "--no-store")
LONGEST = 600


def measure(effort: Effort) -> Iterator[Figure]:
    """Time whole processes, in time that passes. The first ones get an empty folder for compiled kernels."""
    yield Figure(SUBJECT, "levolve --help", min(command_seconds(("--help",)) for _ in range(3)), "s", note="best of 3")
    with tempfile.TemporaryDirectory(prefix="levolve-bench-", ignore_cleanup_errors=True) as folder:
        for name, command in (("evolve maze", EVOLVE), ("solve sliding", SOLVE)):
            if effort.quick and command is SOLVE:
                continue
            first = command_seconds(command, folder)
            yield Figure(SUBJECT, f"{name}, first run", first, "s", note="compiles its kernels")
            again = min(command_seconds(command, folder) for _ in range(3))
            yield Figure(SUBJECT, f"{name}, second run", again, "s", note="best of 3")


def command_seconds(arguments: tuple[str, ...], cache: str | None = None) -> float:
    """Return the seconds that pass while a command runs in a process of its own."""
    environment = {**os.environ, **({} if cache is None else {VARIABLE: cache})}
    began = time.perf_counter()
    finished = subprocess.run(  # noqa: S603 our own command
        [sys.executable, "-m", "levolve", *arguments], env=environment, capture_output=True, text=True, timeout=LONGEST, check=False
    )
    if finished.returncode:
        message = f"benchmark: 'levolve {' '.join(arguments)}' failed: {finished.stderr.strip()}"
        raise LevolveError(message)
    return time.perf_counter() - began
