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
from levolve.runs.starting import changes_for, starting_with
from levolve.version import VERSION


def adapt(  # noqa: PLR0913 the usual changes have names of their own
    recipe: str | Path | Recipe,
    *,
    size: tuple[int, int] | str | None = None,
    generations: int | None = None,
    objective: str | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
) -> Recipe:
    """A recipe by name, path or as it is, with the usual changes made."""
    if start is not None and size is not None:
        message = "size: expected none beside a level to start from: it is the level's"
        raise InputError(message)
    if start is None and keep:
        message = f"keep: expected a level to start from beside it, whose {keep} to keep"
        raise InputError(message)
    named = {"size": size, "generations": generations, "objective.kind": objective}
    changes = {path: value for path, value in named.items() if value is not None}
    found = find_recipe(recipe)
    if start is not None:
        changes.update(changes_for(start, keep))
    changes.update(settings or {})
    adapted = found.changed(changes) if changes else found
    return adapted if start is None else starting_with(adapted, start)


def evolve(  # noqa: PLR0913 the usual changes have names of their own
    recipe: str | Path | Recipe,
    *,
    size: tuple[int, int] | str | None = None,
    seed: int | None = None,
    generations: int | None = None,
    objective: str | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
    threads: int | None = None,
    executor: Executor | None = None,
) -> Run:
    """Evolve levels by a recipe: its name, a `Recipe`, or the path of a file. `settings` changes any other setting by its path.

    With `start`, a run goes on from a level: it has its size and places, the kinds of tiles named in `keep` stay as they are, and the level itself
    is among the first where the genotype can express it.

    >>> run = evolve("maze", size=(10, 10), seed=7, generations=20)
    >>> run.best.check()
    """
    adapted = adapt(recipe, size=size, generations=generations, objective=objective, settings=settings, start=start, keep=keep)
    if executor is not None:
        return Run(adapted, seed, executor).finish()
    with thread_pool(threads) as pool:
        return Run(adapted, seed, pool).finish()


def grow_again(level: Level, executor: Executor | None = None) -> Level:
    """Grow a level again from its origin. The result need not be equal: that is for the caller to compare."""
    if level.origin is None:
        message = "level: expected one that holds its origin (recipe and seed), got one without; only what a run grew and nobody edited has one"
        raise InputError(message)
    run = Run(Recipe.from_data(level.origin.recipe, "origin"), level.origin.seed, executor).finish()
    if level.origin.index >= len(run.levels):
        message = (
            f"origin: level {level.origin.index} was expected, but the run gives only {len(run.levels)}; "
            f"it was grown by version {level.origin.version}, this is {VERSION}"
        )
        raise InputError(message)
    return run.levels[level.origin.index]
