"""The cellular automaton of the genotype `automaton`, beside rolled NumPy arrays.

How the cost of a measure grows with the area of the level: the exponent of a power law, fitted to
sizes from 64x64 to 1024x1024.

The speed of every measure on its own, beside copying the tiles in memory: no kernel that reads them
can be faster than that.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from levolve.bench.measuring import Effort, Figure, fastest, processor_seconds
from levolve.core.errors import LevolveError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.measures import MEASURES
from levolve.search.genotypes.automaton import Automaton
from levolve.search.genotypes.direct import Direct

SUBJECT = "automaton"
STEPS = 20
# A rule for caves: five and more filled neighbours fill a cell, three and fewer turn it blank.
FILLED_BY = np.arange(9) >= 5
BLANK_BY = np.arange(9) <= 3
RULE = sum(1 << k for k in range(9) if FILLED_BY[k]) | sum(
    1 << (9 + k) for k in range(9) if BLANK_BY[k]
)


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure maps of several sizes, each with as many steps that decoding alone does not count."""
    for side in (64, 128, effort.choose(1024, 4096)):
        frame = Frame(side, side, {})
        count = max(1, (1 << 16) // (side * side))
        genes = Automaton(fill=0.45).start(frame, 1, 0, count)
        genes[:, -1] = np.uint64(RULE)
        long, short = Automaton(steps=STEPS + 1), Automaton(steps=1)
        begun = short.express(genes[:1], frame)[0]
        slow = processor_seconds(step_in_numpy, begun) / side**2
        if not np.array_equal(
            step_in_numpy(begun), Automaton(steps=2).express(genes[:1], frame)[0]
        ):
            raise LevolveError("benchmark: the maps of the two versions differ")
        seconds = [fastest(form.batch, genes, frame) for form in (long, short)]
        each = max(seconds[0] - seconds[1], 1e-9) / (count * side * side * STEPS)
        yield Figure(
            SUBJECT,
            f"{side}x{side}",
            1 / each / 1e6,
            "million cells/s",
            slow / each,
            "rolled NumPy arrays",
        )


def step_in_numpy(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the map after one step; the outside counts as filled."""
    padded = np.pad(tiles, 1, constant_values=1)
    height, width = tiles.shape
    near = np.zeros(tiles.shape, np.uint8)
    for dy, dx in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
        near += padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
    return np.where(tiles, ~BLANK_BY[near], FILLED_BY[near]).astype(np.uint8)


GROWTH = "growth"
NAMES = ("exit_path", "regions", "culs_de_sac")
# The number of cells per batch is the same for every size.
CELLS = 1 << 20
# With more walls, a large level is rarely connected, and there is little to measure.
FILL = 0.05


def measure_growth(effort: Effort) -> Iterator[Figure]:
    """Time batches of equal area, and fit the exponent of the area of one level."""
    sides = (64, 128, 256, 512) if effort.quick else (64, 128, 256, 512, 1024)
    for name in NAMES:
        seconds = [seconds_per_level(name, side, side, effort) for side in sides]
        areas = np.log([side * side for side in sides])
        exponent = float(np.polyfit(areas, np.log(seconds), 1)[0])
        cells = sides[0] ** 2 / seconds[0] / 1e6, sides[-1] ** 2 / seconds[-1] / 1e6
        note = (
            f"{cells[0]:,.0f} million cells/s at {sides[0]}x{sides[0]}, {cells[1]:,.0f} at "
            f"{sides[-1]}x{sides[-1]}"
        )
        yield Figure(GROWTH, f"{name}, exponent of the area", exponent, "", note=note)
    narrow, wide = (
        seconds_per_level("exit_path", 64, 64, effort),
        seconds_per_level("exit_path", 65, 64, effort),
    )
    yield Figure(
        GROWTH,
        "exit_path, 65 columns against 64",
        wide / narrow,
        "",
        note="how many times the time per level",
    )


def seconds_per_level(name: str, width: int, height: int, effort: Effort) -> float:
    """Return the processor seconds of a measure per level."""
    count = max(1, CELLS // (width * height))
    frame = Frame(width, height, {"entrance": (0, 0), "exit": (width - 1, height - 1)})
    tiles = Direct().batch(Direct(fill=FILL).start(frame, 1, 0, count), frame).tiles
    return fastest(_count, name, tiles, frame, seconds=effort.choose(0.1, 0.5)) / count


def _count(name: str, tiles: np.ndarray, frame: Frame) -> None:
    MEASURES[name].count(Batch(frame, tiles=tiles))


MEASURES_SUBJECT = "measures"
SIDE = 20
# With so many walls nearly all levels can be won, so that no measure of paths has an easy task.
MEASURED_FILL = 0.1


def measure_measures(effort: Effort) -> Iterator[Figure]:
    """Measure random levels, with nothing computed before."""
    count = effort.choose(1_000, 5_000)
    checkpoints = {
        f"checkpoint {number}": place for number, place in enumerate(((5, 5), (10, 9), (14, 6)), 1)
    }
    frame = Frame(SIDE, SIDE, {"entrance": (0, 0), "exit": (SIDE - 1, SIDE - 1), **checkpoints})
    genes = Direct(fill=MEASURED_FILL).start(frame, 1, 0, count)
    tiles = Direct().batch(genes, frame).tiles
    target = np.empty_like(tiles)
    copies = count / fastest(np.copyto, target, tiles)
    yield Figure(
        MEASURES_SUBJECT,
        "copying the tiles",
        copies,
        "levels/s",
        note=f"{count:,} levels of {SIDE}x{SIDE}, {MEASURED_FILL:.0%} walls",
    )
    for name in MEASURES:
        if MEASURES[name].suits(frame):
            rate = count / fastest(_count, name, tiles, frame, seconds=effort.choose(0.05, 0.3))
            yield Figure(
                MEASURES_SUBJECT, name, rate, "levels/s", rate / copies, "copying the tiles"
            )
