"""Screens: rooms of one size on a grid, each a screen, with doorways in the walls between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype

VALUES = 256
Share = Annotated[float, Interval(ge=0, le=1)]
Bits = NDArray[np.bool_]


@lru_cache(maxsize=64)
def _space(genes: int) -> NumberGenes:
    return NumberGenes(np.full(genes, VALUES))


@dataclass(frozen=True)
class Screens(Genotype):
    """Screens of one size on a grid, with walls between them. Genes are the weights of the walls,
    of which the lightest spanning tree and some more get a doorway in their middle, and what stands
    in each screen: nothing, pillars, blocks or walls, symmetric and away from doorways.
    """

    width: Annotated[int, Interval(ge=3, le=63)] = setting(
        7, "The width of a screen without its walls; an odd number."
    )
    height: Annotated[int, Interval(ge=3, le=63)] = setting(
        5, "The height of a screen without its walls; an odd number."
    )
    loops: Share = setting(0.15, "The share of the other walls that get a doorway, too.")
    furnished: Share = setting(0.6, "The share of screens in which something stands.")

    def __post_init__(self) -> None:
        """Raise `InputError` for screens without a middle."""
        for name in ("width", "height"):
            if getattr(self, name) % 2 == 0:
                raise InputError(f"{name}: expected an odd number, got {getattr(self, name)}")

    def space(self, frame: Frame) -> NumberGenes:
        """Return one byte per wall between screens, and two per screen."""
        columns, rows = self._grid(frame)
        return _space(len(_edges(columns, rows)) + 2 * columns * rows)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform genes."""
        return self.space(frame).draw(seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode levels."""
        columns, rows = self._grid(frame)
        edges = _edges(columns, rows)
        contents = genes[:, len(edges) :].astype(np.int64).reshape(len(genes), rows, columns, 2)
        tiles = np.ones((len(genes), frame.height, frame.width), np.uint8)
        patterns = _patterns(self.width, self.height)
        chosen = contents[..., 0] * len(patterns) // VALUES
        chosen = np.where(contents[..., 1] < self.furnished * VALUES, chosen, 0)
        left, top = self._margins(frame)
        step_x, step_y = self.width + 1, self.height + 1
        for row in range(rows):
            for column in range(columns):
                y, x = top + row * step_y, left + column * step_x
                tiles[:, y : y + self.height, x : x + self.width] = patterns[chosen[:, row, column]]
        opened = self._opened(genes[:, : len(edges)].astype(np.int64), columns, rows)
        for number, (first, second) in enumerate(edges):
            y, x = top + first // columns * step_y, left + first % columns * step_x
            if second == first + 1:
                y, x = y + self.height // 2, x + self.width
            else:
                y, x = y + self.height, x + self.width // 2
            tiles[:, y, x] = np.where(opened[:, number], 0, 1)
        batch = Batch(frame, stamp(tiles, frame, WALLS))
        batch.has_rooms = True
        return batch

    def write(self, level: Level, frame: Frame) -> Genes:
        """Refuse: most levels are not made of screens."""
        raise InputError("genotype screens: cannot encode a given level")

    def _grid(self, frame: Frame) -> tuple[int, int]:
        """Return the numbers of screens beside and below each other."""
        columns, rows = (
            (frame.width - 1) // (self.width + 1),
            (frame.height - 1) // (self.height + 1),
        )
        if columns * rows < 2:
            raise InputError(
                f"genotype screens: expected a level of at least two screens of "
                f"{self.width}x{self.height} with a wall around each, such as "
                f"{2 * self.width + 3}x{self.height + 2}, got {frame.width}x{frame.height}"
            )
        return columns, rows

    def _margins(self, frame: Frame) -> tuple[int, int]:
        """Return the column and row of the first cell of the first screen."""
        columns, rows = self._grid(frame)
        return (
            (frame.width - 1 - columns * (self.width + 1)) // 2 + 1,
            (frame.height - 1 - rows * (self.height + 1)) // 2 + 1,
        )

    def _opened(self, weights: NDArray[np.int64], columns: int, rows: int) -> Bits:
        """Return which walls get a doorway, `(n, e)`: the lightest spanning tree (Kruskal 1956),
        and the heaviest of the others.
        """
        edges = np.array(_edges(columns, rows))
        count = len(weights)
        order = np.argsort(weights, axis=1, kind="stable")
        group = np.tile(np.arange(columns * rows), (count, 1))
        opened = np.zeros(weights.shape, bool)
        level = np.arange(count)
        for place in range(len(edges)):
            edge = order[:, place]
            first, second = group[level, edges[edge, 0]], group[level, edges[edge, 1]]
            joins = first != second
            opened[level, edge] = joins
            rename = joins[:, np.newaxis] & (group == first[:, np.newaxis])
            group = np.where(rename, second[:, np.newaxis], group)
        return opened | (weights >= VALUES - round(self.loops * VALUES))


@lru_cache(maxsize=64)
def _edges(columns: int, rows: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of screens beside and below each other."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    return tuple(
        (row * columns + column, other)
        for row, column in cells
        for other, exists in (
            (row * columns + column + 1, column + 1 < columns),
            ((row + 1) * columns + column, row + 1 < rows),
        )
        if exists
    )


@lru_cache(maxsize=16)
def _patterns(width: int, height: int) -> NDArray[np.uint8]:
    """Return what can stand in a screen, `(p, height, width)`: first nothing. All are symmetric,
    leave a border and the middle lines free, and so no cell is cut off.
    """
    found = [np.zeros((height, width), np.uint8)]
    quarters = ((height - 1) // 2, (width - 1) // 2)
    y, x = np.mgrid[0 : quarters[0], 0 : quarters[1]]
    inner = (y > 0) & (x > 0)
    for shape in (
        (y == 1) & (x == 1),
        (y == quarters[0] - 1) & (x == quarters[1] - 1),
        (y == 1) & (x < quarters[1]),
        (x == 1) & (y < quarters[0]),
        (y + x) % 2 == 0,
        (y % 2 == 1) & (x % 2 == 1),
        (y == 1) | (x == 1),
        np.ones_like(inner),
    ):
        quarter = (shape & inner).astype(np.uint8)
        half = np.concatenate((quarter, np.zeros((1, quarters[1]), np.uint8), quarter[::-1]))
        whole = np.concatenate((half, np.zeros((height, 1), np.uint8), half[:, ::-1]), axis=1)
        if not any(np.array_equal(whole, other) for other in found):
            found.append(whole)
    return np.array(found)
