"""Packs of mazes with targets, one thread."""

import time
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from levolve.bench.figures import Effort, Figure
from levolve.packs.packing import pack

SUBJECT = "packs"
ORDERS: dict[str, dict[str, Any]] = {
    "100 mazes of 14x14": {"count": 100, "size": "14x14", "target": {"regions": 1, "longest_path": "35..98"}, "distinct": 0.4},
    "100 mazes of 28x28": {"count": 100, "size": "28x28", "target": {"regions": 1, "longest_path": "70..300"}, "distinct": 0.4},
    "1,600 mazes of 14x14": {"count": 1600, "size": "14x14", "target": {"regions": 1, "longest_path": "35..98"}, "distinct": 0.3},
}
QUICK = {"20 mazes of 14x14": {**ORDERS["100 mazes of 14x14"], "count": 20}}


def measure(effort: Effort) -> Iterator[Figure]:
    """Time the search for levels that meet their targets and differ from each other."""
    pack("maze", size="8x8", count=2, target={"regions": 1, "longest_path": "14..30"}, threads=1, seed=1)
    for name, order in effort.choose(QUICK, ORDERS).items():
        began = time.process_time()
        levels = pack("maze", seed=1, threads=1, **order).levels
        seconds = time.process_time() - began
        nearest = min((float((a.tiles != b.tiles).mean()) for a, b in combinations(levels[:200], 2)), default=1.0)
        yield Figure(SUBJECT, name, seconds, "s", note=f"{len(levels)} found, any two differ in {nearest:.0%} of cells")
