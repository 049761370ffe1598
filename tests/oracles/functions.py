"""Functions of levels and contents that tests use as objectives. They have a module of their own so
that other processes can import them.
"""

import subprocess
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.function_names import many_contents, many_levels, one_content, one_level
from levolve.levels.level import Level

# A function of another module, which a plug-in imports for its own use.
foreign = subprocess.call


@many_levels
def walls(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The number of walls of each level."""
    return np.asarray(tiles.sum(axis=(1, 2)), np.float64)


@one_level
def walls_of_one(level: Level) -> dict[str, float]:
    """The number of walls of one level, and two features."""
    return {
        "score": float(level.tiles.sum()),
        "left": float(level.tiles[:, 0].sum()),
        "top": float(level.tiles[0].sum()),
    }


@one_level
def fragile(level: Level) -> float:
    """The number of walls; fails at levels with a wall in the corner at the top right."""
    if level.tiles[0, -1]:
        message = "a wall in the corner"
        raise RuntimeError(message)
    return float(level.tiles.sum())


def unmarked(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The number of open cells of each level: no recipe may name it."""
    return np.asarray((tiles == 0).sum(axis=(1, 2)), np.float64)


@one_content
def slow_total(content: Any) -> float:
    """The sum of an array, slowly."""
    time.sleep(0.002)
    return float(np.sum(content))


@one_content
def power(content: dict[str, Any]) -> tuple[float, dict[str, float]]:
    """A score and a feature of a nested content."""
    grid = np.asarray(content["map"])
    return float(grid.sum() + content["boss"]["strength"] - 10 * content["speed"]), {
        "dragons": float(content["boss"]["kind"] == "dragon")
    }


@many_contents
def totals(contents: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sum of each array of a batch."""
    return np.asarray(contents.reshape(len(contents), -1).sum(axis=1), np.float64)
