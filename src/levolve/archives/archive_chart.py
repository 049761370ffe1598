"""An archive as a chart: the heat map of its scores, and how it was filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from levolve.archives.heat_map import RAMP, flat_map
from levolve.runs.charts import COLOURS, INK, dress, new_figure, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from levolve.archives.archive import Archive

WIDTH, HEIGHT, SHARES, TICKS = 12.0, 5.6, (3, 2), 4


def archive_figure(archive: Archive) -> Figure:
    """Return the scores over the first two axes, beside coverage and QD score over the evaluations."""
    figure = new_figure(WIDTH, HEIGHT)
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
