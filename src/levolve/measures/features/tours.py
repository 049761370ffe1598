"""Tours: the cells A, B and C of each level, and the steps of the tour."""

import itertools

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import small_tours
from levolve.kernels import tours as kernels
from levolve.kernels.walking import exit_distances
from levolve.levels.batch import Batch
from levolve.levels.places import TOUR
from levolve.measures.features.feature import feature

Steps = NDArray[np.int32]


@feature
def tours(batch: Batch) -> NDArray[np.int64]:
    """Return the cells A, B and C of each level, numbered in reading order, `(n, 3)`; -1 for a missing one. Also stores `tour_steps`."""
    frame, tileset = batch.frame, batch.tileset
    cells, steps = np.empty((len(batch), len(TOUR)), np.int64), np.empty(len(batch), np.int32)
    if batch.marks is None:
        cells[:] = [y * frame.width + x for x, y in (frame.places[name] for name in TOUR)]
        kernels.walk_tours(batch.tiles, tileset.table, cells, steps)
    elif tileset.packs and small_tours.fits(frame.width, frame.height):
        if batch.best_marks:
            small_tours.place_best_small_tours(batch.rows, frame.width, cells, steps)
        else:
            small_tours.place_small_tours(batch.rows, frame.width, batch.marks, cells, steps)
    else:
        kernels.place_tours(batch.tiles, tileset.table, batch.marks, batch.best_marks, cells, steps)
    tour_steps.store(batch, steps if tileset.reversible else _one_way_steps(batch, cells))
    return cells


@feature
def tour_steps(batch: Batch) -> Steps:
    """Return the steps of a shortest tour from A via B to C and back to A, `(n,)`; -1 if there is none."""
    tours(batch)
    steps: Steps = batch.features[tour_steps]
    return steps


def _one_way_steps(batch: Batch, cells: NDArray[np.int64]) -> Steps:
    """Return the tour steps for tilesets with one-way steps, level by level."""
    steps = np.full(len(batch), -1, np.int32)
    width, table = batch.frame.width, batch.tileset.table
    for index, stops in enumerate(cells.tolist()):
        if min(stops) < 0:
            continue
        legs = np.empty((len(stops), 1), np.int32)
        for leg, (start, goal) in zip(legs, itertools.pairwise([*stops, stops[0]]), strict=True):
            exit_distances(batch.tiles[index : index + 1], table, start % width, start // width, goal % width, goal // width, leg, None)
        steps[index] = legs.sum() if legs.min() >= 0 else -1
    return steps
