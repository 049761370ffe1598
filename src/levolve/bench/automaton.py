"""The cellular automaton of the genotype `automaton`, beside rolled NumPy arrays."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import fastest, processor_seconds
from levolve.errors import LevolveError
from levolve.genotypes.automaton import Automaton
from levolve.levels.frame import Frame

SUBJECT = "automaton"
STEPS = 20
# A rule for caves: five and more filled neighbours fill a cell, three and fewer turn it blank.
FILLED_BY = np.arange(9) >= 5  # noqa: PLR2004 same
BLANK_BY = np.arange(9) <= 3  # noqa: PLR2004 same
RULE = sum(1 << k for k in range(9) if FILLED_BY[k]) | sum(1 << (9 + k) for k in range(9) if BLANK_BY[k])


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
        if not np.array_equal(step_in_numpy(begun), Automaton(steps=2).express(genes[:1], frame)[0]):
            message = "benchmark: the maps of the two versions differ"
            raise LevolveError(message)
        seconds = [fastest(form.batch, genes, frame) for form in (long, short)]
        each = max(seconds[0] - seconds[1], 1e-9) / (count * side * side * STEPS)
        yield Figure(SUBJECT, f"{side}x{side}", 1 / each / 1e6, "million cells/s", slow / each, "rolled NumPy arrays")


def step_in_numpy(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the map after one step; the outside counts as filled."""
    padded = np.pad(tiles, 1, constant_values=1)
    height, width = tiles.shape
    near = np.zeros(tiles.shape, np.uint8)
    for dy, dx in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
        near += padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
    return np.where(tiles, ~BLANK_BY[near], FILLED_BY[near]).astype(np.uint8)
