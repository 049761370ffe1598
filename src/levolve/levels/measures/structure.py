"""Structure: what a level is built of, and how open and how regular it is.

Counts of cells and regions.

Culs-de-sac and junctions.

Reconvergence: where paths through different checkpoints meet again.

Likeness: how much a level looks like examples, and how far it is from being a copy.
"""

from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.building.patterns import pattern_entropies, steady_logarithms
from levolve.kernels.walking import structure
from levolve.levels.batch import Batch
from levolve.levels.frame import Examples, Frame
from levolve.levels.measures import bounds, structure_features
from levolve.levels.measures.measure import Bounds, Measure
from levolve.levels.measures.structure_features import ends, ends_by_squares
from levolve.levels.places import CHECKPOINTS, ENTRANCE, EXIT
from levolve.levels.style import style_of
from levolve.levels.tileset import Tileset


def _count(meaning: str, column: int, limits: Bounds) -> Measure:
    """Return the measure of one kind of shape."""

    def count(batch: Batch) -> NDArray[np.int64]:
        return structure_features.shapes(batch)[:, column]

    return Measure(meaning, count, bounds=limits)


def _share(meaning: str, column: int) -> Measure:
    """Return the measure of the share of the walkable cells that are of one kind; 0 for a level
    without walkable cells.
    """

    def count(batch: Batch) -> NDArray[np.float64]:
        counts = structure_features.shapes(batch)
        return np.asarray(
            counts[:, column] / np.maximum(counts[:, structure.OPEN_CELLS], 1), np.float64
        )

    return Measure(meaning, count, whole=False, bounds=bounds.of_share)


def pockets(batch: Batch) -> NDArray[np.int64]:
    """Count the regions that contain no stop of the goal."""
    return structure_features.pockets(batch)


def loops(batch: Batch) -> NDArray[np.int64]:
    """Count the independent cycles: links between cells, minus walkable cells, plus regions."""
    counts = structure_features.shapes(batch)
    return (
        counts[:, structure.LINKS]
        - counts[:, structure.OPEN_CELLS]
        + structure_features.regions(batch)[0]
    )


def ways_round(batch: Batch) -> NDArray[np.int64]:
    """Count the cycles round obstacles: loops without those of plazas."""
    return loops(batch) - structure_features.shapes(batch)[:, structure.PLAZAS]


def corridors(batch: Batch) -> NDArray[np.int64]:
    """Count the groups of cells that are neither in a room nor junctions."""
    return structure_features.groups(batch)[0]


def rooms(batch: Batch) -> NDArray[np.int64]:
    """Count the groups of cells that lie in 3x3 squares of four plazas."""
    return structure_features.groups(batch)[1]


def symmetry(batch: Batch) -> NDArray[np.float64]:
    """Return the share of cells that equal their image, for the best reflection or rotation of the
    level onto itself.
    """
    tiles = batch.tiles
    images = [tiles[:, :, ::-1], tiles[:, ::-1], tiles[:, ::-1, ::-1]]
    if batch.frame.width == batch.frame.height:
        turned = tiles.transpose(0, 2, 1)
        images += [turned, turned[:, :, ::-1], turned[:, ::-1, ::-1]]
    return np.asarray(
        np.max([(tiles == image).mean(axis=(1, 2)) for image in images], axis=0), np.float64
    )


@lru_cache(maxsize=64)
def logarithms(most: int) -> NDArray[np.float64]:
    """Return the binary logarithms of 0 to `most`, the first one as 0."""
    return steady_logarithms(np.maximum(np.arange(most + 1.0), 1.0)) / log(2)


def entropy(batch: Batch) -> NDArray[np.float64]:
    """Return the entropy of the 2x2 patterns of tiles, in bits."""
    frame = batch.frame
    found = np.empty(len(batch))
    kinds = len(batch.tileset.characters)
    pattern_entropies(batch.tiles, kinds, logarithms((frame.width - 1) * (frame.height - 1)), found)
    return np.minimum(found, bounds.of_entropy(frame, batch.tileset)[1])


