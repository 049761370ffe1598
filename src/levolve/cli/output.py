"""Standard output and standard error of a command: foreign text cannot control the terminal.

Whatever a command prints passes through `PrintableStream`. Nothing here loads Rich, which takes longer to import than a short command to run.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from levolve.printable import printable


class PrintableStream:
    """A text stream that escapes control characters; else like the stream it writes to."""

    def __init__(self, stream: TextIO) -> None:
        """Write to `stream`."""
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text. `TypeError` for bytes: libraries find out in this way whether a stream takes them."""
        if not isinstance(text, str):
            message = f"expected a text, got {type(text).__name__}"
            raise TypeError(message)
        self._stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    @property
    def rich_proxied_file(self) -> TextIO:
        """The stream below all others, where Rich writes what it has drawn. Rich puts a stream of its own on top of this one while bars are shown."""
        below: TextIO = self._stream
        while hasattr(below, "rich_proxied_file"):
            below = below.rich_proxied_file
        return below

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 any attribute of the stream
        """Return an attribute of the stream; not `buffer`, which would be a way around this class."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self._stream, name)


@contextmanager
def printable_output() -> Iterator[None]:
    """Escape control characters in everything that is printed to standard output and standard error."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (PrintableStream(stream) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
