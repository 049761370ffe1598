"""A level condensed to a graph: a node for each cell that matters, its own, and one for each group
of other cells that are connected by steps.

A group is found by its runs: rows are words of bits, a run is a largest set of cells of a row that
are connected within it, and runs of neighbouring rows are joined by union-find. The number of a run
is the count of first cells before it, so no run is stored.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import inlined, kernel

WORD = 64
Rows = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Table = NDArray[np.uint8]
Whole = int | np.integer[Any]
_0, _1, _LAST = (np.uint64(n) for n in (0, 1, WORD - 1))
# The most edges that leave an own cell: four steps, and where it leads. A step is recorded from
# both ends if one is a group.
EDGES = 9


@kernel
def is_uniform(steps: Table) -> bool:
    """Whether a step is legal if and only if both kinds of tiles are walkable."""
    for a in range(steps.shape[0]):
        for b in range(steps.shape[0]):
            if (steps[a, b] != 0) != (steps[a, a] != 0 and steps[b, b] != 0):
                return False
    return True


@kernel
def has_groups(steps: Table) -> bool:
    """Whether all steps are legal in both directions, and only between walkable kinds of tiles."""
    for a in range(steps.shape[0]):
        for b in range(steps.shape[0]):
            if steps[a, b] != steps[b, a] or (steps[a, b] and not steps[a, a]):
                return False
    return True


@kernel
def pack_level(
    tiles: Table, steps: Table, uniform: bool, rows: Rows, right: Rows, down: Rows
) -> None:
    """Pack the walkable cells of `(height, width)` tiles into words, `words` per row; unless the
    tileset is uniform, also the legal steps to the right and down.
    """
    height, width = tiles.shape
    words = (width + WORD - 1) // WORD
    kinds = steps.shape[0]
    alone = -1
    for kind in range(kinds):
        if steps[kind, kind]:
            alone = kind if alone == -1 else -2
    for y in range(height):
        for j in range(words):
            word = _0
            first = j * WORD
            if alone >= 0:
                for x in range(min(WORD, width - first)):
                    word |= np.uint64(tiles[y, first + x] == alone) << np.uint64(x)
            else:
                for x in range(min(WORD, width - first)):
                    kind = tiles[y, first + x]
                    word |= np.uint64(steps[kind, kind] != 0) << np.uint64(x)
            rows[y * words + j] = word
    if uniform:
        return
    for y in range(height):
        for j in range(words):
            aside = below = _0
            for x in range(j * WORD, min(width, (j + 1) * WORD)):
                bit = np.uint64(x - j * WORD)
                if x + 1 < width:
                    aside |= np.uint64(steps[tiles[y, x], tiles[y, x + 1]] != 0) << bit
                if y + 1 < height:
                    below |= np.uint64(steps[tiles[y, x], tiles[y + 1, x]] != 0) << bit
            right[y * words + j] = aside
            down[y * words + j] = below


@inlined
def find(parent: Numbers, run: Whole) -> Whole:
    """Return the first run of a run's group, and shorten the way there."""
    while parent[run] != run:
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run


@kernel
def join_runs(
    rows: Rows,
    right: Rows,
    down: Rows,
    uniform: bool,
    words: Whole,
    starts: Rows,
    before: Numbers,
    parent: Numbers,
    node_of: Numbers,
) -> Whole:
    """Join the runs of the cells in `rows`; return the number of runs.

    `starts` gets the first cells of the runs, `before` the number of runs before each word,
    `parent` the groups for `find`, and `node_of` -1 for each run.
    """
    count = 0
    for i in range(rows.size):
        # Bit 63 of the word before continues in bit 0.
        linked = rows[i] if uniform else rows[i] & right[i]
        carry = _0
        if i % words:
            carry = (rows[i - 1] if uniform else rows[i - 1] & right[i - 1]) >> _LAST
        starts[i] = rows[i] & ~((linked << _1) | carry)
        before[i] = count
        for _ in range(np.int64(bit_count(starts[i]))):
            parent[count] = count
            node_of[count] = -1
            count += 1
        above = i - words
        if above < 0:
            continue
        touching = rows[i] & rows[above]
        if not uniform:
            touching &= down[above]
        # Contacts beside each other join the same two runs.
        same = touching
        if not uniform:
            same &= right[i] & right[above]
        contacts = touching & ~(same << _1)
        while contacts != _0:
            low = contacts & (~contacts + _1)
            upto = low | (low - _1)
            contacts ^= low
            rank = np.int64(bit_count(starts[i] & upto))
            own = find(parent, np.int64(before[i]) + rank - 1)
            rank = np.int64(bit_count(starts[above] & upto))
            other = find(parent, np.int64(before[above]) + rank - 1)
            if other < own:
                parent[own] = other
            elif own < other:
                parent[other] = own
    return count


