"""`Lattice`: cells, the walls between them, and how both fill a level of any size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.bits.packed_flood import WIDEST, pack_rows
from levolve.kernels.building import lattice_drawing, lattices
from levolve.kernels.building.spanning_trees import VALUES
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import fixed_cells, stamp, stamp_words
from levolve.search.genotypes.lattice_masks import Mask, cells_left, check_connected

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Indices = NDArray[np.uint32]
Pieces = tuple[Indices, Indices, NDArray[np.uint64]]
Shares = tuple[float, float, float, float]

# Edges in a straight run that share a weight.
RUN = 4
_GOLDEN = 0x9E3779B97F4A7C15


@dataclass(frozen=True, eq=False)
class Lattice:
    """A grid of cells in a level, as arrays for the kernels in `levolve.kernels.building.lattices`,
    which describe them.

    Attributes
    ----------
    columns, rows
        The number of cells in each direction. Cells are numbered in reading order.
    alive
        `(N,)` whether a cell is part of the level.
    protected
        `(N,)` uint8, 1 for the cells of the entrance, the exit and the other stops of the goal.
    """

    columns: int
    rows: int
    alive: NDArray[np.bool_]
    protected: Bytes
    ends: Numbers
    around: Numbers
    order: Numbers
    leaders: Numbers
    posts: Numbers
    doors: Numbers
    spans: Numbers
    rectangles: Numbers
    squares: Numbers
    corners: Numbers
    base: Bytes

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    @property
    def edges(self) -> int:
        """The number of edges."""
        return len(self.ends)

    def lengths(self, shares: Shares) -> tuple[int, int, int, int]:
        """Return the number of genes for weights, loops, dead ends to open and dead ends to fill; 0
        for a share of 0.
        """
        _, loops, braid, holes = shares
        return (
            self.edges,
            self.edges if loops else 0,
            self.cells if braid else 0,
            self.cells if holes else 0,
        )

    def weave(self, genes: Bytes, first: int, labels: Bytes, shares: Shares) -> Bytes:
        """Return which edges of n levels are open, `(n, 2N)`: 1 or 2 by a door, 3 inside a room.
        See `levolve.kernels.building.lattices`.

        Parameters
        ----------
        genes
            `(n, ...)` bytes; those of the lattice begin at number `first`.
        labels
            `(n, N)` numbers of rooms, 0 for none, or `(n, 0)`.
        shares
            How much corridors run straight, and the shares of walls opened, dead ends opened, and
            dead ends filled.
        """
        opened = np.empty((len(genes), 2 * self.cells), np.uint8)
        parts, limits = _plan(first, self.lengths(shares), shares)
        lattices.weave(
            genes, parts, limits, labels, self.columns, self.protected, *self.weaving, opened
        )
        return opened

    def draw(self, labels: Bytes, opened: Bytes, frame: Frame) -> Batch:
        """Return the levels whose edges are open as `weave` returned, with entrance, exit and kept
        cells as required.
        """
        if frame.width > WIDEST:
            tiles = np.empty((len(opened), frame.height, frame.width), np.uint8)
            outlines = (
                self.slots,
                self.ends,
                self.doors,
                self.spans,
                self.rectangles,
                self.squares,
                self.corners,
            )
            lattice_drawing.draw_lattice(labels, opened, *outlines, self.base, tiles)
            return Batch(frame, tiles=stamp(tiles, frame, WALLS))
        rows = np.empty((len(opened), frame.height), np.uint64)
        floor = self.floor_of_rooms if labels.shape[1] else self.floor
        lattice_drawing.draw_rows(
            labels, opened, self.columns, *floor, *self.rock, self.base_rows, rows
        )
        walls, open_cells = stamp_words(frame)
        return Batch(frame, rows=(rows & ~open_cells) | walls)

    @cached_property
    def slots(self) -> Indices:
        """`(E,)` the numbers of the edges among the 2N."""
        below = (
            self.ends[:, 1] - self.ends[:, 0] == self.columns
            if self.columns > 1
            else np.ones(self.edges, bool)
        )
        slots: Indices = (self.ends[:, 0] + below * self.cells).astype(np.uint32)
        return slots

    @cached_property
    def weaving(self) -> tuple[Indices, Indices, Indices, Indices, Bytes, Indices]:
        """Order, own, leaders, ends, allowed and reading, as `lattices.weave` takes them."""
        middle = self.cells + 2 * self.columns + 1
        reading = self.slots + self.columns + (self.slots >= self.cells) * (middle - self.cells)
        allowed, ends = np.zeros(2 * middle, np.uint8), np.zeros((2 * middle, 2), np.uint32)
        allowed[reading[self.order]] = 1
        ends[reading] = self.ends + self.columns
        order, own, leaders = (
            numbers.astype(np.uint32)
            for numbers in (reading[self.order], self.order, self.leaders[self.order])
        )
        return order, own, leaders, ends, allowed, reading.astype(np.uint32)

    @cached_property
    def floor(self) -> Pieces:
        """The pieces of edges, each open by one of two doors or by its full width, as `draw_rows`
        takes them.
        """
        return lattice_drawing.pieces_of(self._openings, len(self.base))

    @cached_property
    def floor_of_rooms(self) -> Pieces:
        """The pieces of edges and posts, as `draw_rows` takes them."""
        posts = np.zeros((self.rows, self.columns, 3, 4), np.int32)
        posts[:-1, :-1, 2] = self.squares.reshape(self.rows - 1, self.columns - 1, 4)
        return lattice_drawing.pieces_of(
            np.concatenate([self._openings, posts.reshape(-1, 3, 4)]), len(self.base)
        )

    @cached_property
    def rock(self) -> Pieces:
        """The pieces of cells, as `draw_rows` takes them."""
        return lattice_drawing.pieces_of(self.rectangles[:, np.newaxis], len(self.base))

    @property
    def _openings(self) -> Numbers:
        """`(2N, 3, 4)` the doors and the full width of all edges; no tiles for edges that lead out
        of the lattice.
        """
        openings = np.zeros((2 * self.cells, 3, 4), np.int32)
        openings[self.slots] = np.concatenate([self.doors, self.spans[:, np.newaxis]], axis=1)
        return openings

    @cached_property
    def base_rows(self) -> NDArray[np.uint64]:
        """The base of a level at most 64 wide as row words."""
        rows: NDArray[np.uint64] = np.empty((1, len(self.base)), np.uint64)
        pack_rows(self.base[np.newaxis], rows)
        return rows.reshape(-1)


@lru_cache(maxsize=64)
def _plan(
    first: int, lengths: tuple[int, int, int, int], shares: Shares
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of the first gene of each kind, and the limits of genes that act."""
    return first + np.cumsum((0, *lengths[:-1])), np.array(
        [round(share * VALUES) for share in shares]
    )


