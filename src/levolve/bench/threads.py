"""What a second thread gains, in time that passes; the machine should be idle."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import in_turns
from levolve.evolution.evaluation import core_count
from levolve.fashion.design import find_designs
from levolve.fashion.rule import Map, Rule
from levolve.fashion.starts import random_start
from levolve.packs.packing import pack
from levolve.runs.evolving import evolve
from levolve.runs.executors import work_pool
from levolve.studies.tuning import tune

SUBJECT = "threads"
RULES = {"two states": find_designs("cracks")[0].rule, "six states": find_designs("spirals")[0].rule}
RUNS: dict[str, dict[str, Any]] = {
    "128x128, population 120": {"size": "128x128", "settings": {"strategy.population": 120}, "generations": 1000},
    "64x64, population 1,000": {"size": "64x64", "settings": {"strategy.population": 1000}, "generations": 400},
    "20x20, population 10,000": {"size": "20x20", "settings": {"strategy.population": 10_000}, "generations": 600},
}
PACKS = {"14x14": "35..98", "28x28": "70..300"}


def measure(effort: Effort) -> Iterator[Figure]:
    """Compare one and two threads; a machine with one core is left out."""
    cores = core_count()
    if cores == 1:
        return
    runs = {name: {**order, "generations": order["generations"] // effort.choose(3, 1)} for name, order in RUNS.items()}
    works: dict[str, Callable[[int], object]] = {"the limit: two separate runs, 64x64": partial(_apart, runs["64x64, population 1,000"])}
    works |= {name: partial(_evolve, order) for name, order in runs.items()}
    works |= {f"pack of 100 mazes of {size}": partial(_pack, size, target) for size, target in PACKS.items()}
    works["meta-evolution of dungeons"] = _tune
    side = effort.choose(2048, 4096)
    for name, rule in RULES.items():
        works[f"map of {side}x{side}, {name}"] = partial(_map, rule, random_start(rule.states, (side, side), 1))
    for name, work in works.items():
        work(1)
        # In turns, so that other work on the machine delays both.
        times = in_turns({str(threads): partial(_seconds, work, threads) for threads in (1, 2)}, effort.choose(2, 4))
        one, two = (min(seconds) for seconds in times.values())
        yield Figure(SUBJECT, name, two, "s", one / two, "one thread", f"{cores} cores")


def _seconds(work: Callable[[int], object], threads: int) -> float:
    began = time.perf_counter()
    work(threads)
    return time.perf_counter() - began


def _evolve(order: dict[str, Any], threads: int) -> object:
    return evolve("maze", seed=1, threads=threads, **order)


def _apart(order: dict[str, Any], threads: int) -> object:
    """Two runs, each on one thread: at the same time if there are two. No run can gain more from a second thread than they do."""
    with work_pool(threads) as executor:
        return [task.result() for task in [executor.submit(_evolve, order, 1) for _ in range(2)]]


def _pack(size: str, target: str, threads: int) -> object:
    return pack("maze", count=100, size=size, seed=1, target={"regions": 1, "longest_path": target}, distinct=0.3, threads=threads)


def _tune(threads: int) -> object:
    return tune("dungeon-meta", seed=1, threads=threads, generations=4)


def _map(rule: Rule, start: Map, threads: int) -> object:
    with work_pool(threads) as executor:
        return rule.run(start, 10, executor=executor)
