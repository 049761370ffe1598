"""The real command in a process of its own: it answers an interruption as usual, and is never
waited for without a limit.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path
from typing import Self

COMMAND = str(Path(sys.executable).parent / "levolve")

# Enough for a slow machine to compile every kernel first.
SECONDS = 600

# Who runs the tests may ignore interruptions, as a shell does for what it runs in the background,
# and a process inherits that.
ANSWERING = (
    "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], "
    "sys.argv[1:])"
)
# The same on a terminal that controls the process, so that Ctrl-C interrupts it.
CONTROLLED = f"import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); {ANSWERING}"


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


class Terminal:
    """A real pseudo-terminal of 80x24 with the command in it, which it controls."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        plain = {
            name: value
            for name, value in os.environ.items()
            if name not in {"COLUMNS", "LINES", "NO_COLOR"}
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONTROLLED, COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**plain, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        os.close(theirs)
        self._terminal = ours
        self.seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(60)
        os.close(self._terminal)

    def until(self, pattern: str, seconds: float = SECONDS) -> str:
        """What the terminal shows until a pattern is there."""
        shown, limit = b"", time.monotonic() + seconds
        while not re.search(pattern, shown.decode(errors="replace")) and time.monotonic() < limit:
            if select.select([self._terminal], [], [], 1)[0]:
                shown += os.read(self._terminal, 65536)
        text = shown.decode(errors="replace")
        assert re.search(pattern, text), text
        return text

    def press(self, keys: str, pattern: str) -> str:
        """What the terminal shows after some keys, until a pattern is there."""
        os.write(self._terminal, keys.encode())
        return self.until(pattern, 60)

    def resize(self, columns: int, lines: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def echoes(self) -> bool:
        """Whether the terminal shows what is typed and passes it on line by line."""
        flags: int = termios.tcgetattr(self._terminal)[3]
        return flags & termios.ECHO != 0 and flags & termios.ICANON != 0

    def type(self, line: str) -> str:
        """What the terminal shows after a line, up to the next prompt."""
        os.write(self._terminal, f"{line}\n".encode())
        return self.until(r"\n> $").split("\n", 1)[1]

    def interrupt(self) -> int:
        """Interrupt the command until it ends; the exit code. An interrupt is lost if it comes
        between the prompt and the wait for a line.
        """
        ended = threading.Event()

        def send() -> None:
            self.process.send_signal(signal.SIGINT)
            while not ended.wait(5):
                self.process.send_signal(signal.SIGINT)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            return self.end(b"")
        finally:
            ended.set()
            sender.join()

    def end(self, key: bytes) -> int:
        """Press a last key; the exit code."""
        os.write(self._terminal, key)
        self.seen += read_until(self._terminal, None).decode(errors="replace")
        return self.process.wait(60)
