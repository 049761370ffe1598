"""`pack`: build many distinct levels that meet their targets."""

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from levolve.events import Watch
from levolve.levels.level import Level
from levolve.packs.builder import PackBuilder
from levolve.packs.order import Order
from levolve.packs.pack import Pack
from levolve.recipes.adapt import RecipeSource, Size, adapt
from levolve.recipes.style import Example
from levolve.runs.executors import work_pool


def pack(  # noqa: PLR0913 one parameter per setting
    recipe: RecipeSource | None = None,
    *,
    count: int = 24,
    size: Size | None = None,
    target: Mapping[str, Any] | None = None,
    distinct: float = 0.0,
    curve: str | Sequence[float] | None = None,
    seed: int | None = None,
    budget: int | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
    like: Iterable[Example] | Example | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Pack:
    """Build a pack of distinct levels that meet their targets.

    Parameters
    ----------
    recipe, size, settings, start, keep, like
        How levels are evolved; see `levolve.recipes.adapt.adapt`.
    count
        The number of levels, 1 or more.
    target
        Ranges of measures by name: a value, a pair, a string such as "35..98", a list of these with one per level, or a `levolve.packs.spread`.
    distinct
        The minimum share of cells in which any two levels differ, 0 <= share < 1.
    curve
        Order the levels by difficulty, evenly spaced: "easy..hard", "hard..easy", or two numbers from 0 to 1.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes.
    budget
        Consecutive failed searches before a target is abandoned, 1 or more; by default 8.
    threads
        The number of threads, 1 or more; by default one per core. Does not change the result.
    executor
        Any `concurrent.futures.Executor`, used instead of threads.
    watch
        A callback for the `SearchFinished` event of each search.

    Levels that were not found within the budget are omitted; `.report` lists them.

    >>> made = pack("maze", count=2, size=(8, 8), target={"regions": 1, "exit_path": (16, 30)}, distinct=0.3, seed=1)
    >>> made.report.met, [level.check() for level in made.levels]
    (True, [None, None])
    """
    adapted = adapt(recipe, size=size, settings=settings, start=start, keep=keep, like=like)
    order = Order.of(adapted, count=count, target=target, distinct=distinct, curve=curve, budget=budget)
    with work_pool(threads, executor=executor) as pool:
        return build_pack(order, seed, pool, watch)


def build_pack(order: Order, seed: int | None = None, executor: Executor | None = None, watch: Watch | None = None) -> Pack:
    """Build the pack of an order on an executor."""
    began = time.perf_counter()
    builder = PackBuilder(order, seed, executor)
    for event in builder.events():
        if watch is not None:
            watch(event)
    return replace(builder.pack, seconds=time.perf_counter() - began)
