"""Expressive ranges as a picture: one panel per recipe, each a heat map on the same grid.

Expressive ranges as a matplotlib figure: one heat map per recipe.
"""

from __future__ import annotations

import json
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, PngImagePlugin

from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import picture_bytes
from levolve.jobs.charts.style import INK, new_figure, words
from levolve.jobs.studies.expressive_range import plain_value
from levolve.levels.measures.measure import number_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from levolve.jobs.studies.expressive_range import ExpressiveRange, RecipeRange

PANEL, LEFT, RIGHT, TOP, BOTTOM = 280, 64, 20, 58, 48
HEAD, FOOT = 44, 40
MOST_COLUMNS = 4
GRID_INK, FAINT, GREY, WHITE = (34, 34, 34), (216, 216, 216), (110, 110, 110), (255, 255, 255)
# From few levels to many: each step is darker, so that the order is seen without colours, too.
RAMP = np.array([(214, 226, 240), (146, 190, 222), (74, 142, 196), (28, 88, 158), (10, 34, 90)], np.float64)
BAR = 160


def range_picture(found: ExpressiveRange) -> bytes:
    """Return a PNG. It contains the recipes and the seed, and nothing that would differ the next time."""
    columns = min(len(found.recipes), MOST_COLUMNS)
    rows = ceil(len(found.recipes) / columns)
    wide, high = LEFT + PANEL + RIGHT, TOP + PANEL + BOTTOM
    picture = Image.new("RGB", (max(columns * wide, 2 * BAR + 360), HEAD + rows * high + FOOT), WHITE)
    pen = ImageDraw.Draw(picture)
    count = sum(len(one.values) for one in found.recipes)
    pen.text((LEFT, 16), f"expressive range: {' and '.join(_words(axis) for axis in found.axes)}, {count:,} levels", fill=GRID_INK, font=font(16))
    highest = max((float(found.histogram(one.name).max()) for one in found.recipes), default=0.0) or 1.0
    for place, one in enumerate(found.recipes):
        _draw_panel(picture, found, one, (place % columns * wide, HEAD + place // columns * high), highest)
    _draw_bar(picture, picture.height - FOOT + 8, highest)
    origin = {"seed": found.seed, "axes": list(found.axes), "recipes": [one.recipe.to_data() for one in found.recipes]}
    information = PngImagePlugin.PngInfo()
    information.add_text("levolve range", json.dumps(origin))
    return picture_bytes(picture, information)


def _draw_panel(picture: Image.Image, found: ExpressiveRange, one: RecipeRange, corner: tuple[int, int], highest: float) -> None:
    """Draw the heat map of a recipe with its axes; the first measure to the right, the second upwards."""
    x, y = corner[0] + LEFT, corner[1] + TOP
    pen = ImageDraw.Draw(picture)
    cells = found.histogram(one.name).T[::-1]
    picture.paste(Image.fromarray(colours(cells, highest)).resize((PANEL, PANEL), Image.Resampling.NEAREST), (x, y))
    pen.rectangle((x - 1, y - 1, x + PANEL, y + PANEL), outline=FAINT)
    pen.text((x, y - 44), _fitting(one.name, 16), fill=GRID_INK, font=font(16))
    pen.text((x, y - 22), f"{len(one.values):,} levels in {(cells > 0).sum():,} cells", fill=GREY, font=font(13))
    small = font(13)
    for axis in (0, 1):
        edges = found.edges[axis]
        for share in (0.0, 0.5, 1.0):
            label = number_text(plain_value(edges[0] + share * (edges[-1] - edges[0])))
            if axis == 0:
                pen.text((x + share * PANEL, y + PANEL + 6), label, fill=GRID_INK, font=small, anchor="ma")
            else:
                pen.text((x - 6, y + PANEL - share * PANEL), label, fill=GRID_INK, font=small, anchor="rm")
    pen.text((x + PANEL / 2, y + PANEL + 24), _words(found.axes[0]), fill=GRID_INK, font=small, anchor="ma")
    upright = Image.new("RGB", (PANEL, 18), WHITE)
    ImageDraw.Draw(upright).text((PANEL / 2, 9), _words(found.axes[1]), fill=GRID_INK, font=small, anchor="mm")
    picture.paste(upright.rotate(90, expand=True), (x - LEFT + 2, y))


def _draw_bar(picture: Image.Image, top: int, highest: float) -> None:
    """Draw the scale of colours."""
    shades = colours(np.linspace(0, 1, BAR)[np.newaxis] ** 2 * highest, highest)
    shades[:, 0] = RAMP[0]
    picture.paste(Image.fromarray(shades).resize((BAR, 14), Image.Resampling.NEAREST), (LEFT, top))
    pen = ImageDraw.Draw(picture)
    pen.text((LEFT + BAR + 10, top - 2), f"share of the levels of a recipe in a cell, up to {highest:.1%}; white: none", fill=GRID_INK, font=font(13))


def colours(shares: NDArray[np.float64], highest: float) -> NDArray[np.uint8]:
    """Return the colours of `(height, width)` shares as `(height, width, 3)`; by the square root, so that rare levels are seen."""
    depth = np.sqrt(shares / highest) * (len(RAMP) - 1)
    step = np.minimum(depth.astype(np.int64), len(RAMP) - 2)
    part = (depth - step)[..., np.newaxis]
    mixed = RAMP[step] * (1 - part) + RAMP[step + 1] * part
    return np.where((shares > 0)[..., np.newaxis], mixed, 255.0).round().astype(np.uint8)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _fitting(name: str, size: int) -> str:
    """Shorten a name in its middle until it fits over a panel."""
    letters = font(size)
    shown, kept = name, len(name)
    while letters.getlength(shown) > PANEL and kept > 1:
        kept -= 1
        shown = f"{name[: kept // 2]}…{name[len(name) - (kept - kept // 2) :]}"
    return shown


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
