"""`pack`: an order in, a pack out. `grow_again`: a level of a pack, or of a run, from its origin."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from levolve.errors import InputError
from levolve.levels.level import Level
from levolve.packs.making import Making
from levolve.packs.order import BUDGET, Order
from levolve.packs.pack import Pack
from levolve.runs import evolving
from levolve.runs.executors import thread_pool
from levolve.runs.recipe import Recipe


def pack(  # noqa: PLR0913 as many wishes
    recipe: str | Path | Recipe,
    *,
    count: int = 24,
    size: tuple[int, int] | str | None = None,
    target: Mapping[str, Any] | None = None,
    distinct: float = 0.0,
    curve: str | Sequence[float] | None = None,
    seed: int | None = None,
    budget: int = BUDGET,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
    threads: int | None = None,
    executor: Executor | None = None,
) -> Pack:
    """Make many levels at once, each as wished and distinct from the others.

    `target` gives ranges of measures: a value, a pair, a text such as "35..98", a list of these with one a level, or a `spread`. `distinct` is the
    share of cells that differ at least between any two levels. `curve`, such as "easy..hard", orders them by difficulty. With `start` and `keep` they
    go on from a level, as in `evolve`. What could not be found within the budget is left out and told in `.report`.

    >>> made = pack("maze", count=2, size=(8, 8), target={"regions": 1, "exit_path": (16, 30)}, distinct=0.3, seed=1)
    >>> made.report.met, [level.check() for level in made.levels]
    (True, [None, None])
    """
    adapted = evolving.adapt(recipe, size=size, settings=settings, start=start, keep=keep)
    order = Order.of(adapted, count=count, target=target, distinct=distinct, curve=curve, budget=budget)
    if executor is not None:
        return Making(order, seed, executor).finish()
    with thread_pool(threads) as pool:
        return Making(order, seed, pool).finish()


def grow_again(level: Level, executor: Executor | None = None) -> Level:
    """Grow a level again from its origin: a run, or the whole pack it belongs to. The result need not be equal: that is for the caller to compare."""
    if level.origin is None or "pack" not in level.origin.recipe:
        return evolving.grow_again(level, executor)
    again = Making(Order.from_data(level.origin.recipe), level.origin.seed, executor).finish()
    if level.origin.index >= len(again.levels):
        message = (
            f"origin: level {level.origin.index} of a pack was expected, but the pack grown again has only {len(again.levels)}; "
            f"it was grown by version {level.origin.version}"
        )
        raise InputError(message)
    return again.levels[level.origin.index]
