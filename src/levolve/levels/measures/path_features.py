"""Paths from the entrance: distances, members, and the path to the exit.

Tours: the cells A, B and C of each level, and the steps of the tour.
"""

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.bits import packed_flood, wide_flood
from levolve.kernels.compiler import SMALL
from levolve.kernels.walking import packed_tours, shortest_paths
from levolve.kernels.walking import path_shape as kernels
from levolve.kernels.walking.shortest_paths import exit_distances
from levolve.levels.batch import Batch
from levolve.levels.measures.measure import feature
from levolve.levels.places import ENTRANCE, EXIT, TOUR, is_checkpoint

Steps = NDArray[np.int32]


@feature
def distances(batch: Batch) -> Steps:
    """|x|: the steps of a shortest path from the entrance to each cell, `(n, height, width)`; -1 if
    unreachable.
    """
    out = np.empty(batch.tiles.shape, np.int32)
    if batch.ends is None:
        shortest_paths.distances(batch.tiles, batch.tileset.table, *batch.frame.entrance, out)
    else:
        shortest_paths.distances_from(
            batch.tiles, batch.tileset.table, np.ascontiguousarray(batch.ends[:, 0]), out
        )
    return out


@feature
def members(batch: Batch) -> NDArray[np.uint64]:
    """M(x) of each cell, bit i for checkpoint i, `(n, height, width)`. Also stores `distances`."""
    steps = np.empty(batch.tiles.shape, np.int32)
    found = np.empty(batch.tiles.shape, np.uint64)
    checkpoints = np.array(batch.frame.checkpoints, np.int64).reshape(-1, 2)
    width = batch.frame.width
    if batch.ends is None:
        shortest_paths.members(
            batch.tiles, batch.tileset.table, *batch.frame.entrance, checkpoints, steps, found
        )
    else:
        # Objectives of checkpoints are defined for a shared entrance, so that this is rare.
        for index, cell in enumerate(batch.ends[:, 0].tolist()):
            one, (y, x) = slice(index, index + 1), divmod(cell, width)
            if batch.checkpoints is not None:
                own = batch.checkpoints[index]
                checkpoints = np.stack((own % width, own // width), axis=1)
            shortest_paths.members(
                batch.tiles[one], batch.tileset.table, x, y, checkpoints, steps[one], found[one]
            )
    distances.store(batch, steps)
    return found


@feature
def path_steps(batch: Batch) -> Steps:
    """|e|: the steps of a shortest path from the entrance to the exit, `(n,)`; -1 if there is none.
    Things do not bar it.
    """
    # A report on one small level needs the distances, too; one on many levels does not.
    if distances.is_known(batch) or (
        len(batch) == 1 and batch.frame.width * batch.frame.height <= SMALL
    ):
        return np.ascontiguousarray(_at_exit(batch, distances(batch)))
    return _walk_to_exit(batch, None)


@feature
def stranded(batch: Batch) -> Steps:
    """Return the number of reachable cells if the exit is unreachable, otherwise 0, `(n,)`. Also
    stores `path_steps`.
    """
    reached = np.zeros(len(batch), np.int32)
    path_steps.store(batch, _walk_to_exit(batch, reached))
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
        shortest_paths.end_distances(batch.tiles, tileset.table, batch.ends, steps, reached)
    elif frame.width > packed_flood.WIDEST and tileset.packs:
        wide_flood.exit_steps_wide(
            batch.rows, frame.width, *frame.entrance, *frame.exit, steps, reached
        )
    elif frame.width > packed_flood.WIDEST or not tileset.reversible:
        shortest_paths.exit_distances(
            batch.tiles, tileset.table, *frame.entrance, *frame.exit, steps, reached
        )
    elif tileset.packs:
        packed_flood.exit_steps(
            batch.rows, None, frame.width, *frame.entrance, *frame.exit, steps, reached
        )
    else:
        right, down = np.empty((2, len(batch), frame.height), np.uint64)
        packed_flood.link_rows(batch.tiles, tileset.table, right, down)
        packed_flood.exit_steps(
            right, down, frame.width, *frame.entrance, *frame.exit, steps, reached
        )
    return steps


@feature
def tours(batch: Batch) -> NDArray[np.int64]:
    """Return the cells A, B and C of each level, numbered in reading order, `(n, 3)`; -1 for a
    missing one. Also stores `tour_steps`.
    """
    frame, tileset = batch.frame, batch.tileset
    cells, steps = np.empty((len(batch), len(TOUR)), np.int64), np.empty(len(batch), np.int32)
    if batch.marks is None:
        cells[:] = [y * frame.width + x for x, y in (frame.places[name] for name in TOUR)]
        kernels.walk_tours(batch.tiles, tileset.table, cells, steps)
    elif tileset.packs and packed_tours.fits(frame.width, frame.height):
        if batch.best_marks:
            packed_tours.place_best_small_tours(batch.rows, frame.width, cells, steps)
        else:
            packed_tours.place_small_tours(batch.rows, frame.width, batch.marks, cells, steps)
    else:
        kernels.place_tours(batch.tiles, tileset.table, batch.marks, batch.best_marks, cells, steps)
    tour_steps.store(batch, steps if tileset.reversible else _one_way_steps(batch, cells))
    return cells


def uniform_marks(batch: Batch, numbers: NDArray[np.int64], values: int) -> NDArray[np.int64]:
    """Return the walkable cells between A and C that numbers below `values` select, each with the
    same probability, `(n,)`.
    """
    kinds = len(batch.tileset.characters)
    walkable = np.array([batch.tileset.may_stand(kind) for kind in range(kinds)])
    counts = np.cumsum(walkable[batch.tiles.reshape(len(batch), -1)], axis=1)
    ranks = numbers * np.maximum(counts[:, -1] - 2, 0) // values
    # The first cell at which this many walkable ones are reached: A is number 1.
    marks: NDArray[np.int64] = np.argmax(counts >= ranks[:, np.newaxis] + 2, axis=1)
    return marks


@feature
def tour_steps(batch: Batch) -> Steps:
    """Return the steps of a shortest tour from A via B to C and back to A, `(n,)`; -1 if there is
    none.
    """
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
            exit_distances(
                batch.tiles[index : index + 1],
                table,
                start % width,
                start // width,
                goal % width,
                goal // width,
                leg,
                None,
            )
        steps[index] = legs.sum() if legs.min() >= 0 else -1
    return steps


@feature
def stops(batch: Batch) -> NDArray[np.int64]:
    """Return the cells of the goal's stops in each level, numbered in reading order, `(n, stops)`;
    -1 for a missing stop.
    """
    frame, goal = batch.frame, batch.frame.goal
    missing = goal.missing(frame.place_names)
    if missing:
        message = (
            f"goal {goal.name!r}: expected levels with {' and '.join(goal.stops)}, got none "
            f"called {' or '.join(missing)}"
        )
        raise InputError(message)
    names = goal.stops_in(frame.place_names)
    cells = np.empty((len(batch), len(names)), np.int64)
    for column, name in enumerate(names):
        if frame.tours and name in TOUR:
            cells[:, column] = tours(batch)[:, TOUR.index(name)]
        elif batch.ends is not None and name in {ENTRANCE, EXIT}:
            cells[:, column] = batch.ends[:, int(name == EXIT)]
        elif batch.checkpoints is not None and is_checkpoint(name):
            own = list(filter(is_checkpoint, frame.places)).index(name)
            cells[:, column] = batch.checkpoints[:, own]
        else:
            x, y = frame.places[name]
            cells[:, column] = y * frame.width + x
    return cells
