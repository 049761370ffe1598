"""`adapt`: find a recipe by name or path, and apply the usual changes.

The length of runs of larger levels: a recipe's generations suit its own size.

Recipes of contents: by a name such as `pcg:zelda-v0`, from a file, or from a space and a function;
and the usual changes.
"""

from collections.abc import Callable, Iterable, Mapping
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.core.registry import Registry
from levolve.formats.reading.files import read_data
from levolve.levels.level import Level, has_closed_border
from levolve.recipes.from_levels import (
    SKETCH,
    Example,
    Keep,
    changes_for,
    changes_like,
    check_tileset,
    joined_keep,
    read_examples,
    split_keep,
    starting_with,
)
from levolve.recipes.furnishing import furnish_changes
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.genotypes.finish_steps import margin_of

if TYPE_CHECKING:
    from levolve.recipes.content_recipe import ContentRecipe

RecipeSource = str | Path | Recipe
Size = tuple[int, int] | str
ObjectiveSource = str | Mapping[str, Any] | Callable[..., Any]


class LevelChanges(TypedDict, total=False):
    """The options of `evolve` that only levels have."""

    size: Size | None
    target: Mapping[str, Any] | None
    start: Level | None
    change: float | None
    keep: Keep
    like: Iterable[Example] | Example | None
    frame: bool
    things: Mapping[str, Any] | None
    allow_loss: bool


def adapt(
    recipe: RecipeSource | None = None,
    *,
    size: Size | None = None,
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
) -> Recipe:
    """Find a recipe and change it.

    Parameters
    ----------
    recipe
        A recipe's name, the path of a .toml or .json file, or a `Recipe`. With `like` it may be
        left out.
    size
        (width, height) or "WIDTHxHEIGHT".
    generations
        Generations after the start, 0 or more.
    objective
        The name of another objective, its table of settings with a `kind`, or any function of `(n,
        height, width)` tiles, or of one level if it is marked by `levolve.one_level`, or a marked
        one of a plug-in as `module:function`; see `levolve.search.objectives.function.Function`.
    target
        Ranges of measures to meet, by name: a number, a pair, or a string such as "50..64".
        Replaces the objective.
    settings
        Any other settings by their paths, such as `{"strategy.population": 60}`.
    start
        A level to continue from: its size and places are used, and it is added to the first
        generation. If the genotype cannot express it, levels are edits of it, as with `change`.
    change
        With `start`: the greatest share of its cells that may change, from 0 to 1.
    keep
        With `start`: what does not change: kinds of tiles, such as "walls" or "red,blue", or "all";
        `(height, width)` booleans, such as the cells that a layer called `keep` marks; or a list of
        both.
    like
        Example levels, or their files: levels are made in their style. The objective is then the
        likeness, together with targets, if given. By default, the size and the places are those of
        the first example.
    frame
        Close the border of every level, as the last finish step. The level keeps its size, but one
        that is started from grows by its border, unless its border is closed.
    things
        How many things of each kind every level has, by name: `{"keys": 2, "doors": 2}`. They are
        added to those of the recipe, where 0 removes a kind.
    allow_loss
        With things: whether levels that can be lost may be results.
    """
    if start is not None and size is not None:
        raise InputError(
            "size: expected no size together with a level to start from, because that level sets "
            "the size"
        )
    words, cells = split_keep(keep)
    if start is None and (words or cells is not None):
        raise InputError(
            f"keep: expected a level to start from as well, whose {words or 'cells'} to keep"
        )
    if change is not None and start is None:
        raise InputError(f"change: expected a level to start from as well, got only {change}")
    if objective is not None and target:
        raise InputError(
            "target: expected no objective as well, because a target replaces the objective"
        )
    if recipe is None and like is None:
        raise InputError("recipe: expected a recipe, or example levels (like), got neither")
    examples = [] if like is None else read_examples(like)
    found = _fitted(examples) if recipe is None else find_recipe(recipe)
    changes: dict[str, Any] = {} if start is None else changes_for(start, keep)
    if examples:
        changes = {**changes_like(examples, found, alone=recipe is None), **changes}
    changes |= {
        path: value
        for path, value in (("size", size), ("generations", generations))
        if value is not None
    }
    changes |= _objective_changes(objective, target, compared=bool(examples))
    changes |= furnish_changes(found.furnish, things, allow_loss=allow_loss)
    changes |= joined_keep(settings or {}, changes)
    adapted = found.changed(changes) if changes else found
    if examples:
        check_tileset(adapted, examples)
    if frame and not margin_of(adapted.steps):
        step = {"kind": "frame", "grow": start is not None and not has_closed_border(start)}
        adapted = adapted.changed({"finish": [*(adapted.finish or ()), step]})
    return adapted if start is None else starting_with(adapted, start, change)


def _fitted(examples: list[Level]) -> Recipe:
    from levolve.recipes.fitting import fitted_recipe

    return fitted_recipe(examples) or find_recipe(SKETCH)


def _objective_changes(
    objective: ObjectiveSource | None, target: Mapping[str, Any] | None, *, compared: bool
) -> dict[str, Any]:
    """Return the changes for another objective; levels that are compared with examples get the
    likeness, together with targets, if given.
    """
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


