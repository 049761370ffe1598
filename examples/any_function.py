"""Any function is an objective: of a batch of tiles, of one level, or of contents that are no
levels.
"""

import numpy as np
from numpy.typing import NDArray

import levolve
from levolve.contents import Array, OneOf


def symmetric(tiles: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Score `(n, height, width)` tiles: how many cells equal their mirror image."""
    return np.asarray((tiles == tiles[:, :, ::-1]).sum(axis=(1, 2)), np.float64)


@levolve.one_level
def crowded(level: levolve.Level) -> float:
    """Score one level: its walls, more for those in the middle."""
    return float(level.tiles.sum() + 2 * level.tiles[4:-4, 4:-4].sum())


def balanced(monster: dict[str, object]) -> tuple[float, dict[str, float]]:
    """Score a dictionary, and return a feature for illumination."""
    armour = np.asarray(monster["armour"])
    return float(armour.sum() - abs(armour[0] - armour[1]).sum()), {
        "dragon": float(monster["kind"] == "dragon")
    }


run = levolve.evolve("maze", size=(16, 8), seed=1, generations=100, objective=symmetric)
print(run.best)
print(f"score {run.best_score:g} of 128 cells equal their mirror image")
run = levolve.evolve("maze", size=(12, 12), seed=1, generations=60, objective=crowded)
print(f"crowded: {run.best_score:g}")
monsters = {
    "kind": OneOf("orc", "dragon"),
    "speed": range(1, 10),
    "armour": Array((2, 3), range(6)),
}
print(levolve.evolve(space=monsters, objective=balanced, seed=1, generations=30).best)
