"""Mazes on a lattice: cells joined by the lightest spanning tree of their edges, with loops, and
dead ends that are opened or filled.

A lattice has N cells in rows of C columns, numbered in reading order, and E edges between adjacent
cells: first those between columns, then those between rows, in reading order. In levels, edges have
other numbers: the one to the right of a cell has the number of the cell, the one below N more; of
these 2N edges, those that lead out of the lattice are always closed. While a level is made, C cells
that do not exist precede the first and follow the last, so that every cell has neighbours, and a
step is the same for all cells: cell c is at index C + c of M = N + 2C + 1, the edge to its right at
C + c of 2M, and the edge below at M + C + c. These arrays are the same for every level:

- `order` `(e,)`: the edges of 2M that may be opened, in the order in which equal weights are
  resolved; `own` and `leaders` `(e,)`: the number of the weight of each among the E, and of the one
  that it shares, for straight runs; `ends` `(2M, 2)`: the two cells of an edge, as indices of M;
  `allowed` `(2M,)`: 1 for the edges of `order`.
- `reading` `(E,)`: the edges of 2M in reading order.
- `doors` `(E, 2, 4)`: two rectangles (left, top, right, bottom; the last two exclusive) that an
  open edge may have; `spans` `(E, 4)`: its full width.
- `rectangles` `(N, 4)`: the tiles of each cell; `squares` `(P, 4)`: those of each post; `corners`
  `(P, 4)`: the cells around each post.
- `base` `(height, width)`: tiles in which only cells are open.

The post of a cell is the corner that it shares with the cell to the right and below. A post keeps
at least one of its four walls.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full, zeros
from levolve.kernels.building.lattice_drawing import ROOM, write_forms
from levolve.kernels.building.spanning_trees import (
    LANES,
    VALUES,
    join_few,
    join_lanes,
    join_many,
    rename,
    sort_edges,
    weigh_edges,
)
from levolve.kernels.compiler import inlined, kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Indices = NDArray[np.uint32]
Words = NDArray[np.uint64]
Unsigned = NDArray[np.unsignedinteger]
Number = int | np.int64

# Up to so many cells, groups are bytes, and the trees of several levels grow side by side; up to so
# many, groups are joined by comparing all cells. Cells are padded to whole vectors.
FEWEST_CELLS, FEW_CELLS, VECTOR = 256, 1024, 64
_WALLS_OF_POST = 4
# The links of a cell in one word: the sum of both cells of its open edges, the sum of the numbers
# of these edges, and how many they are; last, a bit for cells that are left as they are.
_FIELD, _COUNT, _HELD = np.uint64(30), np.uint64(60), np.uint64(63)
_PART = np.uint64((1 << 30) - 1)
_1 = np.uint64(1)


@kernel
def open_rooms(labels: Bytes, columns: int, allowed: Bytes, opened: Bytes) -> None:
    """Open the edges between two cells of the same room, close all others. `labels` are `(M,)`."""
    middle = labels.size
    for cell in range(middle - columns):
        label = labels[cell]
        inside = np.uint8(ROOM) * np.uint8(label > 0)
        opened[cell] = inside * (np.uint8(label == labels[cell + 1]) & allowed[cell])
        opened[middle + cell] = inside * (
            np.uint8(label == labels[cell + columns]) & allowed[middle + cell]
        )


@kernel
def number_cells(groups: NDArray[np.integer]) -> None:
    """Give every cell a number of its own."""
    for cell in range(groups.size):
        groups[cell] = cell


@kernel
def number_rooms(opened: Bytes, columns: int, cells: int, groups: Unsigned) -> Number:
    """Give cells that open edges connect the same number, starting from different ones; return how
    many joins that takes.

    A cell takes the number of the cell before it or above it. Only where these two are of different
    groups, which is rare, one of them is renamed.
    """
    wide, middle = np.uint64(columns), np.uint64(opened.size // 2)
    joined, before = np.int64(0), groups[0]
    for cell in range(wide, np.uint64(columns + cells)):
        left, up = opened[cell - _1], opened[middle + cell - wide]
        above = groups[cell - wide]
        # One test that nearly always fails, not two that often do not.
        if np.uint8(left & up > 0) & np.uint8(before != above):
            rename(groups, before, above)
            before = above
            joined += 1
        joined += np.int64((left | up) > 0)
        number = above if up else groups[cell]
        before = before if left else number
        groups[cell] = before
    return joined


@inlined
def open_at_post(post: np.uint64, columns: np.uint64, middle: np.uint64, opened: Bytes) -> np.int64:
    """Return the number of open edges at a post. A post at the border, which does not exist, never
    has more than two.
    """
    count = np.int64(opened[post] > 0) + np.int64(opened[post + columns] > 0)
    return count + np.int64(opened[middle + post] > 0) + np.int64(opened[middle + post + _1] > 0)


@inlined
def may_open(edge: np.uint64, columns: np.uint64, middle: np.uint64, opened: Bytes) -> bool:
    """Whether both posts of an edge keep a wall if the edge is opened; `middle` is M."""
    first = edge - columns if edge < middle else edge - middle - _1
    second = edge if edge < middle else edge - middle
    most = max(
        open_at_post(first, columns, middle, opened), open_at_post(second, columns, middle, opened)
    )
    return bool(most < _WALLS_OF_POST - 1)


@kernel
def open_loops(
    genes: Bytes,
    limit: int,
    reading: Indices,
    columns: int,
    allowed: Bytes,
    chosen: Indices,
    opened: Bytes,
) -> None:
    """Open the closed edges whose gene is below the limit, in reading order, as far as posts keep a
    wall.
    """
    middle, count = np.uint64(opened.size // 2), np.uint64(0)
    for k in range(reading.size):
        chosen[count] = reading[k]
        count += np.uint64(genes[k] < limit)
    for k in range(count):
        edge = np.uint64(chosen[k])
        if (
            allowed[edge]
            and not opened[edge]
            and may_open(edge, np.uint64(columns), middle, opened)
        ):
            opened[edge] = 1


@kernel
def open_dead_ends(
    genes: Bytes,
    limit: int,
    labels: Bytes,
    columns: int,
    ends: Indices,
    keys: NDArray[np.uint16],
    chosen: Indices,
    degrees: Bytes,
    opened: Bytes,
) -> None:
    """Open the lightest closed edge of dead ends outside rooms whose gene is below the limit, as
    far as posts keep a wall.

    `keys` `(2M,)` are the weights that are compared, 256 for edges that may not be opened.
    `degrees` `(M,)` is scratch.
    """
    middle, count = labels.size, np.uint64(0)
    wide, half = np.uint64(columns), np.uint64(middle)
    for cell in range(columns, middle - columns - 1):
        across = np.uint8(opened[cell] > 0) + np.uint8(opened[cell - 1] > 0)
        degrees[cell] = (
            across
            + np.uint8(opened[middle + cell] > 0)
            + np.uint8(opened[middle + cell - columns] > 0)
        )
    for cell in range(columns, middle - columns - 1):
        chosen[count] = cell
        count += (
            np.uint64(genes[cell - columns] < limit)
            & np.uint64(degrees[cell] == 1)
            & np.uint64(labels[cell] == 0)
        )
    for k in range(count):
        end = np.uint64(chosen[k])
        # An edge that was opened before may end here.
        if degrees[end] != 1:
            continue
        lightest, least = np.uint64(0), np.int64(VALUES)
        for side in range(4):
            edge = (
                end - np.uint64(side == 0) if side < 2 else end + half - wide * np.uint64(side == 2)
            )
            if keys[edge] < least and not opened[edge] and may_open(edge, wide, half, opened):
                lightest, least = edge, np.int64(keys[edge])
        if least < VALUES:
            opened[lightest] = 1
            for side in range(2):
                degrees[ends[lightest, side]] += np.uint8(1)


@kernel
def words_of_edges(ends: Indices) -> Words:
    """Return the words whose sum are the links of a cell: how many edges, their numbers, and both
    of their cells.
    """
    words = empty(ends.shape[0], np.uint64)
    for edge in range(words.size):
        words[edge] = (
            (_1 << _COUNT)
            | (np.uint64(edge) << _FIELD)
            | (np.uint64(ends[edge, 0]) + np.uint64(ends[edge, 1]))
        )
    return words


@kernel
def fill_dead_ends(
    genes: Bytes,
    limit: int,
    labels: Bytes,
    protected: Bytes,
    columns: int,
    words: Words,
    chosen: Indices,
    used: Words,
    links: Words,
    opened: Bytes,
) -> None:
    """Close the last open edge of cells outside rooms whose gene is below the limit, until none of
    them is a dead end; protected cells are left.

    A cell's links are the sum of the words of its open edges. So those of a dead end name its last
    edge and the cell behind it, and closing this edge is one subtraction. `words` `(2M,)` are those
    of `words_of_edges`; `used` `(2M,)` and `links` `(M,)` are scratch.
    """
    middle, count = labels.size, np.uint64(0)
    for edge in range(words.size):
        word = words[edge]
        used[edge] = word if opened[edge] else np.uint64(0)
    for cell in range(columns, middle - columns - 1):
        held = (
            (genes[cell - columns] >= limit) | (protected[cell - columns] > 0) | (labels[cell] > 0)
        )
        links[cell] = (
            (np.uint64(held) << _HELD)
            + used[cell]
            + used[cell - 1]
            + used[middle + cell]
            + used[middle + cell - columns]
        )
    for cell in range(columns, middle - columns - 1):
        chosen[count] = cell
        count += np.uint64(links[cell] >> _COUNT == _1)
    for k in range(count):
        end = np.uint64(chosen[k])
        word = links[end]
        while word >> _COUNT == _1:
            opened[(word >> _FIELD) & _PART] = 0
            links[end] = 0
            end = (word & _PART) - end
            word = links[end] - word
            links[end] = word


@kernel
def weave(
    genes: Bytes,
    parts: NDArray[np.int64],
    limits: NDArray[np.int64],
    labels: Bytes,
    columns: int,
    protected: Bytes,
    order: Indices,
    own: Indices,
    leaders: Indices,
    ends: Indices,
    allowed: Bytes,
    reading: Indices,
    opened: Bytes,
) -> None:
    """Decide for each of n levels which edges are open: `opened`, `(n, 2N)`, gets 1 or 2 for a
    passage by a door, 3 inside a room, 0 for a wall.

    First the edges between two cells of the same room are opened, then those of the lightest
    spanning tree of the weights, then further edges by the genes for loops, then the lightest
    closed edge of dead ends by those for braids; last, dead ends are closed by those for holes. A
    gene acts if it is below its limit: `limits` are straight, loops, braids and holes, each from 0
    to 256. A kind of gene whose limit is 0 is not used. The lowest bit of a weight selects the door
    of its edge.

    `parts` are the numbers of the first gene for weights, loops (one per edge each), braids and
    holes (one per cell each) in `genes`. `labels` `(n, N)`, or `(n, 0)`, are the numbers of rooms,
    0 for none. `protected` `(N,)` cells are never closed.
    """
    cells, edges, middle = protected.size, reading.size, allowed.size // 2
    keys, keys_of, starts = (
        empty((LANES, order.size), np.uint16),
        full(2 * middle, VALUES, np.uint16),
        empty(VALUES + 1, np.uint32),
    )
    ordered, counts, chosen = (
        empty((LANES, order.size), np.uint32),
        empty(LANES, np.int64),
        empty(2 * middle, np.uint32),
    )
    padded = -(-(columns + cells) // VECTOR) * VECTOR
    fewest = empty((LANES, padded if padded <= FEWEST_CELLS else 0), np.uint8)
    few = empty(padded if FEWEST_CELLS < padded <= FEW_CELLS else 0, np.uint16)
    parents = empty(0 if padded <= FEW_CELLS else columns + cells, np.int32)
    home, degrees = zeros((LANES, middle), np.uint8), zeros(middle, np.uint8)
    words, used, links = (
        words_of_edges(ends),
        empty(2 * middle, np.uint64),
        empty(middle, np.uint64),
    )
    opens = zeros((LANES, 2 * middle), np.uint8)
    rooms = labels.shape[1] > 0
    for start in range(0, len(genes), LANES):
        lanes = min(LANES, len(genes) - start)
        counts[:] = 0
        for lane in range(lanes):
            level, inside, is_open, light = start + lane, home[lane], opens[lane], keys[lane]
            weigh_edges(genes[level, parts[0] : parts[0] + edges], own, leaders, limits[0], light)
            is_open[:] = 0
            if rooms:
                for cell in range(cells):
                    inside[columns + cell] = labels[level, cell]
                open_rooms(inside, columns, allowed, is_open)
                # The greatest key for open edges: without a branch, which would often be predicted
                # wrongly.
                for k in range(order.size):
                    light[k] = max(light[k], np.uint16(is_open[order[k]] & 1) * np.uint16(VALUES))
            counts[lane] = sort_edges(order, light, starts, ordered[lane])
            if fewest.size:
                number_cells(fewest[lane])
                if rooms:
                    number_rooms(is_open, columns, cells, fewest[lane])
            elif few.size:
                number_cells(few)
                joined = number_rooms(is_open, columns, cells, few) if rooms else np.int64(0)
                join_few(ordered[lane], counts[lane], ends, cells - 1, few, joined, is_open)
            else:
                number_cells(parents)
                # Edges inside rooms follow the others.
                joined = join_many(
                    ordered[lane], counts[lane], order.size, ends, cells - 1, parents, 0, is_open
                )
                join_many(ordered[lane], 0, counts[lane], ends, cells - 1, parents, joined, is_open)
        if fewest.size:
            join_lanes(ordered, counts, ends, fewest, opens)
        for lane in range(lanes):
            level, inside, is_open = start + lane, home[lane], opens[lane]
            if limits[1]:
                open_loops(
                    genes[level, parts[1] : parts[1] + edges],
                    limits[1],
                    reading,
                    columns,
                    allowed,
                    chosen,
                    is_open,
                )
            if limits[2]:
                for k in range(order.size):
                    keys_of[order[k]] = keys[lane, k]
                open_dead_ends(
                    genes[level, parts[2] : parts[2] + cells],
                    limits[2],
                    inside,
                    columns,
                    ends,
                    keys_of,
                    chosen,
                    degrees,
                    is_open,
                )
            if limits[3]:
                holes = genes[level, parts[3] : parts[3] + cells]
                fill_dead_ends(
                    holes,
                    limits[3],
                    inside,
                    protected,
                    columns,
                    words,
                    chosen,
                    used,
                    links,
                    is_open,
                )
            write_forms(genes[level, parts[0] : parts[0] + edges], columns, is_open, opened[level])
