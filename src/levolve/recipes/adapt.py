"""`adapt`: find a recipe by name or path, and apply the usual changes."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.genotypes.finish.margins import margin_of
from levolve.levels.borders import has_closed_border
from levolve.levels.level import Level
from levolve.recipes.continuation import changes_for, joined_keep, starting_with
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.recipes.style import SKETCH, Example, changes_like, check_tileset, read_examples

RecipeSource = str | Path | Recipe
Size = tuple[int, int] | str
ObjectiveSource = str | Mapping[str, Any] | Callable[..., Any]


def adapt(  # noqa: PLR0913 one parameter per usual change
    recipe: RecipeSource | None = None,
    *,
    size: Size | None = None,
    generations: int | None = None,
    objective: ObjectiveSource | None = None,
    target: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
    kept: NDArray[np.bool_] | None = None,
    like: Iterable[Example] | Example | None = None,
    frame: bool = False,
) -> Recipe:
    """Find a recipe and change it.

    Parameters
    ----------
    recipe
        A recipe's name, the path of a .toml or .json file, or a `Recipe`. With `like` it may be left out.
    size
        (width, height) or "WIDTHxHEIGHT".
    generations
        Generations after the start, 0 or more.
    objective
        The name of another objective, its table of settings with a `kind`, or any function of `(n, height, width)` tiles, or of one level if it is
        marked by `levolve.one_level`, or a marked one of a plug-in as `module:function`; see
        `levolve.objectives.function.Function`.
    target
        Ranges of measures to meet, by name: a number, a pair, or a string such as "50..64". Replaces the objective.
    settings
        Any other settings by their paths, such as `{"strategy.population": 60}`.
    start
        A level to continue from: its size and places are used, and it is added to the first generation if the genotype can express it.
    keep
        With `start`: kinds of tiles that do not change, such as "walls" or "red,blue", or "all".
    kept
        With `start`: `(height, width)` cells that do not change either, such as those that a layer called `keep` marks.
    like
        Example levels, or their files: levels are made in their style. The objective is then the likeness, together with targets, if given. By
        default, the size and the places are those of the first example.
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
    if recipe is None and like is None:
        message = "recipe: expected a recipe, or example levels (like), got neither"
        raise InputError(message)
    examples = [] if like is None else read_examples(like)
    found = find_recipe(SKETCH if recipe is None else recipe)
    changes: dict[str, Any] = {} if start is None else changes_for(start, keep, kept)
    if examples:
        changes = {**changes_like(examples, found, alone=recipe is None), **changes}
    changes |= {path: value for path, value in (("size", size), ("generations", generations)) if value is not None}
    changes |= _objective_changes(objective, target, compared=bool(examples))
    changes |= joined_keep(settings or {}, changes)
    adapted = found.changed(changes) if changes else found
    if examples:
        check_tileset(adapted, examples)
    if frame and not margin_of(adapted.steps):
        step = {"kind": "frame", "grow": start is not None and not has_closed_border(start)}
        adapted = adapted.changed({"finish": [*(adapted.finish or ()), step]})
    return adapted if start is None else starting_with(adapted, start)


def _objective_changes(objective: ObjectiveSource | None, target: Mapping[str, Any] | None, *, compared: bool) -> dict[str, Any]:
    """Return the changes for another objective; levels that are compared with examples get the likeness, together with targets, if given."""
    if isinstance(objective, Mapping):
        return {"objective": dict(objective)}
    if callable(objective) or ":" in (objective or ""):
        return {"objective": {"kind": "function", "function": objective}}
    if objective is not None:
        return {"objective.kind": objective}
    if target and compared:
        # To meet a target that is missed by 1 counts more than any likeness, which is from 0 to 1.
        first = {"kind": "target", "targets": dict(target), "weight": 2.0 * len(target)}
        return {"objective": {"kind": "weighted", "parts": [first, {"kind": "likeness"}]}}
    if target:
        return {"objective.kind": "target", "objective.targets": dict(target)}
    return {"objective.kind": "likeness"} if compared else {}
