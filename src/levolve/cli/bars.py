"""Bars on a terminal: Rich's, loaded when the first one is shown."""

import sys
from collections.abc import Callable, Iterable

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from levolve.cli.output import PrintableStream
from levolve.cli.terminal import TerminalConsole


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
        """Show the bars. Rich now prints above them what is written to standard output and standard error; escape that first."""
        super().start()
        sys.stdout, sys.stderr = (stream if isinstance(stream, PrintableStream) else PrintableStream(stream) for stream in (sys.stdout, sys.stderr))

    def get_renderables(self) -> Iterable[RenderableType]:
        """Return the picture above, then the bars."""
        if self.above is not None:
            yield self.above()
        yield from super().get_renderables()
