"""Standard output and standard error of a command: foreign text cannot control the terminal, and
readers may leave. Levels and pictures, with the colours and characters that a terminal supports.

Whatever a command prints passes through `PrintableStream`. Nothing here loads Rich, which takes
longer to import than a short command to run; what a stream can show follows the rules of Rich.
"""

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from levolve.core.safe_text import one_line, only_colours, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from levolve.levels.level import Level

STREAMS = ("stdin", "stdout", "stderr")
OUTPUT, ERROR = 1, 2


class _Descriptor(io.FileIO):
    """Where a standard stream is written. A reader that leaves early, as `head` does, is no error.

    The command goes on: its files and its exit code are the same with any reader. The signal
    SIGPIPE stays ignored, as Python has it: it would also end the process when a worker of a
    cluster closes its connection.

    Any other failure of standard output is raised, once: what remains in a buffer is written again
    when the interpreter exits, and is then discarded. What cannot be written to standard error is
    discarded: nobody can be told.
    """

    def __init__(self, number: int) -> None:
        """Write to the stream of this number."""
        super().__init__(number, "wb", closefd=False)
        self.number = number
        self.useless = False
        self.problem: OSError | None = None

    def write(self, content: Any) -> int:
        """Write as much as the system takes."""
        if not self.useless:
            try:
                return super().write(content)
            except OSError as problem:
                self.useless = True
                if self.number == OUTPUT and not isinstance(problem, BrokenPipeError):
                    self.problem = OSError(problem.errno, f"standard output: {problem.strerror}")
                    raise self.problem from None
        return memoryview(content).nbytes


def open_output() -> list[_Descriptor]:
    """Open standard output and standard error again, so that failures are handled; return both."""
    # Otherwise a file that is opened later would get the number of a closed stream, and be written
    # to. Writing to this one fails, as writing to a closed one does.
    while (descriptor := os.open(os.devnull, os.O_RDONLY)) <= ERROR:
        continue
    os.close(descriptor)
    return [_open(number) for number in (OUTPUT, ERROR)]


def _open(number: int) -> _Descriptor:
    raw, name = _Descriptor(number), STREAMS[number]
    before: io.TextIOWrapper | None = getattr(sys, name)
    if before is None:
        stream = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", "replace", line_buffering=True)
        setattr(sys, name, stream)
    elif sys.platform == "win32" and raw.isatty():
        # A console of Windows is written by functions of its own.
        before.reconfigure(errors="replace")
    else:
        often = before.line_buffering or before.write_through
        stream = io.TextIOWrapper(
            io.BufferedWriter(raw), before.encoding, "replace", line_buffering=often
        )
        setattr(sys, name, stream)
    return raw