POCKETS = Measure(
    (
        "regions that contain no stop of the goal, such as the entrance; without stops, all "
        "regions but one"
    ),
    pockets,
    bounds=bounds.of_pockets,
)
SPECKS = _count(
    "single walls: walls without a wall among their four neighbours",
    structure.SPECKS,
    bounds.of_specks,
)
PLAZAS = _count(
    "2x2 squares of walkable cells with legal steps along all four sides",
    structure.PLAZAS,
    bounds.of_squares,
)
BLOCKS = _count("2x2 squares of walls", structure.BLOCKS, bounds.of_wall_squares)
DIAGONALS = _count(
    "2x2 squares in which two walls touch by a corner only",
    structure.DIAGONALS,
    bounds.of_wall_squares,
)
DEAD_ENDS = _count(
    "cells linked to exactly one neighbour, except the stops of the goal",
    structure.DEAD_ENDS,
    bounds.of_cells,
)
LOOPS = Measure("independent cycles; every plaza is one", loops, bounds=bounds.of_squares)
WAYS_ROUND = Measure(
    "cycles round obstacles: independent cycles that are not plazas",
    ways_round,
    bounds=bounds.of_squares,
)
JUNCTIONS = _count(
    "cells linked to three or four neighbours, in no plaza", structure.JUNCTIONS, bounds.of_cells
)
CORRIDORS = Measure(
    "connected groups of cells that are neither in a room nor junctions",
    corridors,
    bounds=bounds.of_cells,
)
ROOMS = Measure(
    "connected groups of cells that lie in 3x3 squares of four plazas",
    rooms,
    bounds=bounds.of_cells,
)
ROOM_SHARE = _share("share of the walkable cells that lie in rooms", structure.ROOM_CELLS)
OPENNESS = _share("share of the walkable cells that lie in plazas", structure.PLAZA_CELLS)
SYMMETRY = Measure(
    "share of cells that equal their image under the best reflection or rotation",
    symmetry,
    whole=False,
    bounds=bounds.of_share,
)
ENTROPY = Measure(
    "entropy of the 2x2 patterns of tiles, in bits", entropy, whole=False, bounds=bounds.of_entropy
)


def regions(batch: Batch) -> NDArray[np.int32]:
    """Count the connected regions."""
    return structure_features.regions(batch)[0]


def largest_region(batch: Batch) -> NDArray[np.int32]:
    """Count the cells of the largest region."""
    return structure_features.regions(batch)[1]


def walls(batch: Batch) -> NDArray[np.int64]:
    """Count the tiles that are not walkable."""
    if batch.is_packed:
        return np.asarray(np.bitwise_count(batch.rows).sum(axis=1), np.int64)
    solid = np.array(
        [not batch.tileset.may_stand(kind) for kind in range(len(batch.tileset.characters))]
    )
    return np.asarray(solid[batch.tiles].sum(axis=(1, 2)), np.int64)


def reachable(batch: Batch) -> NDArray[np.int64]:
    """Count the cells reachable from the entrance, including the entrance."""
    return np.asarray((structure_features.distances(batch) >= 0).sum(axis=(1, 2)), np.int64)


REGIONS = Measure("connected regions of walkable cells", regions, bounds=bounds.of_regions)
LARGEST_REGION = Measure(
    "cells of the largest region", largest_region, bounds=bounds.of_reached_cells
)
WALLS = Measure(
    "tiles that are not walkable", walls, bounds=bounds.of_walls, span=bounds.spans_of_walls
)
REACHABLE = Measure(
    "cells reachable from the entrance", reachable, (ENTRANCE,), bounds=bounds.of_reachable
)


def culs_de_sac(batch: Batch) -> NDArray[np.int64]:
    """|Z|: the number of reachable cells from which no step leads farther from the entrance."""
    return ends(batch)[0]


def cul_de_sac_length(batch: Batch) -> NDArray[np.int64]:
    """The sum of |x| over all culs-de-sac."""
    return ends(batch)[1]


def branching(batch: Batch) -> NDArray[np.int64]:
    """Count the reachable cells with three or more legal steps."""
    return ends(batch)[2]


CULS_DE_SAC = Measure(
    "culs-de-sac: cells from which no step leads farther from the entrance",
    culs_de_sac,
    (ENTRANCE,),
    bounds=bounds.of_ends,
)
CUL_DE_SAC_LENGTH = Measure(
    "total steps from the entrance to all culs-de-sac", cul_de_sac_length, (ENTRANCE,)
)
CULS_DE_SAC_BY_SQUARES = Measure(
    "culs-de-sac by squares: cells that no adjacent cell is farther than, legal step or not",
    lambda batch: ends_by_squares(batch)[0],
    (ENTRANCE,),
    bounds=bounds.of_ends,
)
CUL_DE_SAC_LENGTH_BY_SQUARES = Measure(
    "total steps from the entrance to all culs-de-sac by squares",
    lambda batch: ends_by_squares(batch)[1],
    (ENTRANCE,),
)
BRANCHING = Measure(
    "junctions: reachable cells with three or more legal steps",
    branching,
    (ENTRANCE,),
    bounds=bounds.of_cells,
)


