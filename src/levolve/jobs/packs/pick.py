"""`pick_pack`: a pack of levels from an archive, chosen by targets, distinctness and a difficulty
curve.

Difficulty curves: the range of difficulty of each level of a pack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.jobs.packs.objective import Distinctness
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.section import MissedLevel, PackSection
from levolve.jobs.packs.targets import Range
from levolve.levels.batch import Batch
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measuring import measure

if TYPE_CHECKING:
    from levolve.jobs.archives.archive import Archive
    from levolve.levels.level import Level

# The minimum width of a range of difficulty, as a share of the whole extent.
NARROWEST = 0.01
# The least tolerance of a difficulty: wide enough to contain an integer.
LEAST_WITHIN = 0.5


def hardness(batch: Batch) -> NDArray[np.float64]:
    """Return the score of the search for the hardest level: `(n,)`."""
    return MEASURES["difficulty"].count(batch).astype(np.float64)


def easiness(batch: Batch) -> NDArray[np.float64]:
    """Return the score of the search for the easiest level: `(n,)`, from 0 to 1."""
    return np.asarray(1.0 / (2.0 + MEASURES["difficulty"].count(batch)), np.float64)


def is_narrow(curve: Range, count: int, easiest: float, hardest: float) -> bool:
    """Whether an ascending or descending curve leaves so little difference between neighbours that
    the least width of a range decides.
    """
    return curve[0] != curve[1] and abs(curve[1] - curve[0]) * (
        hardest - easiest
    ) < 4 * LEAST_WITHIN * (count - 1)


def widened(limits: Range, easiest: float, hardest: float) -> Range | None:
    """Return a range of difficulty of twice the width; None if it contains all from the easiest to
    the hardest level already.
    """
    low, high = limits
    half = (high - low) / 2
    return (
        None
        if low <= easiest and high >= hardest
        else (round(low - half, 1), round(high + half, 1))
    )


def curve_targets(
    targets: Sequence[Mapping[str, Range]], curve: Range, easiest: float, hardest: float
) -> list[dict[str, Range]]:
    """Add a range of difficulty to the targets of each level.

    Difficulties are spaced evenly between two positions on the scale from `easiest` (0) to
    `hardest` (1).
    """
    extent = hardest - easiest
    gap = (curve[1] - curve[0]) / max(len(targets) - 1, 1)
    within = max(abs(gap) / 4 * extent, NARROWEST * extent, LEAST_WITHIN)
    middles = [easiest + extent * (curve[0] + gap * index) for index in range(len(targets))]
    return [
        {**ranges, "difficulty": (round(middle - within, 1), round(middle + within, 1))}
        for ranges, middle in zip(targets, middles, strict=True)
    ]


NONE_LEFT = (
    "the archive has no other level that meets the targets and is distinct; evaluate more, use a "
    "finer grid, or ask for less"
)


def pick_pack(
    archive: Archive,
    *,
    count: int = 24,
    target: Mapping[str, Any] | None = None,
    distinct: float = 0.0,
    curve: str | Sequence[float] | None = None,
) -> Pack:
    """Choose levels of an archive. No level is evolved, and the same archive gives the same pack.

    Parameters
    ----------
    archive
        See `levolve.illuminate` and `levolve.load_archive`.
    count, target, distinct, curve
        See `levolve.pack`. A curve is spaced over the difficulties that the archive has. Of the
        levels that meet the targets of a place, the one with the highest score is chosen; on a
        curve the one that is nearest to its difficulty. Places for which there is none are listed
        in the report.
    """
    order = Order.of(archive.recipe, count=count, target=target, distinct=distinct, curve=curve)
    levels = archive.levels
    if not levels:
        raise InputError("archive: expected one with winnable levels, got none")
    measured = measure(levels)
    scale: Range | None = None
    targets: Sequence[Mapping[str, Range]] = order.targets
    if order.curve is not None:
        possible = measured["difficulty"][
            np.logical_or.reduce([_within(measured, ranges, len(levels)) for ranges in targets])
        ]
        scale = (float(possible.min()), float(possible.max())) if len(possible) else (0.0, 0.0)
        targets = curve_targets(order.targets, order.curve, *scale)
    chosen: list[Level] = []
    missed: list[MissedLevel] = []
    distinctness = Distinctness.empty(
        levels[0].height, levels[0].width, levels[0].tileset, order.least
    )
    batch = Batch(
        levels[0].frame,
        tiles=np.stack([level.tiles for level in levels]),
        tileset=levels[0].tileset,
    )
    for index, ranges in enumerate(targets):
        fits = np.flatnonzero(
            (distinctness.lacking(batch) == 0) & _within(measured, ranges, len(levels))
        )
        if not len(fits):
            missed.append(
                MissedLevel(
                    index,
                    tuple(
                        f"{name}: wanted {low:g} to {high:g}"
                        for name, (low, high) in ranges.items()
                    ),
                    NONE_LEFT,
                )
            )
            continue
        if scale is not None:
            low, high = ranges["difficulty"]
            fits = fits[
                np.argsort(np.abs(measured["difficulty"][fits] - (low + high) / 2), kind="stable")
            ]
        best = levels[int(fits[0])]
        chosen.append(best)
        distinctness = distinctness.joined_by(best.tiles)
    counts = len(chosen), tuple(missed), 0, archive.evaluations
    part = PackSection(order, archive.seed, *counts, scale)
    return Pack(archive.recipe.name, tuple(chosen), (part,))


def _within(
    measured: Mapping[str, NDArray[Any]], ranges: Mapping[str, Range], count: int
) -> NDArray[np.bool_]:
    """Return which levels are within all ranges, `(n,)`."""
    fits = np.ones(count, bool)
    for name, (low, high) in ranges.items():
        fits &= (low <= measured[name]) & (measured[name] <= high)
    return fits
