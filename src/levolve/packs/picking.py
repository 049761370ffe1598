"""`pick_pack`: a pack of levels from an archive, chosen by targets, distinctness and a difficulty curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.measures.measuring import measure
from levolve.packs.curve import curve_targets
from levolve.packs.distinctness import Distinctness
from levolve.packs.order import Order
from levolve.packs.pack import Pack
from levolve.packs.part import MissedLevel, PackPart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.archives.archive import Archive
    from levolve.levels.level import Level
    from levolve.packs.targets import Range

NONE_LEFT = "the archive has no other level that meets the targets and is distinct; evaluate more, use a finer grid, or ask for less"


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
        See `levolve.pack`. A curve is spaced over the difficulties that the archive has. Of the levels that meet the targets of a place, the one with
        the highest score is chosen; on a curve the one that is nearest to its difficulty. Places for which there is none are listed in the report.
    """
    order = Order.of(archive.recipe, count=count, target=target, distinct=distinct, curve=curve)
    levels = archive.levels
    if not levels:
        message = "archive: expected one with winnable levels, got none"
        raise InputError(message)
    measured = measure(levels)
    scale: Range | None = None
    targets: Sequence[Mapping[str, Range]] = order.targets
    if order.curve is not None:
        possible = measured["difficulty"][np.logical_or.reduce([_within(measured, ranges, len(levels)) for ranges in targets])]
        scale = (float(possible.min()), float(possible.max())) if len(possible) else (0.0, 0.0)
        targets = curve_targets(order.targets, order.curve, *scale)
    chosen: list[Level] = []
    missed: list[MissedLevel] = []
    distinctness = Distinctness.empty(levels[0].height, levels[0].width, levels[0].tileset, order.least)
    batch = Batch(levels[0].frame, tiles=np.stack([level.tiles for level in levels]), tileset=levels[0].tileset)
    for index, ranges in enumerate(targets):
        fits = np.flatnonzero((distinctness.lacking(batch) == 0) & _within(measured, ranges, len(levels)))
        if not len(fits):
            missed.append(MissedLevel(index, tuple(f"{name}: wanted {low:g} to {high:g}" for name, (low, high) in ranges.items()), NONE_LEFT))
            continue
        if scale is not None:
            low, high = ranges["difficulty"]
            fits = fits[np.argsort(np.abs(measured["difficulty"][fits] - (low + high) / 2), kind="stable")]
        best = levels[int(fits[0])]
        chosen.append(best)
        distinctness = distinctness.joined_by(best.tiles)
    part = PackPart(order, archive.seed, len(chosen), tuple(missed), 0, archive.evaluations, scale)
    return Pack(archive.recipe.name, tuple(chosen), (part,))


def _within(measured: Mapping[str, NDArray[Any]], ranges: Mapping[str, Range], count: int) -> NDArray[np.bool_]:
    """Return which levels are within all ranges, `(n,)`."""
    fits = np.ones(count, bool)
    for name, (low, high) in ranges.items():
        fits &= (low <= measured[name]) & (measured[name] <= high)
    return fits
