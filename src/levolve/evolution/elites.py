"""`Elites`: the best individual of each cell of a grid, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.kernels.elites import insert_elites

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.genotypes.genes import Genes

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
            message = "elites: nothing has been inserted yet"
            raise ValueError(message)
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

    def insert(self, genes: Genes, scores: NDArray[np.float64], cells: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Insert individuals with their cells and their `(n, axes)` values, one after the other.

        Returns the `(n,)` slots that they entered, -1 for those that did not.
        """
        room = self._with_room(genes, self.count + len(genes))
        placed = np.empty(len(genes), np.int64)
        before = self.count
        self.count = insert_elites(genes, scores, cells, self._slots, self.count, room, self._scores, self._cells, placed)
        self._curiosity[before : self.count] = 1.0
        entered = np.flatnonzero(placed >= 0)
        # Where several individuals entered one slot, the last of them stays, here too.
        self._values[placed[entered]] = values[entered]
        return placed

    def arrays(self, like: Genes, more: int) -> tuple[NDArray[Any], ...]:
        """Return the slots of the cells, and the genes, scores, cells, curiosity and values by slot, with room for `more` elites.

        A kernel that inserts elites writes to them, and sets `count` afterwards.
        """
        genes = self._with_room(like, self.count + more)
        return self._slots, genes, self._scores, self._cells, self._curiosity, self._values

    def _with_room(self, like: Genes, wanted: int) -> Genes:
        """Extend the arrays to `wanted` elites, if there are as many cells. Return those of the genes."""
        wanted = min(wanted, len(self._slots))
        if self._genes is not None and len(self._scores) >= wanted:
            return self._genes
        room = min(max(wanted, 2 * len(self._scores), ROOM), len(self._slots))
        genes = np.zeros((room, *like.shape[1:]), like.dtype)
        if self._genes is not None:
            genes[: self.count] = self.genes
        self._genes = genes
        self._scores, self._cells, self._curiosity, self._values = (
            _extended(part, room) for part in (self._scores, self._cells, self._curiosity, self._values)
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
            elites.insert(np.array(state["genes"]), scores, np.array(state["cells"], np.int64), values)
            elites.curiosity[:] = state["curiosity"]
        return elites


def _extended(values: NDArray[Any], room: int) -> NDArray[Any]:
    extended = np.zeros((room, *values.shape[1:]), values.dtype)
    extended[: len(values)] = values
    return extended
