"""Pictures and bars on a terminal.

A `TerminalConsole` escapes the text it draws, and writes its own colours and cursor movements to the stream below `PrintableStream`.
"""

from collections.abc import Iterable
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from levolve.printable import only_colours, printable


class TerminalConsole(Console):
    """A console of Rich that escapes control characters in the text it draws."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Return the segments of what is drawn."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def console(file: TextIO | None = None, *, stderr: bool = False, soft_wrap: bool = False) -> TerminalConsole:
    """Return a console on a file, by default on standard output."""
    return TerminalConsole(file=file, stderr=stderr, soft_wrap=soft_wrap, highlight=False, markup=False, emoji=False)


def picture_text(picture: str) -> Text:
    """Return a picture with colours as a text of Rich."""
    return Text.from_ansi(only_colours(picture))
