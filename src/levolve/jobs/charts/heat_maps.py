"""Heat maps of archives and of expressive ranges, and their pictures by Pillow, which need no
extra.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, PngImagePlugin

from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import picture_bytes
from levolve.jobs.archives.archive import flat_map
from levolve.jobs.charts.style import (
    GREY,
    INK,
    SCORES,
    SHARES,
    WHITE,
    ColourRamp,
    shortened,
    words,
)
from levolve.levels.measures.measure import number_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.jobs.archives.archive import Archive
    from levolve.jobs.studies.expressive_range import ExpressiveRange

LEFT, RIGHT, TOP, BOTTOM, HEAD, FOOT = 78, 28, 66, 56, 44, 48
WIDEST, PANEL, THUMBNAIL, LEAST_WIDTH, MOST_COLUMNS = 600, 280, 240, 700, 4
BAR_WIDTH, BAR_HEIGHT = 200, 14
# Shares of an axis that are labelled: of a short one, and of a long one.
FEW, MANY, LONG = (0.0, 0.5, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0), 400


@dataclass(frozen=True)
class HeatAxis:
    """An axis from `low` to `high`; the labels of a `whole` one are whole numbers."""

    name: str
    low: float
    high: float
    whole: bool = False

    def label(self, share: float) -> str:
        """Return the number at a share of the axis as text."""
        value = self.low + share * (self.high - self.low)
        return number_text(round(value) if self.whole or float(value).is_integer() else value)


@dataclass(frozen=True, eq=False)
class HeatMap:
    """`(width, height)` numbers over two axes, or `(width, 1)` over one; NaN where there is none.
    `scale` are those of the ends of the ramp.
    """

    values: NDArray[np.float64]
    axes: tuple[HeatAxis, ...]
    ramp: ColourRamp
    scale: tuple[float, float]
    title: str
    facts: str

    @property
    def cells(self) -> Image.Image:
        """A pixel per cell: the first axis to the right, the second upwards."""
        return Image.fromarray(self.ramp.colours(self.values.T[::-1], *self.scale))


def archive_map(archive: Archive) -> HeatMap:
    """Return the scores of an archive. Of one with more than two axes, a cell has the best elite
    over the others.
    """
    scores = flat_map(archive)
    known = scores[~np.isnan(scores)]
    scale = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    axes = tuple(
        HeatAxis(axis.name, axis.low, axis.span(axis.cells - 1)[1], bool(axis.step))
        for axis in archive.grid.axes[:2]
    )
    shares = (
        f"{len(archive):,} of {archive.grid.count:,} cells ({archive.coverage:.1%}), QD score "
        f"{archive.qd_score:,.6g}"
    )
    return HeatMap(scores, axes, SCORES, scale, archive.recipe.name, shares)


def range_maps(found: ExpressiveRange) -> list[HeatMap]:
    """Return the share of the levels in each cell, recipe by recipe."""
    shares = {one.name: found.histogram(one.name) for one in found.recipes}
    highest = max(float(share.max()) for share in shares.values()) or 1.0
    axes = tuple(
        HeatAxis(name, float(edges[0]), float(edges[-1]))
        for name, edges in zip(found.axes, found.edges, strict=True)
    )
    counts = {
        one.name: f"{len(one.values):,} levels in {(shares[one.name] > 0).sum():,} cells"
        for one in found.recipes
    }
    return [
        HeatMap(
            np.where(share > 0, share, np.nan), axes, SHARES, (0.0, highest), name, counts[name]
        )
        for name, share in shares.items()
    ]


def archive_picture(archive: Archive) -> bytes:
    """Return a PNG of the map of an archive. It contains the recipe and the seed, and nothing that
    would differ the next time.
    """
    drawn = archive_map(archive)
    tile = max(WIDEST // max(drawn.values.shape), 1)
    low, high = map(number_text, drawn.scale)
    legend = f"score {low} to {high}; grey: no level found" if len(archive) else ""
    origin = {
        "recipe": archive.recipe.to_data(),
        "seed": archive.seed,
        "evaluations": archive.evaluations,
    }
    width, height = drawn.values.shape
    shown = (
        f"{drawn.title}: the best level of each cell",
        f"{drawn.facts}, {archive.evaluations:,} evaluations",
    )
    return _picture(
        [drawn], [shown], (width * tile, height * tile), "", legend, ("levolve archive", origin)
    )


def small_map(archive: Archive) -> bytes:
    """Return a PNG of the cells of an archive alone, for a list of archives; empty cells are
    transparent.
    """
    drawn = archive_map(archive)
    tile = max(THUMBNAIL // max(drawn.values.shape), 1)
    cells = drawn.cells
    cells.putalpha(
        Image.fromarray(np.where(np.isnan(drawn.values.T[::-1]), 0, 255).astype(np.uint8))
    )
    return picture_bytes(
        cells.resize((cells.width * tile, cells.height * tile), Image.Resampling.NEAREST)
    )


def range_picture(found: ExpressiveRange) -> bytes:
    """Return a PNG with a map per recipe. It contains the recipes and the seed, and nothing that
    would differ the next time.
    """
    maps = range_maps(found)
    count = sum(len(one.values) for one in found.recipes)
    headline = f"expressive range: {' and '.join(map(words, found.axes))}, {count:,} levels"
    legend = f"share of the levels of a recipe in a cell, up to {maps[0].scale[1]:.1%}; white: none"
    origin = {
        "seed": found.seed,
        "axes": list(found.axes),
        "recipes": [one.recipe.to_data() for one in found.recipes],
    }
    return _picture(
        maps,
        [(one.title, one.facts) for one in maps],
        (PANEL, PANEL),
        headline,
        legend,
        ("levolve range", origin),
    )


def _picture(
    maps: Sequence[HeatMap],
    titles: Sequence[tuple[str, str]],
    size: tuple[int, int],
    headline: str,
    legend: str,
    origin: tuple[str, Mapping[str, Any]],
) -> bytes:
    """Return a PNG of maps of the same size, with a scale of colours below them."""
    columns, head = min(len(maps), MOST_COLUMNS), HEAD if headline else 0
    wide, high = LEFT + size[0] + RIGHT, TOP + size[1] + BOTTOM
    canvas = Image.new(
        "RGB",
        (max(columns * wide, LEAST_WIDTH), head + ceil(len(maps) / columns) * high + FOOT),
        WHITE,
    )
    pen = ImageDraw.Draw(canvas)
    pen.text((LEFT, 16), headline, fill=INK, font=font(17))
    for place, (drawn, title) in enumerate(zip(maps, titles, strict=True)):
        corner = (place % columns * wide + LEFT, head + place // columns * high + TOP)
        _draw_map(
            canvas, drawn, title, corner, size, size[0] if len(maps) > 1 else canvas.width - LEFT
        )
    if legend:
        bar = maps[0].ramp.colours(
            np.linspace(0.0, 1.0, BAR_WIDTH)[np.newaxis] ** (1 / maps[0].ramp.power), 0.0, 1.0
        )
        top = canvas.height - FOOT + 14
        canvas.paste(
            Image.fromarray(bar).resize((BAR_WIDTH, BAR_HEIGHT), Image.Resampling.NEAREST),
            (LEFT, top),
        )
        pen.text((LEFT + BAR_WIDTH + 10, top - 1), legend, fill=INK, font=font(13))
    information = PngImagePlugin.PngInfo()
    information.add_text(origin[0], json.dumps(origin[1]))
    return picture_bytes(canvas, information)


def _draw_map(
    canvas: Image.Image,
    drawn: HeatMap,
    title: tuple[str, str],
    corner: tuple[int, int],
    size: tuple[int, int],
    room: int,
) -> None:
    """Draw a map with its title and its axes; `room` is the width of the title."""
    (x, y), (width, height) = corner, size
    pen, large, small = ImageDraw.Draw(canvas), font(17), font(13)
    pen.text(
        (x, y - 52),
        shortened(title[0], lambda name: large.getlength(name) <= room),
        fill=INK,
        font=large,
    )
    pen.text((x, y - 28), title[1], fill=GREY, font=small)
    canvas.paste(drawn.cells.resize(size, Image.Resampling.NEAREST), corner)
    pen.rectangle((x - 1, y - 1, x + width, y + height), outline=GREY)
    first, second = drawn.axes[0], drawn.axes[1] if len(drawn.axes) > 1 else None
    for share in MANY if max(size) >= LONG else FEW:
        pen.text(
            (x + share * width, y + height + 6),
            first.label(share),
            fill=INK,
            font=small,
            anchor="ma",
        )
        if second is not None:
            pen.text(
                (x - 7, y + height - share * height),
                second.label(share),
                fill=INK,
                font=small,
                anchor="rm",
            )
    pen.text(
        (x + width / 2, y + height + 26), words(first.name), fill=INK, font=font(14), anchor="ma"
    )
    if second is not None:
        upright = Image.new("RGB", (height, 20), WHITE)
        ImageDraw.Draw(upright).text(
            (height / 2, 10), words(second.name), fill=INK, font=font(14), anchor="mm"
        )
        canvas.paste(upright.rotate(90, expand=True), (x - LEFT + 8, y))
