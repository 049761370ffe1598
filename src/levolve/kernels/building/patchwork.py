"""Patchwork: large mazes laid out from a library of small ones, which an evolved plan places, turns
and joins.

`links` holds three bits per cell of a lattice: `RIGHT` and `DOWN` open the wall to the next cell,
`POST` joins the cell, inside a hall, with the one diagonally below to the right. Every piece is a
spanning tree of its cells, and the plan is a spanning tree of the pieces: so the whole is
connected, and costs grow with the area.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full, zeros
from levolve.kernels.building.spanning_trees import root_of
from levolve.kernels.compiler import kernel

RIGHT, DOWN, POST = 1, 2, 4
HALL_GENES = 5
_SMALLEST_HALL = 2


@kernel
def link_tree(weights: NDArray[np.uint8], links: NDArray[np.uint8]) -> None:
    """Open the lightest spanning tree of a lattice: Kruskal's algorithm, with edges sorted by
    counting.

    `weights` is `(2, rows, columns)`: the edge from each cell to the right, and downwards. Of equal
    edges, the first in this order is lighter. `links` is `(rows, columns)`; bits are added to it.
    """
    rows, columns = links.shape
    cells = rows * columns
    edges = 2 * cells
    starts = zeros(257, np.int32)
    order = empty(edges, np.int32)
    for edge in range(edges):
        starts[np.int64(weights[edge // cells, edge % cells // columns, edge % columns]) + 1] += 1
    for weight in range(256):
        starts[weight + 1] += starts[weight]
    for edge in range(edges):
        weight = weights[edge // cells, edge % cells // columns, edge % columns]
        order[starts[weight]] = edge
        starts[weight] += 1
    parents = np.arange(cells).astype(np.int32)
    for position in range(edges):
        edge = order[position]
        cell = edge % cells
        row, column = cell // columns, cell % columns
        downwards = edge >= cells
        if (downwards and row + 1 == rows) or (not downwards and column + 1 == columns):
            continue
        one, other = (
            root_of(parents, cell),
            root_of(parents, cell + columns if downwards else cell + 1),
        )
        if one != other:
            parents[other] = one
            links[row, column] |= DOWN if downwards else RIGHT


@kernel
def link_loops(chances: NDArray[np.uint8], share: int, links: NDArray[np.uint8]) -> None:
    """Open every edge whose chance, `(2, rows, columns)` like weights, is below `share`."""
    rows, columns = links.shape
    for row in range(rows):
        for column in range(columns):
            if column + 1 < columns and chances[0, row, column] < share:
                links[row, column] |= RIGHT
            if row + 1 < rows and chances[1, row, column] < share:
                links[row, column] |= DOWN


@kernel
def link_hall(genes: NDArray[np.uint8], share: int, links: NDArray[np.uint8]) -> None:
    """Open a rectangle of a piece if the first of its `HALL_GENES` is below `share`; the others are
    its width, height and corner.
    """
    rows, columns = links.shape
    if genes[0] >= share or rows < _SMALLEST_HALL or columns < _SMALLEST_HALL:
        return
    width = _SMALLEST_HALL + np.int64(genes[1]) % max(columns // 2 - 1, 1)
    height = _SMALLEST_HALL + np.int64(genes[2]) % max(rows // 2 - 1, 1)
    left = np.int64(genes[3]) % (columns - width + 1)
    top = np.int64(genes[4]) % (rows - height + 1)
    for row in range(top, top + height):
        for column in range(left, left + width):
            if column + 1 < left + width:
                links[row, column] |= RIGHT
            if row + 1 < top + height:
                links[row, column] |= DOWN
                if column + 1 < left + width:
                    links[row, column] |= POST


@kernel
def turned(row: int, column: int, side: int, turn: int) -> tuple[int, int]:
    """Return a cell's place in the piece: `turn` has one bit each for mirroring left to right, top
    to bottom, and along the diagonal.
    """
    if turn & 1:
        column = side - 1 - column
    if turn & 2:
        row = side - 1 - row
    if turn & 4:
        return column, row
    return row, column


@kernel
def edge_between(row: int, column: int, next_row: int, next_column: int) -> tuple[int, int, int]:
    """Return the edge between two neighbours: 0 for one to the right or 1 for one downwards, and
    its first cell.
    """
    return (0 if row == next_row else 1), min(row, next_row), min(column, next_column)


@kernel
def lay_piece(
    piece: NDArray[np.uint8],
    weights: NDArray[np.uint8],
    chances: NDArray[np.uint8],
    share: int,
    turn: int,
    links: NDArray[np.uint8],
) -> None:
    """Lay a piece, turned, into `links`, a part of the lattice. If the part is smaller than the
    piece, its tree is grown anew from the weights.
    """
    side = len(piece)
    rows, columns = links.shape
    whole = rows == side and columns == side
    part = full((2, rows, columns), 255, np.uint8)
    extra = full((2, rows, columns), 255, np.uint8)
    for row in range(rows):
        for column in range(columns):
            at_row, at_column = turned(row, column, side, turn)
            for downwards in range(2):
                next_row, next_column = row + downwards, column + 1 - downwards
                if next_row == rows or next_column == columns:
                    continue
                there_row, there_column = turned(next_row, next_column, side, turn)
                kind, first_row, first_column = edge_between(
                    at_row, at_column, there_row, there_column
                )
                if whole:
                    if piece[first_row, first_column] & (DOWN if kind else RIGHT):
                        links[row, column] |= DOWN if downwards else RIGHT
                else:
                    part[downwards, row, column] = weights[kind, first_row, first_column]
                    extra[downwards, row, column] = chances[kind, first_row, first_column]
            if whole and row + 1 < rows and column + 1 < columns:
                far_row, far_column = turned(row + 1, column + 1, side, turn)
                if piece[min(at_row, far_row), min(at_column, far_column)] & POST:
                    links[row, column] |= POST
    if not whole:
        link_tree(part, links)
        link_loops(extra, share, links)


@kernel
def join_pieces(
    weights: NDArray[np.uint8],
    chances: NDArray[np.uint8],
    doors: NDArray[np.uint8],
    share: int,
    side: int,
    links: NDArray[np.uint8],
) -> None:
    """Open one door between pieces along each edge of the plan's lightest spanning tree, and along
    further edges whose chance is below `share`.

    `weights`, `chances` and `doors` are `(2, plan rows, plan columns)`; a door is the position
    along the common side.
    """
    rows, columns = links.shape
    plan = zeros((weights.shape[1], weights.shape[2]), np.uint8)
    link_tree(weights, plan)
    link_loops(chances, share, plan)
    for plan_row in range(plan.shape[0]):
        for plan_column in range(plan.shape[1]):
            top, left = plan_row * side, plan_column * side
            height, width = min(side, rows - top), min(side, columns - left)
            if plan[plan_row, plan_column] & RIGHT:
                links[
                    top + np.int64(doors[0, plan_row, plan_column]) % height, left + side - 1
                ] |= RIGHT
            if plan[plan_row, plan_column] & DOWN:
                links[top + side - 1, left + np.int64(doors[1, plan_row, plan_column]) % width] |= (
                    DOWN
                )


@kernel
def is_dead_end(links: NDArray[np.uint8], row: int, column: int) -> bool:
    """Whether exactly one of a cell's edges is open."""
    open_edges = np.int64(links[row, column] & RIGHT > 0) + np.int64(links[row, column] & DOWN > 0)
    if column > 0 and links[row, column - 1] & RIGHT:
        open_edges += 1
    if row > 0 and links[row - 1, column] & DOWN:
        open_edges += 1
    return bool(open_edges == 1)


