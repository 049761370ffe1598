"""A comparison as a picture: the best score so far against evaluations, with the median of the runs as a line and their quartiles as a band."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from levolve.runs.charts import COLOURS, INK, STROKES, dress, new_figure, png_of
from levolve.studies.comparison import Comparison
from levolve.version import VERSION

LONGEST_NAME = 28


def comparison_picture(comparison: Comparison) -> bytes:
    """A PNG of the comparison. It carries recipes and seed, and nothing that would differ the next time."""
    origin = {"seed": comparison.seed, "version": VERSION, "recipes": [entrant.recipe.to_data() for entrant in comparison.entrants]}
    return png_of(comparison_figure(comparison), "levolve comparison", origin)


def comparison_figure(comparison: Comparison) -> Figure:
    """The best score so far against evaluations."""
    figure = new_figure()
    axes = figure.add_subplot()
    for place, entrant in enumerate(comparison.entrants):
        colour, stroke = COLOURS[place % len(COLOURS)], STROKES[place // len(COLOURS) % len(STROKES)]
        low, median, high = entrant.quartile_curves
        axes.fill_between(comparison.grid, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(comparison.grid, median, color=colour, linestyle=stroke, linewidth=2, label=f"{entrant.median:g}  {_shortened(entrant.name)}")
    _label(axes, comparison)
    legend = figure.legend(loc="outside right upper", frameon=False, labelcolor=INK, title="median at the end", alignment="left")
    legend.get_title().set_color(INK)
    for text in legend.get_texts():
        # A dollar sign in a name is no formula.
        text.set_parse_math(False)
    return figure


def _label(axes: Axes, comparison: Comparison) -> None:
    """Title and axes."""
    kind = str(comparison.problem["objective"]["kind"]).replace("_", " ")
    title = f"{kind}, {comparison.problem['size']}: best so far, median and quartiles of {comparison.runs} runs"
    axes.set_title(title, loc="left", color=INK, pad=12)
    axes.set_xlabel("evaluations", color=INK)
    axes.set_ylabel(f"best score so far ({kind})", color=INK)
    axes.set_xlim(0, comparison.evaluations)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    scores = np.concatenate([entrant.quartile_curves for entrant in comparison.entrants])
    if np.nanmin(scores) == np.nanmax(scores):
        axes.margins(y=0.5)
    dress(axes)


def _shortened(name: str) -> str:
    """A long name with its middle left out: the ends are what tells names apart."""
    if len(name) <= LONGEST_NAME:
        return name
    half = (LONGEST_NAME - 1) // 2
    return f"{name[:half]}…{name[-half:]}"
