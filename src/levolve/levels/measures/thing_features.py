"""Proofs of the levels of a batch that have things: whether each can be won and cannot be lost, and
the fewest moves to win.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.measures.measure import feature
from levolve.levels.measures.path_features import stops
from levolve.levels.things.batch_proofs import BatchProof, Tables, count_steps, prove_batch
from levolve.levels.things.batch_things import BatchThings


@feature
def tables(batch: Batch) -> Tables:
    """Return the things of the levels as tables; empty ones for levels without things."""
    things = batch.things or BatchThings((), np.empty((len(batch), 0), np.int64))
    return things.tables()


@feature
def proofs(batch: Batch) -> BatchProof:
    """Return the proofs of the levels, without the fewest moves to win."""
    return prove_batch(
        batch.tiles,
        batch.tileset.table,
        stops(batch).astype(np.int32),
        tables(batch),
        collects=batch.frame.goal.collects,
        walked=False,
    )


@feature
def playable(batch: Batch) -> NDArray[np.bool_]:
    """Return whether each level can be won and cannot be lost, `(n,)`."""
    return proofs(batch).winnable & proofs(batch).safe


@feature
def solution_steps(batch: Batch) -> NDArray[np.int32]:
    """Return the fewest moves to win each level, `(n,)`; -1 for one that cannot be won or that can
    be lost.
    """
    return count_steps(
        batch.tiles,
        batch.tileset.table,
        stops(batch).astype(np.int32),
        tables(batch),
        playable(batch),
        collects=batch.frame.goal.collects,
    )