class PrintableStream:
    """A text stream that escapes control characters; else like the stream it writes to."""

    def __init__(self, stream: TextIO) -> None:
        """Write to `stream`."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text. `TypeError` for bytes: libraries find out in this way whether a stream
        takes them.
        """
        if not isinstance(text, str):
            raise TypeError(f"expected a text, got {type(text).__name__}")
        self._stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    @property
    def rich_proxied_file(self) -> TextIO:
        """The stream below all others, where Rich writes what it has drawn. Rich puts a stream of
        its own on top of this one while bars are shown.
        """
        below: TextIO = self._stream
        while hasattr(below, "rich_proxied_file"):
            below = below.rich_proxied_file
        return below

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the stream; not `buffer`, which would be a way around this
        class.
        """
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self._stream, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """Escape control characters in everything that is printed to standard output and standard
    error.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (PrintableStream(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


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
    if os.environ.get("NO_COLOR") or not moves_cursor(stream):
        return 0
    if os.environ.get("COLORTERM", "").strip().lower() in {"truecolor", "24bit"}:
        return TRUE_COLOURS
    return 256 if terminal.endswith(("256color", "kitty")) else 16


def moves_cursor(stream: TextIO) -> bool:
    """Whether a stream is a terminal that obeys escape sequences."""
    terminal = os.environ.get("TERM", "").strip().lower()
    return is_terminal(stream) and terminal not in {"dumb", "unknown"} and not _is_old_console()


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


# More numbers than this are printed in two columns, each half a line of 80 characters wide.
ONE_COLUMN = 12
HALF_LINE = 40


def print_level(level: "Level") -> None:
    """Print the picture of a level, in colour if the terminal supports it; a note if the level is
    too wide.
    """
    from levolve.formats.pictures.terminal import terminal_picture

    if not _fits(level):
        return
    if colours(sys.stdout):
        _print_coloured(terminal_picture(level))
    elif can_print("▀▄█▐▌", sys.stdout):
        print(terminal_picture(level, colour=False))
    else:
        print(level.to_text())


def print_field(level: "Level", kind: str) -> None:
    """The field of a level on standard output; a note where it is too wide."""
    from levolve.formats.pictures.level_field import terminal_field

    if _fits(level):
        print_picture(lambda colour: terminal_field(level, kind, colour=colour))


def _fits(level: "Level") -> bool:
    """Whether the terminal is wide enough; a note says so if it is not."""
    columns = shutil.get_terminal_size().columns
    if level.width + 2 > columns:
        print(
            f"(the level is {level.width} tiles wide, this terminal {columns}: write it to a "
            ".png file to see it)"
        )
    return level.width + 2 <= columns


def print_picture(picture: Callable[[bool], str]) -> None:
    """Print a picture. `picture` draws it, with colour if its argument is true."""
    if colours(sys.stdout):
        _print_coloured(picture(True))
    else:
        print(picture(False))


def _print_coloured(picture: str) -> None:
    """Print a picture with colours on standard output. Rich replaces colours that a terminal does
    not have.
    """
    print(terminal_text(picture, sys.stdout), file=drawn_on(sys.stdout))


def terminal_text(picture: str, stream: TextIO) -> str:
    """Return a picture with the colours that a stream has."""
    number = colours(stream)
    if number == TRUE_COLOURS:
        return only_colours(picture)
    if not number:
        return printable(picture)
    from levolve.cli.terminal import console, picture_text

    drawing = console(stream, soft_wrap=True)
    with drawing.capture() as captured:
        drawing.print(picture_text(picture), end="")
    return captured.get()


def level_drawing(file: TextIO) -> "Callable[[Level], str]":
    """What draws a level for a file: in colour on a terminal that has it, as blocks where they can
    be encoded, or as text.
    """
    from levolve.formats.pictures.terminal import terminal_picture

    if colours(file):
        return terminal_picture
    return (
        (lambda level: terminal_picture(level, colour=False))
        if can_print("▀▄█▐▌", file)
        else (lambda level: level.to_text())
    )


def above(picture: Callable[[bool], str], caption: str) -> "Callable[[], RenderableType]":
    """Return a function that draws a picture and a caption, to be shown above the bars of a
    command.
    """

    def view() -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        from levolve.cli.terminal import picture_text

        return Group(
            picture_text(picture(True)), Text(one_line(caption), no_wrap=True, overflow="ellipsis")
        )

    return view


def print_main_measures(measures: Mapping[str, Any], first: Iterable[str], *, every: bool) -> None:
    """Print the measures that say most about a level, with their units, or all of them."""
    from levolve.levels.measures.main_measures import UNITS, main_measures
    from levolve.levels.measures.measure import number_text

    if every:
        print_measures(measures)
        return
    found = main_measures(measures, first)
    for name, value in found.items():
        print(f"  {name.replace('_', ' '):<22} {number_text(value)} {UNITS.get(name, '')}".rstrip())
    if len(found) < len(measures):
        print(f"  {len(measures) - len(found)} more measures with --all")


def print_measures(measures: Mapping[str, Any]) -> None:
    """Print measures, or other facts by name: numbers in two columns if there are many, everything
    else one per line.
    """
    from levolve.levels.measures.measure import number_text

    lines = [
        (
            f"  {one_line(name.replace('_', ' ')):<22} "
            f"{number_text(value) if isinstance(value, int | float) else one_line(value)}"
        )
        for name, value in measures.items()
    ]
    if len(lines) > ONE_COLUMN and all(
        isinstance(value, int | float) for value in measures.values()
    ):
        half = (len(lines) + 1) // 2
        lines = [
            f"{left:<{HALF_LINE}}{right}".rstrip()
            for left, right in zip(lines[:half], [*lines[half:], ""], strict=False)
        ]
    for line in lines:
        print(line)
