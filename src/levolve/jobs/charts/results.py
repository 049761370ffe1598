"""The results of searches as charts by matplotlib: histories of scores, Pareto fronts, packs and
archives. Requires the extra `plot`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

from levolve.core.errors import InputError
from levolve.formats.pictures.drawing import draw_level
from levolve.jobs.charts.figures import add_legend, draw_heat_map, new_figure, style_axes
from levolve.jobs.charts.heat_maps import archive_map
from levolve.jobs.charts.style import COLOURS, INK, MARKERS, words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.jobs.archives.archive import Archive
    from levolve.jobs.packs.pack import Pack
    from levolve.jobs.runs.history import Front, History


def history_figure(history: History, title: str) -> Figure:
    """Return the best score so far and the mean score of the population, over the evaluations."""
    figure = new_figure()
    axes = figure.add_subplot()
    axes.plot(history.evaluations, history.best, color=COLOURS[0], linewidth=2, label="best so far")
    axes.plot(
        history.evaluations,
        history.mean,
        color=COLOURS[1],
        linewidth=1.5,
        label="mean of the population",
    )
    style_axes(axes, title, "evaluations", "score", numbers="thousands")
    add_legend(axes, loc="lower right")
    return figure


MOST_SHOWN = 4
LEAST_OBJECTIVES = 2


def front_figure(front: Front) -> Figure:
    """Return the first two objectives of a front as axes, and up to four of its levels, evenly
    spaced along it.
    """
    names = list(front.values)
    if len(names) < LEAST_OBJECTIVES or not len(front):
        raise InputError(
            f"front: expected two objectives and at least one level to draw, got {len(names)} "
            f"and {len(front)}"
        )
    first, second = (front.values[name] for name in names[:2])
    shown = sorted(set(np.linspace(0, len(front) - 1, MOST_SHOWN).round().astype(int).tolist()))
    figure = new_figure(9.5, 4.8)
    grid = figure.add_gridspec(2, 4)
    axes = figure.add_subplot(grid[:, :2])
    axes.plot(first, second, color=COLOURS[0], linewidth=0.8, alpha=0.5)
    axes.scatter(first, second, s=22, color=COLOURS[0], zorder=3)
    style_axes(axes, f"Pareto front: {len(front)} levels", *names[:2])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    for place, index in enumerate(shown):
        letter = "abcd"[place]
        axes.annotate(
            letter,
            (first[index], second[index]),
            (7, 5),
            textcoords="offset points",
            color=COLOURS[1],
            fontsize=12,
            weight="bold",
        )
        axes.scatter(first[index], second[index], s=48, color=COLOURS[1], zorder=4)
        panel = figure.add_subplot(grid[place // 2, 2 + place % 2])
        panel.imshow(np.asarray(draw_level(front.levels[index])))
        panel.set_axis_off()
        facts = ", ".join(f"{words(name)} {front.values[name][index]:g}" for name in names)
        panel.set_title(f"{letter}: {facts}", fontsize=8, color=INK, parse_math=False)
    return figure


def pack_figure(pack: Pack, measure: str = "difficulty") -> Figure:
    """Return a measure of each level and puzzle of a pack in its order; every recipe has its own
    colour.
    """
    kinds = list(dict.fromkeys(member.kind or pack.name for member in pack.members))
    values = [measures.get(measure) for measures in pack.measures]
    if all(value is None for value in values):
        known = sorted({name for measures in pack.measures for name in measures})
        raise InputError(
            f"plot: expected a measure of the pack's levels, one of {', '.join(known)}, got "
            f"{measure!r}"
        )
    figure = new_figure()
    axes = figure.add_subplot()
    for number, kind in enumerate(kinds):
        points = [
            (place, value)
            for place, (member, value) in enumerate(zip(pack.members, values, strict=True), 1)
            if (member.kind or pack.name) == kind and value is not None
        ]
        colour, marker = (
            COLOURS[number % len(COLOURS)],
            MARKERS[number // len(COLOURS) % len(MARKERS)],
        )
        axes.scatter(
            [place for place, _ in points],
            [value for _, value in points],
            color=colour,
            marker=marker,
            s=36,
            label=kind,
        )
    style_axes(
        axes,
        f"{pack.name}: {len(pack.items)} levels in order",
        "place in the pack",
        measure,
        numbers="whole",
    )
    if len(kinds) > 1:
        add_legend(axes)
    return figure


MAP_WIDTH, MAP_HEIGHT, SHARES, TICKS = 12.0, 5.6, (3, 2), 4


def archive_figure(archive: Archive) -> Figure:
    """Return the scores over the first two axes, beside coverage and QD score over the
    evaluations.
    """
    figure = new_figure(MAP_WIDTH, MAP_HEIGHT)
    parts = figure.add_gridspec(2, 2, width_ratios=SHARES)
    axes = figure.add_subplot(parts[:, 0])
    title = (
        f"{archive.recipe.name}: {archive.coverage:.1%} of the cells, QD score "
        f"{archive.qd_score:,.6g}"
    )
    figure.colorbar(
        draw_heat_map(axes, archive_map(archive), title), ax=axes, label="score", pad=0.02
    )
    filling = archive.progress
    percent, thousands = PercentFormatter(1.0, decimals=0), StrMethodFormatter("{x:,.0f}")
    for place, (name, values, form) in enumerate(
        (("coverage", filling.coverage, percent), ("QD score", filling.qd_score, thousands))
    ):
        axes = figure.add_subplot(parts[place, 1])
        axes.plot(filling.evaluations, values, color=COLOURS[place], linewidth=2)
        axes.xaxis.set_major_locator(MaxNLocator(TICKS))
        style_axes(axes, name, "evaluations" if place else "", numbers="thousands")
        axes.yaxis.set_major_formatter(form)
    return figure
