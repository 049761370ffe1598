"""A comparison as a picture: the best score so far against evaluations, with the median of the runs as a line and their quartiles as a band."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from levolve.runs.charts import COLOURS, HEIGHT, INK, STROKES, dress, new_figure, png_of, words
from levolve.studies.comparison import SCORE, Comparison
from levolve.version import ENGINE, VERSION

LONGEST_NAME = 28


def comparison_picture(comparison: Comparison) -> bytes:
    """A PNG of the comparison. It carries recipes and seed, and nothing that would differ the next time."""
    recipes = [entrant.recipe.to_data() for entrant in comparison.entrants]
    origin = {"seed": comparison.seed, "version": VERSION, "engine": ENGINE, "recipes": recipes}
    return png_of(comparison_figure(comparison), "levolve comparison", origin)


def comparison_figure(comparison: Comparison) -> Figure:
    """The best score so far against evaluations, one panel per figure that is compared."""
    panels = comparison.panels
    figure = new_figure(height=HEIGHT * len(panels))
    # Every panel has the colours of the first one, whose order is that of the legend.
    looks = {
        entrant.name: (COLOURS[place % len(COLOURS)], STROKES[place // len(COLOURS) % len(STROKES)])
        for place, entrant in enumerate(comparison.entrants)
    }
    for axes, panel in zip(np.ravel(figure.subplots(len(panels))), panels, strict=True):
        for entrant in panel.entrants:
            colour, stroke = looks[entrant.name]
            low, median, high = entrant.quartile_curves
            axes.fill_between(panel.grid, low, high, color=colour, alpha=0.18, linewidth=0)
            label = f"{entrant.median:g}  {_shortened(entrant.name)}" if panel is panels[0] else None
            axes.plot(panel.grid, median, color=colour, linestyle=stroke, linewidth=2, label=label)
        _label(axes, panel)
    legend = figure.legend(loc="outside right upper", frameon=False, labelcolor=INK, title="median at the end", alignment="left")
    legend.get_title().set_color(INK)
    for text in legend.get_texts():
        # A dollar sign in a name is no formula.
        text.set_parse_math(False)
    return figure


def _label(axes: Axes, comparison: Comparison) -> None:
    """Title and axes."""
    kind, best = words(comparison.subject), "best so far, " if comparison.by == SCORE else ""
    title = f"{kind}, {comparison.problem['size']}: {best}median and quartiles of {comparison.runs} runs"
    axes.set_title(title, loc="left", color=INK, pad=12)
    axes.set_xlabel("evaluations", color=INK)
    axes.set_ylabel(f"best score so far ({kind})" if comparison.by == SCORE else kind, color=INK)
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
