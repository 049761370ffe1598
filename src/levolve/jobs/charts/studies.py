"""The results of studies as charts by matplotlib: comparisons, ranks, expressive ranges and
meta-evolutions. Requires the extra `plot`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from levolve.jobs.charts.figures import (
    HEIGHT,
    add_legend,
    draw_bands,
    draw_heat_map,
    new_figure,
    style_axes,
)
from levolve.jobs.charts.heat_maps import range_maps
from levolve.jobs.charts.style import COLOURS, INK, STROKES, shortened, words
from levolve.jobs.studies.comparison import SCORE, Comparison
from levolve.recipes.search_space import Span, Variable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from levolve.jobs.studies.expressive_range import ExpressiveRange
    from levolve.jobs.studies.rank_tests import CriticalDifference
    from levolve.jobs.studies.study import ScoredTrial
    from levolve.jobs.studies.tuning import Tuning

LONGEST_NAME = 28


def comparison_figure(comparison: Comparison) -> Figure:
    """Return the best score so far against evaluations, with the median of the runs as a line and
    their quartiles as a band.

    There is a panel per figure that is compared.
    """
    panels = comparison.panels
    figure = new_figure(height=HEIGHT * len(panels))
    # Every panel has the colours of the first one, whose order is that of the legend.
    looks = {
        entrant.name: {
            "color": COLOURS[place % len(COLOURS)],
            "linestyle": STROKES[place // len(COLOURS) % len(STROKES)],
        }
        for place, entrant in enumerate(comparison.entrants)
    }
    for axes, panel in zip(np.ravel(figure.subplots(len(panels))), panels, strict=True):
        for entrant in panel.entrants:
            low, median, high = entrant.quartile_curves
            name = shortened(entrant.name, lambda text: len(text) <= LONGEST_NAME)
            label = f"{entrant.median:g}  {name}" if panel is comparison else None
            draw_bands(
                axes, panel.grid, median, [(low, high, 0.18)], label=label, **looks[entrant.name]
            )
        kind, is_scored = words(panel.subject), panel.by == SCORE
        title = (
            f"{kind}, {panel.problem['size']}: {'best so far, ' if is_scored else ''}median and "
            f"quartiles of {panel.runs} runs"
        )
        style_axes(
            axes,
            title,
            "evaluations",
            f"best score so far ({kind})" if is_scored else kind,
            numbers="thousands",
        )
        axes.set_xlim(0, panel.evaluations)
        scores = np.concatenate([entrant.quartile_curves for entrant in panel.entrants])
        if np.nanmin(scores) == np.nanmax(scores):
            axes.margins(y=0.5)
    legend = add_legend(
        figure, loc="outside right upper", title="median at the end", alignment="left"
    )
    legend.get_title().set_color(INK)
    return figure


SIDE = 3.2


def range_figure(found: ExpressiveRange) -> Figure:
    """Return a heat map per recipe: the share of its levels in each cell; empty cells are white."""
    maps = range_maps(found)
    figure = new_figure(SIDE * len(maps) + 1.2, SIDE + 0.6)
    panels = figure.subplots(1, len(maps), squeeze=False, sharex=True, sharey=True).ravel()
    for panel, drawn in zip(panels, maps, strict=True):
        image = draw_heat_map(
            panel, drawn, f"{drawn.title} ({len(found[drawn.title].values):,} levels)"
        )
        panel.label_outer()
    figure.colorbar(image, ax=panels.tolist(), label="share of the levels of a recipe")
    return figure


STEP = 0.32


def rank_figure(found: CriticalDifference) -> Figure:
    """Return the diagram: best recipes on the left."""
    count = len(found.names)
    half = (count + 1) // 2
    bars = 0.22 * len(found.groups)
    depth = bars + STEP * half + 0.3
    figure = new_figure(9.0, 1.5 + depth)
    axes = figure.add_subplot()
    margin = 0.45 * (count - 1) + 0.2
    axes.set_xlim(1 - margin, count + margin)
    axes.set_ylim(-depth, 0.75)
    axes.set_axis_off()
    axes.plot([1, count], [0, 0], color=INK, linewidth=1.2)
    for rank in range(1, count + 1):
        axes.plot([rank, rank], [0, 0.08], color=INK, linewidth=1.2)
        axes.text(rank, 0.12, str(rank), ha="center", va="bottom", color=INK)
    axes.plot(
        [1, 1 + min(found.distance, count - 1)], [0.52, 0.52], color=COLOURS[1], linewidth=2.5
    )
    axes.text(
        1,
        0.57,
        f"critical difference {found.distance:.2f}",
        ha="left",
        va="bottom",
        color=INK,
        fontsize=9,
    )
    for number, (first, last) in enumerate(found.groups):
        height = -0.14 - 0.22 * number
        axes.plot(
            [found.ranks[first] - 0.02, found.ranks[last] + 0.02],
            [height, height],
            color=COLOURS[0],
            linewidth=4,
            solid_capstyle="round",
        )
    for place, (name, rank) in enumerate(zip(found.names, found.ranks, strict=True)):
        is_left = place < half
        row = place if is_left else count - 1 - place
        height = -bars - 0.22 - STEP * (row + 0.4)
        side = 1 - 0.06 * count if is_left else count + 0.06 * count
        axes.plot([rank, rank, side], [0, height, height], color=INK, linewidth=0.9)
        label = f"{name}  {rank:.2f} " if is_left else f" {rank:.2f}  {name}"
        axes.text(
            side,
            height,
            label,
            ha="right" if is_left else "left",
            va="center",
            color=INK,
            parse_math=False,
        )
    about = (
        f"average rank over {found.blocks} blocks ({', '.join(found.problems)}); bars: no "
        "significant difference"
    )
    axes.set_title(about, loc="left", color=INK, fontsize=10, parse_math=False)
    return figure


COLUMNS, WIDTH, ROW_HEIGHT = 2, 10.0, 2.3
# From the outside in: the band of nearly all sets, and that of the middle half.
BANDS = ((0.05, 0.95, 0.15), (0.25, 0.75, 0.25))


def tuning_figure(found: Tuning) -> Figure:
    """A panel for the scores and one for each setting."""
    panels = 1 + len(found.source.variables)
    rows = -(-panels // COLUMNS)
    figure = new_figure(WIDTH, 0.7 + ROW_HEIGHT * rows)
    title = (
        f"{found.source.name}: {found.runs:,} runs, seed {found.seed}. Line: median of the sets; "
        "bands: middle half, and nine tenths."
    )
    figure.suptitle(title, x=0.01, ha="left", color=INK, fontsize=11)
    axes = figure.subplots(rows, COLUMNS, squeeze=False, sharex=True).ravel()
    _draw_scores(axes[0], found)
    for panel, variable in zip(axes[1:], found.source.variables, strict=False):
        _draw_setting(panel, found, variable)
    for panel in axes[panels:]:
        panel.set_visible(False)
    for panel in axes[max(panels - COLUMNS, 0) : panels]:
        panel.set_xlabel("generation of sets", color=INK)
        panel.tick_params(labelbottom=True)
    return figure


def _runnable(generation: tuple[ScoredTrial, ...]) -> list[ScoredTrial]:
    """The sets that could be run; refused ones have no score to speak of."""
    return [judged for judged in generation if judged.outcome is not None]


def _draw_scores(axes: Axes, found: Tuning) -> None:
    """The best score, and how the others are spread."""
    scores = [[judged.score for judged in _runnable(generation)] for generation in found.history]
    _draw_spread(axes, scores, COLOURS[0])
    best = [max(generation, default=np.nan) for generation in scores]
    axes.plot(best, color=COLOURS[1], linewidth=1.8, label="best set")
    add_legend(axes, loc="lower right", fontsize=9)
    _finish(axes, "score of the sets", len(scores))


def _draw_setting(axes: Axes, found: Tuning, variable: Variable) -> None:
    """Bands of a number, or how often each choice is taken; and what the best set has."""
    values = [
        [judged.settings[variable.path] for judged in _runnable(generation)]
        for generation in found.history
    ]
    if isinstance(variable, Span):
        _draw_spread(axes, values, COLOURS[2])
        axes.axhline(
            found.settings[variable.path], color=COLOURS[1], linewidth=1.2, linestyle="dashed"
        )
        _finish(
            axes, f"{variable.path}   (best set: {found.settings[variable.path]:.4g})", len(values)
        )
        return
    counts = [Counter(str(value) for value in generation) for generation in values]
    for place, choice in enumerate(str(value) for value in variable.values):
        shares = [count[choice] / max(count.total(), 1) for count in counts]
        axes.plot(shares, color=COLOURS[place % len(COLOURS)], linewidth=1.8, label=choice)
    axes.set_ylim(-0.03, 1.03)
    add_legend(axes, loc="center right", fontsize=9)
    _finish(axes, f"{variable.path}   (share of the sets)", len(values))


def _draw_spread(axes: Axes, values: list[list[float]], colour: str) -> None:
    """The median over the generations, and bands around it."""
    present = [np.asarray(generation or [np.nan], float) for generation in values]

    def quantiles(share: float) -> list[float]:
        return [float(np.quantile(generation, share)) for generation in present]

    bands = [(quantiles(low), quantiles(high), strength) for low, high, strength in BANDS]
    draw_bands(axes, np.arange(len(values)), quantiles(0.5), bands, color=colour)


def _finish(axes: Axes, title: str, generations: int) -> None:
    style_axes(axes, title, numbers="whole")
    axes.set_xlim(0, max(generations - 1, 1))
