"""`evolve`: run a recipe to the end."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.events import Watch
from levolve.levels.level import Level
from levolve.recipes.adapt import ObjectiveSource, RecipeSource, Size, adapt
from levolve.recipes.style import Example
from levolve.runs.checkpoints import complete
from levolve.runs.executors import stop_requested, work_pool
from levolve.runs.run import Run
from levolve.runs.store.places import StoreSource


def evolve(  # noqa: PLR0913 one parameter per usual change
    recipe: RecipeSource | None = None,
    *,
    size: Size | None = None,
    seed: int | None = None,
    generations: int | None = None,
    objective: ObjectiveSource | None = None,
    target: Mapping[str, Any] | None = None,
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
    stop: Callable[[], bool] = stop_requested,
    store: StoreSource = None,
) -> Run:
    """Evolve levels with a recipe.

    Parameters
    ----------
    recipe, size, generations, objective, target, settings, start, keep, kept, frame, like
        What to evolve; see `levolve.recipes.adapt.adapt`.
    seed
        From 0 to 2**64 - 1; by default a random one, stored in `Run.seed`. The same seed gives the same bytes.
    threads, cluster, executor
        Where individuals are evaluated: threads of this process, by default one per core; a Dask cluster ("local" or an address); or any
        `concurrent.futures.Executor`. Does not change the result.
    watch
        A callback for events: `GenerationScored` per generation, `SearchEnded` at the end.
    stop
        Called between generations; return True to end early.
    store
        Where the run is stored, so that `levolve.resume` can continue it: a path, a `Store`, or True for the user's own. By default nowhere.

    >>> run = evolve("maze", size=(10, 10), seed=7, generations=20)
    >>> run.best.check()
    """
    adapted = adapt(
        recipe,
        size=size,
        generations=generations,
        objective=objective,
        target=target,
        settings=settings,
        start=start,
        keep=keep,
        kept=kept,
        frame=frame,
        like=like,
    )
    with work_pool(threads, cluster, executor) as pool:
        return complete(Run(adapted, seed, pool, stop), store, watch)
