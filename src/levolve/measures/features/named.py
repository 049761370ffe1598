"""Named features: numbers per level that an objective returns in addition to its scores."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.measures.features.feature import feature


@feature
def named_features(batch: Batch) -> dict[str, NDArray[np.generic]]:  # noqa: ARG001 nothing is known before an objective stores it
    """Return the features that objectives have stored for this batch, by name, `(n,)` each; empty at first."""
    return {}


def store_features(batch: Batch, features: dict[str, NDArray[Any]]) -> None:
    """Store features of a batch by name, `(n,)` each; NaN for levels that do not have one.

    The feature "feasible" is 0 for levels that violate a constraint.
    """
    named_features(batch).update(features)
