"""Likeness: how much a level looks like examples, and how far it is from being a copy."""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.measures import bounds, structure_features
from levolve.levels.measures.measure import Measure


def likeness(batch: Batch) -> NDArray[np.float64]:
    """Return 1 / (1 + divergence)."""
    return np.asarray(1.0 / (1.0 + structure_features.divergences(batch)), np.float64)


def divergence(batch: Batch) -> NDArray[np.float64]:
    """Return the divergence of the window patterns from those of the examples."""
    return structure_features.divergences(batch)


def originality(batch: Batch) -> NDArray[np.float64]:
    """Return the smallest share of cells that differ from a part of an example."""
    return structure_features.originality(batch)


LIKENESS = Measure(
    "likeness to the examples: 1 / (1 + divergence)",
    likeness,
    of_examples=True,
    whole=False,
    bounds=bounds.of_share,
)
DIVERGENCE = Measure(
    "divergence of the patterns of 2x2, 3x3 and 4x4 tiles from those of the examples",
    divergence,
    of_examples=True,
    whole=False,
)
ORIGINALITY = Measure(
    "smallest share of cells that differ from a part of an example of the same size",
    originality,
    of_examples=True,
    whole=False,
    bounds=bounds.of_share,
)
