"""Lengths of shortest paths."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import boards, longest, longest_boards, sweeps, walking
from levolve.levels.batch import Batch
from levolve.levels.places import ENTRANCE, EXIT
from levolve.measures import bounds, spans
from levolve.measures.features import exit_steps
from levolve.measures.measure import Measure

# Paths of at most so many times the width are short enough for floods of bits.
SHORT_PATHS = 8


def exit_path(batch: Batch) -> NDArray[np.int32]:
    """|e|: the steps of a shortest path from the entrance to the exit; -1 if there is none."""
    return exit_steps(batch)


def longest_path(batch: Batch) -> NDArray[np.int32]:
    """Return the greatest distance between two connected cells of the level."""
    steps = np.zeros(len(batch), np.int32)
    if batch.tileset.reversible:
        walking.longest_paths(batch.tiles, batch.tileset.table, steps)
        return steps
    # With one-way steps, the bounds do not apply: flood fill from every cell.
    out = np.empty(batch.tiles.shape, np.int32)
    for y in range(batch.frame.height):
        for x in range(batch.frame.width):
            walking.distances(batch.tiles, batch.tileset.table, x, y, out)
            steps = np.maximum(steps, out.max(axis=(1, 2)))
    return steps


def sweep_path(batch: Batch) -> NDArray[np.int32]:
    """Return the longest path as two sweeps find it, as in the PCG Benchmark; at most `longest_path`."""
    steps = np.zeros(len(batch), np.int32)
    sweeps.sweep_paths(batch.tiles, batch.tileset.table, steps)
    return steps


def longest_path_within(batch: Batch, low: float, high: float) -> NDArray[np.int32]:
    """Return `longest_path`, or, for levels whose longest path is within a range, any number within it, which takes less time."""
    if not batch.tileset.packs or batch.frame.width > boards.WIDEST:
        return longest_path(batch)
    steps = np.empty(len(batch), np.int32)
    # The time of a flood of bits grows with the length of paths, that of a queue with the number of cells.
    is_short = low <= SHORT_PATHS * batch.frame.width
    kernel = longest_boards.longest_paths_on_boards if is_short else longest.longest_paths_within
    kernel(batch.rows, batch.frame.width, float(low), float(high), steps)
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
SWEEP_PATH = Measure("longest path as two sweeps find it, exact without loops", sweep_path, bounds=bounds.of_sweep_path, span=spans.of_path)
