"""A critical-difference diagram: recipes on an axis of average ranks, and bars over those without a significant difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.runs.charts import COLOURS, INK, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.studies.critical_difference import CriticalDifference

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
    axes.plot([1, 1 + min(found.distance, count - 1)], [0.52, 0.52], color=COLOURS[1], linewidth=2.5)
    axes.text(1, 0.57, f"critical difference {found.distance:.2f}", ha="left", va="bottom", color=INK, fontsize=9)
    for number, (first, last) in enumerate(found.groups):
        height = -0.14 - 0.22 * number
        axes.plot([found.ranks[first] - 0.02, found.ranks[last] + 0.02], [height, height], color=COLOURS[0], linewidth=4, solid_capstyle="round")
    for place, (name, rank) in enumerate(zip(found.names, found.ranks, strict=True)):
        is_left = place < half
        row = place if is_left else count - 1 - place
        height = -bars - 0.22 - STEP * (row + 0.4)
        side = 1 - 0.06 * count if is_left else count + 0.06 * count
        axes.plot([rank, rank, side], [0, height, height], color=INK, linewidth=0.9)
        label = f"{name}  {rank:.2f} " if is_left else f" {rank:.2f}  {name}"
        axes.text(side, height, label, ha="right" if is_left else "left", va="center", color=INK, parse_math=False)
    about = f"average rank over {found.blocks} blocks ({', '.join(found.problems)}); bars: no significant difference"
    axes.set_title(about, loc="left", color=INK, fontsize=10, parse_math=False)
    return figure