def reconvergence(batch: Batch) -> NDArray[np.int64]:
    """The sum of prc(Ci, Cj) over all pairs of checkpoints."""
    return structure_features.reconvergences(batch)[0]


def isolated_reconvergence(batch: Batch) -> NDArray[np.int64]:
    """The sum of iprc(Ci, Cj) over all pairs of checkpoints."""
    return structure_features.reconvergences(batch)[1]


def exit_members(batch: Batch) -> NDArray[np.int64]:
    """Count the checkpoints that lie on a shortest path from the entrance to the exit."""
    return structure_features.exit_members(batch)


RECONVERGENCE = Measure(
    "steps to where the paths through two checkpoints first meet, summed over all pairs",
    reconvergence,
    (ENTRANCE, CHECKPOINTS),
)
ISOLATED_RECONVERGENCE = Measure(
    "reconvergence, only for pairs that meet on paths through no third checkpoint",
    isolated_reconvergence,
    (ENTRANCE, CHECKPOINTS),
)
EXIT_MEMBERS = Measure(
    "checkpoints that are members of the exit: on a shortest path to it",
    exit_members,
    (ENTRANCE, EXIT, CHECKPOINTS),
    bounds=bounds.of_checkpoints,
)


# Counts below this differ by less than they would as shares.
FEW = 3.0


def _rates(batch: Batch) -> NDArray[np.float64]:
    """Return what the structure of each level consists of, `(n, k)`: counts per cell, then
    shares.
    """
    counts = structure_features.shapes(batch)
    cells = float(batch.frame.width * batch.frame.height)
    walkable = np.maximum(counts[:, structure.OPEN_CELLS], 1)
    shapes = (
        *(structure.SPECKS, structure.BLOCKS, structure.DIAGONALS),
        *(structure.DEAD_ENDS, structure.JUNCTIONS, structure.OPEN_CELLS),
    )
    columns = [counts[:, shape] / cells for shape in shapes]
    columns += [count(batch) / cells for count in (ways_round, corridors, rooms)]
    columns += [
        counts[:, shape] / walkable for shape in (structure.ROOM_CELLS, structure.PLAZA_CELLS)
    ]
    return np.stack(columns, axis=1).astype(np.float64)


@lru_cache(maxsize=16)
def _rates_of(rows: Examples, tileset: Tileset) -> NDArray[np.float64]:
    """Return the mean rates of examples, `(k,)`."""
    batches = [
        Batch(Frame(tiles.shape[1], tiles.shape[0], {}), tiles=tiles[np.newaxis], tileset=tileset)
        for tiles in style_of(rows, tileset).examples
    ]
    return np.asarray(np.mean([_rates(batch)[0] for batch in batches], axis=0), np.float64)


def resemblance(batch: Batch) -> NDArray[np.float64]:
    """Return 1 / (1 + d), where d is the sum of the relative differences of the rates from those of
    the examples.
    """
    found, wanted = _rates(batch), _rates_of(batch.frame.like, batch.tileset)
    few = FEW / (batch.frame.width * batch.frame.height)
    differences = np.abs(found - wanted) / (found + wanted + few)
    return np.asarray(1.0 / (1.0 + differences.sum(axis=1)), np.float64)


def likeness(batch: Batch) -> NDArray[np.float64]:
    """Return the geometric mean of 1 / (1 + divergence) and the resemblance."""
    patterns = 1.0 / (1.0 + structure_features.divergences(batch))
    return np.asarray(np.sqrt(patterns * resemblance(batch)), np.float64)


def divergence(batch: Batch) -> NDArray[np.float64]:
    """Return the divergence of the window patterns from those of the examples."""
    return structure_features.divergences(batch)


def originality(batch: Batch) -> NDArray[np.float64]:
    """Return the smallest share of cells that differ from a part of an example."""
    return structure_features.originality(batch)


LIKENESS = Measure(
    "likeness to the examples: the geometric mean of 1 / (1 + divergence) and the resemblance",
    likeness,
    of_examples=True,
    whole=False,
    bounds=bounds.of_share,
)
RESEMBLANCE = Measure(
    (
        "resemblance to the structure of the examples: walls, rooms, corridors, dead ends, "
        "junctions and ways round obstacles"
    ),
    resemblance,
    of_examples=True,
    whole=False,
    bounds=bounds.of_share,
)
DIVERGENCE = Measure(
    "divergence of the patterns of 2x2, 3x3 and 4x4 tiles from those of the examples",
    divergence,
    of_examples=True,
    whole=False,
)
ORIGINALITY = Measure(
    "smallest share of cells that differ from a part of an example of the same size",
    originality,
    of_examples=True,
    whole=False,
    bounds=bounds.of_share,
)