def spans_of(size: int, corridor: int, wall: int, name: str) -> list[tuple[int, int]]:
    """Return the first tile of each cell along one side, and the one after its last. Tiles that are
    left over widen cells in the middle.
    """
    count = (size - wall) // (corridor + wall)
    if count < 1:
        message = (
            f"corridor: expected a level with a {name} of at least {corridor + 2 * wall} for "
            f"corridors {corridor} and walls {wall} wide, "
            f"got {size}; choose a larger size or narrower corridors"
        )
        raise InputError(message)
    spare = size - wall - count * (corridor + wall)
    spans, first = [], wall
    for k in range(count):
        extra = (2 * (k + 1) * spare + count) // (2 * count) - (2 * k * spare + count) // (
            2 * count
        )
        spans.append((first, first + corridor + extra))
        first += corridor + extra + wall
    return spans


@lru_cache(maxsize=32)
def lattice_of(frame: Frame, corridor: int, wall: int, mask: Mask = ()) -> Lattice:
    """Return the lattice of a frame.

    Parameters
    ----------
    frame
        The size of the levels, their places, and the cells to keep.
    corridor, wall
        The width of cells and of the walls between them, in tiles.
    mask
        Rows of `.` and `#`, scaled to the lattice: cells under `#` are not part of the level. Empty
        for none.
    """
    across, down = (
        spans_of(frame.width, corridor, wall, "width"),
        spans_of(frame.height, corridor, wall, "height"),
    )
    columns, rows = len(across), len(down)
    rectangles = np.array(
        [(left, top, right, bottom) for top, bottom in down for left, right in across], np.int32
    )
    number = np.arange(columns * rows).reshape(rows, columns)
    ends, spans, doors, posts, leaders = _edges(across, down, corridor)
    alive = cells_left(mask, columns, rows).ravel()
    if alive.sum() < 2:  # a way needs two ends
        message = (
            f"size: expected room for at least two cells of a lattice, got {int(alive.sum())} in "
            f"{frame.width}x{frame.height}"
        )
        raise InputError(message)
    fixed, kinds = fixed_cells(frame, WALLS)
    closed = fixed & (kinds == 1)
    alive &= ~_contains(closed, rectangles)
    usable = alive[ends].all(axis=1) & ~_contains(closed, spans) if len(ends) else np.zeros(0, bool)
    around = np.full((columns * rows, 4), -1, np.int32)
    filled = np.zeros(columns * rows, np.int64)
    for edge, pair in enumerate(ends.tolist()):
        for cell in pair:
            around[cell, filled[cell]] = edge
            filled[cell] += 1
    if mask:
        check_connected(alive, ends[usable], columns, rows, frame)
    squares = [
        (across[k][1], down[j][1], across[k + 1][0], down[j + 1][0])
        for j in range(rows - 1)
        for k in range(columns - 1)
    ]
    corners = [
        (number[j, k], number[j, k + 1], number[j + 1, k], number[j + 1, k + 1])
        for j in range(rows - 1)
        for k in range(columns - 1)
    ]
    base = np.ones((frame.height, frame.width), np.uint8)
    for cell in np.flatnonzero(alive):
        left, top, right, bottom = rectangles[cell]
        base[top:bottom, left:right] = 0
    protected = np.zeros(columns * rows, np.uint8)
    for name in dict.fromkeys((ENTRANCE, EXIT, *frame.goal.stops_in(frame.places))):
        if name in frame.places:
            protected[connect(frame.places[name], rectangles, alive, base)] = 1
    # Cells that are taken out have no tiles: nothing fills the way from a place through them.
    rectangles[~alive] = 0
    # Equal weights are resolved in a scattered order, so that ties do not favour a side.
    scattered = np.argsort(
        (np.arange(len(ends), dtype=np.uint64) * np.uint64(_GOLDEN)) >> np.uint64(20), kind="stable"
    )
    order = scattered[usable[scattered]].astype(np.int32)
    return Lattice(
        columns,
        rows,
        alive,
        protected,
        ends,
        around,
        order,
        leaders,
        posts,
        doors,
        spans,
        rectangles,
        np.array(squares, np.int32).reshape(-1, 4),
        np.array(corners, np.int32).reshape(-1, 4),
        base,
    )


