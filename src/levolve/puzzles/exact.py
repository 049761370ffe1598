"""`ExactSearch`: what the exact searches of all puzzles have in common. It runs in pieces, and its state can be stored and restored between two."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.pieces import run_in_pieces
from levolve.puzzles.search import AnyPosition
from levolve.puzzles.solution import Solution


class ExactSearch(ABC, Generic[AnyPosition]):
    """An exact search for a solution of a position that examines at most `budget` positions.

    A subclass holds everything that the search depends on in arrays, which change only within kernels, so that an interrupt at any moment leaves a
    valid state.
    """

    # The positions of the first piece; they take no longer than a moment.
    first_piece: int

    def __init__(self, position: AnyPosition, budget: int) -> None:
        """Start with nothing examined."""
        self.position = position
        self.budget = budget
        self.seconds = 0.0

    @property
    @abstractmethod
    def evaluations(self) -> int:
        """The positions examined so far."""

    @abstractmethod
    def advance(self, positions: int) -> bool:
        """Examine about so many more positions; return whether the search goes on."""

    @abstractmethod
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays that the search depends on, by name, not copied."""

    @abstractmethod
    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over copies of the arrays of another search for the same position."""

    @abstractmethod
    def solution(self) -> Solution:
        """The result of a search that has ended; its moves have been replayed."""

    def proceed(self, positions: int) -> bool:
        """Advance, and count the time."""
        began = time.perf_counter()
        goes_on = self.advance(positions)
        self.seconds += time.perf_counter() - began
        return goes_on

    def solve(self) -> Solution:
        """Search to the end, in pieces."""
        run_in_pieces(self.proceed, self.first_piece)
        return self.solution()

    def state(self) -> dict[str, Any]:
        """Everything needed to continue, as plain numbers and arrays."""
        return {"seconds": self.seconds, **{name: array.copy() for name, array in self.arrays().items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a `state` of a search for the same position with the same budget. It ends with the same result."""
        expected = {"seconds", *self.arrays()}
        if set(state) != expected:
            message = f"state: expected {', '.join(sorted(expected))}, got {', '.join(sorted(map(str, state)))}"
            raise InputError(message)
        self.set_arrays({name: np.array(state[name]) for name in self.arrays()})
        self.seconds = float(state["seconds"])
