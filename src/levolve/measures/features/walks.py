"""Paths from the entrance: distances, members, and the path to the exit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import boards, walking, wide_boards
from levolve.kernels.compiler import SMALL
from levolve.levels.batch import Batch
from levolve.measures.features.feature import feature

Steps = NDArray[np.int32]


@feature
def distances(batch: Batch) -> Steps:
    """|x|: the steps of a shortest path from the entrance to each cell, `(n, height, width)`; -1 if unreachable."""
    out = np.empty(batch.tiles.shape, np.int32)
    if batch.ends is None:
        walking.distances(batch.tiles, batch.tileset.table, *batch.frame.entrance, out)
    else:
        walking.distances_from(batch.tiles, batch.tileset.table, np.ascontiguousarray(batch.ends[:, 0]), out)
    return out


@feature
def members(batch: Batch) -> NDArray[np.uint64]:
    """M(x) of each cell, bit i for checkpoint i, `(n, height, width)`. Also stores `distances`."""
    steps = np.empty(batch.tiles.shape, np.int32)
    found = np.empty(batch.tiles.shape, np.uint64)
    checkpoints = np.array(batch.frame.checkpoints, np.int64).reshape(-1, 2)
    if batch.ends is None:
        walking.members(batch.tiles, batch.tileset.table, *batch.frame.entrance, checkpoints, steps, found)
    else:
        # Objectives of checkpoints are defined for a shared entrance, so that this is rare.
        for index, cell in enumerate(batch.ends[:, 0].tolist()):
            one, (y, x) = slice(index, index + 1), divmod(cell, batch.frame.width)
            walking.members(batch.tiles[one], batch.tileset.table, x, y, checkpoints, steps[one], found[one])
    distances.store(batch, steps)
    return found


@feature
def exit_steps(batch: Batch) -> Steps:
    """|e|: the steps of a shortest path from the entrance to the exit, `(n,)`; -1 if there is none."""
    # A report on one small level needs the distances, too; one on many levels does not.
    if distances.is_known(batch) or (len(batch) == 1 and batch.frame.width * batch.frame.height <= SMALL):
        return np.ascontiguousarray(_at_exit(batch, distances(batch)))
    return _walk_to_exit(batch, None)


@feature
def stranded(batch: Batch) -> Steps:
    """Return the number of reachable cells if the exit is unreachable, otherwise 0, `(n,)`. Also stores `exit_steps`."""
    reached = np.zeros(len(batch), np.int32)
    exit_steps.store(batch, _walk_to_exit(batch, reached))
    return reached


@feature
def exit_members(batch: Batch) -> NDArray[np.int64]:
    """Return the number of checkpoints that are members of the exit, `(n,)`."""
    counts: NDArray[np.int64] = np.bitwise_count(_at_exit(batch, members(batch))).astype(np.int64)
    return counts


def _at_exit(batch: Batch, values: NDArray[Any]) -> NDArray[Any]:
    """Return the value of `(n, height, width)` values at each level's exit, `(n,)`."""
    if batch.ends is None:
        x, y = batch.frame.exit
        return values[:, y, x]
    return values.reshape(len(values), -1)[np.arange(len(values)), batch.ends[:, 1]]


def _walk_to_exit(batch: Batch, reached: Steps | None) -> Steps:
    steps = np.empty(len(batch), np.int32)
    frame, tileset = batch.frame, batch.tileset
    if batch.ends is not None:
        walking.end_distances(batch.tiles, tileset.table, batch.ends, steps, reached)
    elif frame.width > boards.WIDEST and tileset.packs:
        wide_boards.exit_steps_wide(batch.rows, frame.width, *frame.entrance, *frame.exit, steps, reached)
    elif frame.width > boards.WIDEST or not tileset.reversible:
        walking.exit_distances(batch.tiles, tileset.table, *frame.entrance, *frame.exit, steps, reached)
    elif tileset.packs:
        boards.exit_steps(batch.rows, None, frame.width, *frame.entrance, *frame.exit, steps, reached)
    else:
        right, down = np.empty((2, len(batch), frame.height), np.uint64)
        boards.link_rows(batch.tiles, tileset.table, right, down)
        boards.exit_steps(right, down, frame.width, *frame.entrance, *frame.exit, steps, reached)
    return steps
