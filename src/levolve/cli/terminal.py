"""Pictures and bars on a terminal.

A `TerminalConsole` escapes the text it draws, and writes its own colours and cursor movements to
the stream below `PrintableStream`.

Bars on a terminal: Rich's, loaded when the first one is shown.

The picture of a run on the terminal: the best level beside the curve of the scores.
"""

import shutil
import sys
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.text import Text

from levolve.cli.output import PrintableStream
from levolve.core.safe_text import only_colours, printable

if TYPE_CHECKING:
    from levolve.jobs.runs.run import Run
    from levolve.search.loop import GenerationScored


class TerminalConsole(Console):
    """A console of Rich that escapes control characters in the text it draws."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Return the segments of what is drawn."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def console(
    file: TextIO | None = None, *, stderr: bool = False, soft_wrap: bool = False
) -> TerminalConsole:
    """Return a console on a file, by default on standard output."""
    return TerminalConsole(
        file=file, stderr=stderr, soft_wrap=soft_wrap, highlight=False, markup=False, emoji=False
    )


def picture_text(picture: str) -> Text:
    """Return a picture with colours as a text of Rich."""
    return Text.from_ansi(only_colours(picture))


class LiveBars(Progress):
    """Bars, with an optional picture above them."""

    above: Callable[[], RenderableType] | None = None

    def __init__(self, console: TerminalConsole) -> None:
        """Draw on a console."""
        super().__init__(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )

    def start(self) -> None:
        """Show the bars. Rich now prints above them what is written to standard output and standard
        error; escape that first.
        """
        super().start()
        sys.stdout, sys.stderr = (
            stream if isinstance(stream, PrintableStream) else PrintableStream(stream)
            for stream in (sys.stdout, sys.stderr)
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return the picture above, then the bars."""
        if self.above is not None:
            yield self.above()
        yield from super().get_renderables()


SECONDS_BETWEEN = 0.15
# Lines of the terminal that the bar and the prompt need.
OTHER_LINES = 4
LEAST_CURVE, MOST_CURVE = 24, 72
CURVE_LINES = 12
MOST_POINTS = 2000


class LivePicture:
    """Keeps the points of a run and a picture of its best level; `draw` is called by the display,
    in a thread of its own.
    """

    def __init__(self, run: "Run") -> None:
        """Start without a picture."""
        from levolve.jobs.runs.history import Curve

        self._run = run
        self._curve: Curve[tuple[int, float, float]] = Curve(MOST_POINTS)
        self._level = ""
        self._width = 0
        self._fresh = False
        self._drawn = 0.0

    def note(self, event: "GenerationScored") -> None:
        """Add a generation; the level is drawn again if it has improved, at most a few times per
        second.
        """
        from levolve.formats.pictures.terminal import terminal_picture

        self._curve.add(event.generation, (event.generation, event.best, event.mean))
        self._fresh |= event.improved
        now = time.monotonic()
        if not self._fresh or now - self._drawn < SECONDS_BETWEEN:
            return
        self._fresh, self._drawn = False, now
        level = self._run.best_so_far
        columns, lines = shutil.get_terminal_size()
        fits = level.width < columns and (level.height + 1) // 2 + OTHER_LINES <= lines
        self._width = level.width if fits else 0
        self._level = terminal_picture(level) if fits else ""

    def draw(self) -> "RenderableType":
        """Return the level and the curve, side by side."""
        from rich.table import Table

        from levolve.formats.pictures.terminal import terminal_curve

        columns, lines = shutil.get_terminal_size()
        left = columns - self._width - 3
        parts = [picture_text(self._level)] if self._level else []
        points = self._curve.points
        if left >= LEAST_CURVE and points:
            height = max(min(CURVE_LINES, lines - OTHER_LINES), 4)
            parts.append(picture_text(terminal_curve(points, min(left, MOST_CURVE), height)))
        grid = Table.grid(padding=(0, 2))
        grid.add_row(*parts)
        return grid
