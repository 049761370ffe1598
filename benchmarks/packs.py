"""Measure the time to build packs (processor seconds, one thread, kernels compiled) and check that
every level meets its targets.

`python benchmarks/packs.py` prints a table; `python benchmarks/packs.py 2` times the second row
alone.
"""

import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

import levolve
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.targets import Spread

SEEDS = (1, 2, 3)
BASE: dict[str, Any] = {"count": 100, "distinct": 0.4, "threads": 1}
ORDERS: list[tuple[str, Callable[[int], Pack]]] = [
    ("14x14, longest_path 35..98", lambda seed: _mazes(seed, "14x14", "35..98")),
    (
        "14x14, spread over 35..98, within 7",
        lambda seed: _mazes(seed, "14x14", levolve.packs.spread(35, 98, within=7)),
    ),
    ("28x28, longest_path 70..300", lambda seed: _mazes(seed, "28x28", "70..300")),
    (
        "28x28, spread over 70..300, within 7",
        lambda seed: _mazes(seed, "28x28", levolve.packs.spread(70, 300, within=7)),
    ),
    (
        "20x20, curve easy..hard",
        lambda seed: levolve.pack("maze", size="20x20", curve="easy..hard", seed=seed, **BASE),
    ),
]


def _mazes(seed: int, size: str, longest_path: Any) -> Pack:
    return levolve.pack(
        "maze", size=size, target={"regions": 1, "longest_path": longest_path}, seed=seed, **BASE
    )


def farthest_off(pack: Pack) -> float:
    """Return the largest distance of a level from its own target for the longest path; 0 if all
    levels have the same range.
    """
    order = pack.parts[0].order
    wanted = order.target.get("longest_path") if isinstance(order, Order) else None
    if not isinstance(wanted, Spread):
        return 0.0
    own = np.linspace(wanted.low, wanted.high, len(pack.levels))
    return float(np.abs(levolve.measure(pack.levels)["longest_path"] - own).max())


def nearest(pack: Pack) -> float:
    return min(float((a.tiles != b.tiles).mean()) for a, b in combinations(pack.levels, 2))


def main() -> None:
    chosen = [ORDERS[int(number) - 1] for number in sys.argv[1:]] or ORDERS
    levolve.pack(
        "maze",
        size="8x8",
        count=2,
        target={"regions": 1, "longest_path": "14..30"},
        curve="easy..hard",
        executor=1,
    )
    print(f"100 mazes, any two differing in 40 % of their cells, one thread, seeds {SEEDS}")
    for name, order in chosen:
        seconds, packs = [], []
        for seed in SEEDS:
            began = time.process_time()
            packs.append(order(seed))
            seconds.append(time.process_time() - began)
        for pack in packs:
            for level in pack.levels:
                level.check()
        found = [len(pack.levels) for pack in packs]
        share = min(nearest(pack) for pack in packs)
        measured = levolve.measure([level for pack in packs for level in pack.levels])
        lengths = measured["longest_path"]
        off = max(map(farthest_off, packs))
        print(
            f"{name:<40} {np.median(seconds):6.1f} s (worst {max(seconds):.1f})   found "
            f"{found}   nearest pair {share:.3f}   "
            f"longest path {lengths.min()} to {lengths.max()}, off by {off:.1f}   regions at "
            f"most {measured['regions'].max()}",
            flush=True,
        )


if __name__ == "__main__":
    main()
