"""The speed of every measure on its own, beside copying the tiles in memory: no kernel that reads them can be faster than that."""

from collections.abc import Iterator

import numpy as np

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import fastest
from levolve.genotypes.direct import Direct
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.measures import MEASURES

SUBJECT = "measures"
SIDE = 20
# With so many walls nearly all levels can be won, so that no measure of paths has an easy task.
FILL = 0.1


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure random levels, with nothing computed before."""
    count = effort.choose(1_000, 5_000)
    checkpoints = {f"checkpoint {number}": place for number, place in enumerate(((5, 5), (10, 9), (14, 6)), 1)}
    frame = Frame(SIDE, SIDE, {"entrance": (0, 0), "exit": (SIDE - 1, SIDE - 1), **checkpoints})
    genes = Direct(fill=FILL).start(frame, 1, 0, count)
    tiles = Direct().batch(genes, frame).tiles
    target = np.empty_like(tiles)
    copies = count / fastest(np.copyto, target, tiles)
    yield Figure(SUBJECT, "copying the tiles", copies, "levels/s", note=f"{count:,} levels of {SIDE}x{SIDE}, {FILL:.0%} walls")
    for name in MEASURES:
        if MEASURES[name].suits(frame):
            rate = count / fastest(_count, name, tiles, frame, seconds=effort.choose(0.05, 0.3))
            yield Figure(SUBJECT, name, rate, "levels/s", rate / copies, "copying the tiles")


def _count(name: str, tiles: np.ndarray, frame: Frame) -> None:
    MEASURES[name].count(Batch(frame, tiles=tiles))
