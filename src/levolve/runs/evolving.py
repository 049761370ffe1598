"""`evolve`: run a recipe to the end."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from typing import Any

from levolve.events import Watch
from levolve.levels.level import Level
from levolve.recipes.adapt import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe
from levolve.recipes.style import Example
from levolve.runs.executors import stop_requested, work_pool
from levolve.runs.run import Run


def evolve(  # noqa: PLR0913 one parameter per usual change
    recipe: RecipeSource | None = None,
    *,
    size: Size | None = None,
    seed: int | None = None,
    generations: int | None = None,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
    like: Iterable[Example] | Example | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    stop: Callable[[], bool] = stop_requested,
) -> Run:
    """Evolve levels with a recipe.

    Parameters
    ----------
    recipe, size, generations, objective, target, settings, start, keep, like
        What to evolve; see `levolve.recipes.adapt.adapt`.
    seed
        From 0 to 2**64 - 1; by default a random one, stored in `Run.seed`. The same seed gives the same bytes.
    threads
        The number of threads, 1 or more; by default one per core. Does not change the result.
    executor
        Any `concurrent.futures.Executor`, used instead of threads.
    watch
        A callback for events: `GenerationScored` per generation, `SearchEnded` at the end.
    stop
        Called between generations; return True to end early.

    >>> run = evolve("maze", size=(10, 10), seed=7, generations=20)
    >>> run.best.check()
    """
    adapted = adapt(
        recipe, size=size, generations=generations, objective=objective, target=target, settings=settings, start=start, keep=keep, like=like
    )
    with work_pool(threads, executor=executor) as pool:
        return carry_out(adapted, seed, pool, watch, stop)


def carry_out(
    recipe: Recipe, seed: int | None, executor: Executor | None = None, watch: Watch | None = None, stop: Callable[[], bool] = stop_requested
) -> Run:
    """Run a recipe with a seed to the end. See `evolve` for the parameters."""
    run = Run(recipe, seed, executor, stop)
    for event in run.events():
        if watch is not None:
            watch(event)
    return run
