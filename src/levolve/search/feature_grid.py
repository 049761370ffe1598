"""`FeatureGrid`: cells over the values of features, such as measures of levels.

`Elites`: the best individual of each cell of a grid, as arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError
from levolve.kernels.variation.elites import grid_cells, insert_elites

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes

MOST_CELLS = 10_000_000


@dataclass(frozen=True)
class Axis:
    """One axis of a grid: `cells` equal intervals from `low` to `high`. Each contains its lower
    end, the last one both ends.

    `step` is the distance between possible values, 0 for fractions. The values of an axis with a
    step end before `high`.
    """

    name: str
    low: float
    high: float
    cells: int
    step: float = 0.0

    @classmethod
    def over(cls, name: str, span: tuple[float, float], cells: int, step: float = 0.0) -> Axis:
        """Return an axis for the values from `span[0]` to `span[1]`, both included, with at most
        `cells` cells, and no more than there are values.
        """
        low, high = span
        if not (isfinite(low) and isfinite(high) and low <= high):
            raise InputError(
                f"ranges: expected a lower and a higher number for {name}, got {low:g} and {high:g}"
            )
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
        """Return the least and the greatest value of the interval at a place; for fractions its two
        ends.
        """
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
            raise InputError(f"grid: expected at most {MOST_CELLS:,} cells, got {self.count:,}")

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
        """Return the `(n,)` cells of n individuals with `(axes, n)` values; -1 for those outside
        the ranges, or the nearest cell.
        """
        out = np.empty(values.shape[1], np.int64)
        grid_cells(values, *self.bounds, nearest, out)
        return out

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """The lower ends, the upper ends and the sizes of the axes."""
        low, high = (
            np.array([getattr(axis, end) for axis in self.axes], np.float64)
            for end in ("low", "high")
        )
        return low, high, np.array(self.shape, np.int64)

    def places(self, cell: int) -> tuple[int, ...]:
        """Return the place of a cell on each axis."""
        return tuple(int(place) for place in np.unravel_index(cell, self.shape))

    def cell(self, places: Sequence[int]) -> int:
        """Return the number of the cell at these places, one per axis."""
        if len(places) != len(self.axes) or any(
            not 0 <= place < size for place, size in zip(places, self.shape, strict=False)
        ):
            raise InputError(
                f"cell: expected {len(self.axes)} numbers below "
                f"{', '.join(map(str, self.shape))}, got {tuple(places)}"
            )
        return int(np.ravel_multi_index(tuple(places), self.shape))


State = dict[str, Any]
# The arrays have room for this many elites at first.
ROOM = 1024


class Elites:
    """The elites of a grid, in the order in which their cells were first filled."""

    def __init__(self, cells: int, axes: int) -> None:
        """Start with `cells` empty cells of a grid with this number of axes."""
        self.count = 0
        self._slots = np.full(cells, -1, np.int32)
        self._genes: Genes | None = None
        self._scores = np.empty(0)
        self._cells = np.empty(0, np.int64)
        self._curiosity = np.empty(0)
        self._values = np.empty((0, axes))

    @property
    def genes(self) -> Genes:
        """The genes of the elites, `(count, ...)`. Only after the first insertion."""
        if self._genes is None:
            raise ValueError("elites: nothing has been inserted yet")
        return self._genes[: self.count]

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores of the elites, `(count,)`."""
        return self._scores[: self.count]

    @property
    def cells(self) -> NDArray[np.int64]:
        """The cells of the elites, `(count,)`."""
        return self._cells[: self.count]

    @property
    def values(self) -> NDArray[np.float64]:
        """The values of the elites on the axes, `(count, axes)`."""
        return self._values[: self.count]

    @property
    def curiosity(self) -> NDArray[np.float64]:
        """How successful each elite is as a parent, `(count,)`."""
        return self._curiosity[: self.count]

    def insert(
        self,
        genes: Genes,
        scores: NDArray[np.float64],
        cells: NDArray[np.int64],
        values: NDArray[np.float64],
    ) -> NDArray[np.int64]:
        """Insert individuals with their cells and their `(n, axes)` values, one after the other.

        Returns the `(n,)` slots that they entered, -1 for those that did not.
        """
        room = self._with_room(genes, self.count + len(genes))
        placed = np.empty(len(genes), np.int64)
        before = self.count
        self.count = insert_elites(
            genes, scores, cells, self._slots, self.count, room, self._scores, self._cells, placed
        )
        self._curiosity[before : self.count] = 1.0
        entered = np.flatnonzero(placed >= 0)
        # Where several individuals entered one slot, the last of them stays, here too.
        self._values[placed[entered]] = values[entered]
        return placed

    def arrays(self, like: Genes, more: int) -> tuple[NDArray[Any], ...]:
        """Return the slots of the cells, and the genes, scores, cells, curiosity and values by
        slot, with room for `more` elites.

        A kernel that inserts elites writes to them, and sets `count` afterwards.
        """
        genes = self._with_room(like, self.count + more)
        return self._slots, genes, self._scores, self._cells, self._curiosity, self._values

    def _with_room(self, like: Genes, wanted: int) -> Genes:
        """Extend the arrays to `wanted` elites, if there are as many cells. Return those of the
        genes.
        """
        wanted = min(wanted, len(self._slots))
        if self._genes is not None and len(self._scores) >= wanted:
            return self._genes
        room = min(max(wanted, 2 * len(self._scores), ROOM), len(self._slots))
        genes = np.zeros((room, *like.shape[1:]), like.dtype)
        if self._genes is not None:
            genes[: self.count] = self.genes
        self._genes = genes
        self._scores, self._cells, self._curiosity, self._values = (
            _extended(part, room)
            for part in (self._scores, self._cells, self._curiosity, self._values)
        )
        return genes

    def state(self) -> State:
        """Return the elites as plain arrays."""
        genes = None if self._genes is None else self.genes.copy()
        return {
            "genes": genes,
            "scores": self.scores.copy(),
            "cells": self.cells.copy(),
            "values": self.values.copy(),
            "curiosity": self.curiosity.copy(),
        }

    def restored(self, state: Mapping[str, Any]) -> Elites:
        """Return the elites of a state of this grid."""
        elites = Elites(len(self._slots), self._values.shape[1])
        if state["genes"] is not None:
            scores, values = (np.array(state[name], np.float64) for name in ("scores", "values"))
            elites.insert(
                np.array(state["genes"]), scores, np.array(state["cells"], np.int64), values
            )
            elites.curiosity[:] = state["curiosity"]
        return elites


def _extended(values: NDArray[Any], room: int) -> NDArray[Any]:
    extended = np.zeros((room, *values.shape[1:]), values.dtype)
    extended[: len(values)] = values
    return extended
