"""`Feature`: a function of a batch whose result is cached, for use by several measures and
objectives.

Named features: numbers per level that an objective returns in addition to its scores.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch

Value = TypeVar("Value")


class Feature(Generic[Value]):
    """A function of a batch whose result is stored in `batch.features`. There is no lock: each
    batch belongs to one thread.
    """

    def __init__(self, compute: Callable[[Batch], Value]) -> None:
        """Wrap the function that computes the feature."""
        self._compute = compute
        update_wrapper(self, compute)

    def __call__(self, batch: Batch) -> Value:
        """Return the feature of a batch, computed on first use."""
        known = batch.features
        if self not in known:
            known[self] = self._compute(batch)
        return cast("Value", known[self])

    def __reduce__(self) -> str:
        """Support pickling by name, like functions."""
        return str(self.__dict__["__qualname__"])

    def is_known(self, batch: Batch) -> bool:
        """Whether the feature has been computed."""
        return self in batch.features

    def store(self, batch: Batch, value: Value) -> None:
        """Store a result that was computed together with another feature."""
        batch.features[self] = value


def feature(compute: Callable[[Batch], Value]) -> Feature[Value]:
    """Decorate a function of a batch to make it a feature."""
    return Feature(compute)


@feature
def named_features(batch: Batch) -> dict[str, NDArray[np.generic]]:
    """Return the features that objectives have stored for this batch, by name, `(n,)` each; empty
    at first.
    """
    return {}


def store_features(batch: Batch, features: dict[str, NDArray[Any]]) -> None:
    """Store features of a batch by name, `(n,)` each; NaN for levels that do not have one.

    The feature "feasible" is 0 for levels that violate a constraint.
    """
    named_features(batch).update(features)
