"""`evolve`: run a recipe to the end."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.events import Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, stop_requested, work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.levels.level import Level
from levolve.recipes.finding import LevelChanges, ObjectiveSource, RecipeSource, Size, adapt_any
from levolve.recipes.from_levels import KEPT, Example, Keep

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
    executor: ExecutorSource | None
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


@named_arguments(EXECUTOR, KEPT)
def evolve(
    recipe: "RecipeSource | ContentRecipe | None" = None,
    *,
    space: Any = None,
    size: Size | None = None,
    seed: int | None = None,
    generations: int | None = None,
    objective: ObjectiveSource | None = None,
    target: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    change: float | None = None,
    keep: Keep = "",
    like: Iterable[Example] | Example | None = None,
    frame: bool = False,
    things: Mapping[str, Any] | None = None,
    allow_loss: bool = False,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    stop: Callable[[], bool] = stop_requested,
    store: StoreSource = None,
    ancestry: bool = False,
) -> "Run | ContentRun":
    """Evolve levels with a recipe, or contents of a space.

    Parameters
    ----------
    recipe
        A recipe's name, the path of a .toml or .json file, or a recipe. With `like` or `space` it
        may be left out.
    space
        The space of contents that are no levels, instead of a recipe: a space of
        `levolve.contents`, or a plain value such as `{"speed": range(1, 10), "name": "orc"}`. The
        objective is then a function of one content.
    size
        (width, height) or "WIDTHxHEIGHT". Levels larger than those of the recipe get more
        generations, if no number of generations or evaluations is given.
    seed
        From 0 to 2**64 - 1; by default a random one, stored in `Run.seed`. The same seed gives the
        same bytes.
    generations
        Generations after the start, 0 or more.
    objective
        The name of another objective, its table of settings with a `kind`, or a function; see
        `levolve.recipes.finding.adapt`, and `levolve.recipes.finding.adapt_content` for contents
        that are no levels.
    target
        Ranges of measures to meet, by name: a number, a pair, or a string such as "50..64".
        Replaces the objective.
    settings
        Any other settings of the recipe by their paths, such as `{"strategy.population": 60,
        "evaluations": 5000}`.
    start, change, keep
        A level to continue from; the greatest share of its cells that may change, from 0 to 1; and
        what of it does not change: kinds of tiles, such as "walls" or "red,blue", or "all";
        `(height, width)` booleans; or a list of both.
    like
        Example levels, or their files: levels are made in their style.
    frame
        Close the border of every level.
    things, allow_loss
        How many things of each kind every level has, such as `{"keys": 2, "doors": 2}`, besides
        those of the recipe; and whether levels that can be lost may be results.
    executor
        Where individuals are evaluated: a number of threads, by default one per core;
        "processes:4", for slow functions in Python; "local" or "local:4" for a Dask cluster of
        processes on this machine, or the address of another; or any `concurrent.futures.Executor`.
        Does not change the result.
    watch
        A callback for events: `GenerationScored` per generation, `SearchEnded` at the end.
    stop
        Called between generations; return True to end early.
    store
        Where the run is stored, so that `levolve.resume` can continue it: a path, a `Store`, or
        True for the user's own. By default nowhere.
    ancestry
        Whether to record the ancestors of the best individual, `Run.ancestry`: parents, operators
        and scores. Does not change the result.

    >>> run = evolve("maze", size=(10, 10), seed=7, generations=20)
    >>> run.best.check()
    """
    adapted = adapt_any(
        recipe,
        space=space,
        generations=generations,
        objective=objective,
        settings=settings,
        size=size,
        target=target,
        start=start,
        change=change,
        keep=keep,
        like=like,
        frame=frame,
        things=things,
        allow_loss=allow_loss,
    )
    with work_pool(executor=executor) as pool:
        run: Run | ContentRun = complete(
            Run.of(adapted, seed, pool, stop, ancestry=ancestry), store, watch
        )
        return run
