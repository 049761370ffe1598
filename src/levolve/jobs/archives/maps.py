"""The map of an archive: its scores over the first two axes, as an array and as text for a
terminal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.levels.measures.measure import number_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.jobs.archives.archive import Archive
    from levolve.search.feature_grid import Axis


def flat_map(archive: Archive) -> NDArray[np.float64]:
    """Return the `(width, height)` scores over the first two axes; NaN for empty cells."""
    scores = archive.score_map
    if scores.ndim == 1:
        return scores[:, np.newaxis]
    others = tuple(range(2, scores.ndim))
    best = np.where(np.isnan(scores), -np.inf, scores).max(axis=others) if others else scores
    return np.where(np.isneginf(best), np.nan, best)


# From low scores to high ones; a space has no level.
SHADES = "░▒▓█"
WIDTH, HEIGHT, LABEL = 60, 15, 8


def map_lines(archive: Archive) -> list[str]:
    """Return at most 18 lines of at most 70 characters: the first axis to the right, the second
    upwards, darker for higher scores.
    """
    scores = flat_map(archive).T[::-1]
    rows, columns = min(HEIGHT, scores.shape[0]), min(WIDTH, scores.shape[1])
    known = scores[~np.isnan(scores)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    across = archive.grid.axes[0]
    up = archive.grid.axes[1] if len(archive.grid.axes) > 1 else None
    lines = []
    for row in range(rows):
        label = (
            ""
            if up is None
            else _end(up, 1.0)
            if row == 0
            else _end(up, 0.0)
            if row == rows - 1
            else ""
        )
        band = scores[row * scores.shape[0] // rows : (row + 1) * scores.shape[0] // rows]
        edges = [column * scores.shape[1] // columns for column in range(columns + 1)]
        marks = [
            _mark(band[:, edges[column] : edges[column + 1]], low, high)
            for column in range(columns)
        ]
        lines.append(f"{label[-LABEL + 1 :]:>{LABEL - 1}} │{''.join(marks)}".rstrip())
    first, last = _end(across, 0.0), _end(across, 1.0)
    lines += [
        " " * LABEL + "└" + "─" * columns,
        " " * (LABEL + 1) + first + " " * max(columns - len(first) - len(last), 1) + last,
    ]
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
