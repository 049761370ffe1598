"""`furnish`: things in one given level, which itself does not change."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from levolve.core.arguments import named_arguments
from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, stop_requested, work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.levels.level import Level
from levolve.levels.measures.furnishing_features import absent_things
from levolve.recipes.furnishing import furnishing_recipe
from levolve.recipes.recipe import Recipe
from levolve.search.genotypes.furnishing.furnished import Furnished

# Random individuals that show whether there is a place for everything.
SAMPLE = 64


@named_arguments()
def furnish(
    level: Level,
    things: Mapping[str, Any],
    *,
    seed: int | None = None,
    allow_loss: bool = False,
    apart: int | None = None,
    health: int | None = None,
    kinds: str | Path | Sequence[Mapping[str, Any]] | None = None,
    generations: int | None = None,
    settings: Mapping[str, Any] | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    stop: Callable[[], bool] = stop_requested,
    store: StoreSource = None,
) -> Level:
    r"""Place keys, doors, treasure, monsters and other things in a level.

    Parameters
    ----------
    level
        A level with an entrance and an exit. Its tiles, places and things do not change.
    things
        How many things of each kind, by its name in the singular or plural; instead of a number, a
        table with count, where, distance and fields; see docs/things.md.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes.
    allow_loss
        Whether the result may be a level that can be lost.
    apart
        The least distance of things in rows and columns; by default 2.
    health
        The player's health; by default enough to survive everything.
    kinds
        Kinds of your own, as tables, or the path of a TOML file with them.
    generations, settings
        Of the search, and any other settings by their paths; see `levolve.evolve`.
    executor, watch, stop, store
        As for `levolve.evolve`.

    >>> castle = Level.from_text("S....\n####.\n.....\n.####\n....E")
    >>> furnish(castle, {"keys": 1, "doors": 1}, seed=1).check()
    """
    recipe = recipe_for(
        level,
        things,
        allow_loss=allow_loss,
        apart=apart,
        health=health,
        kinds=kinds,
        generations=generations,
        settings=settings,
    )
    with work_pool(executor=executor) as pool:
        run: Run = complete(Run.of(recipe, seed, pool, stop), store, watch)
    return run.best


def recipe_for(
    level: Level,
    things: Mapping[str, Any],
    *,
    generations: int | None = None,
    settings: Mapping[str, Any] | None = None,
    **furnisher: Any,
) -> Recipe:
    """Return the recipe of a furnishing of one level; raise `InputError` if something has no place
    in it.
    """
    recipe = Recipe.from_data(furnishing_recipe(level, things, furnisher), "")
    changes = {} if generations is None else {"generations": generations}
    changes |= dict(settings or {})
    recipe = recipe.changed(changes) if changes else recipe
    _check_places(recipe)
    return recipe


def _check_places(recipe: Recipe) -> None:
    """Raise `InputError` if no random furnishing has all things, and name what is missing."""
    problem = recipe.problem
    genotype = problem.genotype
    assert isinstance(genotype, Furnished)  # noqa: S101 the recipe has the table furnish
    plan, batch = genotype.furnisher.plan, problem.batch(problem.start(0, 0, SAMPLE))
    absent = absent_things(batch)
    if absent.min() == 0 or batch.things is None:
        return
    cells = batch.things.cells[int(absent.argmin())]
    names = [
        plan.prototypes[columns.start].kind.replace("_", " ")
        for columns in plan.columns
        if (cells[columns] < 0).all()
    ]
    counted = [f"{names.count(name)} {name}" for name in dict.fromkeys(names)]
    raise InputError(
        f"things: expected a place for everything, but the level has none for "
        f"{' and '.join(counted)}. Doors and gates need choke points: passages that are the only "
        "way to other cells; one-ways need a passage with another way around; and things are at "
        f"least {genotype.furnisher.apart} cells apart. Ask for fewer things, or let them be "
        "nearer to each other (apart)"
    )
