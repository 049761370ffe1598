"""Fields of λ over an unbounded map: where which of the rules of a `Morph` counts how much. Any
window of a field is computed alone.

λ is held in 256ths, whole numbers: 0 is the first rule, 256 the second. Whole-number arithmetic
gives the same field on every machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.kernels.bits.random_streams import MIXTURE
from levolve.kernels.fashion.lines import UNIT
from levolve.worlds.starts import random_start

Lambda = NDArray[np.int64]

MOST_LENGTH = 1 << 20
AXES = ("x", "y")
# Random numbers at the corners of noise are bytes.
_LEVELS = 256


class SpaceField(Protocol):
    """λ over an unbounded map."""

    def window(self, x: int, y: int, width: int, height: int, stops: int = 2) -> Lambda:
        """λ of the window whose upper left cell is (x, y), `(height, width)` whole numbers from 0
        to 256 * (stops - 1).
        """
        ...


def _check_length(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_LENGTH:
        raise InputError(
            f"{name}: expected a whole number of cells from 1 to {MOST_LENGTH}, got {shown(value)}"
        )


@dataclass(frozen=True)
class Gradient:
    """λ from the first rule to the last over `length` cells from `begin` on, along the axis `x` or
    `y`; one rule alone before and after.

    >>> Gradient(length=4).window(-1, 0, 7, 1).tolist()
    [[0, 0, 64, 128, 192, 256, 256]]
    """

    length: int = 400
    begin: int = 0
    axis: str = "x"

    def __post_init__(self) -> None:
        """Refuse an axis or a length that does not exist."""
        _check_length("length", self.length)
        if self.axis not in AXES:
            raise InputError(f"axis: expected x or y, got {shown(self.axis)}")

    def window(self, x: int, y: int, width: int, height: int, stops: int = 2) -> Lambda:
        """λ of a window, `(height, width)`."""
        first, count = (x, width) if self.axis == "x" else (y, height)
        along = np.clip(first - self.begin + np.arange(count, dtype=np.int64), 0, self.length)
        line = along * (UNIT * (stops - 1)) // self.length
        return np.ascontiguousarray(
            np.broadcast_to(line if self.axis == "x" else line[:, np.newaxis], (height, width))
        )


@dataclass(frozen=True)
class Rings:
    """λ from the first rule at the cell (x, y) to the last at a distance of `radius` cells and
    beyond.

    >>> Rings(radius=2).window(-3, 0, 7, 1).tolist()
    [[256, 256, 128, 0, 128, 256, 256]]
    """

    radius: int = 400
    x: int = 0
    y: int = 0

    def __post_init__(self) -> None:
        """Refuse a radius that does not exist."""
        _check_length("radius", self.radius)

    def window(self, x: int, y: int, width: int, height: int, stops: int = 2) -> Lambda:
        """λ of a window, `(height, width)`."""
        # Cells farther than the radius along one axis are all alike: squares stay small.
        dx = np.clip(x - self.x + np.arange(width, dtype=np.int64), -self.radius, self.radius)
        dy = np.clip(y - self.y + np.arange(height, dtype=np.int64), -self.radius, self.radius)
        square = dx[np.newaxis, :] ** 2 + dy[:, np.newaxis] ** 2
        most = UNIT * (stops - 1)
        # λ is the number of rings whose edge is passed: whole numbers throughout.
        edges = [-(-((step * self.radius) ** 2) // most**2) for step in range(1, most + 1)]
        return np.searchsorted(np.array(edges, np.int64), square, side="right").astype(np.int64)


@dataclass(frozen=True)
class Noise:
    """λ by smooth noise: random numbers at the corners of squares `cell` wide, and in between by
    how near each corner is.

    >>> field = Noise(cell=50, seed=1)
    >>> bool((field.window(-20, 2**60, 9, 9)[2:, 3:] == field.window(-17, 2**60 + 2, 6, 7)).all())
    True
    """

    cell: int = 200
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a width that does not exist."""
        _check_length("cell", self.cell)

    def window(self, x: int, y: int, width: int, height: int, stops: int = 2) -> Lambda:
        """λ of a window, `(height, width)`."""
        (column, across), (row, down) = self._shares(x, width), self._shares(y, height)
        at = x // self.cell, y // self.cell
        corners = random_start(
            _LEVELS, (int(column[-1]) + 2, int(row[-1]) + 2), self.seed, at=at, purpose=MIXTURE
        ).astype(np.int64)
        upper = corners[row][:, column] * (UNIT - across) + corners[row][:, column + 1] * across
        lower = (
            corners[row + 1][:, column] * (UNIT - across) + corners[row + 1][:, column + 1] * across
        )
        value = upper * (UNIT - down)[:, np.newaxis] + lower * down[:, np.newaxis]
        # Noise keeps to the middle of its range; stretched by two it reaches both ends.
        centred = 2 * value - (_LEVELS - 1) * UNIT * UNIT // 2
        return np.clip(centred * (stops - 1) // ((_LEVELS - 1) * UNIT), 0, UNIT * (stops - 1))

    def _shares(self, first: int, count: int) -> tuple[Lambda, Lambda]:
        """For each cell the corner before it, counted from that of the first cell, and how near the
        next one is, in 256ths.
        """
        at = first % self.cell + np.arange(count, dtype=np.int64)
        part = at % self.cell * UNIT // self.cell
        # 3 t² - 2 t³: flat at the corners, so that their grid does not show.
        return at // self.cell, part * part * (3 * UNIT - 2 * part) // (UNIT * UNIT)


# Fields by name, over so many cells around the middle; the names are those of
# `levolve.worlds.morph`.
FIELDS: dict[str, Callable[[int, int], SpaceField]] = {
    "linear": lambda length, _: Gradient(length, -(length // 2)),
    "vertical": lambda length, _: Gradient(length, -(length // 2), "y"),
    "radial": lambda length, _: Rings(length),
    "noise": Noise,
}
DEFAULT_LENGTH = 400


def space_field(name: str, length: int = DEFAULT_LENGTH, seed: int = 0) -> SpaceField:
    """A field by its name: `linear` (left to right), `vertical`, `radial` or `noise`.

    `length` is over how many cells one rule changes into the last; for noise the width of its
    squares.
    """
    if name not in FIELDS:
        raise InputError(
            f"field: expected one of {', '.join(FIELDS)} for a world without an edge, got "
            f"{shown(name)}"
        )
    _check_length("length", length)
    return FIELDS[name](length, seed)
