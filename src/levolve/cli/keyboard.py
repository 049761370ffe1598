"""Single keys of a terminal, and a screen of its own that leaves the terminal as it was.

A key is a character, or one of the names up, down, left, right and resize, which stands for a
terminal that has another size now.
"""

import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

# The ends of what terminals send for arrows: after ESC [ or ESC O, and on Windows after a first
# character of their own.
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_WINDOWS = {"H": "up", "P": "down", "M": "right", "K": "left"}
_FIRST = ("\x00", "\xe0")
ESCAPE, BACKSPACE, END = "\x1b", "\x7f", "\x04"
RESIZE = "resize"
# How long the rest of an escape sequence may take.
REST_SECONDS = 0.05
# Another screen, without a cursor and without line breaks at its edge; and back.
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"


@contextmanager
def full_screen(out: TextIO) -> Iterator[None]:
    """Show another screen, on which nothing is echoed, until the end."""
    with _single_keys():
        try:
            out.write(ENTER)
            out.flush()
            yield
        finally:
            out.write(LEAVE)
            out.flush()


@contextmanager
def _single_keys() -> Iterator[None]:
    """Let the terminal pass on every key at once. Ctrl-C still interrupts."""
    if sys.platform == "win32":
        yield
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        # Keys that were pressed before are kept.
        tty.setcbreak(terminal, termios.TCSADRAIN)
        changed = termios.tcgetattr(terminal)
        # Ctrl-Z would stop the process and leave its screen on the terminal.
        changed[6][termios.VSUSP] = os.fpathconf(terminal, "PC_VDISABLE").to_bytes(1, "little")
        termios.tcsetattr(terminal, termios.TCSADRAIN, changed)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def keys() -> Iterator[list[str]]:
    """Yield the keys that are pressed, those that arrive together at once, until the terminal is
    closed.
    """
    return _windows_keys() if sys.platform == "win32" else _posix_keys()


def _posix_keys() -> Iterator[list[str]]:
    terminal = sys.stdin.fileno()
    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def note(*_: object) -> None:
        # A full pipe says it already.
        with suppress(BlockingIOError):
            os.write(writer, b"r")

    before = signal.signal(signal.SIGWINCH, note)
    waiting = b""
    try:
        while True:
            ready = select.select([terminal, reader], [], [])[0]
            if reader in ready:
                os.read(reader, 512)
                yield [RESIZE]
            if terminal not in ready:
                continue
            chunk = _read(terminal)
            if not chunk:
                return
            waiting += chunk
            while waiting in {b"\x1b", b"\x1b[", b"\x1bO"} and _follows(terminal):
                waiting += _read(terminal)
            yield list(split_keys(waiting.decode("utf-8", "replace")))
            waiting = b""
    finally:
        signal.signal(signal.SIGWINCH, before)
        os.close(reader)
        os.close(writer)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1024)
    except OSError:
        # The terminal was closed.
        return b""


def _follows(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], REST_SECONDS)[0])


def split_keys(text: str) -> Iterator[str]:
    """Yield the keys that a terminal has sent. Escape sequences other than arrows are left out."""
    place = 0
    while place < len(text):
        if text[place] == ESCAPE and text[place + 1 : place + 2] in {"[", "O"}:
            end = place + 2
            while end < len(text) and not "@" <= text[end] <= "~":
                end += 1
            if text[end : end + 1] in _ARROWS:
                yield _ARROWS[text[end]]
            place = end + 1
        else:
            yield text[place]
            place += 1


def _windows_keys() -> Iterator[list[str]]:
    import msvcrt

    console: Any = msvcrt
    while True:
        key = console.getwch()
        if key == "\x03":
            raise KeyboardInterrupt
        yield [_WINDOWS.get(console.getwch(), "") if key in _FIRST else key]
