"""The history of a job as a chart: text for the terminal, or a picture."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from html import escape
from pathlib import Path

from levolve.errors import InputError
from levolve.formats.writing import check_writable
from levolve.runs.jobs import Figures

PNG, SVG = ".png", ".svg"
WIDTH, HEIGHT = 960, 480
LEFT, RIGHT, TOP, BOTTOM = 80, 24, 48, 56
INK, GRID, BEST, MEAN = "#222222", "#dddddd", "#1f6fb4", "#d9822b"
LINES = 4
# Rows and columns of the terminal that the axes, the title and the prompt need.
AXES, MARGIN = 5, 12
LOWEST, HIGHEST = 6, 16
EMPTY, BETWEEN, FILLED = " ", "░", "█"

Curve = list[tuple[float, float]]


def check_plot(path: Path) -> None:
    """Raise an error for a path that no picture can be written to."""
    if path.suffix.lower() not in {PNG, SVG}:
        message = f"--output: expected a file name that ends in {PNG} or {SVG}, got {str(path)!r}"
        raise InputError(message)
    check_writable(path)


def history_text(history: Sequence[Figures], columns: int, rows: int) -> str:
    """Return a chart in characters: the best score so far, and below it the mean of the population, over the steps."""
    first, last = history[0].step, history[-1].step
    width = max(min(columns - MARGIN, last - first + 1), 1)
    height = min(max(rows - AXES, LOWEST), HIGHEST)
    # The last step up to the end of each column.
    steps = [one.step for one in history]
    sample = [history[bisect_right(steps, first + ((place + 1) * (last - first + 1) // width - 1)) - 1] for place in range(width)]
    low, high = _extent(history)
    span = (high - low) or 1.0
    levels = [[_height(value, low, span, height) for value in (one.mean, one.best)] for one in sample]
    lines = []
    for row in range(height, 0, -1):
        label = f"{high:g}" if row == height else f"{low:g}" if row == 1 else f"{low + span * (row - 0.5) / height:.4g}" if row == height // 2 else ""
        cells = "".join(FILLED if mean >= row else BETWEEN if best >= row else EMPTY for mean, best in levels)
        lines.append(f"{label:>9} │{cells}".rstrip())
    gap = max(width - len(str(first)), len(str(last)) + 1)
    lines += [f"{'':>9} └{'─' * width}", f"{'':>11}{first}{last:>{gap}}"]
    means = any(one.mean is not None for one in history)
    return "\n".join([*lines, f"{'':>11}{BETWEEN} best so far{f', {FILLED} mean of the population' if means else ''}, by generation"])


def _height(value: float | None, low: float, span: float, height: int) -> int:
    """The number of filled rows for a value: at least one."""
    if value is None or not math.isfinite(value):
        return 0
    return max(math.ceil((value - low) / span * height), 1)


def _extent(history: Sequence[Figures]) -> tuple[float, float]:
    values = [value for one in history for value in (one.best, one.mean) if value is not None and math.isfinite(value)]
    return (min(values), max(values)) if values else (0.0, 1.0)


def history_picture(history: Sequence[Figures], title: str, path: Path) -> bytes:
    """Return a chart as a picture, in the form that the path's suffix names."""
    low, high = _extent(history)
    span, first = (high - low) or 1.0, history[0].step
    steps = (history[-1].step - first) or 1

    def place(step: float, value: float) -> tuple[float, float]:
        return LEFT + (step - first) / steps * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - (value - low) / span * (HEIGHT - TOP - BOTTOM)

    def curve(values: Sequence[float | None]) -> Curve:
        pairs = zip(history, values, strict=True)
        return [place(one.step, value) for one, value in pairs if value is not None and math.isfinite(value)]

    curves = {MEAN: curve([one.mean for one in history]), BEST: curve([one.best for one in history])}
    ticks = [low + span * number / LINES for number in range(LINES + 1)]
    marks = [(place(first, value)[1], f"{value:.4g}") for value in ticks]
    ends = [(LEFT, str(first)), (WIDTH - RIGHT, str(history[-1].step))]
    draw = _draw_svg if path.suffix.lower() == SVG else _draw_png
    return draw(title, curves, marks, ends)


def _draw_svg(title: str, curves: dict[str, Curve], marks: list[tuple[float, str]], ends: list[tuple[int, str]]) -> bytes:
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="15" fill="{INK}">']
    parts += [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>', f'<text x="{LEFT}" y="28">{escape(title)}</text>']
    for y, label in marks:
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{label}</text>')
    parts += [f'<text x="{x}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{label}</text>' for x, label in ends]
    for colour, curve in curves.items():
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in curve)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    parts += [f'<text x="{x}" y="{HEIGHT - 10}" fill="{colour}">{name}</text>' for x, name, colour in _legend()]
    return "\n".join([*parts, "</svg>\n"]).encode()


def _draw_png(title: str, curves: dict[str, Curve], marks: list[tuple[float, str]], ends: list[tuple[int, str]]) -> bytes:
    from PIL import Image, ImageDraw  # noqa: PLC0415 needed only for pictures

    from levolve.formats.marks import font  # noqa: PLC0415 same
    from levolve.formats.png import picture_bytes  # noqa: PLC0415 same

    picture = Image.new("RGB", (WIDTH, HEIGHT), "#ffffff")
    pen, small = ImageDraw.Draw(picture), font(15)
    pen.text((LEFT, 14), title, fill=INK, font=small)
    for y, label in marks:
        pen.line(((LEFT, y), (WIDTH - RIGHT, y)), fill=GRID)
        pen.text((LEFT - 8, y), label, fill=INK, font=small, anchor="rm")
    for x, label in ends:
        pen.text((x, HEIGHT - BOTTOM + 8), label, fill=INK, font=small, anchor="ma")
    for colour, curve in curves.items():
        if len(curve) > 1:
            pen.line(curve, fill=colour, width=2)
    for x, name, colour in _legend():
        pen.text((x, HEIGHT - 26), name, fill=colour, font=small)
    return picture_bytes(picture)


def _legend() -> list[tuple[int, str, str]]:
    return [(LEFT, "best so far", BEST), (LEFT + 160, "mean of the population", MEAN), (WIDTH // 2 + 120, "by generation", INK)]
