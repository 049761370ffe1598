"""The picture of a run on the terminal: the best level beside the curve of the scores."""

import shutil
import time
from typing import TYPE_CHECKING

from levolve.cli.terminal import picture_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from levolve.evolution.loop import GenerationScored
    from levolve.runs.run import Run

SECONDS_BETWEEN = 0.15
# Lines of the terminal that the bar and the prompt need.
OTHER_LINES = 4
LEAST_CURVE, MOST_CURVE = 24, 72
CURVE_LINES = 12
MOST_POINTS = 2000


class LivePicture:
    """Keeps the points of a run and a picture of its best level; `draw` is called by the display, in a thread of its own."""

    def __init__(self, run: "Run") -> None:
        """Start without a picture."""
        from levolve.runs.curve import Curve

        self._run = run
        self._curve: Curve[tuple[int, float, float]] = Curve(MOST_POINTS)
        self._level = ""
        self._width = 0
        self._fresh = False
        self._drawn = 0.0

    def note(self, event: "GenerationScored") -> None:
        """Add a generation; the level is drawn again if it has improved, at most a few times per second."""
        from levolve.formats.terminal import terminal_picture

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

        from levolve.formats.terminal_curve import terminal_curve

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