def _edges(
    across: list[tuple[int, int]], down: list[tuple[int, int]], corridor: int
) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers]:
    """Return ends, spans, doors, posts and leaders of all edges: first those between columns, then
    those between rows, in reading order.
    """
    columns, rows = len(across), len(down)
    ends, spans, doors, posts, leaders = [], [], [], [], []

    def post(column: int, row: int) -> int:
        inside = 0 <= column < columns - 1 and 0 <= row < rows - 1
        return row * (columns - 1) + column if inside else -1

    for row, (top, bottom) in enumerate(down):
        for column in range(columns - 1):
            left, right = across[column][1], across[column + 1][0]
            ends.append((row * columns + column, row * columns + column + 1))
            spans.append((left, top, right, bottom))
            doors.append(
                ((left, top, right, top + corridor), (left, bottom - corridor, right, bottom))
            )
            posts.append((post(column, row - 1), post(column, row)))
            # Runs begin elsewhere in every row, so that their ends do not line up.
            leaders.append(row * (columns - 1) + max(column - (column + 3 * row) % RUN, 0))
    first = len(ends)
    for row in range(rows - 1):
        for column, (left, right) in enumerate(across):
            top, bottom = down[row][1], down[row + 1][0]
            ends.append((row * columns + column, (row + 1) * columns + column))
            spans.append((left, top, right, bottom))
            doors.append(
                ((left, top, left + corridor, bottom), (right - corridor, top, right, bottom))
            )
            posts.append((post(column - 1, row), post(column, row)))
            leaders.append(first + max(row - (row + 3 * column) % RUN, 0) * columns + column)
    arrays: Any = [np.array(each, np.int32) for each in (ends, spans, doors, posts, leaders)]
    shapes = ((-1, 2), (-1, 4), (-1, 2, 4), (-1, 2), (-1,))
    return tuple(array.reshape(shape) for array, shape in zip(arrays, shapes, strict=True))


def _contains(cells: NDArray[np.bool_], rectangles: Numbers) -> NDArray[np.bool_]:
    """Return which rectangles contain one of the cells."""
    if not cells.any():
        return np.zeros(len(rectangles), bool)
    return np.array(
        [bool(cells[top:bottom, left:right].any()) for left, top, right, bottom in rectangles], bool
    )


def connect(
    place: tuple[int, int], rectangles: Numbers, alive: NDArray[np.bool_], base: Bytes
) -> int:
    """Open a way in `base` from a place to the nearest cell of the lattice, and return this
    cell.
    """
    x, y = place
    left, top, right, bottom = rectangles.T
    near_x, near_y = np.clip(x, left, right - 1), np.clip(y, top, bottom - 1)
    distance = np.where(alive, np.abs(near_x - x) + np.abs(near_y - y), np.iinfo(np.int32).max)
    cell = int(np.argmin(distance))
    to_x, to_y = int(near_x[cell]), int(near_y[cell])
    base[y, min(x, to_x) : max(x, to_x) + 1] = 0
    base[min(y, to_y) : max(y, to_y) + 1, to_x] = 0
    return cell
