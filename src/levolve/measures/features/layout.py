"""The layout of levels: counts of their shapes and groups of cells, and the shape of the way."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import layouts as kernels
from levolve.kernels import structure, ways
from levolve.kernels.boards import WIDEST
from levolve.kernels.compiler import SMALL
from levolve.levels.batch import Batch
from levolve.levels.goal import EXIT_GOAL
from levolve.measures.features.feature import feature
from levolve.measures.features.goals import stops
from levolve.measures.features.walks import exit_steps

Counts = NDArray[np.int64]
TWO = 2


@feature
def shapes(batch: Batch) -> Counts:
    """Return the counts of shapes that follow from neighbouring cells, `(n, 10)`; see `kernels.structure`."""
    counts = np.empty((len(batch), structure.SHAPES), np.int64)
    structure.count_shapes(batch.tiles, _links(batch), _known_stops(batch), counts)
    return counts


@feature
def groups(batch: Batch) -> tuple[Counts, Counts]:
    """Return the numbers of corridors and of rooms, each `(n,)`."""
    corridors, rooms = np.empty((2, len(batch)), np.int64)
    structure.count_groups(batch.tiles, _links(batch), corridors, rooms)
    return corridors, rooms


@feature
def pockets(batch: Batch) -> Counts:
    """Return the number of regions without a stop of the goal, `(n,)`; without stops, all regions but one."""
    found = np.empty(len(batch), np.int64)
    structure.count_pockets(batch.tiles, _links(batch), _known_stops(batch), found)
    return found


@feature
def way(batch: Batch) -> Counts:
    """Return the turns, the longest straight run, the choke points and the cells of the way, `(n, 4)`; all -1 without a way."""
    parts = np.empty((len(batch), ways.PARTS), np.int64)
    ways.follow_ways(batch.tiles, batch.tileset.table, stops(batch), parts)
    return parts


@feature
def layouts(batch: Batch) -> Counts | None:
    """Return the parts of the layout of levels of floor and walls with two stops, `(n, 8)`; see `kernels.layouts`. Also stores `exit_steps`.

    None for other levels, and for one small level: its parts are counted by `shapes`, `pockets` and `way`, which a report needs anyway.
    """
    frame = batch.frame
    if not batch.tileset.packs or frame.width > WIDEST or (len(batch) == 1 and frame.width * frame.height <= SMALL):
        return None
    ends = stops(batch)
    if ends.shape[1] != TWO:
        return None
    parts = np.empty((len(batch), kernels.PARTS), np.int64)
    kernels.describe_layouts(batch.rows, frame.width, ends, parts)
    if frame.goal == EXIT_GOAL and not exit_steps.is_known(batch):
        exit_steps.store(batch, np.maximum(parts[:, kernels.WAY_CELLS] - 1, -1).astype(np.int32))
    return parts


def _links(batch: Batch) -> NDArray[np.uint8]:
    """Return the table of steps that are legal in at least one direction."""
    table = batch.tileset.table
    return table if batch.tileset.reversible else table | table.T


def _known_stops(batch: Batch) -> Counts:
    """Return the cells of the stops, `(n, stops)`; no stops for levels that lack one of their goal."""
    frame = batch.frame
    return np.empty((len(batch), 0), np.int64) if frame.goal.missing(frame.place_names) else stops(batch)
