"""Packs of mazes with targets, one thread.

Steps per second of the vector environment for Gymnasium, if it is installed.

What a second thread gains, in time that passes; the machine should be idle.

How long commands take to start: the help, a command with compiled kernels, and the first command on
a new machine.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.bench.measuring import Effort, Figure, fastest, in_turns
from levolve.core.errors import LevolveError
from levolve.jobs.executors import work_pool
from levolve.jobs.packs.pack_function import pack
from levolve.jobs.runs.evolve import evolve
from levolve.jobs.studies.tune import tune
from levolve.kernels.compiler import VARIABLE
from levolve.search.evaluation import core_count
from levolve.worlds.rule import Map, Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.starts import random_start

SUBJECT = "packs"
ORDERS: dict[str, dict[str, Any]] = {
    "100 mazes of 14x14": {
        "count": 100,
        "size": "14x14",
        "target": {"regions": 1, "longest_path": "35..98"},
        "distinct": 0.4,
    },
    "100 mazes of 28x28": {
        "count": 100,
        "size": "28x28",
        "target": {"regions": 1, "longest_path": "70..300"},
        "distinct": 0.4,
    },
    "1,600 mazes of 14x14": {
        "count": 1600,
        "size": "14x14",
        "target": {"regions": 1, "longest_path": "35..98"},
        "distinct": 0.3,
    },
}
QUICK = {"20 mazes of 14x14": {**ORDERS["100 mazes of 14x14"], "count": 20}}


def measure(effort: Effort) -> Iterator[Figure]:
    """Time the search for levels that meet their targets and differ from each other."""
    pack(
        "maze",
        size="8x8",
        count=2,
        target={"regions": 1, "longest_path": "14..30"},
        executor=1,
        seed=1,
    )
    for name, order in effort.choose(QUICK, ORDERS).items():
        began = time.process_time()
        levels = pack("maze", seed=1, executor=1, **order).levels
        seconds = time.process_time() - began
        nearest = min(
            (float((a.tiles != b.tiles).mean()) for a, b in combinations(levels[:200], 2)),
            default=1.0,
        )
        yield Figure(
            SUBJECT,
            name,
            seconds,
            "s",
            note=f"{len(levels)} found, any two differ in {nearest:.0%} of cells",
        )


ENVIRONMENTS = "environments"
STEPS = 20


def measure_environments(effort: Effort) -> Iterator[Figure]:
    """Step many mazes with random actions; levels, observations and masks are part of a step."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    import levolve.bridges.gymnasium  # noqa: F401 registers the environments

    count = effort.choose(2_000, 10_000)
    environments = gymnasium.make_vec(
        "levolve/Maze-v0", num_envs=count, vectorization_mode="vector_entry_point"
    )
    try:
        environments.reset(seed=1)
        dice = np.random.default_rng(1)
        actions = dice.integers(0, 4, (STEPS, count))
        seconds = fastest(_step_all, environments, actions, seconds=effort.choose(0.3, 2))
    finally:
        environments.close()
    yield Figure(ENVIRONMENTS, f"{count:,} mazes", STEPS * count / seconds / 1e6, "million steps/s")


def _step_all(environments: Any, actions: NDArray[np.int64]) -> None:
    for each in actions:
        environments.step(each)


THREADS = "threads"
RULES = {
    "two states": find_designs("cracks")[0].rule,
    "six states": find_designs("spirals")[0].rule,
}
RUNS: dict[str, dict[str, Any]] = {
    "128x128, population 120": {
        "size": "128x128",
        "settings": {"strategy.population": 120},
        "generations": 1000,
    },
    "64x64, population 1,000": {
        "size": "64x64",
        "settings": {"strategy.population": 1000},
        "generations": 400,
    },
    "20x20, population 10,000": {
        "size": "20x20",
        "settings": {"strategy.population": 10_000},
        "generations": 600,
    },
}
PACKS = {"14x14": "35..98", "28x28": "70..300"}


