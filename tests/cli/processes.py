"""The real command in a process of its own: it answers an interruption as usual, and is never
waited for without a limit.
"""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

COMMAND = str(Path(sys.executable).parent / "levolve")

# Enough for a slow machine to compile every kernel first.
SECONDS = 600

# Who runs the tests may ignore interruptions, as a shell does for what it runs in the background,
# and a process inherits that.
ANSWERING = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], "
    "sys.argv[1:])"
)


def interrupted(arguments: list[str], words: bytes, folder: Path) -> tuple[int, bytes]:
    """Run `levolve` on a terminal, interrupt it when it has printed `words`; its exit code and all
    that it printed there.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", ANSWERING, COMMAND, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(theirs)
    try:
        seen = read_until(ours, words)
        process.send_signal(signal.SIGINT)
        seen += read_until(ours, None)
        return process.wait(SECONDS), seen
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(terminal: int, words: bytes | None) -> bytes:
    """What is printed up to `words`, or all of it up to the end of the process."""
    seen = b""
    limit = time.monotonic() + SECONDS
    while words is None or words not in seen:
        if not select.select([terminal], [], [], max(limit - time.monotonic(), 0))[0]:
            message = (
                f"expected {words!r} (None: the end of the process) within {SECONDS} seconds, "
                f"got {seen[-1000:]!r}"
            )
            raise TimeoutError(message)
        try:
            chunk = os.read(terminal, 4096)
        except OSError:
            chunk = b""  # nobody has the other end open any more: the process has ended
        if not chunk:
            break
        seen += chunk
    return seen
