"""The three representations of PCGRL: how an agent edits a level. A new one is one class and one line at the end."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.levels.grid import MOVES
from levolve.levels.places import Place

# Draws a whole number below a bound; another one for each index.
DrawNumber = Callable[[int, int], int]
Edit = tuple[Place, int]
Mask = NDArray[np.int8]


class Representation(ABC):
    """What the actions of an agent mean. `free` `(height, width)` are the cells that may change, `kinds` is the number of kinds of tiles."""

    # Whether there is a cell to which actions refer.
    has_cursor: ClassVar[bool] = True

    def __init__(self, free: NDArray[np.bool_], kinds: int) -> None:
        """Set what all levels have in common."""
        self.free, self.kinds = free, kinds
        self.height, self.width = int(free.shape[0]), int(free.shape[1])
        self.cursor: Place = (0, 0)
        self._free_cells = np.argwhere(free)

    @property
    @abstractmethod
    def actions(self) -> int:
        """The number of actions."""

    def begin(self, draw: DrawNumber) -> None:
        """Put the cursor on a random cell that may change."""
        self._jump(draw, 0)

    @abstractmethod
    def edit(self, action: int) -> Edit | None:
        """Carry out an action: move the cursor, or return the cell (x, y) to change and its new kind. It may be a cell that must not change."""

    def advance(self, step: int, draw: DrawNumber) -> None:  # noqa: B027 only a cursor that jumps needs it
        """Prepare the next step; `step` is its number, from 1."""

    @abstractmethod
    def mask(self, tiles: NDArray[np.uint8]) -> Mask:
        """Return `(actions,)` int8, 1 for each action that is legal: an edit that changes a tile which may change, or a move inside the level."""

    def _jump(self, draw: DrawNumber, step: int) -> None:
        y, x = self._free_cells[draw(step, len(self._free_cells))]
        self.cursor = (int(x), int(y))

    def _other_kinds(self, tiles: NDArray[np.uint8]) -> Mask:
        x, y = self.cursor
        return np.asarray(self.free[y, x] & (np.arange(self.kinds) != tiles[y, x]), np.int8)


class Narrow(Representation):
    """The cursor jumps to a random cell at each step. Action 0 leaves its tile as it is, action k + 1 makes it kind k."""

    @property
    def actions(self) -> int:
        """One more than there are kinds."""
        return self.kinds + 1

    def edit(self, action: int) -> Edit | None:
        """Change the tile under the cursor."""
        return (self.cursor, action - 1) if action else None

    def advance(self, step: int, draw: DrawNumber) -> None:
        """Jump."""
        self._jump(draw, step)

    def mask(self, tiles: NDArray[np.uint8]) -> Mask:
        """Leaving a tile is legal."""
        return np.concatenate((np.ones(1, np.int8), self._other_kinds(tiles)))


class Turtle(Representation):
    """Actions 0 to 3 move the cursor up, down, left or right, action k + 4 makes the tile under it kind k."""

    @property
    def actions(self) -> int:
        """Four moves, and the kinds."""
        return len(MOVES) + self.kinds

    def edit(self, action: int) -> Edit | None:
        """Move, or change the tile under the cursor."""
        if action >= len(MOVES):
            return self.cursor, action - len(MOVES)
        x, y = self.cursor
        to_x, to_y = x + (action == 3) - (action == 2), y + (action == 1) - (action == 0)  # noqa: PLR2004 the move's number
        if 0 <= to_x < self.width and 0 <= to_y < self.height:
            self.cursor = (to_x, to_y)
        return None

    def mask(self, tiles: NDArray[np.uint8]) -> Mask:
        """Moves that stay inside are legal."""
        x, y = self.cursor
        inside = np.array([y > 0, y < self.height - 1, x > 0, x < self.width - 1], np.int8)
        return np.concatenate((inside, self._other_kinds(tiles)))


class Wide(Representation):
    """Action (y * width + x) * kinds + k makes the tile at (x, y) kind k."""

    has_cursor = False

    @property
    def actions(self) -> int:
        """The number of cells, times that of kinds."""
        return self.width * self.height * self.kinds

    def begin(self, draw: DrawNumber) -> None:
        """There is no cursor to place."""

    def edit(self, action: int) -> Edit | None:
        """Change a tile."""
        cell, kind = divmod(action, self.kinds)
        return (cell % self.width, cell // self.width), kind

    def mask(self, tiles: NDArray[np.uint8]) -> Mask:
        """Every change of a tile that may change is legal."""
        return np.asarray(self.free[..., np.newaxis] & (tiles[..., np.newaxis] != np.arange(self.kinds)), np.int8).ravel()


REPRESENTATIONS: dict[str, type[Representation]] = {"narrow": Narrow, "turtle": Turtle, "wide": Wide}