def with_more_generations(recipe: Recipe, original: Recipe) -> Recipe:
    """Return a recipe with more generations if its levels are larger than those of the original,
    otherwise the recipe itself.

    The number grows with the square root of the number of cells: a level has more genes to arrange,
    and its paths are longer.
    """
    cells, before = (width * height for width, height in (recipe.size, original.size))
    if cells <= before:
        return recipe
    return recipe.changed({"generations": round(recipe.generations * sqrt(cells / before))})


# Recipes of contents are loaded where one is found: most recipes are of levels.

# Functions that return the recipe of a name, by the prefix before the colon.
SOURCES: "Registry[Callable[[str], ContentRecipe]]" = Registry(
    "source of contents", {}, "levolve.content_sources", kinds=("collections.abc:Callable",)
)


def find_content_recipe(recipe: object) -> "ContentRecipe | None":
    """Find a recipe of contents by name or by the path of a `.toml` or `.json` file; None for
    anything else, such as a recipe of levels.
    """
    if not isinstance(recipe, str | Path):
        from levolve.recipes.content_recipe import ContentRecipe

        return recipe if isinstance(recipe, ContentRecipe) else None
    prefix, colon, name = str(recipe).partition(":")
    if colon and prefix in SOURCES:
        return SOURCES[prefix](name)
    if str(recipe).lower().endswith((".toml", ".json")) and Path(recipe).is_file():
        data = read_data(recipe, "recipe")
        if isinstance(data, Mapping) and "content" in data and data.get("format") is None:
            return cast("ContentRecipe", recipe_from_data(data, f"recipe {recipe}"))
    return None


def recipe_from_data(data: Mapping[str, Any], source: str = "recipe") -> "Recipe | ContentRecipe":
    """Create a recipe of levels, or of contents if it has the table `content`, from plain data."""
    if "content" not in data:
        return Recipe.from_data(data, source)
    from levolve.recipes.content_recipe import ContentRecipe

    return ContentRecipe.from_data(data, source)


def adapt_any(
    recipe: "RecipeSource | ContentRecipe | None" = None,
    *,
    space: Any = None,
    generations: int | None = None,
    objective: ObjectiveSource | None = None,
    settings: Mapping[str, Any] | None = None,
    **changes: Unpack[LevelChanges],
) -> "Recipe | ContentRecipe":
    """Find a recipe of levels or of contents, and change it; see `adapt` and `adapt_content`.

    Levels larger than those of the recipe get more generations, if no number of generations or
    evaluations is given.
    """
    usual: Any = {"generations": generations, "objective": objective, "settings": settings}
    contents = find_content_recipe(recipe)
    if space is None and contents is None:
        found = cast("RecipeSource | None", recipe)
        adapted = adapt(found, **usual, **changes)
        planned = generations is not None or not {"generations", "evaluations"}.isdisjoint(
            settings or {}
        )
        if found is None or planned or changes.get("size") is None:
            return adapted
        return with_more_generations(adapted, find_recipe(found))
    for name, value in changes.items():
        if isinstance(value, np.ndarray) or value not in (None, False, "", {}, []):
            raise InputError(
                f"{name}: expected a recipe of levels, because other contents have no {name}"
            )
    return adapt_content(recipe if contents is None else contents, space=space, **usual)


def read_recipe(path: str | Path) -> "Recipe | ContentRecipe":
    """Read a recipe of levels or of contents from a `.toml` or `.json` file."""
    found = find_content_recipe(str(path))
    return Recipe.read(path) if found is None else found


def encode_recipe(recipe: "Recipe | ContentRecipe", path: Path) -> dict[Path, bytes]:
    """Return the bytes of the file of a recipe."""
    return {
        path: (recipe.to_json() if path.suffix.lower() == ".json" else recipe.to_toml()).encode()
    }


def adapt_content(
    recipe: object = None,
    *,
    space: Any = None,
    objective: object = None,
    generations: int | None = None,
    evaluations: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> "ContentRecipe":
    """Find a recipe of contents, or make one of a space and a function, and change it.

    Parameters
    ----------
    recipe
        A recipe of contents, its name such as "pcg:zelda-v0", or the path of a .toml or .json file;
        None if a space is given.
    space
        The space of the contents: a space of `levolve.contents`, or a plain value such as `{"size":
        range(3, 9), "name": "cave"}`.
    objective
        The function that scores contents, or a marked one of a plug-in as `module:function`; see
        `levolve.contents.content.FunctionContent`.
    generations, evaluations
        When a run ends.
    settings
        Any other settings by their paths, such as `{"strategy.population": 60, "content.errors":
        "unwinnable"}`.
    """
    if space is not None:
        if recipe is not None:
            raise InputError(f"space: expected no recipe as well, got {shown(recipe)}")
        if objective is None:
            raise InputError(
                "objective: expected a function that scores a content of the space, got none"
            )
        from levolve.recipes.content_recipe import ContentRecipe

        content = {"kind": "function", "space": space, "function": objective}
        found = ContentRecipe.from_data({"name": _name(objective), "content": content})
    else:
        known = find_content_recipe(recipe)
        if known is None:
            raise InputError(f"recipe: expected a recipe of contents, got {shown(recipe)}")
        found = known if objective is None else known.changed({"content.function": objective})
    changes = {
        path: value
        for path, value in (("generations", generations), ("evaluations", evaluations))
        if value is not None
    }
    changes |= settings or {}
    return found.changed(changes) if changes else found


def _name(objective: object) -> str:
    """Return the name of a function for lists of runs."""
    return str(getattr(objective, "__name__", objective)).rpartition(":")[2] or "contents"
