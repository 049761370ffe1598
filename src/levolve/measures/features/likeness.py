"""The likeness of levels to the examples of their frame."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.patterns import least_differences, style_divergences
from levolve.levels.batch import Batch
from levolve.levels.style import style_of
from levolve.measures.features.feature import feature


@feature
def divergences(batch: Batch) -> NDArray[np.float64]:
    """Return the divergence of each level from the style of the examples, `(n,)`; 0 for the same distributions of patterns."""
    style = style_of(batch.frame.like, batch.tileset)
    shares, log_shares, absent = style.shares(batch.frame.height, batch.frame.width)
    found = np.empty(len(batch))
    style_divergences(batch.tiles, style.outside, style.sizes, style.keys, style.mass, style.log_mass, absent, shares, log_shares, found)
    # Rounding may give a tiny negative number for a level that equals the example.
    return np.maximum(found, 0.0)


@feature
def originality(batch: Batch) -> NDArray[np.float64]:
    """Return the smallest share of cells in which each level differs from a part of an example, `(n,)`."""
    found = np.ones(len(batch))
    for example in style_of(batch.frame.like, batch.tileset).examples:
        least_differences(batch.tiles, example, found)
    return found
