"""`prepare`: compile kernels before they are needed, in several processes at once. Each finds those of the others in the cache.

A unit is a small piece of work whose kernels are compiled: a recipe, a puzzle, a map or a pack. A command that starts with an empty cache compiles in
one process what it needs first, and in another what it needs last (`prepare_aside`).
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from levolve.errors import LevolveError
from levolve.events import Event, Watch
from levolve.evolution.evaluation import core_count
from levolve.runs.executors import process_pool

# A kernel of the report on a level: if it is not in the cache, neither are most others.
LAST_KERNEL = "efforts.weigh_walks-*"
GENERATIONS = 2


@dataclass(frozen=True)
class UnitPrepared(Event):
    """The kernels of a unit are compiled: number `done` of `total`. `fault` says why one could not be prepared; it is empty otherwise."""

    kind: ClassVar[str] = "prepared"

    unit: str
    done: int
    total: int
    fault: str


def units() -> list[str]:
    """Return the names of all units: those that share the most kernels with others first."""
    from levolve.puzzles import PUZZLES  # noqa: PLC0415 loads Numba, which a list of units does not need before it is made
    from levolve.recipes.recipe import shipped  # noqa: PLC0415 the same

    runs = sorted(shipped(), key=lambda name: name != "maze")
    return ["measures", *(f"recipe {name}" for name in runs), *(f"puzzle {name}" for name in PUZZLES), "map", "pack"]


def prepare_unit(unit: str) -> str:
    """Compile the kernels of a unit. Return why it is not possible; empty if it is."""
    kind, _, name = unit.partition(" ")
    try:
        KINDS[kind](name)
    except LevolveError as problem:
        return str(problem)
    return ""


def prepare(processes: int | None = None, watch: Watch | None = None) -> list[str]:
    """Compile the kernels of all units, and return the names of the units.

    Parameters
    ----------
    processes
        How many processes compile at the same time; by default one per core.
    watch
        A callback for `UnitPrepared` events.
    """
    names = units()
    with process_pool(core_count() if processes is None else processes) as pool:
        tasks = {pool.submit(prepare_unit, name): name for name in names}
        for done, task in enumerate(as_completed(tasks), 1):
            if watch is not None:
                watch(UnitPrepared(tasks[task], done, len(names), task.result()))
    return names


@contextmanager
def prepare_aside(unit: str) -> Iterator[None]:
    """Compile the kernels of a unit in another process while the caller's are compiled here, if there is a second core and the cache is empty."""
    from levolve.kernels.compiled import CACHE_FOLDER  # noqa: PLC0415 loads Numba

    if CACHE_FOLDER is None or core_count() == 1 or any(CACHE_FOLDER.glob(LAST_KERNEL)):
        yield
        return
    helper = subprocess.Popen(  # noqa: S603 this Python, and a fixed module
        [sys.executable, "-m", "levolve.preparing", unit], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        # What it has compiled is in the cache; the rest is compiled when it is needed.
        helper.terminate()
        helper.wait()


def _measures(name: str) -> None:  # noqa: ARG001 there is one unit of this kind
    from levolve.levels.level import Level  # noqa: PLC0415 loads Numba
    from levolve.levels.recertify import recertified  # noqa: PLC0415 the same
    from levolve.measures.measuring import measure  # noqa: PLC0415 the same

    level = recertified(Level.from_text("S..\n.#.\n..E"))
    measure(level).of_level()


def _recipe(name: str) -> None:
    from levolve.recipes.recipe import find_recipe  # noqa: PLC0415 loads Numba
    from levolve.runs.run import Run  # noqa: PLC0415 the same

    run = Run(find_recipe(name).changed({"generations": GENERATIONS}), 1).finish()
    run.to_data()


def _puzzle(name: str) -> None:
    from levolve.puzzles import PUZZLES  # noqa: PLC0415 loads Numba
    from levolve.puzzles.solving import solve  # noqa: PLC0415 the same

    position = next(iter(PUZZLES[name].make(1, seed=1)))
    for method in ("genetic", "exact"):
        solve(name, position, method=method, seed=1)


def _map(name: str) -> None:  # noqa: ARG001 there is one unit of this kind
    from levolve.fashion.shipped import list_rules  # noqa: PLC0415 loads Numba

    list_rules()


def _pack(name: str) -> None:  # noqa: ARG001 there is one unit of this kind
    from levolve.packs.packing import pack  # noqa: PLC0415 loads Numba

    pack("maze", count=2, size=(8, 8), seed=1)


KINDS: dict[str, Callable[[str], None]] = {"measures": _measures, "recipe": _recipe, "puzzle": _puzzle, "map": _map, "pack": _pack}


if __name__ == "__main__":
    sys.exit(prepare_unit(sys.argv[1]))
