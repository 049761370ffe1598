"""Pattern databases for exact search: built in a few seconds, then stored on disk beside the compiled kernels.

The tiles of a frame are divided into groups as large as a table of a million entries can hold: five tiles per table on 4x4, four on 5x5.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import CACHE_FOLDER, read_entry, write_entry
from levolve.kernels.sliding.deepening import Patterns
from levolve.kernels.sliding.tables import pattern_table
from levolve.puzzles.sliding.rules import neighbours

MOST_ENTRIES = 1 << 20
# Tables of fewer entries are built faster than a person notices.
KEPT_FROM = 1 << 18

Tables = NDArray[np.uint8]


@lru_cache(maxsize=4)
def patterns_of(width: int, height: int, blank: int) -> Patterns:
    """Pattern databases for a goal with the blank in the cell `blank`."""
    cells = width * height
    parts = _parts(cells, blank)
    group, weight = np.zeros(cells + 1, np.int64), np.zeros(cells + 1, np.int64)
    for number, part in enumerate(parts):
        for digit, cell in enumerate(part):
            group[cell + 1], weight[cell + 1] = number, cells ** (len(part) - 1 - digit)
    # Reflected in the diagonal, a square goal is itself if its blank lies on it.
    mirrored = width == height and blank % width == blank // width
    mirror = np.arange(cells)
    if mirrored:
        mirror = mirror % width * width + mirror // width
    return Patterns(_tables(width, height, blank, parts), group, weight, mirror, np.concatenate(([0], mirror + 1)), mirrored)


def _parts(cells: int, blank: int) -> list[list[int]]:
    """The cells but the blank's, in groups that are as large as can be and about equal."""
    tiles = 1
    while cells ** (tiles + 1) <= MOST_ENTRIES:
        tiles += 1
    homes = [cell for cell in range(cells) if cell != blank]
    count = -(-len(homes) // tiles)
    return [homes[len(homes) * part // count : len(homes) * (part + 1) // count] for part in range(count)]


def _tables(width: int, height: int, blank: int, parts: list[list[int]]) -> Tables:
    """A table for each group, from disk where they are kept."""
    cells = width * height
    shape = (len(parts), cells ** max(len(part) for part in parts))
    stored = CACHE_FOLDER if shape[1] >= KEPT_FROM else None
    name, key = f"patterns-{width}x{height}-{blank}.table", str(shape)
    content = None if stored is None else read_entry(stored, name, key)
    if content is not None and len(content) == shape[0] * shape[1]:
        # A copy, because kernels are compiled for arrays that can be written.
        return np.frombuffer(content, np.uint8).reshape(shape).copy()
    tables = np.zeros(shape, np.uint8)
    for number, part in enumerate(parts):
        pattern_table(np.array(part, np.int64), blank, neighbours(width, height), tables[number, : cells ** len(part)])
    if stored is not None:
        write_entry(stored, name, key, tables.tobytes())
    return tables
