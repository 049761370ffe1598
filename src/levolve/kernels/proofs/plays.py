"""Shortest plays of many levels: their moves, their cells, and the ways from thing to thing."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import kernel
from levolve.kernels.proofs.condensation import Numbers, Rows, Table, Whole
from levolve.kernels.proofs.sweeps import CELL, LEADS, Amounts
from levolve.kernels.proofs.walks import BY_X, WIN, shortest_play

# The columns of the parts of a play: its moves; its different cells; the most moves from one thing
# that is entered for the first time, or used, to the next, or from the start or to the end.
MOVES, CELLS, ERRAND = range(3)
PARTS = 3


@kernel
def _follow(
    moves: Table,
    count: Whole,
    start: Whole,
    width: Whole,
    traits: Numbers,
    at: Numbers,
    seen: Numbers,
    stamp: Whole,
    parts: Numbers,
) -> None:
    """Write the cells and the longest errand of a play."""
    cell, cells = start, 1
    errand = longest = 0
    seen[cell] = stamp
    for k in range(count):
        move = moves[k]
        errand += 1
        if move == BY_X:
            thing = at[cell]
            if traits[thing, LEADS] >= 0:
                cell = np.int64(traits[thing, LEADS])
        elif move < 2:
            cell += width if move else -width
        else:
            cell += 1 if move == 3 else -1
        new = seen[cell] != stamp
        cells += new
        seen[cell] = stamp
        if move == BY_X or (new and at[cell] >= 0):
            longest = max(longest, errand)
            errand = 0
    parts[CELLS], parts[ERRAND] = cells, max(longest, errand)


@kernel
def follow_plays(
    tiles: NDArray[np.uint8],
    steps: Table,
    stops: Numbers,
    collects: bool,
    initial: Numbers,
    firsts: NDArray[np.int64],
    traits: Numbers,
    amounts: Amounts,
    plays: Rows,
    lengths: Numbers,
    parents: Numbers,
    entries: Numbers,
    edges: Numbers,
    table: Numbers,
    moves: Table,
    parts: Numbers,
) -> None:
    """Write the parts of a shortest play of each of `(n, height, width)` levels to `(n, PARTS)`
    `parts`: all -1 if there is none, all -2 if a limit is exceeded. Levels with another number than
    0 in their first place are left out.

    `moves` is a work array; if it is empty, only the moves are counted. The other arguments are
    those of `prove_levels` and `shortest_play`.
    """
    levels, height, width = tiles.shape
    nothing, no_rows = empty(0, np.int32), empty((0, 2), np.uint64)
    no_sets = empty(0, np.uint64)
    at, seen = full(height * width, -1, np.int32), full(height * width, -1, np.int32)
    for level in range(levels):
        if parts[level, MOVES] != 0:
            continue
        own = traits[firsts[level] : firsts[level + 1]]
        count = shortest_play(
            WIN,
            tiles[level],
            steps,
            stops[level],
            collects,
            initial[level],
            own,
            amounts[firsts[level] : firsts[level + 1]],
            0,
            nothing,
            no_sets,
            nothing,
            0,
            nothing,
            no_rows,
            nothing,
            nothing,
            0,
            plays,
            lengths,
            parents,
            entries,
            edges,
            table,
            moves,
        )
        for k in range(PARTS):
            parts[level, k] = count
        if count < 0 or moves.size == 0 or stops.shape[1] == 0:
            continue
        for thing in range(own.shape[0]):
            at[own[thing, CELL]] = thing
        _follow(moves, count, np.int64(stops[level, 0]), width, own, at, seen, level, parts[level])
        for thing in range(own.shape[0]):
            at[own[thing, CELL]] = -1
