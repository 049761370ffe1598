"""`FeatureGrid`: cells over the values of features, such as measures of levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.errors import InputError
from levolve.kernels.elites import grid_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_CELLS = 10_000_000


@dataclass(frozen=True)
class Axis:
    """One axis of a grid: `cells` equal intervals from `low` to `high`. Each contains its lower end, the last one both ends.

    `step` is the distance between possible values, 0 for fractions. The values of an axis with a step end before `high`.
    """

    name: str
    low: float
    high: float
    cells: int
    step: float = 0.0

    @classmethod
    def over(cls, name: str, span: tuple[float, float], cells: int, step: float = 0.0) -> Axis:
        """Return an axis for the values from `span[0]` to `span[1]`, both included, with at most `cells` cells, and no more than there are values."""
        low, high = span
        if not (isfinite(low) and isfinite(high) and low <= high):
            message = f"ranges: expected a lower and a higher number for {name}, got {low:g} and {high:g}"
            raise InputError(message)
        if step:
            values = int((high - low) // step) + 1
            # Half a step beyond the last value, so that the next value lies outside.
            return cls(name, low, low + (values - 0.5) * step, min(cells, values), step)
        return cls(name, low, high, cells if high > low else 1)

    @property
    def edges(self) -> list[float]:
        """The `cells + 1` ends of the intervals."""
        return [self.low + (self.high - self.low) * k / self.cells for k in range(self.cells + 1)]

    def span(self, place: int) -> tuple[float, float]:
        """Return the least and the greatest value of the interval at a place; for fractions its two ends."""
        start, end = self.edges[place : place + 2]
        if not self.step:
            return start, end
        first = -(-(start - self.low) // self.step)
        last = -(-(end - self.low) // self.step) - 1
        return self.low + first * self.step, self.low + last * self.step


@dataclass(frozen=True)
class FeatureGrid:
    """A grid of one axis or more. Cells are numbered with the last axis fastest."""

    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        """Refuse grids that are too large."""
        if self.count > MOST_CELLS:
            message = f"grid: expected at most {MOST_CELLS:,} cells, got {self.count:,}"
            raise InputError(message)

    @property
    def names(self) -> tuple[str, ...]:
        """The features of the axes."""
        return tuple(axis.name for axis in self.axes)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The number of cells on each axis."""
        return tuple(axis.cells for axis in self.axes)

    @cached_property
    def count(self) -> int:
        """The number of cells."""
        return prod(self.shape)

    def values(self, features: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
        """Return the values of n individuals on the axes, `(axes, n)`, by their features."""
        return np.array([features[axis.name] for axis in self.axes], np.float64)

    def cells(self, values: NDArray[np.float64], *, nearest: bool = False) -> NDArray[np.int64]:
        """Return the `(n,)` cells of n individuals with `(axes, n)` values; -1 for those outside the ranges, or the nearest cell."""
        out = np.empty(values.shape[1], np.int64)
        grid_cells(values, *self.bounds, nearest, out)
        return out

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """The lower ends, the upper ends and the sizes of the axes."""
        low, high = (np.array([getattr(axis, end) for axis in self.axes], np.float64) for end in ("low", "high"))
        return low, high, np.array(self.shape, np.int64)

    def places(self, cell: int) -> tuple[int, ...]:
        """Return the place of a cell on each axis."""
        return tuple(int(place) for place in np.unravel_index(cell, self.shape))

    def cell(self, places: Sequence[int]) -> int:
        """Return the number of the cell at these places, one per axis."""
        if len(places) != len(self.axes) or any(not 0 <= place < size for place, size in zip(places, self.shape, strict=False)):
            message = f"cell: expected {len(self.axes)} numbers below {', '.join(map(str, self.shape))}, got {tuple(places)}"
            raise InputError(message)
        return int(np.ravel_multi_index(tuple(places), self.shape))
