"""`Grid`: what a level and a round of a puzzle have in common. They are tiles, have a text form, and may hold their solution."""

import hashlib
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.errors import InputError

MOVES = "udlr"


class Grid(ABC):
    """Tiles `[row, column]` that do not change, and perhaps a solution."""

    tiles: NDArray[np.uint8]
    solution: str | None

    @abstractmethod
    def to_text(self) -> str:
        """The text form, from which nothing is missing but the solution and what else is *about* the grid."""

    @abstractmethod
    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it wins."""

    def __str__(self) -> str:
        """The text form."""
        return self.to_text()

    def __eq__(self, other: object) -> bool:
        """Whether both are of a kind and have the same text form."""
        return self.to_text() == other.to_text() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        """Equal grids have equal hashes."""
        return hash(self.digest)

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """How many rows there are."""
        return int(self.tiles.shape[0])

    @property
    def digest(self) -> str:
        """Sha256 over the text form: equal grids, and only they, have the same."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()


def read_tiles(tiles: ArrayLike) -> NDArray[Any]:
    """Tiles as an array of rows and columns of whole numbers."""
    try:
        array = np.asarray(tiles)
    except ValueError as problem:
        message = "tiles: expected rows of equal length"
        raise InputError(message) from problem
    if array.ndim != 2:  # noqa: PLR2004 rows and columns
        message = f"tiles: expected an array of rows and columns, got {array.ndim} dimensions of shape {array.shape}"
        raise InputError(message)
    if array.dtype.kind not in "iub":
        message = f"tiles: expected whole numbers, got {array.dtype}"
        raise InputError(message)
    return array


def frozen_tiles(array: NDArray[Any]) -> NDArray[np.uint8]:
    """A copy that cannot be changed."""
    copy = array.astype(np.uint8)
    copy.setflags(write=False)
    return copy


def check_moves(solution: object) -> None:
    """Refuse a solution that is no text of moves; None is no solution."""
    if solution is not None and not isinstance(solution, str):
        message = f"solution: expected a text of moves u, d, l, r, got {type(solution).__name__}"
        raise InputError(message)
    if solution is not None and not set(solution) <= set(MOVES):
        wrong = next(move for move in solution if move not in MOVES)
        message = f"solution: expected moves u, d, l, r, got {wrong!r}"
        raise InputError(message)
