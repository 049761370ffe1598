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

VALUES = 256
_WALLS_OF_POST = 4
_1 = np.uint64(1)


@kernel
def sort_edges(weights: Bytes, order: Numbers, leaders: Numbers, straight: int, keys: Bytes, starts: Numbers, out: Numbers) -> None:
    """Write the edges of `order` to `out`, lightest first, equal weights in their order; `keys` gets the weights that were compared.

    A compared weight is the edge's own, blended with `straight` / 256 of its leader's.
    """
    starts[:] = 0
    for k in range(order.size):
        edge = order[k]
        key = (np.int64(weights[edge]) * (VALUES - straight) + np.int64(weights[leaders[edge]]) * straight) // VALUES
        keys[edge] = key
        starts[key + 1] += 1
    for value in range(VALUES):
        starts[value + 1] += starts[value]
    for k in range(order.size):
        edge = order[k]
        lighter = np.int64(keys[edge])
        out[starts[lighter]] = edge
        starts[lighter] += 1


@inlined
def root_of(parents: Numbers, cell: int) -> int:
    """Return the representative of a cell's group, and shorten the way to it."""
    while parents[cell] != cell:
        parents[cell] = parents[parents[cell]]
        cell = parents[cell]
    return cell


@inlined
def may_open(edge: int, posts: Numbers, walls: Numbers) -> bool:
    """Whether both posts of an edge keep a wall if the edge is opened."""
    first, second = posts[edge, 0], posts[edge, 1]
    return bool((first < 0 or walls[first] > 1) and (second < 0 or walls[second] > 1))


@inlined
def open_edge(edge: int, ends: Numbers, posts: Numbers, opened: Bytes, degrees: Numbers, walls: Numbers) -> None:
    """Open an edge, and count it at its cells and posts."""
    opened[edge] = 1
    degrees[ends[edge, 0]] += 1
    degrees[ends[edge, 1]] += 1
    for side in range(2):
        if posts[edge, side] >= 0:
            walls[posts[edge, side]] -= 1


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
    keys = np.empty(edges, np.uint8)
    starts = np.empty(VALUES + 1, np.int32)
    ordered = np.empty(order.size, np.int32)
    parents = np.empty(cells, np.int32)
    degrees = np.empty(cells, np.int32)
    walls = np.empty(posts_count, np.int32)
    allowed = np.zeros(edges, np.uint8)
    for k in range(order.size):
        allowed[order[k]] = 1
    rooms = labels.shape[1] > 0
    only_tree = limits[1] == limits[2] == limits[3] == 0
    for level in range(len(genes)):
        is_open = opened[level]
        is_open[:] = 0
        degrees[:] = 0
        walls[:] = _WALLS_OF_POST
        for cell in range(cells):
            parents[cell] = cell
        sort_edges(genes[level, parts[0] : parts[0] + edges], order, leaders, limits[0], keys, starts, ordered)
        joined = 0
        if rooms:
            for k in range(order.size):
                edge = order[k]
                label = labels[level, ends[edge, 0]]
                if label and label == labels[level, ends[edge, 1]]:
                    open_edge(edge, ends, posts, is_open, degrees, walls)
                    is_open[edge] = 2
                    first, second = root_of(parents, ends[edge, 0]), root_of(parents, ends[edge, 1])
                    parents[first] = second
                    joined += first != second
        for k in range(order.size):
            if joined == cells - 1:
                break
            edge = ordered[k]
            if is_open[edge]:
                continue
            first, second = root_of(parents, ends[edge, 0]), root_of(parents, ends[edge, 1])
            if first != second:
                parents[first] = second
                joined += 1
                if only_tree:
                    is_open[edge] = 1
                else:
                    open_edge(edge, ends, posts, is_open, degrees, walls)
        if limits[1]:
            for edge in range(edges):
                if genes[level, parts[1] + edge] < limits[1] and is_open[edge] == 0 and allowed[edge] and may_open(edge, posts, walls):
                    open_edge(edge, ends, posts, is_open, degrees, walls)
        if limits[2]:
            for cell in range(cells):
                if degrees[cell] != 1 or genes[level, parts[2] + cell] >= limits[2] or (rooms and labels[level, cell]):
                    continue
                lightest = -1
                for side in range(4):
                    edge = around[cell, side]
                    if edge < 0 or is_open[edge] or not allowed[edge] or not may_open(edge, posts, walls):
                        continue
                    if lightest < 0 or keys[edge] < keys[lightest]:
                        lightest = edge
                if lightest >= 0:
                    open_edge(lightest, ends, posts, is_open, degrees, walls)
        if limits[3]:
            for first_cell in range(cells):
                cell = first_cell
                while degrees[cell] == 1 and genes[level, parts[3] + cell] < limits[3]:
                    if protected[cell] or (rooms and labels[level, cell]):
                        break
                    for side in range(4):
                        edge = around[cell, side]
                        if edge >= 0 and is_open[edge]:
                            is_open[edge] = 0
                            degrees[cell] = 0
                            cell = ends[edge, 0] + ends[edge, 1] - cell
                            degrees[cell] -= 1
                            break


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
def columns_of(rectangle: Numbers) -> np.uint64:
    """Return the bits of the columns of a rectangle, at most 63."""
    return ((_1 << np.uint64(rectangle[2] - rectangle[0])) - _1) << np.uint64(rectangle[0])


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
    cells, edges, posts = rectangles.shape[0], ends.shape[0], squares.shape[0]
    rooms = labels.shape[1] > 0
    used = np.empty(cells, np.uint8)
    door_bits = np.empty((edges, 2), np.uint64)
    span_bits, cell_bits, post_bits = np.empty(edges, np.uint64), np.empty(cells, np.uint64), np.empty(posts, np.uint64)
    for edge in range(edges):
        door_bits[edge, 0], door_bits[edge, 1] = columns_of(doors[edge, 0]), columns_of(doors[edge, 1])
        span_bits[edge] = columns_of(spans[edge])
    for cell in range(cells):
        cell_bits[cell] = columns_of(rectangles[cell])
    for post in range(posts):
        post_bits[post] = columns_of(squares[post])
    height = rows.shape[1]
    for level in range(len(opened)):
        for y in range(height):
            rows[level, y] = base[y]
        used[:] = 0
        for edge in range(edges):
            kind = opened[level, edge]
            if kind == 1:
                used[ends[edge, 0]] = 1
                used[ends[edge, 1]] = 1
                side = np.int64(genes[level, first + edge] & 1)
                for y in range(doors[edge, side, 1], doors[edge, side, 3]):
                    rows[level, y] &= ~door_bits[edge, side]
            elif kind:
                used[ends[edge, 0]] = 1
                used[ends[edge, 1]] = 1
                for y in range(spans[edge, 1], spans[edge, 3]):
                    rows[level, y] &= ~span_bits[edge]
        for cell in range(cells):
            if not used[cell] and not (rooms and labels[level, cell]):
                for y in range(rectangles[cell, 1], rectangles[cell, 3]):
                    rows[level, y] |= cell_bits[cell]
        if rooms:
            for post in range(posts):
                label = labels[level, corners[post, 0]]
                if label == 0 or label != labels[level, corners[post, 3]]:
                    continue
                if label == labels[level, corners[post, 1]] and label == labels[level, corners[post, 2]]:
                    for y in range(squares[post, 1], squares[post, 3]):
                        rows[level, y] &= ~post_bits[post]
