"""Levels drawn from the open edges of a lattice. `levolve.kernels.building.lattices` describes the
arrays of a lattice.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.compiler import inlined, kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Indices = NDArray[np.uint32]
Words = NDArray[np.uint64]

_1 = np.uint64(1)


@kernel
def draw_lattice(
    labels: Bytes,
    opened: Bytes,
    slots: Indices,
    ends: Numbers,
    doors: Numbers,
    spans: Numbers,
    rectangles: Numbers,
    squares: Numbers,
    corners: Numbers,
    base: Bytes,
    tiles: Bytes,
) -> None:
    """Draw the open edges of n levels into `(n, height, width)` tiles. For levels at most 64 wide,
    `draw_rows` is faster.

    `opened` `(n, 2N)` is what `weave` wrote, and `slots` `(E,)` are the numbers of the edges in it.
    A cell without an open edge is filled, unless it is in a room.
    """
    cells, edges = rectangles.shape[0], ends.shape[0]
    rooms = labels.shape[1] > 0
    used = empty(cells, np.uint8)
    for level in range(len(opened)):
        picture = tiles[level]
        picture[:, :] = base
        used[:] = 0
        for edge in range(edges):
            form = opened[level, slots[edge]]
            if form:
                used[ends[edge, 0]] = 1
                used[ends[edge, 1]] = 1
                paint(picture, spans[edge] if form == ROOM else doors[edge, form - 1], 0)
        for cell in range(cells):
            if not used[cell] and not (rooms and labels[level, cell]):
                paint(picture, rectangles[cell], 1)
        if rooms:
            for post in range(squares.shape[0]):
                label = labels[level, corners[post, 0]]
                if label == 0 or label != labels[level, corners[post, 3]]:
                    continue
                if (
                    label == labels[level, corners[post, 1]]
                    and label == labels[level, corners[post, 2]]
                ):
                    paint(picture, squares[post], 0)


@kernel
def paint(tiles: Bytes, rectangle: Numbers, kind: int) -> None:
    """Write one kind of tile into a rectangle (left, top, right, bottom) of one level."""
    for y in range(rectangle[1], rectangle[3]):
        for x in range(rectangle[0], rectangle[2]):
            tiles[y, x] = kind


@kernel
def pieces_of(rectangles: Numbers, height: int) -> tuple[Indices, Indices, Words]:
    """Return the one-row pieces of n items with k rectangles each, `(n, k, 4)`, ordered by row; the
    last rectangle of an item contains the others.

    Three arrays: the number of the first piece of each row, `(height + 1,)`; the item of each
    piece; and, `(pieces, k + 1)`, no columns followed by those of each of its rectangles in this
    row.
    """
    items, kinds = rectangles.shape[0], rectangles.shape[1]
    starts = zeros(height + 1, np.uint32)
    for item in range(items):
        for y in range(rectangles[item, kinds - 1, 1], rectangles[item, kinds - 1, 3]):
            starts[y + 1] += 1
    for y in range(height):
        starts[y + 1] += starts[y]
    total = np.int64(starts[height])
    owners, columns = empty(total, np.uint32), zeros((total, kinds + 1), np.uint64)
    filled = starts.copy()
    for item in range(items):
        for y in range(rectangles[item, kinds - 1, 1], rectangles[item, kinds - 1, 3]):
            piece = filled[y]
            filled[y] += 1
            owners[piece] = item
            for kind in range(kinds):
                left, top, right, bottom = rectangles[item, kind]
                if top <= y < bottom:
                    columns[piece, kind + 1] = ((_1 << np.uint64(right - left)) - _1) << np.uint64(
                        left
                    )
    return starts, owners, columns


@inlined
def columns_of(y: int, starts: Indices, owners: Indices, columns: Words, forms: Bytes) -> np.uint64:
    """Return the columns of all pieces of a row. `forms` are the numbers of the rectangles of
    items, counted from 1, 0 for none.
    """
    word = np.uint64(0)
    for piece in range(starts[y], starts[y + 1]):
        word |= columns[piece, forms[owners[piece]]]
    return word


@kernel
def draw_rows(
    labels: Bytes,
    opened: Bytes,
    columns: int,
    floor_starts: Indices,
    floor_owners: Indices,
    floor_columns: Words,
    rock_starts: Indices,
    rock_owners: Indices,
    rock_columns: Words,
    base: Words,
    rows: Words,
) -> None:
    """Draw the open edges of n levels at most 64 wide into `(n, height)` row words; a set bit is a
    wall. See `draw_lattice`.

    The floor consists of the pieces (see `pieces_of`) of the 2N edges, which are open by one of two
    doors or by their full width, and, if there are rooms, of the posts of the N cells. Rock
    consists of the pieces of cells.
    """
    cells, edges = opened.shape[1] // 2, opened.shape[1]
    rooms = labels.shape[1] > 0
    forms, used = zeros(edges + cells, np.uint8), empty(cells, np.uint8)
    down, posts = forms[cells:], forms[edges:]
    for level in range(len(opened)):
        for edge in range(edges):
            forms[edge] = opened[level, edge]
        for cell in range(cells):
            used[cell] = forms[cell] | down[cell]
        for cell in range(cells - 1):
            used[cell + 1] |= forms[cell]
        for cell in range(cells - columns):
            used[cell + columns] |= down[cell]
        if rooms:
            home = labels[level]
            for cell in range(cells):
                used[cell] |= home[cell]
            for cell in range(cells - columns - 1):
                label = home[cell]
                inside = (
                    np.uint8(label > 0)
                    & np.uint8(label == home[cell + 1])
                    & np.uint8(label == home[cell + columns])
                )
                posts[cell] = np.uint8(ROOM) * (
                    inside & np.uint8(label == home[cell + columns + 1])
                )
        for cell in range(cells):
            used[cell] = used[cell] == 0
        for y in range(rows.shape[1]):
            floor = columns_of(y, floor_starts, floor_owners, floor_columns, forms)
            rows[level, y] = (
                base[y] | columns_of(y, rock_starts, rock_owners, rock_columns, used)
            ) & ~floor


# An open edge is a passage through the first or the second of its doors, or inside a room.
ROOM = 3


@kernel
def write_forms(weights: Bytes, columns: int, opened: Bytes, forms: Bytes) -> None:
    """Write the forms of the open edges of a level to `forms` `(2N,)`: a passage has its second
    door if the weight of the edge is odd.
    """
    cells, middle, edge = forms.size // 2, opened.size // 2, 0
    for begin in range(0, cells, columns):
        for cell in range(begin, begin + columns - 1):
            form = opened[columns + cell]
            forms[cell] = form + (np.uint8(form == 1) & weights[edge])
            edge += 1
        forms[begin + columns - 1] = 0
    for cell in range(cells - columns):
        form = opened[middle + columns + cell]
        forms[cells + cell] = form + (np.uint8(form == 1) & weights[edge + cell])
    for cell in range(2 * cells - columns, 2 * cells):
        forms[cell] = 0
