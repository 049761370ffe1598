"""`prepare`: compile kernels before they are needed, in several processes at once. Each finds those
of the others in the cache.

A unit is a small piece of work whose kernels are compiled: a recipe, a puzzle, a map or a pack. A
command that has to compile does so in one process with what it needs first, and in others with what
it needs later (`prepare_aside`).
"""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from levolve.core.errors import LevolveError
from levolve.core.events import Event, Watch
from levolve.core.startup import start_quickly
from levolve.search.evaluation import core_count

GENERATIONS = 2


@dataclass(frozen=True)
class UnitPrepared(Event):
    """The kernels of a unit are compiled: number `done` of `total`. `fault` says why one could not
    be prepared; it is empty otherwise.
    """

    kind: ClassVar[str] = "prepared"

    unit: str
    done: int
    total: int
    fault: str


def units() -> list[str]:
    """Return the names of all units: those that share the most kernels with others first."""
    from levolve.puzzles import PUZZLES
    from levolve.recipes.recipe import shipped

    runs = sorted(shipped(), key=lambda name: name != "maze")
    return [
        "measures",
        *(f"recipe {name}" for name in runs),
        *(f"puzzle {name}" for name in PUZZLES),
        "map",
        "pack",
    ]


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
    from concurrent.futures import as_completed
    from multiprocessing import active_children

    from levolve.jobs.executors import process_pool

    names = units()
    with process_pool(core_count() if processes is None else processes) as pool:
        others = set(active_children())
        tasks = {pool.submit(prepare_unit, name): name for name in names}
        try:
            for done, task in enumerate(as_completed(tasks), 1):
                if watch is not None:
                    watch(UnitPrepared(tasks[task], done, len(names), task.result()))
        except BaseException:
            # A unit takes seconds; what it has compiled so far is in the cache.
            for process in set(active_children()) - others:
                process.terminate()
            raise
    return names


@contextmanager
def prepare_aside(*groups: Sequence[str]) -> Iterator[None]:
    """Compile the kernels of groups of units in other processes as soon as the caller has to
    compile one, if there is a second core and a cache.
    """
    from levolve.kernels.compiler import CACHE_FOLDER, PLAIN, SUFFIX, mode, watching_compiler

    helpers: list[subprocess.Popen[bytes]] = []

    def help_begins() -> None:
        for names in groups[len(helpers) :]:
            call = [sys.executable, "-m", "levolve.jobs.prepare", *names]
            helpers.append(
                subprocess.Popen(  # noqa: S603 this Python
                    call,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )

    def compiling(started: bool = True, name: str = "") -> None:  # noqa: ARG001, FBT001, FBT002 called by the compiler
        help_begins()
        _load_definitions()

    # In plain mode one process at a time compiles.
    if CACHE_FOLDER is None or core_count() == 1 or mode() == PLAIN:
        yield
        return
    try:
        if not any(CACHE_FOLDER.glob(f"*{SUFFIX}")):
            # Nothing is compiled: both processes load Numba at the same time.
            help_begins()
        with watching_compiler(compiling):
            yield
    finally:
        for helper in helpers:
            # What it has compiled is in the cache; the rest is compiled when it is needed.
            helper.terminate()
            helper.wait()


@cache
def _load_definitions() -> None:
    """Load the compiler's definitions, once."""
    from levolve.kernels.compiler import load_definitions

    load_definitions()


def _measures(name: str) -> None:  # noqa: ARG001 there is one unit of this kind
    from levolve.kernels.compiler import SMALL
    from levolve.levels.level import Level
    from levolve.levels.measures.measuring import measure
    from levolve.levels.solver import recertified

    # Larger than those that plain Python measures.
    side = int(SMALL**0.5) + 1
    rows = ["." * side] * side
    level = recertified(
        Level.from_text("\n".join(["S" + rows[0][1:], *rows[2:], rows[0][1:] + "E"]))
    )
    measure(level).of_level()


def _recipe(name: str) -> None:
    from levolve.jobs.runs.run import Run
    from levolve.recipes.recipe import find_recipe

    run = Run(find_recipe(name).changed({"generations": GENERATIONS}), 1).finish()
    run.to_data()


def _breeding(name: str) -> None:
    """Compile what proposes a second generation. Nothing is drawn or evaluated for the first one:
    that is what the caller compiles meanwhile.
    """
    import numpy as np

    from levolve.kernels.compiler import compiling_only
    from levolve.recipes.recipe import find_recipe
    from levolve.search.fused import begin_search
    from levolve.search.fused.advance_many import ManyGenerations
    from levolve.search.genotypes.gene_space import BitGenes

    recipe = find_recipe(name)
    with compiling_only():
        search = begin_search(recipe.problem, recipe.parts[2], 1, recipe.planned_generations)
    if isinstance(search, ManyGenerations):
        search.compile()
        return
    space = search.space
    if isinstance(space, BitGenes):
        search.start = lambda _seed, _generation, count: np.zeros((count, space.words), np.uint64)
    search.tell(np.zeros(len(search.ask())))
    search.ask()


def _puzzle(name: str) -> None:
    from levolve.puzzles import PUZZLES
    from levolve.puzzles.solve_make import solve

    position = next(iter(PUZZLES[name].make(1, seed=1)))
    for method in ("genetic", "exact"):
        solve(name, position, method=method, seed=1)


def _puzzle_search(name: str) -> Any:
    """Return the search for a solution of a position, `puzzle position`, that has not begun: no
    kernel was called.
    """
    from levolve.kernels.compiler import compiling_only
    from levolve.puzzles import PUZZLES

    name, _, position = name.partition(" ")
    puzzle = PUZZLES[name]
    with compiling_only(compiles=False):
        search = puzzle.search(puzzle.read(position), puzzle.settings("genetic", None, {}), 1)
    search.winner = -1
    return search


def _solving(name: str) -> None:
    """Compile what breeds generations of solutions."""
    from levolve.kernels.compiler import compiling_only

    search = _puzzle_search(name)
    with compiling_only():
        search.advance(1)


def _solution(name: str) -> None:
    """Compile what a solution is improved and compared with. No solution is searched for: any
    individual will do.
    """
    from levolve.kernels.compiler import compiling_only

    search = _puzzle_search(name)
    search.winner = 0
    with compiling_only():
        search.solution_moves()
    search.least_moves()


def _map(name: str) -> None:  # noqa: ARG001 there is one unit of this kind
    from levolve.worlds.shipped import list_rules

    list_rules()


def _pack(name: str) -> None:  # noqa: ARG001 there is one unit of this kind
    from levolve.jobs.packs.pack_function import pack

    pack("maze", count=2, size=(8, 8), seed=1)


KINDS: dict[str, Callable[[str], None]] = {
    "measures": _measures,
    "recipe": _recipe,
    "breeding": _breeding,
    "puzzle": _puzzle,
    "solving": _solving,
    "solution": _solution,
    "map": _map,
    "pack": _pack,
}


if __name__ == "__main__":
    start_quickly()
    _load_definitions()
    for unit in sys.argv[1:]:
        prepare_unit(unit)
