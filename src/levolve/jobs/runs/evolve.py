"""`evolve`: run a recipe to the end."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast, overload

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import stop_requested, work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.levels.level import Level
from levolve.recipes.finding import ObjectiveSource, RecipeSource, Size, adapt, adapt_content, find_content_recipe, with_more_generations
from levolve.recipes.from_levels import Example
from levolve.recipes.recipe import Recipe, find_recipe

# Contents are loaded where a recipe of them is found: most recipes are of levels.
if TYPE_CHECKING:
    from levolve.jobs.runs.run import ContentRun
    from levolve.recipes.content_recipe import ContentRecipe


class RunOptions(TypedDict, total=False):
    """The options of `evolve` for any contents."""

    seed: int | None
    generations: int | None
    objective: ObjectiveSource | None
    settings: Mapping[str, Any] | None
    threads: int | None
    processes: int | None
    cluster: str | None
    executor: Executor | None
    watch: Watch | None
    stop: Callable[[], bool]
    store: StoreSource
    ancestry: bool


class LevelChanges(TypedDict, total=False):
    """The options of `evolve` that only levels have."""

    size: Size | None
    target: Mapping[str, Any] | None
    start: Level | None
    keep: str
    kept: NDArray[np.bool_] | None
    like: Iterable[Example] | Example | None
    frame: bool


class LevelOptions(RunOptions, LevelChanges, total=False):
    """The options of `evolve` for levels."""


@overload
def evolve(recipe: None = None, *, space: Any, **options: Unpack[RunOptions]) -> "ContentRun": ...


@overload
def evolve(recipe: "ContentRecipe", **options: Unpack[RunOptions]) -> "ContentRun": ...


@overload
def evolve(recipe: RecipeSource | None = None, **options: Unpack[LevelOptions]) -> Run: ...


def evolve(
    recipe: "RecipeSource | ContentRecipe | None" = None,
    *,
    space: Any = None,
    seed: int | None = None,
    generations: int | None = None,
    objective: ObjectiveSource | None = None,
    settings: Mapping[str, Any] | None = None,
    threads: int | None = None,
    processes: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    stop: Callable[[], bool] = stop_requested,
    store: StoreSource = None,
    ancestry: bool = False,
    **changes: Unpack[LevelChanges],
) -> "Run | ContentRun":
    """Evolve levels with a recipe, or contents of a space.

    Parameters
    ----------
    recipe, generations, objective, settings, and size, target, start, keep, kept, frame, like
        What to evolve; see `levolve.recipes.finding.adapt`, and `levolve.recipes.finding.adapt_content` for contents that are no levels.
        Levels larger than those of the recipe get more generations, if no number of generations or evaluations is given.
    space
        The space of contents that are no levels, instead of a recipe: a space of `levolve.contents`, or a plain value such as
        `{"speed": range(1, 10), "name": "orc"}`. The objective is then a function of one content.
    seed
        From 0 to 2**64 - 1; by default a random one, stored in `Run.seed`. The same seed gives the same bytes.
    threads, processes, cluster, executor
        Where individuals are evaluated: threads of this process, by default one per core; other processes, for slow functions in Python; a Dask
        cluster ("local" or an address); or any `concurrent.futures.Executor`. Does not change the result.
    watch
        A callback for events: `GenerationScored` per generation, `SearchEnded` at the end.
    stop
        Called between generations; return True to end early.
    store
        Where the run is stored, so that `levolve.resume` can continue it: a path, a `Store`, or True for the user's own. By default nowhere.
    ancestry
        Whether to record the ancestors of the best individual, `Run.ancestry`: parents, operators and scores. Does not change the result.

    >>> run = evolve("maze", size=(10, 10), seed=7, generations=20)
    >>> run.best.check()
    """
    plan = plan_of(recipe, space=space, generations=generations, objective=objective, settings=settings, **changes)
    with work_pool(threads, cluster, executor, processes=processes) as pool:
        run: Run | ContentRun = complete(run_of(plan, seed, pool, stop, ancestry=ancestry), store, watch)
        return run


def plan_of(
    recipe: "RecipeSource | ContentRecipe | None" = None,
    *,
    space: Any = None,
    generations: int | None = None,
    objective: ObjectiveSource | None = None,
    settings: Mapping[str, Any] | None = None,
    **changes: Unpack[LevelChanges],
) -> "Recipe | ContentRecipe":
    """Find a recipe of levels or of contents, and change it; see `evolve`."""
    contents = find_content_recipe(recipe)
    if space is None and contents is None:
        found = cast("RecipeSource | None", recipe)
        adapted = adapt(found, generations=generations, objective=objective, settings=settings, **changes)
        planned = generations is not None or not {"generations", "evaluations"}.isdisjoint(settings or {})
        if found is None or planned or changes.get("size") is None:
            return adapted
        return with_more_generations(adapted, find_recipe(found))
    given = [name for name, value in changes.items() if isinstance(value, np.ndarray) or value not in (None, False, "", {}, [])]
    if given:
        message = f"{given[0]}: expected a recipe of levels, because other contents have no {given[0]}"
        raise InputError(message)
    return adapt_content(recipe if contents is None else contents, space=space, objective=objective, generations=generations, settings=settings)


def run_of(
    plan: "Recipe | ContentRecipe",
    seed: int | None = None,
    executor: Executor | None = None,
    stop: Callable[[], bool] = stop_requested,
    *,
    ancestry: bool = False,
) -> Any:
    """Return the run of a recipe, with nothing computed yet: a `Run` of levels, or a `ContentRun`."""
    if isinstance(plan, Recipe):
        return Run(plan, seed, executor, stop, ancestry=ancestry)
    from levolve.jobs.runs.run import ContentRun

    return ContentRun(plan, seed, executor, stop, ancestry=ancestry)
