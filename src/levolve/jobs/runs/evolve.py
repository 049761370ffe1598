"""`evolve`: run a recipe to the end."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from levolve.core.events import Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import stop_requested, work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.recipes.finding import LevelChanges, ObjectiveSource, RecipeSource, adapt_any

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
    adapted = adapt_any(
        recipe,
        space=space,
        generations=generations,
        objective=objective,
        settings=settings,
        **changes,
    )
    with work_pool(threads, cluster, executor, processes=processes) as pool:
        run: Run | ContentRun = complete(Run.of(adapted, seed, pool, stop, ancestry=ancestry), store, watch)
        return run
