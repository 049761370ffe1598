"""Difficulty curves: the range of difficulty of each level of a pack."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.measures import MEASURES
from levolve.packs.targets import Range

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
    """Whether an ascending or descending curve leaves so little difference between neighbours that the least width of a range decides."""
    return curve[0] != curve[1] and abs(curve[1] - curve[0]) * (hardest - easiest) < 4 * LEAST_WITHIN * (count - 1)


def widened(limits: Range, easiest: float, hardest: float) -> Range | None:
    """Return a range of difficulty of twice the width; None if it contains all from the easiest to the hardest level already."""
    low, high = limits
    half = (high - low) / 2
    return None if low <= easiest and high >= hardest else (round(low - half, 1), round(high + half, 1))


def curve_targets(targets: Sequence[Mapping[str, Range]], curve: Range, easiest: float, hardest: float) -> list[dict[str, Range]]:
    """Add a range of difficulty to the targets of each level.

    Difficulties are spaced evenly between two positions on the scale from `easiest` (0) to `hardest` (1).
    """
    extent = hardest - easiest
    gap = (curve[1] - curve[0]) / max(len(targets) - 1, 1)
    within = max(abs(gap) / 4 * extent, NARROWEST * extent, LEAST_WITHIN)
    middles = [easiest + extent * (curve[0] + gap * index) for index in range(len(targets))]
    return [{**ranges, "difficulty": (round(middle - within, 1), round(middle + within, 1))} for ranges, middle in zip(targets, middles, strict=True)]
