"""Structure: what a level is built of, and how open and how regular it is."""

from functools import lru_cache
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import structure as kernels
from levolve.kernels.patterns import pattern_entropies, steady_logarithms
from levolve.levels.batch import Batch
from levolve.measures import bounds, features
from levolve.measures.measure import Bounds, Measure


def _count(meaning: str, column: int, limits: Bounds) -> Measure:
    """Return the measure of one kind of shape."""

    def count(batch: Batch) -> NDArray[np.int64]:
        return features.shapes(batch)[:, column]

    return Measure(meaning, count, bounds=limits)


def _share(meaning: str, column: int) -> Measure:
    """Return the measure of the share of the walkable cells that are of one kind; 0 for a level without walkable cells."""

    def count(batch: Batch) -> NDArray[np.float64]:
        counts = features.shapes(batch)
        return np.asarray(counts[:, column] / np.maximum(counts[:, kernels.OPEN_CELLS], 1), np.float64)

    return Measure(meaning, count, whole=False, bounds=bounds.of_share)


def pockets(batch: Batch) -> NDArray[np.int64]:
    """Count the regions that contain no stop of the goal."""
    return features.pockets(batch)


def loops(batch: Batch) -> NDArray[np.int64]:
    """Count the independent cycles: links between cells, minus walkable cells, plus regions."""
    counts = features.shapes(batch)
    return counts[:, kernels.LINKS] - counts[:, kernels.OPEN_CELLS] + features.regions(batch)[0]


def corridors(batch: Batch) -> NDArray[np.int64]:
    """Count the groups of cells that are neither in a room nor junctions."""
    return features.groups(batch)[0]


def rooms(batch: Batch) -> NDArray[np.int64]:
    """Count the groups of cells that lie in 3x3 squares of four plazas."""
    return features.groups(batch)[1]


def symmetry(batch: Batch) -> NDArray[np.float64]:
    """Return the share of cells that equal their image, for the best reflection or rotation of the level onto itself."""
    tiles = batch.tiles
    images = [tiles[:, :, ::-1], tiles[:, ::-1], tiles[:, ::-1, ::-1]]
    if batch.frame.width == batch.frame.height:
        turned = tiles.transpose(0, 2, 1)
        images += [turned, turned[:, :, ::-1], turned[:, ::-1, ::-1]]
    return np.asarray(np.max([(tiles == image).mean(axis=(1, 2)) for image in images], axis=0), np.float64)


@lru_cache(maxsize=64)
def logarithms(most: int) -> NDArray[np.float64]:
    """Return the binary logarithms of 0 to `most`, the first one as 0."""
    return steady_logarithms(np.maximum(np.arange(most + 1.0), 1.0)) / log(2)


def entropy(batch: Batch) -> NDArray[np.float64]:
    """Return the entropy of the 2x2 patterns of tiles, in bits."""
    frame = batch.frame
    found = np.empty(len(batch))
    # One small level is computed by plain Python, where bytes times an `int` would stay bytes and wrap around.
    kinds: Any = np.int64(len(batch.tileset.characters))
    pattern_entropies(batch.tiles, kinds, logarithms((frame.width - 1) * (frame.height - 1)), found)
    return np.minimum(found, bounds.of_entropy(frame, batch.tileset)[1])


POCKETS = Measure(
    "regions that contain no stop of the goal, such as the entrance; without stops, all regions but one", pockets, bounds=bounds.of_pockets
)
SPECKS = _count("single walls: walls without a wall among their four neighbours", kernels.SPECKS, bounds.of_specks)
PLAZAS = _count("2x2 squares of walkable cells with legal steps along all four sides", kernels.PLAZAS, bounds.of_squares)
BLOCKS = _count("2x2 squares of walls", kernels.BLOCKS, bounds.of_wall_squares)
DIAGONALS = _count("2x2 squares in which two walls touch by a corner only", kernels.DIAGONALS, bounds.of_wall_squares)
DEAD_ENDS = _count("cells linked to exactly one neighbour, except the stops of the goal", kernels.DEAD_ENDS, bounds.of_cells)
LOOPS = Measure("independent cycles; every plaza is one", loops, bounds=bounds.of_squares)
JUNCTIONS = _count("cells linked to three or four neighbours, in no plaza", kernels.JUNCTIONS, bounds.of_cells)
CORRIDORS = Measure("connected groups of cells that are neither in a room nor junctions", corridors, bounds=bounds.of_cells)
ROOMS = Measure("connected groups of cells that lie in 3x3 squares of four plazas", rooms, bounds=bounds.of_cells)
ROOM_SHARE = _share("share of the walkable cells that lie in rooms", kernels.ROOM_CELLS)
OPENNESS = _share("share of the walkable cells that lie in plazas", kernels.PLAZA_CELLS)
SYMMETRY = Measure("share of cells that equal their image under the best reflection or rotation", symmetry, whole=False, bounds=bounds.of_share)
ENTROPY = Measure("entropy of the 2x2 patterns of tiles, in bits", entropy, whole=False, bounds=bounds.of_entropy)
