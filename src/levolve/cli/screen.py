"""What the terminal of a stream can show, with the rules that Rich uses; Rich itself takes longer to import than a short command to run."""

import os
import sys
from typing import TextIO

TRUE_COLOURS = 1 << 24


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal, or shall be treated as one (https://force-color.org)."""
    if (stated := os.environ.get("TTY_COMPATIBLE")) in {"0", "1"}:
        return stated == "1"
    if (forced := os.environ.get("FORCE_COLOR")) is not None:
        return forced != ""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        # Not a file, or a closed one.
        return False


def colours(stream: TextIO) -> int:
    """Return the number of colours that a stream shows: none, 16, 256 or `TRUE_COLOURS`."""
    terminal = os.environ.get("TERM", "").strip().lower()
    if not is_terminal(stream) or os.environ.get("NO_COLOR") or terminal in {"dumb", "unknown"} or _is_old_console():
        return 0
    if os.environ.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
        return TRUE_COLOURS
    return 256 if terminal.endswith(("256color", "kitty")) else 16


def _is_old_console() -> bool:
    """Whether this is a console of Windows that does not understand colours as text."""
    if sys.platform != "win32":
        return False
    from rich.console import detect_legacy_windows

    return detect_legacy_windows()


def can_print(characters: str, stream: TextIO) -> bool:
    """Whether the encoding of a stream has these characters."""
    try:
        characters.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def drawn_on(stream: TextIO) -> TextIO:
    """Return the stream that takes colours: the one below those that escape them."""
    below: TextIO = getattr(stream, "rich_proxied_file", stream)
    return below
