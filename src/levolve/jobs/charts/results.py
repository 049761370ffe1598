"""The scores of a run as a chart.

A Pareto front as a chart: its levels as points over two objectives, and some of them drawn beside it.

The history of a job as a chart: text for the terminal, or a picture.

A pack as a chart: the difficulty of its levels in order, and one more measure.

An archive as a chart: the heat map of its scores, and how it was filled.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from levolve.core.errors import InputError
from levolve.formats.pictures.drawing import draw_level
from levolve.formats.writing import check_writable
from levolve.jobs.archives.maps import RAMP, flat_map
from levolve.jobs.charts.style import COLOURS, INK, dress, new_figure, words
from levolve.jobs.job import Figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from levolve.jobs.archives.archive import Archive
    from levolve.jobs.packs.pack import Pack
    from levolve.jobs.runs.front import Front
    from levolve.jobs.runs.search_run import History


def history_figure(history: History, title: str) -> Figure:
    """Return the best score so far and the mean score of the population, over the evaluations."""
    figure = new_figure()
    axes = figure.add_subplot()
    axes.plot(history.evaluations, history.best, color=COLOURS[0], linewidth=2, label="best so far")
    axes.plot(history.evaluations, history.mean, color=COLOURS[1], linewidth=1.5, label="mean of the population")
    axes.set_title(title, loc="left", color=INK, pad=12, parse_math=False)
    axes.set_xlabel("evaluations", color=INK)
    axes.set_ylabel("score", color=INK)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.legend(loc="lower right", frameon=False, labelcolor=INK)
    dress(axes)
    return figure


MOST_SHOWN = 4
LEAST_OBJECTIVES = 2


def front_figure(front: Front) -> Figure:
    """Return the first two objectives of a front as axes, and up to four of its levels, evenly spaced along it."""
    names = list(front.values)
    if len(names) < LEAST_OBJECTIVES or not len(front):
        message = f"front: expected two objectives and at least one level to draw, got {len(names)} and {len(front)}"
        raise InputError(message)
    first, second = (front.values[name] for name in names[:2])
    shown = sorted(set(np.linspace(0, len(front) - 1, MOST_SHOWN).round().astype(int).tolist()))
    figure = new_figure(9.5, 4.8)
    grid = figure.add_gridspec(2, 4)
    axes = figure.add_subplot(grid[:, :2])
    axes.plot(first, second, color=COLOURS[0], linewidth=0.8, alpha=0.5)
    axes.scatter(first, second, s=22, color=COLOURS[0], zorder=3)
    axes.set_title(f"Pareto front: {len(front)} levels", loc="left", color=INK, pad=10)
    axes.set_xlabel(words(names[0]), color=INK)
    axes.set_ylabel(words(names[1]), color=INK)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    dress(axes)
    for place, index in enumerate(shown):
        letter = "abcd"[place]
        axes.annotate(letter, (first[index], second[index]), (7, 5), textcoords="offset points", color=COLOURS[1], fontsize=12, weight="bold")
        axes.scatter(first[index], second[index], s=48, color=COLOURS[1], zorder=4)
        panel = figure.add_subplot(grid[place // 2, 2 + place % 2])
        panel.imshow(np.asarray(draw_level(front.levels[index])))
        panel.set_axis_off()
        facts = ", ".join(f"{words(name)} {front.values[name][index]:g}" for name in names)
        panel.set_title(f"{letter}: {facts}", fontsize=8, color=INK, parse_math=False)
    return figure


PNG, SVG = ".png", ".svg"
PLOT_WIDTH, PLOT_HEIGHT = 960, 480
LEFT, RIGHT, TOP, BOTTOM = 80, 24, 48, 56
PLOT_INK, GRID, BEST, MEAN = "#222222", "#dddddd", "#1f6fb4", "#d9822b"
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
        return LEFT + (step - first) / steps * (PLOT_WIDTH - LEFT - RIGHT), PLOT_HEIGHT - BOTTOM - (value - low) / span * (PLOT_HEIGHT - TOP - BOTTOM)

    def curve(values: Sequence[float | None]) -> Curve:
        pairs = zip(history, values, strict=True)
        return [place(one.step, value) for one, value in pairs if value is not None and math.isfinite(value)]

    curves = {MEAN: curve([one.mean for one in history]), BEST: curve([one.best for one in history])}
    ticks = [low + span * number / LINES for number in range(LINES + 1)]
    marks = [(place(first, value)[1], f"{value:.4g}") for value in ticks]
    ends = [(LEFT, str(first)), (PLOT_WIDTH - RIGHT, str(history[-1].step))]
    draw = _draw_svg if path.suffix.lower() == SVG else _draw_png
    return draw(title, curves, marks, ends)


def _draw_svg(title: str, curves: dict[str, Curve], marks: list[tuple[float, str]], ends: list[tuple[int, str]]) -> bytes:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PLOT_WIDTH} {PLOT_HEIGHT}" font-family="sans-serif" font-size="15" fill="{PLOT_INK}">'
    ]
    parts += [f'<rect width="{PLOT_WIDTH}" height="{PLOT_HEIGHT}" fill="#ffffff"/>', f'<text x="{LEFT}" y="28">{escape(title)}</text>']
    for y, label in marks:
        parts.append(f'<line x1="{LEFT}" x2="{PLOT_WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{label}</text>')
    parts += [f'<text x="{x}" y="{PLOT_HEIGHT - BOTTOM + 22}" text-anchor="middle">{label}</text>' for x, label in ends]
    for colour, curve in curves.items():
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in curve)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    parts += [f'<text x="{x}" y="{PLOT_HEIGHT - 10}" fill="{colour}">{name}</text>' for x, name, colour in _legend()]
    return "\n".join([*parts, "</svg>\n"]).encode()


def _draw_png(title: str, curves: dict[str, Curve], marks: list[tuple[float, str]], ends: list[tuple[int, str]]) -> bytes:
    from PIL import Image, ImageDraw

    from levolve.formats.pictures.marks import font
    from levolve.formats.pictures.png import picture_bytes

    picture = Image.new("RGB", (PLOT_WIDTH, PLOT_HEIGHT), "#ffffff")
    pen, small = ImageDraw.Draw(picture), font(15)
    pen.text((LEFT, 14), title, fill=PLOT_INK, font=small)
    for y, label in marks:
        pen.line(((LEFT, y), (PLOT_WIDTH - RIGHT, y)), fill=GRID)
        pen.text((LEFT - 8, y), label, fill=PLOT_INK, font=small, anchor="rm")
    for x, label in ends:
        pen.text((x, PLOT_HEIGHT - BOTTOM + 8), label, fill=PLOT_INK, font=small, anchor="ma")
    for colour, curve in curves.items():
        if len(curve) > 1:
            pen.line(curve, fill=colour, width=2)
    for x, name, colour in _legend():
        pen.text((x, PLOT_HEIGHT - 26), name, fill=colour, font=small)
    return picture_bytes(picture)


def _legend() -> list[tuple[int, str, str]]:
    return [(LEFT, "best so far", BEST), (LEFT + 160, "mean of the population", MEAN), (PLOT_WIDTH // 2 + 120, "by generation", PLOT_INK)]


MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def pack_figure(pack: Pack, measure: str = "difficulty") -> Figure:
    """Return a measure of each level and puzzle of a pack in its order; every recipe has its own colour."""
    kinds = list(dict.fromkeys(member.kind or pack.name for member in pack.members))
    values = [measures.get(measure) for measures in pack.measures]
    if all(value is None for value in values):
        known = sorted({name for measures in pack.measures for name in measures})
        message = f"plot: expected a measure of the pack's levels, one of {', '.join(known)}, got {measure!r}"
        raise InputError(message)
    figure = new_figure()
    axes = figure.add_subplot()
    for number, kind in enumerate(kinds):
        points = [
            (place, value)
            for place, (member, value) in enumerate(zip(pack.members, values, strict=True), 1)
            if (member.kind or pack.name) == kind and value is not None
        ]
        colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number // len(COLOURS) % len(MARKERS)]
        axes.scatter([place for place, _ in points], [value for _, value in points], color=colour, marker=marker, s=36, label=kind)
    axes.set_title(f"{pack.name}: {len(pack.items)} levels in order", loc="left", color=INK, pad=12, parse_math=False)
    axes.set_xlabel("place in the pack", color=INK)
    axes.set_ylabel(words(measure), color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(kinds) > 1:
        for text in axes.legend(frameon=False, labelcolor=INK).get_texts():
            text.set_parse_math(False)
    dress(axes)
    return figure


MAP_WIDTH, MAP_HEIGHT, SHARES, TICKS = 12.0, 5.6, (3, 2), 4


def archive_figure(archive: Archive) -> Figure:
    """Return the scores over the first two axes, beside coverage and QD score over the evaluations."""
    figure = new_figure(MAP_WIDTH, MAP_HEIGHT)
    parts = figure.add_gridspec(2, 2, width_ratios=SHARES)
    _draw_map(figure, figure.add_subplot(parts[:, 0]), archive)
    filling = archive.progress
    for place, (title, values) in enumerate((("coverage", filling.coverage), ("QD score", filling.qd_score))):
        axes = figure.add_subplot(parts[place, 1])
        axes.plot(filling.evaluations, values, color=COLOURS[place], linewidth=2)
        axes.set_title(title, loc="left", color=INK)
        axes.xaxis.set_major_locator(MaxNLocator(TICKS))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}") if place else PercentFormatter(1.0, decimals=0))
        dress(axes)
    axes.set_xlabel("evaluations", color=INK)
    return figure


def _draw_map(figure: Figure, axes: Axes, archive: Archive) -> None:
    """Draw the first axis to the right, the second upwards, and a scale of the scores."""
    grid = archive.grid.axes
    spans = [(axis.low, axis.span(axis.cells - 1)[1]) for axis in grid[:2]]
    right, upper = spans[0], spans[1] if len(spans) > 1 else (0.0, 1.0)
    colours = LinearSegmentedColormap.from_list("scores", RAMP / np.iinfo(np.uint8).max)
    image = axes.imshow(flat_map(archive).T, origin="lower", extent=(*right, *upper), aspect="auto", interpolation="nearest", cmap=colours)
    figure.colorbar(image, ax=axes, label="score", pad=0.02)
    title = f"{archive.recipe.name}: {archive.coverage:.1%} of the cells, QD score {archive.qd_score:,.6g}"
    axes.set_title(title, loc="left", color=INK, parse_math=False)
    axes.set_xlabel(words(grid[0].name), color=INK)
    axes.set_ylabel(words(grid[1].name) if len(grid) > 1 else "", color=INK)
    dress(axes)
    axes.grid(visible=False)