def measure_threads(effort: Effort) -> Iterator[Figure]:
    """Compare one and two threads; a machine with one core is left out."""
    cores = core_count()
    if cores == 1:
        return
    runs = {
        name: {**order, "generations": order["generations"] // effort.choose(3, 1)}
        for name, order in RUNS.items()
    }
    works: dict[str, Callable[[int], object]] = {
        "the limit: two separate runs, 64x64": partial(_apart, runs["64x64, population 1,000"])
    }
    works |= {name: partial(_evolve, order) for name, order in runs.items()}
    works |= {
        f"pack of 100 mazes of {size}": partial(_pack, size, target)
        for size, target in PACKS.items()
    }
    works["meta-evolution of dungeons"] = _tune
    side = effort.choose(2048, 4096)
    for name, rule in RULES.items():
        works[f"map of {side}x{side}, {name}"] = partial(
            _map, rule, random_start(rule.states, (side, side), 1)
        )
    for name, work in works.items():
        work(1)
        # In turns, so that other work on the machine delays both.
        times = in_turns(
            {str(threads): partial(_seconds, work, threads) for threads in (1, 2)},
            effort.choose(2, 4),
        )
        one, two = (min(seconds) for seconds in times.values())
        yield Figure(THREADS, name, two, "s", one / two, "one thread", f"{cores} cores")


def _seconds(work: Callable[[int], object], threads: int) -> float:
    began = time.perf_counter()
    work(threads)
    return time.perf_counter() - began


def _evolve(order: dict[str, Any], threads: int) -> object:
    return evolve("maze", seed=1, executor=threads, **order)


def _apart(order: dict[str, Any], threads: int) -> object:
    """Two runs, each on one thread: at the same time if there are two. No run can gain more from a
    second thread than they do.
    """
    with work_pool(threads) as executor:
        return [task.result() for task in [executor.submit(_evolve, order, 1) for _ in range(2)]]


def _pack(size: str, target: str, threads: int) -> object:
    return pack(
        "maze",
        count=100,
        size=size,
        seed=1,
        target={"regions": 1, "longest_path": target},
        distinct=0.3,
        executor=threads,
    )


def _tune(threads: int) -> object:
    return tune("dungeon-meta", seed=1, executor=threads, generations=4)


def _map(rule: Rule, start: Map, threads: int) -> object:
    with work_pool(threads) as executor:
        return rule.run(start, 10, executor=executor)


STARTUP = "startup"
EVOLVE = ("evolve", "maze", "--seed", "1", "--quiet", "--no-store")
SOLVE = ("solve", "sliding", "8672543_1", "--seed", "1", "--quiet", "--no-store")
LONGEST = 600


def measure_startup(effort: Effort) -> Iterator[Figure]:
    """Time whole processes, in time that passes. The first ones get an empty folder for compiled
    kernels.
    """
    yield Figure(
        STARTUP,
        "levolve --help",
        min(command_seconds(("--help",)) for _ in range(3)),
        "s",
        note="best of 3",
    )
    with tempfile.TemporaryDirectory(prefix="levolve-bench-", ignore_cleanup_errors=True) as folder:
        for name, command in (("evolve maze", EVOLVE), ("solve sliding", SOLVE)):
            if effort.quick and command is SOLVE:
                continue
            first = command_seconds(command, folder)
            yield Figure(STARTUP, f"{name}, first run", first, "s", note="compiles its kernels")
            again = min(command_seconds(command, folder) for _ in range(3))
            yield Figure(STARTUP, f"{name}, second run", again, "s", note="best of 3")


def command_seconds(arguments: tuple[str, ...], cache: str | None = None) -> float:
    """Return the seconds that pass while a command runs in a process of its own."""
    environment = {**os.environ, **({} if cache is None else {VARIABLE: cache})}
    began = time.perf_counter()
    finished = subprocess.run(  # noqa: S603 our own command
        [sys.executable, "-m", "levolve", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    if finished.returncode:
        raise LevolveError(
            f"benchmark: 'levolve {' '.join(arguments)}' failed: {finished.stderr.strip()}"
        )
    return time.perf_counter() - began
