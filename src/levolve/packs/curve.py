"""Difficulty curves: the range of difficulty of each level of a pack."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.measures import MEASURES
from levolve.packs.targets import Range

# The minimum width of a range of difficulty, as a share of the whole extent.
NARROWEST = 0.01


def hardness(batch: Batch) -> NDArray[np.float64]:
    """Return the score of the search for the hardest level: `(n,)`."""
    return MEASURES["difficulty"].count(batch).astype(np.float64)


def easiness(batch: Batch) -> NDArray[np.float64]:
    """Return the score of the search for the easiest level: `(n,)`, from 0 to 1."""
    return np.asarray(1.0 / (2.0 + MEASURES["difficulty"].count(batch)), np.float64)


def curve_targets(targets: Sequence[Mapping[str, Range]], curve: Range, easiest: float, hardest: float) -> list[dict[str, Range]]:
    """Add a range of difficulty to the targets of each level.

    Difficulties are spaced evenly between two positions on the scale from `easiest` (0) to `hardest` (1).
    """
    extent = hardest - easiest
    gap = (curve[1] - curve[0]) / max(len(targets) - 1, 1)
    # Wide enough to contain an integer.
    within = max(abs(gap) / 4 * extent, NARROWEST * extent, 0.5)
    middles = [easiest + extent * (curve[0] + gap * index) for index in range(len(targets))]
    return [{**ranges, "difficulty": (round(middle - within, 1), round(middle + within, 1))} for ranges, middle in zip(targets, middles, strict=True)]
