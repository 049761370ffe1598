"""`pack`: build many distinct levels that meet their targets."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.events import Watch
from levolve.levels.level import Level
from levolve.packs.builder import PackBuilder
from levolve.packs.mixed import MixedPackBuilder, shares_of
from levolve.packs.order import Order
from levolve.packs.pack import Pack
from levolve.recipes.adapt import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe
from levolve.recipes.style import Example
from levolve.runs.checkpoints import complete
from levolve.runs.executors import work_pool
from levolve.runs.store.places import StoreSource


def pack(  # noqa: PLR0913 one parameter per setting
    recipe: RecipeSource | Sequence[RecipeSource] | None = None,
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
    kept: NDArray[np.bool_] | None = None,
    like: Iterable[Example] | Example | None = None,
    frame: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> Pack:
    """Build a pack of distinct levels that meet their targets.

    Parameters
    ----------
    recipe, size, settings, start, keep, kept, frame, like
        How levels are evolved; see `levolve.recipes.adapt.adapt`. Several recipes share the levels evenly; the levels are sorted by difficulty.
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
    threads, cluster, executor
        Where searches are carried out: threads of this process, by default one per core; a Dask cluster ("local" or an address); or any
        `concurrent.futures.Executor`. Does not change the result.
    watch
        A callback for events: a `SearchFinished` per search; with `like`, before them a `ProbeAdvanced` per generation of the search that sets the
        likeness.
    store
        Where the pack is stored while it is built, so that `levolve.resume` can continue it: a path, a `Store`, or True for the user's own. By
        default nowhere.

    Levels that were not found within the budget are omitted; `.report` lists them.

    >>> made = pack("maze", count=2, size=(8, 8), target={"regions": 1, "exit_path": (16, 30)}, distinct=0.3, seed=1)
    >>> made.report.met, [level.check() for level in made.levels]
    (True, [None, None])
    """
    recipes = list(recipe) if isinstance(recipe, Sequence) and not isinstance(recipe, str) else [recipe]
    adapted = [adapt(each, size=size, settings=settings, start=start, keep=keep, kept=kept, frame=frame, like=like) for each in recipes]
    orders = orders_of(adapted, count=count, target=target, distinct=distinct, curve=curve, budget=budget, watch=watch)
    with work_pool(threads, cluster, executor) as pool:
        return complete(builder_of(orders, seed, pool), store, watch)


def orders_of(recipes: Sequence[Recipe], *, count: int, **requirements: Any) -> list[Order]:  # noqa: ANN401 those of `Order.of`
    """Return the orders of a pack: one per recipe, which share the levels evenly."""
    if not recipes:
        message = "recipe: expected at least one recipe, got none"
        raise InputError(message)
    if len(recipes) == 1:
        return [Order.of(recipes[0], count=count, **requirements)]
    names = [recipe.name for recipe in recipes]
    if len(set(names)) < len(names):
        message = f"recipe: expected each recipe once, got {', '.join(names)}"
        raise InputError(message)
    return [Order.of(recipe, count=share, **requirements) for recipe, share in zip(recipes, shares_of(count, len(recipes)), strict=True)]


def builder_of(orders: Sequence[Order], seed: int | None, executor: Executor | None = None) -> PackBuilder | MixedPackBuilder:
    """Return the job that builds the pack of these orders."""
    return PackBuilder(orders[0], seed, executor) if len(orders) == 1 else MixedPackBuilder(orders, seed, executor)
