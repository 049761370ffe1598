"""The three representations of PCGRL: how agents edit levels. A new one is one class and one line
at the end.

Everything is done for n levels at once. Cells have numbers, row by row: y * width + x.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.levels.grid import MOVES

Cells = NDArray[np.int64]
Masks = NDArray[np.int8]


class Representation(ABC):
    """What the actions of agents mean. `free` `(height, width)` are the cells that may change,
    `kinds` is the number of kinds of tiles.
    """

    # Whether there is a cell to which actions refer, and whether it is another random one at each
    # step.
    has_cursor: ClassVar[bool] = True
    jumps: ClassVar[bool] = False

    def __init__(self, free: NDArray[np.bool_], kinds: int, count: int) -> None:
        """Set what all levels have in common."""
        self.kinds = kinds
        self.height, self.width = int(free.shape[0]), int(free.shape[1])
        self.free = free.ravel()
        self.free_cells = np.flatnonzero(self.free)
        self.cursors = np.zeros(count, np.int64)

    @property
    @abstractmethod
    def actions(self) -> int:
        """The number of actions."""

    @abstractmethod
    def edits(self, actions: Cells) -> tuple[Cells, Cells]:
        """Carry out an action per level: move cursors, and return the cell to change, -1 for none,
        and its new kind, `(n,)` each.

        It may be a cell that must not change, or that has this kind already.
        """

    @abstractmethod
    def masks(self, cells: NDArray[np.uint8]) -> Masks:
        """Return `(n, actions)` int8, 1 for each action that is legal: an edit that changes a tile
        which may change, or a move inside the level.
        """

    def _other_kinds(self, cells: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return which kinds the tiles under the cursors may become, `(n, kinds)`."""
        under = cells[np.arange(len(cells)), self.cursors]
        return np.asarray(
            self.free[self.cursors, np.newaxis] & (np.arange(self.kinds) != under[:, np.newaxis])
        )


class Narrow(Representation):
    """The cursor jumps to a random cell at each step. Action 0 leaves its tile as it is, action k +
    1 makes it kind k.
    """

    jumps = True

    @property
    def actions(self) -> int:
        """One more than there are kinds."""
        return self.kinds + 1

    def edits(self, actions: Cells) -> tuple[Cells, Cells]:
        """Change the tiles under the cursors."""
        return np.where(actions > 0, self.cursors, -1), actions - 1

    def masks(self, cells: NDArray[np.uint8]) -> Masks:
        """Leaving a tile is legal."""
        return np.concatenate(
            (np.ones((len(cells), 1), np.int8), self._other_kinds(cells)), axis=1, dtype=np.int8
        )


class Turtle(Representation):
    """Actions 0 to 3 move the cursor up, down, left or right, action k + 4 makes the tile under it
    kind k.
    """

    @property
    def actions(self) -> int:
        """Four moves, and the kinds."""
        return len(MOVES) + self.kinds

    def edits(self, actions: Cells) -> tuple[Cells, Cells]:
        """Move, or change the tiles under the cursors."""
        changes = actions >= len(MOVES)
        moves = np.flatnonzero(
            ~changes & self._inside()[np.arange(len(actions)), actions % len(MOVES)]
        )
        self.cursors[moves] += np.array([-self.width, self.width, -1, 1])[actions[moves]]
        return np.where(changes, self.cursors, -1), actions - len(MOVES)

    def _inside(self) -> NDArray[np.bool_]:
        """Return which of the four moves stay inside the level, `(n, 4)`."""
        y, x = np.divmod(self.cursors, self.width)
        return np.stack((y > 0, y < self.height - 1, x > 0, x < self.width - 1), axis=1)

    def masks(self, cells: NDArray[np.uint8]) -> Masks:
        """Moves that stay inside are legal."""
        return np.concatenate((self._inside(), self._other_kinds(cells)), axis=1, dtype=np.int8)


class Wide(Representation):
    """Action (y * width + x) * kinds + k makes the tile at (x, y) kind k."""

    has_cursor = False

    @property
    def actions(self) -> int:
        """The number of cells, times that of kinds."""
        return self.width * self.height * self.kinds

    def edits(self, actions: Cells) -> tuple[Cells, Cells]:
        """Change tiles anywhere."""
        cells, kinds = np.divmod(actions, self.kinds)
        return cells, kinds

    def masks(self, cells: NDArray[np.uint8]) -> Masks:
        """Every change of a tile that may change is legal."""
        legal = self.free[:, np.newaxis] & (
            cells[..., np.newaxis] != np.arange(self.kinds, dtype=np.uint8)
        )
        return np.asarray(legal, np.int8).reshape(len(cells), self.actions)


REPRESENTATIONS: dict[str, type[Representation]] = {
    "narrow": Narrow,
    "turtle": Turtle,
    "wide": Wide,
}
