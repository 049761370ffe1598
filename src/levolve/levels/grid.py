"""`Grid`: the base class of levels and of rounds of a puzzle. A grid has tiles, a text form, and
optionally a solution.
"""

import hashlib
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.core.errors import InputError

MOVES = "udlr"
# The move that uses what stands on the player's cell.
USE = "x"


class Grid(ABC):
    """Immutable tiles `[row, column]` and an optional solution."""

    tiles: NDArray[np.uint8]
    solution: str | None

    @abstractmethod
    def to_text(self) -> str:
        """Return the text form: the complete grid, without its solution and other metadata."""

    @abstractmethod
    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it wins."""

    def __str__(self) -> str:
        """Return the text form."""
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        """Whether both have the same class and the same text form."""
        return (
            self.to_text() == other.to_text() if isinstance(other, type(self)) else NotImplemented
        )

    def __hash__(self) -> int:
        """Return equal hashes for equal grids."""
        return hash(self.digest)

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """The number of rows."""
        return int(self.tiles.shape[0])

    @property
    def digest(self) -> str:
        """The SHA-256 of the text form. Equal grids have equal digests."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()


def read_tiles(tiles: ArrayLike) -> NDArray[Any]:
    """Convert tiles to a two-dimensional array of integers."""
    try:
        array = np.asarray(tiles)
    except ValueError as problem:
        raise InputError("tiles: expected rows of equal length") from problem
    if array.ndim != 2:  # rows and columns
        raise InputError(
            f"tiles: expected an array of rows and columns, got {array.ndim} dimensions of shape "
            f"{array.shape}"
        )
    if array.dtype.kind not in "iub":
        raise InputError(f"tiles: expected whole numbers, got {array.dtype}")
    return array


def frozen_tiles(array: NDArray[Any]) -> NDArray[np.uint8]:
    """Return a read-only copy."""
    copy = array.astype(np.uint8)
    copy.setflags(write=False)
    return copy


def check_moves(solution: object, moves: str = MOVES) -> None:
    """Raise `InputError` unless the solution is a string of moves, or None for no solution."""
    expected = ", ".join(moves)
    if solution is not None and not isinstance(solution, str):
        raise InputError(
            f"solution: expected a text of moves {expected}, got {type(solution).__name__}"
        )
    if solution is not None and not set(solution) <= set(moves):
        wrong = next(move for move in solution if move not in moves)
        raise InputError(f"solution: expected moves {expected}, got {wrong!r}")
