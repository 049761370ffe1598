"""`Measure`: the definition of a measure.

`Feature`: a function of a batch whose result is cached, for use by several measures and objectives.
Named features: numbers per level that an objective returns in addition to its scores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from math import inf
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import LevolveError
from levolve.levels.batch import Batch

if TYPE_CHECKING:
    from levolve.levels.batch import Batch
    from levolve.levels.frame import Frame
    from levolve.levels.tileset import Tileset

Numbers = NDArray[np.int32] | NDArray[np.int64] | NDArray[np.float64]
Range = tuple[float, float]
Bounds = Callable[["Frame", "Tileset"], Range]


def from_zero(frame: Frame, tileset: Tileset) -> Range:
    """Return the default bounds: from 0 to infinity."""
    return 0, inf


@dataclass(frozen=True)
class Measure:
    """One number per level of a batch.

    Attributes
    ----------
    meaning
        A description in one line.
    count
        A function that takes a batch of n levels and returns `(n,)` numbers: integers, or float64
        with `whole=False`.
    needs, of_goal
        The places that levels must have; with `of_goal`, also all stops of their goal.
    of_examples
        Whether levels are compared with examples, which the frame must have.
    of_things
        Whether levels must have things that act.
    bounds
        A function that returns the least and the greatest value of winnable levels with a frame and
        a tileset.
    span
        A function like `bounds` for the range in which most designed levels lie; by default the
        bounds.
    stride
        Every value is the least one plus a multiple of this.
    whole
        Whether values are integers.
    within
        A faster function for targets: it takes a batch and a range, and returns the values of
        levels outside the range, and any numbers within it for the others. By default, values are
        counted.
    """

    meaning: str
    count: Callable[[Batch], Numbers]
    needs: tuple[str, ...] = ()
    of_goal: bool = False
    of_examples: bool = False
    of_things: bool = False
    whole: bool = True
    bounds: Bounds = from_zero
    stride: int = 1
    span: Bounds | None = None
    within: Callable[[Batch, float, float], Numbers] | None = None

    def usual(self, frame: Frame, tileset: Tileset) -> Range:
        """Return the range in which most designed levels with a frame and a tileset lie, within the
        bounds.
        """
        low, high = self.bounds(frame, tileset)
        if self.span is None:
            return low, high
        usual_low, usual_high = self.span(frame, tileset)
        return max(low, min(usual_low, high)), min(high, max(usual_high, low))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the numbers: int64 for integers, otherwise float64."""
        return np.dtype(np.int64 if self.whole else np.float64)

    def values(self, batch: Batch) -> NDArray[Any]:
        """Return `(n,)` numbers of the measure's dtype. Raise an error if a measure of integers
        returns fractions.
        """
        counted = np.asarray(self.count(batch))
        if self.whole and counted.dtype.kind not in "iub":
            message = (
                f"measure ({self.meaning}): expected whole numbers, got {counted.dtype}; set "
                "whole=False for a measure of fractions"
            )
            raise LevolveError(message)
        return counted.astype(self.dtype)

    def values_for(self, batch: Batch, low: float, high: float) -> NDArray[Any]:
        """Return `(n,)` numbers that miss a range exactly as far as the values do: any numbers
        within it for levels whose values are.
        """
        return (
            self.values(batch)
            if self.within is None
            else np.asarray(self.within(batch, low, high)).astype(self.dtype)
        )

    def suits(self, frame: Frame) -> bool:
        """Whether levels with this frame can be measured."""
        goal = frame.goal
        walkable = not self.of_goal or (bool(goal.stops) and not goal.missing(frame.place_names))
        return (
            walkable
            and (not self.of_examples or bool(frame.like))
            and (not self.of_things or frame.things)
            and all(frame.has(name) for name in self.needs)
        )

    def refusal(self, frame: Frame) -> str:
        """Return the end of an error message about levels that lack required places."""
        if self.of_examples and not frame.like:
            return "expected examples to compare with (like), got none"
        if self.of_things and not frame.things:
            return "expected levels with things that act, such as keys and doors, got none"
        expected = [*self.needs, *(frame.goal.stops if self.of_goal else ())]
        goal = f", the stops of their goal {frame.goal.name!r}" if self.of_goal else ""
        levels = (
            f"levels with {' and '.join(expected)}{goal}"
            if expected
            else f"levels with a goal that has stops, not the goal {frame.goal.name!r}"
        )
        return f"expected {levels}, got one with {', '.join(frame.place_names) or 'no places'}"


def plain_number(value: np.generic | float) -> int | float:
    """Convert a measured value for JSON: an integer to int, a fraction to float."""
    number = value.item() if isinstance(value, np.generic) else value
    return number if isinstance(number, int) else float(number)


def number_text(value: np.generic | float) -> str:
    """Format a measured value: integers in full, fractions with four digits."""
    number = plain_number(value)
    return str(number) if isinstance(number, int) else f"{number:.4g}"


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
