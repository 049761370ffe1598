"""Progress of a command: a bar after one second, and a note while kernels are compiled.

Everything is written to standard error. Bars are shown only on a terminal; --quiet turns all of it
off. Rich is loaded with the first bar: many commands end before that.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Self

from levolve.cli.output import is_terminal
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import TaskID

    from levolve.cli.terminal import LiveBars, TerminalConsole

SHOW_AFTER_SECONDS = 1.0
SLOW = 10
PREPARING = "compiling kernels, first run only"


class Report:
    """Progress of one command. A context manager, which removes every bar on exit."""

    def __init__(self, *, quiet: bool) -> None:
        """Start without a bar."""
        self.quiet = quiet
        # Rich's console on standard error, once there is a bar.
        self.console: TerminalConsole | None = None
        self._bars = not quiet and is_terminal(sys.stderr)
        self._began = time.monotonic()
        self._progress: LiveBars | None = None
        # Held while the live display is made, because bars are shown by timers, too.
        self._making = RLock()
        # An optional picture above the bars.
        self.above: Callable[[], RenderableType] | None = None

    def __enter__(self) -> Self:
        """Return this report."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bars."""
        if self._progress is not None:
            self._progress.stop()

    @property
    def draws(self) -> bool:
        """Whether bars and pictures are shown."""
        return self._bars

    def keep(self) -> None:
        """Leave the picture and the bars on the terminal when the command ends."""
        if self._progress is not None:
            self._progress.live.transient = False

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bars while standard output is written."""
        if self._progress is not None:
            self._progress.stop()
        yield
        if self._progress is not None:
            self._progress.start()

    def say(self, text: str) -> None:
        """Print one line."""
        if self.quiet:
            return
        if self.console is None:
            print(one_line(text), file=sys.stderr)
        else:
            self.console.print(one_line(text), soft_wrap=True)

    def live(self) -> "LiveBars":
        """Return the live display that all bars share."""
        with self._making:
            if self._progress is None:
                from levolve.cli.terminal import LiveBars, console

                self.console = self.console or console(stderr=True)
                self._progress = LiveBars(self.console)
                self._progress.start()
        self._progress.above = self.above
        return self._progress

    @contextmanager
    def bar(self, description: str, total: int, unit: str = "") -> Iterator["Bar"]:
        """Show a bar of `total` steps, once the command has taken a second; a `unit` stands after
        their number, in place of the rate.
        """
        bar = Bar(self if self._bars else None, description, total, unit)
        try:
            yield bar
        finally:
            bar.close()

    @contextmanager
    def waiting(self, description: str) -> Iterator[None]:
        """Show a bar without a known end, once the command has taken a second."""
        tasks: list[TaskID] = []
        timer = Timer(
            SHOW_AFTER_SECONDS,
            lambda: tasks.append(self.live().add_task(one_line(description), total=None, rate="")),
        )
        if self._bars:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            for task in tasks:
                self.live().remove_task(task)

    def due(self) -> bool:
        """Whether the command has taken long enough to show a bar."""
        return self.seconds_until_due() == 0

    def seconds_until_due(self) -> float:
        """The seconds until the command has taken long enough to show a bar."""
        return max(self._began + SHOW_AFTER_SECONDS - time.monotonic(), 0.0)

    @contextmanager
    def watching_kernels(self) -> Iterator[None]:
        """Show a note while kernels are compiled, which happens only on the first run."""
        if self.quiet:
            yield
            return
        from levolve.kernels.compiler import watching_compiler

        listener = _Preparing(self, bars=self._bars)
        with watching_compiler(listener.on_event):
            yield
        listener.close()


def _preparing() -> str:
    from levolve.kernels.compiler import CACHE_FOLDER

    return (
        PREPARING
        if CACHE_FOLDER
        else "compiling kernels on every run, because no cache folder can be used"
    )


class _Preparing:
    """Shows that kernels are being compiled."""

    def __init__(self, report: Report, *, bars: bool) -> None:
        self.report = report
        self.bars = bars
        self.shown = False
        self.under_way = self.ready = 0
        self.task: TaskID | None = None

    def on_event(self, started: bool, name: str) -> None:
        if started and not self.shown:
            self.shown = True
            if self.bars:
                self.task = self.report.live().add_task(_preparing(), total=None, rate="")
            else:
                self.report.say(f"levolve: {_preparing()} …")
        self.under_way += 1 if started else -1
        self.ready += not started
        if self.task is not None:
            # Visible only during a compilation, to leave room for the other bars.
            self.report.live().update(
                self.task, completed=self.ready, rate=name, visible=self.under_way > 0
            )

    def close(self) -> None:
        if self.task is not None:
            self.report.live().remove_task(self.task)


class Bar:
    """Progress towards a known end, with rate and time left. It is shown once the command has taken
    a second, before the first step too.
    """

    def __init__(self, report: Report | None, description: str, total: int, unit: str = "") -> None:
        """Start at 0, not yet shown."""
        self.report = report
        self.description = description
        self.total = total
        self.unit = unit
        self.remark = ""
        self.done = 0
        self._began = time.monotonic()
        self._task: TaskID | None = None
        self._closed = False
        self._drawing = RLock()
        if report is not None:
            self._timer = Timer(report.seconds_until_due(), self._draw)
            self._timer.daemon = True
            self._timer.start()

    def advance(self, remark: str = "") -> None:
        """Count one more step."""
        self.reach(self.done + 1, remark)

    def reach(self, done: int, remark: str = "") -> None:
        """Set the number of finished steps."""
        self.done, self.remark = done, remark
        if self.report is not None and self.report.due():
            self._draw()

    def _draw(self) -> None:
        """Show the bar, or what has changed on it."""
        with self._drawing:
            if self.report is None or self._closed:
                return
            live = self.report.live()
            if self._task is None:
                self._task = live.add_task(one_line(self.description), total=self.total, rate="")
            rate = self.done / max(time.monotonic() - self._began, 1e-9)
            parts = [self.unit or f"{rate:,.{0 if rate >= SLOW else 1}f}/s", self.remark]
            text = (", " if self.unit else " ").join(filter(None, parts))
            live.update(self._task, completed=self.done, total=self.total, rate=one_line(text))

    def close(self) -> None:
        """Remove the bar."""
        if self.report is None:
            return
        self._timer.cancel()
        with self._drawing:
            self._closed = True
            if self._task is not None:
                self.report.live().remove_task(self._task)
