"""Lengths of shortest paths.

Tours from A via B to C and back.

The shape of the way: the shortest path through the stops of the goal that solutions and pictures
show.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import packed_flood
from levolve.kernels.walking import (
    packed_longest_paths,
    path_shape,
    shortest_paths,
    structure,
)
from levolve.levels.batch import Batch
from levolve.levels.measures import bounds, structure_features
from levolve.levels.measures import bounds as spans
from levolve.levels.measures.measure import Measure
from levolve.levels.measures.structure_features import path_steps, shapes, way
from levolve.levels.places import ENTRANCE, EXIT, TOUR


def exit_path(batch: Batch) -> NDArray[np.int32]:
    """|e|: the steps of a shortest path from the entrance to the exit, which things do
    not bar; -1 if there is none.
    """
    return path_steps(batch)


def longest_path(batch: Batch) -> NDArray[np.int32]:
    """Return the greatest distance between two connected cells of the level."""
    steps = np.zeros(len(batch), np.int32)
    if batch.tileset.reversible:
        shortest_paths.longest_paths(batch.tiles, batch.tileset.table, steps)
        return steps
    # With one-way steps, the bounds do not apply: flood fill from every cell.
    out = np.empty(batch.tiles.shape, np.int32)
    for y in range(batch.frame.height):
        for x in range(batch.frame.width):
            shortest_paths.distances(batch.tiles, batch.tileset.table, x, y, out)
            steps = np.maximum(steps, out.max(axis=(1, 2)))
    return steps


def sweep_path(batch: Batch) -> NDArray[np.int32]:
    """Return the longest path as two sweeps find it, as in the PCG Benchmark; at most
    `longest_path`.
    """
    steps = np.zeros(len(batch), np.int32)
    shortest_paths.sweep_paths(batch.tiles, batch.tileset.table, steps)
    return steps


def path_share(batch: Batch) -> NDArray[np.float64]:
    """Return `exit_path` as a share of `sweep_path`, at most 1; 0 without a path."""
    shares = np.maximum(exit_path(batch), 0) / np.maximum(sweep_path(batch), 1)
    return np.asarray(np.minimum(shares, 1.0), np.float64)


def longest_path_within(batch: Batch, low: float, high: float) -> NDArray[np.int32]:
    """Return `longest_path`, or, for levels whose longest path is within a range, any number within
    it, which takes less time.
    """
    if not batch.tileset.packs or batch.frame.width > packed_flood.WIDEST:
        return longest_path(batch)
    steps = np.empty(len(batch), np.int32)
    packed_longest_paths.longest_paths_on_boards(
        batch.rows, batch.frame.width, float(low), float(high), steps
    )
    return steps


EXIT_PATH = Measure(
    "steps of a shortest path from entrance to exit, -1 if there is none",
    exit_path,
    (ENTRANCE, EXIT),
    bounds=bounds.of_exit_path,
    stride=2,
    span=spans.of_path,
)
LONGEST_PATH = Measure(
    "steps between the two connected cells that are farthest apart",
    longest_path,
    bounds=bounds.of_longest_path,
    span=spans.of_path,
    within=longest_path_within,
)
SWEEP_PATH = Measure(
    "longest path as two sweeps find it, exact without loops",
    sweep_path,
    bounds=bounds.of_sweep_path,
    span=spans.of_path,
)


PATH_SHARE = Measure(
    "length of the path to the exit as a share of the longest path, as two sweeps find it",
    path_share,
    (ENTRANCE, EXIT),
    whole=False,
    bounds=bounds.of_share,
)


def tour_steps(batch: Batch) -> NDArray[np.int32]:
    """Return the steps of a shortest tour from A via B to C and back to A; -1 if there is none."""
    return structure_features.tour_steps(batch)


def tour_tiles(batch: Batch) -> NDArray[np.int32]:
    """Return the length of the tour in tiles, as in the original program: each leg also counts its
    first tile. -1 if there is no tour.
    """
    steps = structure_features.tour_steps(batch)
    return np.where(steps >= 0, steps + np.int32(3), np.int32(-1))


TOUR_STEPS = Measure(
    "steps of a shortest tour from A via B to C and back to A, -1 if there is none",
    tour_steps,
    TOUR,
    bounds=bounds.of_tour_steps,
    stride=2,
)
TOUR_TILES = Measure(
    "the tour in tiles: steps + 3", tour_tiles, TOUR, bounds=bounds.of_tour_tiles, stride=2
)


def turns(batch: Batch) -> NDArray[np.int64]:
    """Count the steps of the way that have another direction than the step before; -1 without a
    way.
    """
    return way(batch)[:, path_shape.TURNS]


def straight(batch: Batch) -> NDArray[np.int64]:
    """Return the steps of the longest straight run of the way; -1 without a way."""
    return way(batch)[:, path_shape.STRAIGHT]


def choke_points(batch: Batch) -> NDArray[np.int64]:
    """Count the cells that every path between two consecutive stops passes, except these stops; -1
    without a way.
    """
    return way(batch)[:, path_shape.CHOKE_POINTS]


def linearity(batch: Batch) -> NDArray[np.float64]:
    """Return the share of the walkable cells that lie on the way; 0 without a way."""
    cells = np.maximum(way(batch)[:, path_shape.WAY_CELLS], 0)
    return np.asarray(cells / np.maximum(shapes(batch)[:, structure.OPEN_CELLS], 1), np.float64)


TURNS = Measure(
    "turns of the way from the first stop to the last",
    turns,
    of_goal=True,
    bounds=bounds.of_turns,
    span=spans.spans_of_turns,
)
STRAIGHT = Measure(
    "steps of the longest straight run of the way",
    straight,
    of_goal=True,
    bounds=bounds.of_straight,
)
CHOKE_POINTS = Measure(
    "cells that every path between two stops must pass",
    choke_points,
    of_goal=True,
    bounds=bounds.of_cells,
)
LINEARITY = Measure(
    "share of the walkable cells that lie on the way",
    linearity,
    of_goal=True,
    whole=False,
    bounds=bounds.of_share,
)
