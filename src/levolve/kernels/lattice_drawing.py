"""Levels drawn from the open edges of a lattice. `levolve.kernels.lattices` describes the arrays of a lattice."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.lattices import index_of

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Indices = NDArray[np.uint32]

_1 = np.uint64(1)


@kernel
def draw_lattice(
    genes: Bytes,
    first: int,
    labels: Bytes,
    opened: Bytes,
    ends: Numbers,
    doors: Numbers,
    spans: Numbers,
    rectangles: Numbers,
    squares: Numbers,
    corners: Numbers,
    base: Bytes,
    tiles: Bytes,
) -> None:
    """Draw the open edges of n levels into `(n, height, width)` tiles. For levels at most 64 wide, `draw_rows` is faster.

    The lowest bit of an edge's weight, gene `first` + edge, selects one of its two doors. A cell without an open edge is filled, unless it is in a
    room.
    """
    cells, edges = rectangles.shape[0], ends.shape[0]
    rooms = labels.shape[1] > 0
    used = np.empty(cells, np.uint8)
    for level in range(len(opened)):
        picture = tiles[level]
        picture[:, :] = base
        used[:] = 0
        for edge in range(edges):
            kind = opened[level, edge]
            if kind:
                used[ends[edge, 0]] = 1
                used[ends[edge, 1]] = 1
                paint(picture, doors[edge, genes[level, first + edge] & 1] if kind == 1 else spans[edge], 0)
        for cell in range(cells):
            if not used[cell] and not (rooms and labels[level, cell]):
                paint(picture, rectangles[cell], 1)
        if rooms:
            for post in range(squares.shape[0]):
                label = labels[level, corners[post, 0]]
                if label == 0 or label != labels[level, corners[post, 3]]:
                    continue
                if label == labels[level, corners[post, 1]] and label == labels[level, corners[post, 2]]:
                    paint(picture, squares[post], 0)


@kernel
def paint(tiles: Bytes, rectangle: Numbers, kind: int) -> None:
    """Write one kind of tile into a rectangle (left, top, right, bottom) of one level."""
    for y in range(rectangle[1], rectangle[3]):
        for x in range(rectangle[0], rectangle[2]):
            tiles[y, x] = kind


@kernel
def pieces_of(rectangles: Numbers, height: int) -> tuple[Indices, Indices, NDArray[np.uint64]]:
    """Return the one-row pieces of n items with k rectangles each, `(n, k, 4)`, ordered by row; the last rectangle of an item contains the others.

    Three arrays: the item and the row of each piece, and, `(pieces, k + 1)`, no columns followed by those of each of its rectangles in this row.
    """
    items, kinds = rectangles.shape[0], rectangles.shape[1]
    counts = np.zeros(height + 1, np.int64)
    for item in range(items):
        for y in range(rectangles[item, kinds - 1, 1], rectangles[item, kinds - 1, 3]):
            counts[y + 1] += 1
    for y in range(height):
        counts[y + 1] += counts[y]
    total = counts[height]
    owners, lines, columns = np.empty(total, np.uint32), np.empty(total, np.uint32), np.zeros((total, kinds + 1), np.uint64)
    for item in range(items):
        for y in range(rectangles[item, kinds - 1, 1], rectangles[item, kinds - 1, 3]):
            piece = counts[y]
            counts[y] += 1
            owners[piece], lines[piece] = item, y
            for kind in range(kinds):
                left, top, right, bottom = rectangles[item, kind]
                if top <= y < bottom:
                    columns[piece, kind + 1] = ((_1 << np.uint64(right - left)) - _1) << np.uint64(left)
    return owners, lines, columns


@kernel
def collect(owners: Indices, lines: Indices, columns: NDArray[np.uint64], forms: Bytes, words: NDArray[np.uint64]) -> None:
    """Write the columns of all pieces of each row to `words`. `forms` are the numbers of the rectangles of items, counted from 1, 0 for none.

    Pieces of a row follow each other, so that a word grows in a register, and is stored without being read.
    """
    before, word = np.uint32(0), np.uint64(0)
    for piece in range(owners.size):
        line = lines[piece]
        word = word * np.uint64(line == before) | columns[piece, forms[owners[piece]]]
        words[line] = word
        before = line


@kernel
def draw_rows(
    genes: Bytes,
    first: int,
    labels: Bytes,
    opened: Bytes,
    ends: Numbers,
    doors: Numbers,
    spans: Numbers,
    rectangles: Numbers,
    squares: Numbers,
    corners: Numbers,
    base: NDArray[np.uint64],
    rows: NDArray[np.uint64],
) -> None:
    """Draw the open edges of n levels at most 64 wide into `(n, height)` row words; a set bit is a wall. See `draw_lattice`."""
    cells, edges, height = rectangles.shape[0], ends.shape[0], rows.shape[1]
    rooms = labels.shape[1] > 0
    posts = squares.shape[0] if rooms else 0
    # Edges open by one of two doors, or by their full width; then posts, which have only one form.
    floors = np.zeros((edges + posts, 3, 4), np.int32)
    for edge in range(edges):
        for side in range(4):
            floors[edge, 0, side], floors[edge, 1, side], floors[edge, 2, side] = doors[edge, 0, side], doors[edge, 1, side], spans[edge, side]
    for post in range(posts):
        for side in range(4):
            floors[edges + post, 2, side] = squares[post, side]
    floor_owners, floor_lines, floor_columns = pieces_of(floors, height)
    rock_owners, rock_lines, rock_columns = pieces_of(rectangles.reshape(cells, 1, 4), height)
    cell_of, corner_of = index_of(ends, 0), index_of(corners, 0)
    forms, used, rock = np.zeros(edges + posts, np.uint8), np.empty(cells, np.uint8), np.empty(cells, np.uint8)
    floor_words, rock_words = np.zeros(height, np.uint64), np.zeros(height, np.uint64)
    for level in range(len(opened)):
        for cell in range(cells):
            used[cell] = labels[level, cell] if rooms else 0
        for edge in range(edges):
            kind = opened[level, edge]
            used[cell_of[edge, 0]] |= kind
            used[cell_of[edge, 1]] |= kind
            forms[edge] = np.int64(kind) + np.int64(kind == 1) * np.int64(genes[level, first + edge] & 1) + np.int64(kind > 1)
        for post in range(posts):
            label = labels[level, corner_of[post, 0]]
            others = label ^ labels[level, corner_of[post, 1]]
            others |= label ^ labels[level, corner_of[post, 2]]
            others |= label ^ labels[level, corner_of[post, 3]]
            forms[edges + post] = 3 * (np.int64(label > 0) & np.int64(others == 0))
        for cell in range(cells):
            rock[cell] = used[cell] == 0
        collect(floor_owners, floor_lines, floor_columns, forms, floor_words)
        collect(rock_owners, rock_lines, rock_columns, rock, rock_words)
        for y in range(height):
            rows[level, y] = (base[y] | rock_words[y]) & ~floor_words[y]
