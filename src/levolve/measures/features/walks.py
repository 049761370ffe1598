"""Paths from the entrance: distances, members, and the path to the exit."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import boards, walking
from levolve.levels.batch import Batch
from levolve.measures.features.feature import feature

Steps = NDArray[np.int32]


@feature
def distances(batch: Batch) -> Steps:
    """|x|: the steps of a shortest path from the entrance to each cell, `(n, height, width)`; -1 if unreachable."""
    out = np.empty(batch.tiles.shape, np.int32)
    walking.distances(batch.tiles, batch.tileset.table, *batch.frame.entrance, out)
    return out


@feature
def members(batch: Batch) -> NDArray[np.uint64]:
    """M(x) of each cell, bit i for checkpoint i, `(n, height, width)`. Also stores `distances`."""
    steps = np.empty(batch.tiles.shape, np.int32)
    found = np.empty(batch.tiles.shape, np.uint64)
    checkpoints = np.array(batch.frame.checkpoints, np.int64).reshape(-1, 2)
    walking.members(batch.tiles, batch.tileset.table, *batch.frame.entrance, checkpoints, steps, found)
    distances.store(batch, steps)
    return found


@feature
def exit_steps(batch: Batch) -> Steps:
    """|e|: the steps of a shortest path from the entrance to the exit, `(n,)`; -1 if there is none."""
    if distances.is_known(batch):
        x, y = batch.frame.exit
        return np.ascontiguousarray(distances(batch)[:, y, x])
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
    x, y = batch.frame.exit
    return np.bitwise_count(members(batch)[:, y, x]).astype(np.int64)


def _walk_to_exit(batch: Batch, reached: Steps | None) -> Steps:
    steps = np.empty(len(batch), np.int32)
    frame, tileset = batch.frame, batch.tileset
    if frame.width > boards.WIDEST or not tileset.reversible:
        walking.exit_distances(batch.tiles, tileset.table, *frame.entrance, *frame.exit, steps, reached)
    elif tileset.packs:
        boards.exit_steps(batch.rows, None, frame.width, *frame.entrance, *frame.exit, steps, reached)
    else:
        right, down = np.empty((2, len(batch), frame.height), np.uint64)
        boards.link_rows(batch.tiles, tileset.table, right, down)
        boards.exit_steps(right, down, frame.width, *frame.entrance, *frame.exit, steps, reached)
    return steps
