"""`adapt`: find a recipe by name or path, and apply the usual changes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from levolve.errors import InputError
from levolve.genotypes.finish.finished import margin_of
from levolve.levels.borders import has_closed_border
from levolve.levels.level import Level
from levolve.recipes.continuation import changes_for, starting_with
from levolve.recipes.recipe import Recipe, find_recipe

RecipeSource = str | Path | Recipe
Size = tuple[int, int] | str


def adapt(  # noqa: PLR0913 one parameter per usual change
    recipe: RecipeSource,
    *,
    size: Size | None = None,
    generations: int | None = None,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
    frame: bool = False,
) -> Recipe:
    """Find a recipe and change it.

    Parameters
    ----------
    recipe
        A recipe's name, the path of a .toml or .json file, or a `Recipe`.
    size
        (width, height) or "WIDTHxHEIGHT".
    generations
        Generations after the start, 0 or more.
    objective
        The name of another objective, or its table of settings with a `kind`.
    target
        Ranges of measures to meet, by name: a number, a pair, or a string such as "50..64". Replaces the objective.
    settings
        Any other settings by their paths, such as `{"strategy.population": 60}`.
    start
        A level to continue from: its size and places are used, and it is added to the first generation if the genotype can express it.
    keep
        With `start`: kinds of tiles that do not change, such as "walls" or "red,blue", or "all".
    frame
        Close the border of every level, as the last finish step. The level keeps its size, but one that is started from grows by its border,
        unless its border is closed.
    """
    if start is not None and size is not None:
        message = "size: expected no size together with a level to start from, because that level sets the size"
        raise InputError(message)
    if start is None and keep:
        message = f"keep: expected a level to start from as well, whose {keep} to keep"
        raise InputError(message)
    if objective is not None and target:
        message = "target: expected no objective as well, because a target replaces the objective"
        raise InputError(message)
    changes: dict[str, Any] = {} if start is None else changes_for(start, keep)
    changes |= {path: value for path, value in (("size", size), ("generations", generations)) if value is not None}
    if isinstance(objective, str):
        changes["objective.kind"] = objective
    elif objective is not None:
        changes["objective"] = dict(objective)
    if target:
        changes |= {"objective.kind": "target", "objective.targets": dict(target)}
    changes |= settings or {}
    found = find_recipe(recipe)
    adapted = found.changed(changes) if changes else found
    if frame and not margin_of(adapted.steps):
        step = {"kind": "frame", "grow": start is not None and not has_closed_border(start)}
        adapted = adapted.changed({"finish": [*(adapted.finish or ()), step]})
    return adapted if start is None else starting_with(adapted, start)
