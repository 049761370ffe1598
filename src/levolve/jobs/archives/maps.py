"""The heat map of an archive: the score of each cell's elite, as a PNG.

The map of an archive as text, for a terminal.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, PngImagePlugin

from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import picture_bytes
from levolve.levels.measures.measure import number_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.jobs.archives.archive import Archive
    from levolve.search.feature_grid import Axis

WIDEST, LEFT, RIGHT, TOP, BOTTOM = 600, 78, 28, 66, 104
INK, GREY, WHITE, EMPTY = (34, 34, 34), (110, 110, 110), (255, 255, 255), (238, 236, 231)
# From low scores to high ones: each step is lighter or darker than the one before, so that the order is seen without colours, too.
RAMP = np.array([(222, 235, 210), (150, 206, 160), (66, 160, 152), (38, 104, 140), (44, 44, 104)], np.float64)
BAR = 200
THUMBNAIL = 240
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def heat_map(archive: Archive) -> bytes:
    """Return a PNG: the first axis to the right, the second upwards. Of an archive with more axes, a cell has the best elite over the others.

    The picture contains the recipe and the seed, and nothing that would differ the next time.
    """
    scores = flat_map(archive)
    tile = max(WIDEST // max(scores.shape), 1)
    width, height = scores.shape[0] * tile, scores.shape[1] * tile
    # Wide enough for the headline.
    canvas = Image.new("RGB", (max(LEFT + width + RIGHT, 560), TOP + height + BOTTOM), WHITE)
    pen = ImageDraw.Draw(canvas)
    pen.text((LEFT, 14), f"{archive.recipe.name}: the best level of each cell", fill=INK, font=font(17))
    shares = f"{len(archive):,} of {archive.grid.count:,} cells ({archive.coverage:.1%}), QD score {archive.qd_score:,.6g}"
    pen.text((LEFT, 38), f"{shares}, {archive.evaluations:,} evaluations", fill=GREY, font=font(13))
    cells = Image.fromarray(colours(scores.T[::-1]))
    canvas.paste(cells.resize((width, height), Image.Resampling.NEAREST), (LEFT, TOP))
    pen.rectangle((LEFT - 1, TOP - 1, LEFT + width, TOP + height), outline=GREY)
    _draw_axes(canvas, archive, width, height)
    _draw_scale(canvas, scores, TOP + height + BOTTOM - 34)
    origin = {"recipe": archive.recipe.to_data(), "seed": archive.seed, "evaluations": archive.evaluations}
    information = PngImagePlugin.PngInfo()
    information.add_text("levolve archive", json.dumps(origin))
    return picture_bytes(canvas, information)


def small_map(archive: Archive) -> bytes:
    """Return a PNG of the cells alone, for a list of archives; empty cells are transparent."""
    scores = flat_map(archive)
    tile = max(THUMBNAIL // max(scores.shape), 1)
    shown = scores.T[::-1]
    opaque = np.where(np.isnan(shown), 0, 255).astype(np.uint8)[..., np.newaxis]
    cells = Image.fromarray(np.concatenate((colours(shown), opaque), axis=2))
    return picture_bytes(cells.resize((scores.shape[0] * tile, scores.shape[1] * tile), Image.Resampling.NEAREST))


def flat_map(archive: Archive) -> NDArray[np.float64]:
    """Return the `(width, height)` scores over the first two axes; NaN for empty cells."""
    scores = archive.score_map
    if scores.ndim == 1:
        return scores[:, np.newaxis]
    others = tuple(range(2, scores.ndim))
    best = np.where(np.isnan(scores), -np.inf, scores).max(axis=others) if others else scores
    return np.where(np.isneginf(best), np.nan, best)


def colours(scores: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the colours of `(height, width)` scores as `(height, width, 3)`, from the lowest to the highest score."""
    known = scores[~np.isnan(scores)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    depth = np.nan_to_num((scores - low) / (high - low if high > low else 1.0)) * (len(RAMP) - 1)
    step = np.clip(depth.astype(np.int64), 0, len(RAMP) - 2)
    part = (depth - step)[..., np.newaxis]
    mixed = RAMP[step] * (1 - part) + RAMP[step + 1] * part
    return np.where(np.isnan(scores)[..., np.newaxis], np.array(EMPTY, np.float64), mixed).round().astype(np.uint8)


def _draw_axes(canvas: Image.Image, archive: Archive, width: int, height: int) -> None:
    pen, small = ImageDraw.Draw(canvas), font(13)
    axes = archive.grid.axes
    for share in TICKS:
        pen.text((LEFT + share * width, TOP + height + 6), _label(axes[0], share), fill=INK, font=small, anchor="ma")
        if len(axes) > 1:
            pen.text((LEFT - 7, TOP + height - share * height), _label(axes[1], share), fill=INK, font=small, anchor="rm")
    pen.text((LEFT + width / 2, TOP + height + 26), _words(axes[0].name), fill=INK, font=font(14), anchor="ma")
    if len(axes) > 1:
        upright = Image.new("RGB", (height, 20), WHITE)
        ImageDraw.Draw(upright).text((height / 2, 10), _words(axes[1].name), fill=INK, font=font(14), anchor="mm")
        canvas.paste(upright.rotate(90, expand=True), (8, TOP))


def _draw_scale(canvas: Image.Image, scores: NDArray[np.float64], top: int) -> None:
    known = scores[~np.isnan(scores)]
    pen = ImageDraw.Draw(canvas)
    if not len(known):
        return
    shades = colours(np.linspace(0.0, 1.0, BAR)[np.newaxis])
    canvas.paste(Image.fromarray(shades).resize((BAR, 14), Image.Resampling.NEAREST), (LEFT, top))
    ends = f"score {number_text(float(known.min()))} to {number_text(float(known.max()))}; grey: no level found"
    pen.text((LEFT + BAR + 10, top - 1), ends, fill=INK, font=font(13))


def _label(axis: Axis, share: float) -> str:
    value = axis.low + share * (axis.span(axis.cells - 1)[1] - axis.low)
    return number_text(round(value) if axis.step else value)


def _words(name: str) -> str:
    return name.replace("_", " ")


# From low scores to high ones; a space has no level.
SHADES = "░▒▓█"
WIDTH, HEIGHT, LABEL = 60, 15, 8


def map_lines(archive: Archive) -> list[str]:
    """Return at most 18 lines of at most 70 characters: the first axis to the right, the second upwards, darker for higher scores."""
    scores = flat_map(archive).T[::-1]
    rows, columns = min(HEIGHT, scores.shape[0]), min(WIDTH, scores.shape[1])
    known = scores[~np.isnan(scores)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    across = archive.grid.axes[0]
    up = archive.grid.axes[1] if len(archive.grid.axes) > 1 else None
    lines = []
    for row in range(rows):
        label = "" if up is None else _end(up, 1.0) if row == 0 else _end(up, 0.0) if row == rows - 1 else ""
        band = scores[row * scores.shape[0] // rows : (row + 1) * scores.shape[0] // rows]
        edges = [column * scores.shape[1] // columns for column in range(columns + 1)]
        marks = [_mark(band[:, edges[column] : edges[column + 1]], low, high) for column in range(columns)]
        lines.append(f"{label[-LABEL + 1 :]:>{LABEL - 1}} │{''.join(marks)}".rstrip())
    first, last = _end(across, 0.0), _end(across, 1.0)
    lines += [" " * LABEL + "└" + "─" * columns, " " * (LABEL + 1) + first + " " * max(columns - len(first) - len(last), 1) + last]
    upward = "" if up is None else f", {up.name} upwards"
    scale = f"; score {number_text(low)} {SHADES} {number_text(high)}" if len(known) else ""
    return [*lines, " " * (LABEL + 1) + f"{across.name} to the right{upward}{scale}"]


def _mark(block: np.ndarray[tuple[int, ...], np.dtype[np.float64]], low: float, high: float) -> str:
    known = block[~np.isnan(block)]
    if not len(known):
        return " "
    depth = (float(known.mean()) - low) / (high - low) if high > low else 1.0
    return SHADES[min(int(depth * len(SHADES)), len(SHADES) - 1)]


def _end(axis: Axis, share: float) -> str:
    value = axis.low if share == 0 else axis.span(axis.cells - 1)[1]
    return number_text(round(value) if axis.step else value)
