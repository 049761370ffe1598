"""The goal of a batch: the cells of its stops, the effort to find the path through them, and whether levels are winnable."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.kernels import efforts as kernels
from levolve.levels.batch import Batch
from levolve.levels.goal import EXIT_GOAL
from levolve.levels.places import ENTRANCE, EXIT, TOUR
from levolve.measures.features.feature import feature
from levolve.measures.features.structure import regions
from levolve.measures.features.tours import tour_steps, tours
from levolve.measures.features.walks import exit_steps, stranded


@feature
def stops(batch: Batch) -> NDArray[np.int64]:
    """Return the cells of the goal's stops in each level, numbered in reading order, `(n, stops)`; -1 for a missing stop."""
    frame, goal = batch.frame, batch.frame.goal
    missing = goal.missing(frame.place_names)
    if missing:
        message = f"goal {goal.name!r}: expected levels with {' and '.join(goal.stops)}, got none called {' or '.join(missing)}"
        raise InputError(message)
    names = goal.stops_in(frame.place_names)
    cells = np.empty((len(batch), len(names)), np.int64)
    for column, name in enumerate(names):
        if frame.tours and name in TOUR:
            cells[:, column] = tours(batch)[:, TOUR.index(name)]
        elif batch.ends is not None and name in {ENTRANCE, EXIT}:
            cells[:, column] = batch.ends[:, int(name == EXIT)]
        else:
            x, y = frame.places[name]
            cells[:, column] = y * frame.width + x
    return cells


@feature
def efforts(batch: Batch) -> NDArray[np.int64]:
    """Return the parts of the difficulty of the path through the goal's stops, `(n, 5)`; all -1 if there is no path. See `kernels.efforts`."""
    parts = np.empty((len(batch), kernels.PARTS), np.int64)
    table = batch.tileset.table
    kernels.weigh_walks(batch.tiles, table, np.ascontiguousarray(table.T), stops(batch), parts)
    return parts


@feature
def winnable(batch: Batch) -> NDArray[np.bool_]:
    """Return whether each level has a path through the stops of its goal, `(n,)`."""
    goal = batch.frame.goal
    if not goal.stops:
        return np.ones(len(batch), bool)
    if goal == EXIT_GOAL:
        return np.asarray(exit_steps(batch) >= 0)
    return np.asarray(_steps(batch) >= 0)


@feature
def unwinnable(batch: Batch) -> NDArray[np.float64]:
    """Return 0 for a winnable level and 1 to 2 for others, `(n,)`: lower if more cells are reachable or the largest region is larger."""
    goal, cells = batch.frame.goal, batch.frame.width * batch.frame.height
    if not goal.stops:
        return np.zeros(len(batch))
    if goal == EXIT_GOAL:
        reached = stranded(batch)
        return np.where(exit_steps(batch) < 0, 2.0 - reached / cells, 0.0)
    return np.where(_steps(batch) < 0, 2.0 - regions(batch)[1] / cells, 0.0)


def _steps(batch: Batch) -> NDArray[np.signedinteger[Any]]:
    """Return the steps of a path through the stops of a goal other than the exit, `(n,)`; negative without a path."""
    return tour_steps(batch) if batch.frame.goal.stops == TOUR else efforts(batch)[:, kernels.STEPS]
