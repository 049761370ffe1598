"""Maps as levels: what is open becomes floor, and the two farthest points that are joined become
entrance and exit.
"""

import numpy as np

from levolve.core.errors import InputError, LevolveError
from levolve.kernels.fashion import pictures
from levolve.kernels.walking.shortest_paths import trace
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, Frame, Place
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.measures.structure_features import distances
from levolve.levels.tileset import WALLS
from levolve.worlds.legend import Legend
from levolve.worlds.rule import Map


def pour(tiles: Map, x: int, y: int, state: int) -> Map:
    """The map with the region of equal cells around (x, y) in another state, as a paint bucket
    pours it. The map given is left as it is.
    """
    height, width = tiles.shape
    if not (0 <= x < width and 0 <= y < height):
        message = f"pour: expected a cell inside the {width}x{height} map, got {x},{y}"
        raise InputError(message)
    if not 0 <= state < 256:  # noqa: PLR2004 a byte
        message = f"pour: expected a state from 0 to 255, got {state!r}"
        raise InputError(message)
    poured = np.array(tiles, np.uint8)
    pictures.pour(poured, x, y, state)
    return poured


def open_cells(tiles: Map, legend: Legend) -> Map:
    """The map as floor and wall: 0 where its state can be walked on, 1 elsewhere."""
    solid = np.array([not legend.is_open(state) for state in range(len(legend.names))], np.uint8)
    return solid[tiles]


def level_of(tiles: Map, legend: Legend) -> Level:
    """A level that can be won: walls by the legend, entrance and exit far apart in the largest open
    region, and a shortest way between them.
    """
    walls = open_cells(tiles, legend)
    if min(walls.shape) < 2:  # noqa: PLR2004 no level is smaller
        message = (
            "map: expected at least 2x2 cells to make a level of, got "
            f"{walls.shape[1]}x{walls.shape[0]}"
        )
        raise InputError(message)
    start = _largest_region(walls)
    # Twice to the farthest: from anywhere to one end, and from there to the other.
    entrance, _ = _farthest(walls, start)
    exit_, distances = _farthest(walls, entrance)
    if entrance == exit_:
        message = (
            "map: expected at least two open cells side by side, got none; say which states are "
            "open in the legend"
        )
        raise LevolveError(message)
    moves = trace(walls, WALLS.table, distances, *exit_)
    level = Level(
        walls, {ENTRANCE: entrance, EXIT: exit_}, WALLS, "".join(MOVES[move] for move in moves)
    )
    level.check()
    return level


def _largest_region(walls: Map) -> Place:
    """A cell of the largest open region."""
    left = walls.copy()
    best, most = (0, 0), 0
    for y, x in np.argwhere(walls == 0).tolist():
        if left[y, x] == 0:
            size = pictures.pour(left, x, y, 1)
            if size > most:
                best, most = (x, y), size
    return best


def _farthest(walls: Map, start: Place) -> tuple[Place, np.ndarray]:
    height, width = walls.shape
    steps = distances(Batch(Frame(width, height, {ENTRANCE: start}), tiles=walls[np.newaxis]))[0]
    y, x = np.unravel_index(int(steps.argmax()), steps.shape)
    return (int(x), int(y)), steps
