"""Expressive ranges as a matplotlib figure: one heat map per recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.runs.charts import INK, new_figure, words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.studies.expressive_range import ExpressiveRange

SIDE = 3.2


def range_figure(found: ExpressiveRange) -> Figure:
    """Return the share of levels in each cell; empty cells are white."""
    figure = new_figure(SIDE * len(found.recipes) + 1.2, SIDE + 0.6)
    panels = figure.subplots(1, len(found.recipes), squeeze=False, sharex=True, sharey=True).ravel()
    highest = max(float(found.histogram(one.name).max()) for one in found.recipes) or 1.0
    for panel, one in zip(panels, found.recipes, strict=True):
        shares = found.histogram(one.name).T
        mesh = panel.pcolormesh(*found.edges, np.where(shares > 0, shares, np.nan), cmap="viridis_r", vmin=0, vmax=highest)
        panel.set_title(f"{one.name} ({len(one.values):,} levels)", loc="left", color=INK, fontsize=10, parse_math=False)
        panel.set_xlabel(words(found.axes[0]), color=INK)
    panels[0].set_ylabel(words(found.axes[1]), color=INK)
    figure.colorbar(mesh, ax=panels.tolist(), label="share of the levels of a recipe")
    return figure
