"""Spanning trees: edges sorted by weight, and groups of cells that the lightest edges join."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import inlined, kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Indices = NDArray[np.uint32]
Shorts = NDArray[np.uint16]
Unsigned = NDArray[np.unsignedinteger]
Number = int | np.int64

BITS = 8
VALUES = 1 << BITS
# So many trees grow side by side.
LANES = 4


@kernel
def weigh_edges(
    weights: Bytes, own: Indices, leaders: Indices, straight: int, keys: Shorts
) -> None:
    """Write the weights by which edges are compared to `keys` `(e,)`.

    That of edge k is number `own[k]` of `weights`, blended with `straight` / 256 of number
    `leaders[k]`.
    """
    for k in range(own.size):
        weight, leader = np.uint32(weights[own[k]]), np.uint32(weights[leaders[k]])
        keys[k] = (
            weight * np.uint32(VALUES - straight) + leader * np.uint32(straight)
        ) >> np.uint32(BITS)


@kernel
def sort_edges(order: Indices, keys: Shorts, starts: Indices, out: Indices) -> Number:
    """Write the edges of `order` to `out`, lightest first, equal keys in their order; return how
    many have keys below 256.

    `starts` `(257,)` is scratch.
    """
    starts[:] = 0
    for k in range(order.size):
        starts[keys[k]] += np.uint32(1)
    # The sum is not read back from the array, which would take several times as long.
    lighter_edges = np.uint32(0)
    for value in range(VALUES + 1):
        equal = starts[value]
        starts[value] = lighter_edges
        lighter_edges += equal
    closed = np.int64(starts[VALUES])
    for k in range(order.size):
        key = keys[k]
        place = starts[key]
        out[place] = order[k]
        starts[key] = place + np.uint32(1)
    return closed


@inlined
def rename(groups: Unsigned, old: np.unsignedinteger, new: np.unsignedinteger) -> None:
    """Give all cells of one group the number of another."""
    for cell in range(groups.size):
        groups[cell] = new if groups[cell] == old else groups[cell]


@kernel
def join_lanes(
    edges: Indices, counts: NDArray[np.int64], ends: Indices, groups: Bytes, opened: Bytes
) -> None:
    """Open those edges that join two groups of cells, one after the other, in several lattices side
    by side.

    `edges` `(LANES, e)` are closed edges, of which the first `counts[lane]` are considered; `ends`
    `(E, 2)` are the two cells of each edge, both the same for edge 0, which is not used otherwise.
    `groups` `(LANES, cells)` are the numbers of the groups of cells. To join two groups, all cells
    are compared: for few cells, whose numbers fill a few vectors, this is much faster than
    following a tree. It is done without a branch, which would often be predicted wrongly, and for
    several lattices in turn, since each step waits for the one before.
    """
    for step in range(counts.max()):
        for lane in range(LANES):
            edge = edges[lane, step] if step < counts[lane] else np.uint32(0)
            first, second = groups[lane, ends[edge, 0]], groups[lane, ends[edge, 1]]
            opened[lane, edge] = first != second
            for cell in range(groups.shape[1]):
                groups[lane, cell] = second if groups[lane, cell] == first else groups[lane, cell]


@kernel
def join_few(
    edges: Indices,
    count: Number,
    ends: Indices,
    most: int,
    groups: Unsigned,
    joined: Number,
    opened: Bytes,
) -> None:
    """Open those of the first `count` edges that join two groups of cells, one after the other,
    until there are `most` joins.

    `joined` is the number of joins before. Where comparing all cells takes longer than a branch
    that was predicted wrongly, this is faster than `join_lanes`.
    """
    for k in range(count):
        if joined == most:
            break
        edge = edges[k]
        first, second = groups[ends[edge, 0]], groups[ends[edge, 1]]
        if first != second:
            rename(groups, first, second)
            opened[edge] = 1
            joined += 1


@inlined
def root_of(parents: Numbers, cell: Number) -> Number:
    """Return the representative of a cell's group, and shorten the way to it."""
    while parents[cell] != cell:
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
    return cell


@kernel
def join_many(
    edges: Indices,
    begin: Number,
    end: Number,
    ends: Indices,
    most: int,
    parents: Numbers,
    joined: Number,
    opened: Bytes,
) -> Number:
    """Do the same as `join_few` for many cells and the edges from number `begin` to before `end`;
    return the number of joins.

    `parents` are trees of cells. Edges that are open already stay as they are.
    """
    for k in range(begin, end):
        if joined == most:
            break
        edge = edges[k]
        first, second = (
            root_of(parents, np.int64(ends[edge, 0])),
            root_of(parents, np.int64(ends[edge, 1])),
        )
        if first != second:
            parents[first] = second
            opened[edge] = max(opened[edge], np.uint8(1))
            joined += 1
    return joined
