"""The history of a job as a chart: text for the terminal, or a picture. Needs no extra."""

from __future__ import annotations

import math
from bisect import bisect_right
from html import escape
from typing import TYPE_CHECKING

from levolve.core.errors import InputError
from levolve.formats.writing import check_writable
from levolve.jobs.charts.style import COLOURS, FAINT, INK, WHITE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from levolve.jobs.job import Figures

PNG, SVG = ".png", ".svg"
WIDTH, HEIGHT = 960, 480
LEFT, RIGHT, TOP, BOTTOM = 80, 24, 48, 56
BEST, MEAN = COLOURS[:2]
LINES = 4
# Rows and columns of the terminal that the axes, the title and the prompt need.
AXES, MARGIN = 5, 12
LOWEST, HIGHEST = 6, 16
EMPTY, BETWEEN, FILLED = " ", "░", "█"

# Points, colour and width of a line; place, text, colour and anchor of a text, as Pillow writes it.
Line = tuple[list[tuple[float, float]], str, int]
Text = tuple[tuple[float, float], str, str, str]
ANCHORS = {"ls": "start", "ms": "middle", "rs": "end"}


def check_plot(path: Path, option: str = "--output") -> None:
    """Raise an error for a path that no picture can be written to."""
    if path.suffix.lower() not in {PNG, SVG}:
        raise InputError(
            f"{option}: expected a file name that ends in {PNG} or {SVG}, got {str(path)!r}"
        )
    check_writable(path)


def history_text(history: Sequence[Figures], columns: int, rows: int) -> str:
    """Return a chart in characters: the best score so far, and below it the mean of the population,
    over the steps.
    """
    first, last = history[0].step, history[-1].step
    width = max(min(columns - MARGIN, last - first + 1), 1)
    height = min(max(rows - AXES, LOWEST), HIGHEST)
    # The last step up to the end of each column.
    steps = [one.step for one in history]
    sample = [
        history[bisect_right(steps, first + ((place + 1) * (last - first + 1) // width - 1)) - 1]
        for place in range(width)
    ]
    low, high = _extent(history)
    span = (high - low) or 1.0
    levels = [
        [_height(value, low, span, height) for value in (one.mean, one.best)] for one in sample
    ]
    lines = []
    for row in range(height, 0, -1):
        label = (
            f"{high:g}"
            if row == height
            else f"{low:g}"
            if row == 1
            else f"{low + span * (row - 0.5) / height:.4g}"
            if row == height // 2
            else ""
        )
        cells = "".join(
            FILLED if mean >= row else BETWEEN if best >= row else EMPTY for mean, best in levels
        )
        lines.append(f"{label:>9} │{cells}".rstrip())
    gap = max(width - len(str(first)), len(str(last)) + 1)
    lines += [f"{'':>9} └{'─' * width}", f"{'':>11}{first}{last:>{gap}}"]
    means = any(one.mean is not None for one in history)
    return "\n".join(
        [
            *lines,
            (
                f"{'':>11}{BETWEEN} best so "
                f"far{f', {FILLED} mean of the population' if means else ''}, by generation"
            ),
        ]
    )


def _height(value: float | None, low: float, span: float, height: int) -> int:
    """The number of filled rows for a value: at least one."""
    if value is None or not math.isfinite(value):
        return 0
    return max(math.ceil((value - low) / span * height), 1)


def _extent(history: Sequence[Figures]) -> tuple[float, float]:
    values = [
        value
        for one in history
        for value in (one.best, one.mean)
        if value is not None and math.isfinite(value)
    ]
    return (min(values), max(values)) if values else (0.0, 1.0)


NAMES = ("best so far", "mean of the population")


def history_picture(
    history: Sequence[Figures], title: str, path: Path, names: tuple[str, ...] = NAMES
) -> bytes:
    """Return a chart as a picture, in the form that the path's suffix names. `names` are those of
    the lines; one name stands for histories without a mean.
    """
    low, high = _extent(history)
    span, first, last = (high - low) or 1.0, history[0].step, history[-1].step

    def place(step: float, value: float) -> tuple[float, float]:
        right, up = (step - first) / ((last - first) or 1), (value - low) / span
        return LEFT + right * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    lines: list[Line] = []
    texts: list[Text] = [((LEFT, 28), title, INK, "ls")]
    for value in (low + span * number / LINES for number in range(LINES + 1)):
        x, y = place(first, value)
        lines.append(([(x, y), (WIDTH - RIGHT, y)], FAINT, 1))
        texts.append(((x - 8, y + 5), f"{value:.4g}", INK, "rs"))
    for colour, values in (
        (MEAN, [one.mean for one in history]),
        (BEST, [one.best for one in history]),
    ):
        pairs = zip(history, values, strict=True)
        points = [place(one.step, y) for one, y in pairs if y is not None and math.isfinite(y)]
        lines.append((points, colour, 2))
    texts += [
        ((x, HEIGHT - BOTTOM + 22), str(step), INK, "ms")
        for x, step in ((LEFT, first), (WIDTH - RIGHT, last))
    ]
    known = (
        *zip((LEFT, LEFT + 160), names, (BEST, MEAN), strict=False),
        (WIDTH // 2 + 120, "by generation", INK),
    )
    texts += [((x, HEIGHT - 10), name, colour, "ls") for x, name, colour in known]
    return (_svg if path.suffix.lower() == SVG else _png)(lines, texts)


def _svg(lines: Sequence[Line], texts: Sequence[Text]) -> bytes:
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="sans-serif" font-size="15">'
        )
    ]
    parts.append(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{WHITE}"/>')
    for points, colour, width in lines:
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        )
    for (x, y), text, colour, anchor in texts:
        look = f'fill="{colour}" text-anchor="{ANCHORS[anchor]}"'
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>')
    return "\n".join([*parts, "</svg>\n"]).encode()


def _png(lines: Sequence[Line], texts: Sequence[Text]) -> bytes:
    from PIL import Image, ImageDraw

    from levolve.formats.pictures.marks import font
    from levolve.formats.pictures.png import picture_bytes

    picture = Image.new("RGB", (WIDTH, HEIGHT), WHITE)
    pen = ImageDraw.Draw(picture)
    for points, colour, width in lines:
        if len(points) > 1:
            pen.line(points, fill=colour, width=width)
    for place, text, colour, anchor in texts:
        pen.text(place, text, fill=colour, font=font(15), anchor=anchor)
    return picture_bytes(picture)
