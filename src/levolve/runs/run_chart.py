"""The scores of a run as a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import StrMethodFormatter

from levolve.runs.charts import COLOURS, INK, dress, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.runs.search_run import History


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
