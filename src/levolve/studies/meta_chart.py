"""A meta-evolution as a picture: the scores and every setting over the generations, as the median of the trials and bands around it."""

from collections import Counter

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from levolve.recipes.search_space import Span, Variable
from levolve.runs.charts import COLOURS, INK, dress, new_figure, png_of
from levolve.studies.meta import Tuning
from levolve.studies.trial import ScoredTrial

COLUMNS, WIDTH, ROW_HEIGHT = 2, 10.0, 2.3
# From the outside in: the band of nearly all sets, and that of the middle half.
BANDS = ((0.05, 0.95, 0.15), (0.25, 0.75, 0.25))


def tuning_picture(found: Tuning) -> bytes:
    """A PNG with a panel for the scores and one for each setting. It carries recipe and seed, and nothing that would differ the next time."""
    return png_of(tuning_figure(found), "levolve meta", {"recipe": found.source.to_data(), "seed": found.seed})


def tuning_figure(found: Tuning) -> Figure:
    """A panel for the scores and one for each setting."""
    panels = 1 + len(found.source.variables)
    rows = -(-panels // COLUMNS)
    figure = new_figure(WIDTH, 0.7 + ROW_HEIGHT * rows)
    title = f"{found.source.name}: {found.runs:,} runs, seed {found.seed}. Line: median of the sets; bands: middle half, and nine tenths."
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
    _draw_bands(axes, scores, COLOURS[0])
    best = [max(generation, default=np.nan) for generation in scores]
    axes.plot(best, color=COLOURS[1], linewidth=1.8, label="best set")
    axes.legend(loc="lower right", frameon=False, labelcolor=INK, fontsize=9)
    _finish(axes, "score of the sets", len(scores))


def _draw_setting(axes: Axes, found: Tuning, variable: Variable) -> None:
    """Bands of a number, or how often each choice is taken; and what the best set has."""
    values = [[judged.settings[variable.path] for judged in _runnable(generation)] for generation in found.history]
    if isinstance(variable, Span):
        _draw_bands(axes, values, COLOURS[2])
        axes.axhline(found.settings[variable.path], color=COLOURS[1], linewidth=1.2, linestyle="dashed")
        _finish(axes, f"{variable.path}   (best set: {found.settings[variable.path]:.4g})", len(values))
        return
    counts = [Counter(str(value) for value in generation) for generation in values]
    for place, choice in enumerate(str(value) for value in variable.values):
        shares = [count[choice] / max(count.total(), 1) for count in counts]
        axes.plot(shares, color=COLOURS[place % len(COLOURS)], linewidth=1.8, label=choice)
    axes.set_ylim(-0.03, 1.03)
    axes.legend(loc="center right", frameon=False, labelcolor=INK, fontsize=9)
    _finish(axes, f"{variable.path}   (share of the sets)", len(values))


def _draw_bands(axes: Axes, values: list[list[float]], colour: str) -> None:
    """The median over the generations, and bands around it."""
    generations = np.arange(len(values))
    present = [np.asarray(generation or [np.nan], float) for generation in values]
    for low, high, strength in BANDS:
        lower, upper = ([float(np.quantile(generation, share)) for generation in present] for share in (low, high))
        axes.fill_between(generations, lower, upper, color=colour, alpha=strength, linewidth=0)
    axes.plot(generations, [float(np.median(generation)) for generation in present], color=colour, linewidth=1.8)


def _finish(axes: Axes, title: str, generations: int) -> None:
    axes.set_title(title, loc="left", color=INK, fontsize=10).set_parse_math(False)
    axes.set_xlim(0, max(generations - 1, 1))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    dress(axes)
