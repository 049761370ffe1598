"""Mazes on a lattice: cells joined by the lightest spanning tree of their edges, with loops, and dead ends that are opened or filled.

A lattice has N cells and E edges between adjacent cells. All its arrays are the same for every level:

- `ends` `(E, 2)`: the two cells of an edge; `around` `(N, 4)`: the edges of a cell, -1 for none. Edges that must stay closed are not in `order`.
- `order` `(e,)`: the edges that may be opened, in the order in which equal weights are resolved.
- `leaders` `(E,)`: the edge whose weight an edge shares, for straight runs.
- `posts` `(E, 2)`: the posts at both ends of an edge's wall, -1 at the border. A post keeps at least one of its four walls.
- `doors` `(E, 2, 4)`: two rectangles (left, top, right, bottom; the last two exclusive) that an open edge may have; `spans` `(E, 4)`: its full width.
- `rectangles` `(N, 4)`: the tiles of each cell; `squares` `(P, 4)`: those of each post; `corners` `(P, 4)`: the cells around each post.
- `base` `(height, width)`: tiles in which only cells are open.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Indices = NDArray[np.uint32]
Number = int | np.int64

BITS = 8
VALUES = 1 << BITS
# Up to so many cells, groups are joined by comparing all cells, padded to whole vectors.
FEW_CELLS, VECTORS = 1024, 64
_WALLS_OF_POST = 4


@kernel
def sort_edges(weights: Bytes, order: Indices, leaders: Indices, straight: int, keys: Bytes, starts: Numbers, out: Indices) -> None:
    """Write the edges of `order` to `out`, lightest first, equal weights in their order; `keys` gets the weights that were compared.

    A compared weight is the edge's own, blended with `straight` / 256 of its leader's.
    """
    for edge in range(keys.size):
        keys[edge] = (np.int32(weights[edge]) * np.int32(VALUES - straight) + np.int32(weights[leaders[edge]]) * np.int32(straight)) >> BITS
    starts[:] = 0
    for k in range(order.size):
        starts[keys[order[k]]] += 1
    # The sum is not read back from the array, which would take several times as long.
    lighter_edges = np.int32(0)
    for value in range(VALUES):
        equal = starts[value]
        starts[value] = lighter_edges
        lighter_edges += equal
    for k in range(order.size):
        edge = order[k]
        key = keys[edge]
        out[starts[key]] = edge
        starts[key] += 1


@inlined
def root_of(parents: Numbers, cell: Number) -> Number:
    """Return the representative of a cell's group, and shorten the way to it."""
    while parents[cell] != cell:
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
    return cell


@kernel
def join_few(edges: Indices, count: Number, ends: Indices, cells: int, groups: NDArray[np.uint16], joined: Number, opened: Bytes) -> Number:
    """Open those of the first `count` edges that join two groups of cells, one after the other; return the number of joins.

    `groups` are the numbers of the groups of cells, and `joined` is the number of joins before. To join two groups, all cells are compared: for few
    cells, whose numbers fill a few vectors, this is much faster than following a tree.
    """
    for k in range(count):
        if joined == cells - 1:
            break
        edge = edges[k]
        first, second = groups[ends[edge, 0]], groups[ends[edge, 1]]
        if first != second:
            for cell in range(groups.size):
                groups[cell] = second if groups[cell] == first else groups[cell]
            opened[edge] = max(opened[edge], np.uint8(1))
            joined += 1
    return joined


@kernel
def join_many(edges: Indices, count: Number, ends: Indices, parents: Numbers, joined: Number, opened: Bytes) -> Number:
    """Do the same as `join_few` for many cells: `parents` are trees of cells."""
    cells = parents.size
    for k in range(count):
        if joined == cells - 1:
            break
        edge = edges[k]
        first, second = root_of(parents, np.int64(ends[edge, 0])), root_of(parents, np.int64(ends[edge, 1]))
        if first != second:
            parents[first] = second
            opened[edge] = max(opened[edge], np.uint8(1))
            joined += 1
    return joined


@inlined
def may_open(edge: np.integer, posts: Indices, beside: Indices, opened: Bytes) -> bool:
    """Whether both posts of an edge keep a wall if the edge is opened. `beside` are the edges of posts."""
    most = np.int64(0)
    for end in range(2):
        count = np.int64(0)
        for side in range(_WALLS_OF_POST):
            count += np.int64(opened[beside[posts[edge, end], side]] > 0)
        most = max(most, count)
    return bool(most < _WALLS_OF_POST - 1)


@kernel
def index_of(numbers: Numbers, outside: int) -> Indices:
    """Return `(n, k)` numbers as unsigned integers, -1 as `outside`: indices that are never negative need no test."""
    indices = np.empty(numbers.shape, np.uint32)
    for k in range(numbers.shape[0]):
        for side in range(numbers.shape[1]):
            indices[k, side] = outside if numbers[k, side] < 0 else numbers[k, side]
    return indices


@kernel
def edges_of_posts(posts: Indices, count: int, outside: int) -> Indices:
    """Return the four edges of each of `count` posts, and of one more, which stands for no post; `outside` for no edge."""
    beside = np.full((count + 1, _WALLS_OF_POST), outside, np.uint32)
    filled = np.zeros(count, np.int64)
    for edge in range(posts.shape[0]):
        for side in range(2):
            post = posts[edge, side]
            if post < count:
                beside[post, filled[post]] = edge
                filled[post] += 1
    return beside


@kernel
def count_open(around: Indices, opened: Bytes, degrees: Bytes) -> None:
    """Count the open edges of each cell, given the four edges of each; the last of `opened` stands for no edge and is 0."""
    for cell in range(around.shape[0]):
        count = np.int64(0)
        for side in range(around.shape[1]):
            count += np.int64(opened[around[cell, side]] > 0)
        degrees[cell] = count


