"""What a second thread gains, in time that passes; the machine should be idle."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import fastest
from levolve.evolution.evaluation import core_count
from levolve.packs.packing import pack
from levolve.runs.evolving import evolve

SUBJECT = "threads"
RUNS: dict[str, dict[str, Any]] = {
    "128x128, population 120": {"size": "128x128", "settings": {"strategy.population": 120}, "generations": 300},
    "64x64, population 1,000": {"size": "64x64", "settings": {"strategy.population": 1000}, "generations": 400},
    "20x20, population 10,000": {"size": "20x20", "settings": {"strategy.population": 10_000}, "generations": 300},
}


def measure(effort: Effort) -> Iterator[Figure]:
    """Compare one and two threads; a machine with one core is left out."""
    cores = core_count()
    if cores == 1:
        return
    works: dict[str, Callable[[int], object]] = {name: partial(_evolve, order) for name, order in RUNS.items()}
    works["pack of 100 mazes of 14x14"] = _pack
    for name, work in works.items():
        one, two = (fastest(work, threads, seconds=effort.choose(0.5, 2), clock=time.perf_counter) for threads in (1, 2))
        yield Figure(SUBJECT, name, two, "s", one / two, "one thread", f"{cores} cores")


def _evolve(order: dict[str, Any], threads: int) -> object:
    return evolve("maze", seed=1, threads=threads, **order)


def _pack(threads: int) -> object:
    return pack("maze", count=100, size="14x14", seed=1, target={"regions": 1, "longest_path": "35..98"}, distinct=0.3, threads=threads)
