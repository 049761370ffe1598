"""The shape of the way: the shortest path through the stops of the goal that solutions and pictures show."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import structure
from levolve.kernels import ways as kernels
from levolve.levels.batch import Batch
from levolve.measures import bounds, spans
from levolve.measures.features import shapes, way
from levolve.measures.measure import Measure


def turns(batch: Batch) -> NDArray[np.int64]:
    """Count the steps of the way that have another direction than the step before; -1 without a way."""
    return way(batch)[:, kernels.TURNS]


def straight(batch: Batch) -> NDArray[np.int64]:
    """Return the steps of the longest straight run of the way; -1 without a way."""
    return way(batch)[:, kernels.STRAIGHT]


def choke_points(batch: Batch) -> NDArray[np.int64]:
    """Count the cells that every path between two consecutive stops passes, except these stops; -1 without a way."""
    return way(batch)[:, kernels.CHOKE_POINTS]


def linearity(batch: Batch) -> NDArray[np.float64]:
    """Return the share of the walkable cells that lie on the way; 0 without a way."""
    cells = np.maximum(way(batch)[:, kernels.WAY_CELLS], 0)
    return np.asarray(cells / np.maximum(shapes(batch)[:, structure.OPEN_CELLS], 1), np.float64)


TURNS = Measure("turns of the way from the first stop to the last", turns, of_goal=True, bounds=bounds.of_turns, span=spans.of_turns)
STRAIGHT = Measure("steps of the longest straight run of the way", straight, of_goal=True, bounds=bounds.of_straight)
CHOKE_POINTS = Measure("cells that every path between two stops must pass", choke_points, of_goal=True, bounds=bounds.of_cells)
LINEARITY = Measure("share of the walkable cells that lie on the way", linearity, of_goal=True, whole=False, bounds=bounds.of_share)