@kernel
def weave(
    genes: Bytes,
    parts: NDArray[np.int64],
    limits: NDArray[np.int64],
    labels: Bytes,
    protected: Bytes,
    ends: Numbers,
    around: Numbers,
    order: Numbers,
    leaders: Numbers,
    posts: Numbers,
    opened: Bytes,
) -> None:
    """Decide for each of n levels which edges are open: `opened`, `(n, E)`, gets 1 for a passage, 2 inside a room, 0 for a wall.

    First the edges between two cells of the same room are opened, then those of the lightest spanning tree of the weights, then further edges by the
    genes for loops, then the lightest closed edge of dead ends by those for braids; last, dead ends are closed by those for holes. A gene acts if it
    is below its limit: `limits` are straight, loops, braids and holes, each from 0 to 256. A kind of gene whose limit is 0 is not used.

    `parts` are the numbers of the first gene for weights, loops (one per edge each), braids and holes (one per cell each) in `genes`. `labels`
    `(n, N)`, or `(n, 0)`, are the numbers of rooms, 0 for none. `protected` `(N,)` cells are never closed.
    """
    cells, edges = around.shape[0], ends.shape[0]
    posts_count = max(posts.max() + 1, 0) if edges else 0
    cell_of, edge_of, post_of = index_of(ends, 0), index_of(around, edges), index_of(posts, posts_count)
    beside = edges_of_posts(post_of, posts_count, edges)
    usable, leader_of = order.astype(np.uint32), leaders.astype(np.uint32)
    allowed = np.zeros(edges + 1, np.uint8)
    for k in range(usable.size):
        allowed[usable[k]] = 1
    keys = np.empty(edges, np.uint8)
    starts = np.empty(VALUES, np.int32)
    ordered, chosen = np.empty(usable.size, np.uint32), np.empty(max(edges, cells) + 1, np.uint32)
    groups = np.empty(-(-cells // VECTORS) * VECTORS if cells <= FEW_CELLS else 0, np.uint16)
    parents = np.empty(0 if cells <= FEW_CELLS else cells, np.int32)
    degrees, fillable = np.empty(cells, np.uint8), np.empty(cells, np.uint8)
    # One more than edges: the last stands for no edge.
    is_open = np.zeros(edges + 1, np.uint8)
    rooms = labels.shape[1] > 0
    for level in range(len(genes)):
        is_open[:] = 0
        for cell in range(groups.size):
            groups[cell] = cell
        for cell in range(parents.size):
            parents[cell] = cell
        joined: Number = 0
        if rooms:
            count = np.int64(0)
            for edge in range(edges):
                label = labels[level, cell_of[edge, 0]]
                same = np.int64(label > 0) & np.int64(label == labels[level, cell_of[edge, 1]]) & np.int64(allowed[edge])
                is_open[edge] = 2 * same
                chosen[count] = edge
                count += same
            if groups.size:
                joined = join_few(chosen, count, cell_of, cells, groups, joined, is_open)
            else:
                joined = join_many(chosen, count, cell_of, parents, joined, is_open)
        sort_edges(genes[level, parts[0] : parts[0] + edges], usable, leader_of, limits[0], keys, starts, ordered)
        if groups.size:
            join_few(ordered, ordered.size, cell_of, cells, groups, joined, is_open)
        else:
            join_many(ordered, ordered.size, cell_of, parents, joined, is_open)
        if limits[1]:
            count = np.int64(0)
            for edge in range(edges):
                chosen[count] = edge
                count += np.int64(genes[level, parts[1] + edge] < limits[1]) & np.int64(is_open[edge] == 0) & np.int64(allowed[edge])
            for k in range(count):
                is_open[chosen[k]] = may_open(chosen[k], post_of, beside, is_open)
        if limits[2] or limits[3]:
            count_open(edge_of, is_open, degrees)
        if limits[2]:
            for cell in range(cells):
                if degrees[cell] != 1 or genes[level, parts[2] + cell] >= limits[2] or (rooms and labels[level, cell]):
                    continue
                lightest, least = np.int64(edges), np.int64(VALUES)
                for side in range(4):
                    beyond = np.int64(edge_of[cell, side])
                    if allowed[beyond] and not is_open[beyond] and keys[beyond] < least and may_open(beyond, post_of, beside, is_open):
                        lightest, least = beyond, np.int64(keys[beyond])
                if lightest < edges:
                    is_open[lightest] = 1
                    for side in range(2):
                        degrees[cell_of[lightest, side]] += np.uint8(1)
        if limits[3]:
            count = np.int64(0)
            for cell in range(cells):
                fillable[cell] = np.int64(genes[level, parts[3] + cell] < limits[3]) & np.int64(protected[cell] == 0)
            if rooms:
                for cell in range(cells):
                    fillable[cell] &= np.uint8(labels[level, cell] == 0)
            for cell in range(cells):
                chosen[count] = cell
                count += np.int64(degrees[cell] == 1) & np.int64(fillable[cell])
            for k in range(count):
                end = np.int64(chosen[k])
                while degrees[end] == 1 and fillable[end]:
                    # Exactly one of the four is open.
                    last = np.int64(0)
                    for side in range(4):
                        last += np.int64(edge_of[end, side]) * np.int64(is_open[edge_of[end, side]] > 0)
                    is_open[last] = 0
                    degrees[end] = 0
                    end = np.int64(cell_of[last, 0]) + np.int64(cell_of[last, 1]) - end
                    degrees[end] -= np.uint8(1)
        for edge in range(edges):
            opened[level, edge] = is_open[edge]
