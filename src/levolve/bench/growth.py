"""How the cost of a measure grows with the area of the level: the exponent of a power law, fitted to sizes from 64x64 to 1024x1024."""

from collections.abc import Iterator

import numpy as np

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import fastest
from levolve.genotypes.direct import Direct
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.measures import MEASURES

SUBJECT = "growth"
NAMES = ("exit_path", "regions", "culs_de_sac")
# The number of cells per batch is the same for every size.
CELLS = 1 << 20
# With more walls, a large level is rarely connected, and there is little to measure.
FILL = 0.05


def measure(effort: Effort) -> Iterator[Figure]:
    """Time batches of equal area, and fit the exponent of the area of one level."""
    sides = (64, 128, 256, 512) if effort.quick else (64, 128, 256, 512, 1024)
    for name in NAMES:
        seconds = [seconds_per_level(name, side, side, effort) for side in sides]
        areas = np.log([side * side for side in sides])
        exponent = float(np.polyfit(areas, np.log(seconds), 1)[0])
        cells = sides[0] ** 2 / seconds[0] / 1e6, sides[-1] ** 2 / seconds[-1] / 1e6
        note = f"{cells[0]:,.0f} million cells/s at {sides[0]}x{sides[0]}, {cells[1]:,.0f} at {sides[-1]}x{sides[-1]}"
        yield Figure(SUBJECT, f"{name}, exponent of the area", exponent, "", note=note)
    narrow, wide = seconds_per_level("exit_path", 64, 64, effort), seconds_per_level("exit_path", 65, 64, effort)
    yield Figure(SUBJECT, "exit_path, 65 columns beside 64", wide / narrow, "", note="how many times the time per level")


def seconds_per_level(name: str, width: int, height: int, effort: Effort) -> float:
    """Return the processor seconds of a measure per level."""
    count = max(1, CELLS // (width * height))
    frame = Frame(width, height, {"entrance": (0, 0), "exit": (width - 1, height - 1)})
    tiles = Direct().batch(Direct(fill=FILL).start(frame, 1, 0, count), frame).tiles
    return fastest(_count, name, tiles, frame, seconds=effort.choose(0.1, 0.5)) / count


def _count(name: str, tiles: np.ndarray, frame: Frame) -> None:
    MEASURES[name].count(Batch(frame, tiles=tiles))
