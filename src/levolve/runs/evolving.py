"""`evolve`: a recipe in, a finished run out. `grow_again`: a level from its origin."""

from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from levolve.errors import InputError
from levolve.levels.level import Level
from levolve.runs.executors import thread_pool
from levolve.runs.recipe import Recipe, find_recipe
from levolve.runs.run import Run
from levolve.version import VERSION


def adapt(
    recipe: str | Path | Recipe,
    *,
    size: tuple[int, int] | str | None = None,
    generations: int | None = None,
    objective: str | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Recipe:
    """A recipe by name, path or as it is, with the usual changes made."""
    named = {"size": size, "generations": generations, "objective.kind": objective}
    changes = {path: value for path, value in named.items() if value is not None}
    found = find_recipe(recipe)
    changes.update(settings or {})
    return found.changed(changes) if changes else found


def evolve(  # noqa: PLR0913 the usual changes have names of their own
    recipe: str | Path | Recipe,
    *,
    size: tuple[int, int] | str | None = None,
    seed: int | None = None,
    generations: int | None = None,
    objective: str | None = None,
    settings: Mapping[str, Any] | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
) -> Run:
    """Evolve levels by a recipe: its name, a `Recipe`, or the path of a file. `settings` changes any other setting by its path.

    >>> run = evolve("maze", size=(10, 10), seed=7, generations=20)
    >>> run.best.check()
    """
    adapted = adapt(recipe, size=size, generations=generations, objective=objective, settings=settings)
    if executor is not None:
        return Run(adapted, seed, executor).finish()
    with thread_pool(threads) as pool:
        return Run(adapted, seed, pool).finish()


def grow_again(level: Level, executor: Executor | None = None) -> Level:
    """Grow a level again from its origin. The result need not be equal: that is for the caller to compare."""
    if level.origin is None:
        message = "level: expected one that holds its origin (recipe and seed), got one without; only levels that a run grew can be grown again"
        raise InputError(message)
    run = Run(Recipe.from_data(level.origin.recipe, "origin"), level.origin.seed, executor).finish()
    if level.origin.index >= len(run.levels):
        message = (
            f"origin: level {level.origin.index} was expected, but the run gives only {len(run.levels)}; "
            f"it was grown by version {level.origin.version}, this is {VERSION}"
        )
        raise InputError(message)
    return run.levels[level.origin.index]