@kernel
def group_at(
    cell: Whole,
    width: Whole,
    rows: Rows,
    starts: Rows,
    before: Numbers,
    parent: Numbers,
) -> Whole:
    """Return the first run of the group that contains a cell; -1 if none does."""
    words = (width + WORD - 1) // WORD
    y = cell // width
    x = cell - y * width
    i = y * words + x // WORD
    low = _1 << np.uint64(x % WORD)
    if rows[i] & low == _0:
        return -1
    return find(parent, before[i] + np.int64(bit_count(starts[i] & (low | (low - _1)))) - 1)


@kernel
def connect(
    tiles: Table,
    steps: Table,
    start: Whole,
    own: Numbers,
    count: Whole,
    own_at: Numbers,
    leave: Table,
    leads: Numbers,
    rows: Rows,
    starts: Rows,
    before: Numbers,
    parent: Numbers,
    node_of: Numbers,
    groups: Numbers,
    edges: Numbers,
    shape: Numbers,
) -> None:
    """Build the graph of `count` own cells, which are not in `rows`, and of the groups beside them.

    Parameters
    ----------
    own, own_at
        The own cells, and the number of the own cell at each cell or -1.
    leave, leads
        For each own cell: the moves by which it may be left, as bits, and the cell to which it
        leads or -1.
    groups
        Gets the first run of each group: its node is `count` more than its index.
    edges
        `(most, 2)` gets the edges, from and to.
    shape
        Gets the number of nodes, of edges, and the node of the cell `start`.
    """
    height, width = tiles.shape
    nodes, made = count, 0
    for i in range(count + 1):
        # After the own cells comes the start, which may be in a group beside none of them.
        cell = own[i] if i < count else start
        y = cell // width
        x = cell - y * width
        for move in range(6):
            to_x, to_y = x, y
            if move == 0:
                to_y -= 1
            elif move == 1:
                to_y += 1
            elif move == 2:
                to_x -= 1
            elif move == 3:
                to_x += 1
            elif move == 4:
                if i == count or leads[i] < 0:
                    continue
                to_y = leads[i] // width
                to_x = leads[i] - to_y * width
            if (i == count) != (move == 5) or not (0 <= to_x < width and 0 <= to_y < height):
                continue
            other = to_y * width + to_x
            out = back = False
            if move < 4:
                out = steps[tiles[y, x], tiles[to_y, to_x]] != 0 and (leave[i] >> move) & 1 != 0
                back = steps[tiles[to_y, to_x], tiles[y, x]] != 0
                if not out and not back:
                    continue
            node = own_at[other]
            if node < 0:
                group = group_at(other, width, rows, starts, before, parent)
                if group < 0:
                    continue
                node = node_of[group]
                if node < 0:
                    node = nodes
                    node_of[group] = node
                    groups[node - count] = group
                    nodes += 1
                if back:
                    edges[made, 0], edges[made, 1] = node, i
                    made += 1
            if move == 5:
                shape[2] = node
            elif out or move == 4:
                edges[made, 0], edges[made, 1] = i, node
                made += 1
    shape[0], shape[1] = nodes, made


@kernel
def sort_edges(
    edges: Numbers, count: Whole, nodes: Whole, first: Numbers, targets: Numbers
) -> None:
    """Sort edges by the node that they leave: those of node i lead to `targets[first[i] :
    first[i + 1]]`.
    """
    for node in range(nodes + 1):
        first[node] = 0
    for edge in range(count):
        first[edges[edge, 0] + 1] += 1
    for node in range(nodes):
        first[node + 1] += first[node]
    for edge in range(count - 1, -1, -1):
        node = edges[edge, 0]
        # The last places first; `first` is restored by what it counts down to.
        first[node + 1] -= 1
        targets[first[node + 1]] = edges[edge, 1]
    for node in range(nodes):
        first[node] = first[node + 1]
    first[nodes] = count