@kernel
def close_edges(links: NDArray[np.uint8], row: int, column: int) -> None:
    """Close all edges of a cell."""
    links[row, column] = 0
    if column > 0:
        links[row, column - 1] &= ~RIGHT & 255
    if row > 0:
        links[row - 1, column] &= ~DOWN & 255


@kernel
def loosen_seams(side: int, links: NDArray[np.uint8]) -> None:
    """Attach dead ends at the sides of pieces to the piece beyond instead of their own, so that no
    straight wall shows where pieces meet.

    This moves a leaf of a tree to another cell: what is connected stays connected, and no loop
    opens or closes.
    """
    rows, columns = links.shape
    for row in range(rows):
        for column in range(columns):
            right = (column + 1) % side == 0 and column + 1 < columns
            left = column % side == 0 and column > 0
            below = (row + 1) % side == 0 and row + 1 < rows
            above = row % side == 0 and row > 0
            if not (right or left or below or above) or not is_dead_end(links, row, column):
                continue
            close_edges(links, row, column)
            if right:
                links[row, column] |= RIGHT
            elif left:
                links[row, column - 1] |= RIGHT
            elif below:
                links[row, column] |= DOWN
            else:
                links[row - 1, column] |= DOWN


@kernel
def open_lone_posts(links: NDArray[np.uint8]) -> None:
    """Open posts whose four walls are all open, so that no single wall stands alone."""
    for row in range(links.shape[0] - 1):
        for column in range(links.shape[1] - 1):
            both = RIGHT | DOWN
            if (
                links[row, column] & both == both
                and links[row + 1, column] & RIGHT
                and links[row, column + 1] & DOWN
            ):
                links[row, column] |= POST


