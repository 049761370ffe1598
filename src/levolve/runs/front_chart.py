"""A Pareto front as a chart: its levels as points over two objectives, and some of them drawn beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator

from levolve.errors import InputError
from levolve.formats.drawing import draw_level
from levolve.runs.charts import COLOURS, INK, dress, new_figure, words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.runs.front import Front

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
