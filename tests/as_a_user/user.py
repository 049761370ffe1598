"""Commands as a user starts them: processes in an empty folder, with pipes or on a terminal."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from dataclasses import dataclass
from pathlib import Path

from cli.processes import COMMAND, SECONDS, read_until

__all__ = ["COMMAND", "SECONDS", "Done", "empty_home", "levolve", "lines_of", "on_terminal"]
COLUMNS, LINES = 80, 24
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])")


@dataclass(frozen=True)
class Done:
    """What a command returned and printed."""

    code: int
    out: str
    err: str


def empty_home(folder: Path) -> dict[str, str]:
    """Return variables by which a user has stored nothing yet. Compiled kernels are shared, as they
    are between the commands of a user.
    """
    return {
        "LEVOLVE_STORE": str(folder.with_name(f"{folder.name}-data") / "runs.sqlite"),
        "MPLBACKEND": "agg",
    }


def levolve(folder: Path, *words: str, typed: str = "") -> Done:
    """Start a command with pipes, and wait for its end."""
    done = subprocess.run(
        [COMMAND, *words],
        cwd=folder,
        env={**os.environ, **empty_home(folder)},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


def on_terminal(folder: Path, *words: str) -> tuple[int, str]:
    """Start a command on a terminal of 80 columns and 24 lines; return its exit code and all that
    was drawn.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"COLUMNS", "LINES", "NO_COLOR"}
    }
    environment |= empty_home(folder) | {"TERM": "xterm-256color"}
    process = subprocess.Popen(
        [COMMAND, *words], cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    try:
        seen = read_until(ours, None).decode()
        return process.wait(SECONDS), seen
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def lines_of(seen: str) -> list[str]:
    """Return the lines that were drawn, as they stood at the end of each, without colours."""
    return [
        line.rsplit("\r", maxsplit=1)[-1]
        for line in ESCAPES.sub("", seen).replace("\r\n", "\n").split("\n")
    ]