@kernel
def open_links(
    links: NDArray[np.uint8],
    across: NDArray[np.int32],
    down: NDArray[np.int32],
    tiles: NDArray[np.uint8],
) -> None:
    """Carve a lattice out of a `(height, width)` level, which is filled first.

    `across` and `down` are `(columns, 2)` and `(rows, 2)`: the first tile of a cell along each
    side, and the one after its last. A wall between two cells is one tile thick, and is opened at
    the first tile of the cell.
    """
    tiles[:, :] = 1
    for row in range(links.shape[0]):
        top, bottom = down[row]
        for column in range(links.shape[1]):
            left, right = across[column]
            for y in range(top, bottom):
                for x in range(left, right):
                    tiles[y, x] = 0
            if links[row, column] & RIGHT:
                tiles[top, right] = 0
            if links[row, column] & DOWN:
                tiles[bottom, left] = 0
            if links[row, column] & POST:
                # A hall has no inner walls at all, even between cells that are wider than one tile.
                for y in range(top, down[row + 1, 1]):
                    for x in range(left, across[column + 1, 1]):
                        tiles[y, x] = 0


@kernel
def lay_patchwork(
    genes: NDArray[np.uint8],
    side: int,
    pieces: int,
    shares: NDArray[np.int64],
    across: NDArray[np.int32],
    down: NDArray[np.int32],
    tiles: NDArray[np.uint8],
) -> None:
    """Lay out `(n, height, width)` levels from `(n, genes)`.

    The genes are, in this order: for each of `pieces`, 2 * side * side weights, as many chances of
    a loop, and `HALL_GENES`; for each site of the plan, its piece and its turn; for each edge of
    the plan, its weight, its chance of a loop, and its door. `shares` are those of loops in a
    piece, of loops in the plan, and of pieces with a hall, in 256ths. For `across` and `down` see
    `open_links`.
    """
    rows, columns = len(down), len(across)
    plan_rows, plan_columns = -(-rows // side), -(-columns // side)
    sites = plan_rows * plan_columns
    edges = 2 * side * side
    library = pieces * (2 * edges + HALL_GENES)
    links = empty((rows, columns), np.uint8)
    grown = empty((pieces, side, side), np.uint8)
    for level in range(len(genes)):
        own = genes[level]
        weights = own[: pieces * edges].reshape(pieces, 2, side, side)
        chances = own[pieces * edges : 2 * pieces * edges].reshape(pieces, 2, side, side)
        halls = own[2 * pieces * edges : library].reshape(pieces, HALL_GENES)
        chosen = own[library : library + sites]
        turns = own[library + sites : library + 2 * sites]
        plan = own[library + 2 * sites : library + 8 * sites].reshape(3, 2, plan_rows, plan_columns)
        grown[:] = 0
        for piece in range(pieces):
            link_tree(weights[piece], grown[piece])
            link_loops(chances[piece], shares[0], grown[piece])
            link_hall(halls[piece], shares[2], grown[piece])
        links[:] = 0
        for site in range(sites):
            top, left = site // plan_columns * side, site % plan_columns * side
            piece = chosen[site]
            part = links[top : min(top + side, rows), left : min(left + side, columns)]
            lay_piece(grown[piece], weights[piece], chances[piece], shares[0], turns[site], part)
        join_pieces(plan[0], plan[1], plan[2], shares[1], side, links)
        loosen_seams(side, links)
        open_lone_posts(links)
        open_links(links, across, down, tiles[level])
