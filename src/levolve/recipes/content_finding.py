"""Recipes of contents: by a name such as `pcg:zelda-v0`, from a file, or from a space and a function; and the usual changes."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.errors import InputError, shown
from levolve.formats.reading.files import read_data
from levolve.registry import Registry

# Recipes of contents are loaded where one is found: most recipes are of levels.
if TYPE_CHECKING:
    from levolve.recipes.content_recipe import ContentRecipe

# Functions that return the recipe of a name, by the prefix before the colon.
SOURCES: "Registry[Callable[[str], ContentRecipe]]" = Registry(
    "source of contents", {}, "levolve.content_sources", kinds=("collections.abc:Callable",)
)


def find_content_recipe(recipe: object) -> "ContentRecipe | None":
    """Find a recipe of contents by name or by the path of a `.toml` or `.json` file; None for anything else, such as a recipe of levels."""
    if not isinstance(recipe, str | Path):
        from levolve.recipes.content_recipe import ContentRecipe  # noqa: PLC0415 see above

        return recipe if isinstance(recipe, ContentRecipe) else None
    prefix, colon, name = str(recipe).partition(":")
    if colon and prefix in SOURCES:
        return SOURCES[prefix](name)
    if str(recipe).lower().endswith((".toml", ".json")) and Path(recipe).is_file():
        data = read_data(recipe, "recipe")
        if isinstance(data, Mapping) and "content" in data and data.get("format") is None:
            from levolve.recipes.content_recipe import ContentRecipe  # noqa: PLC0415 see above

            return ContentRecipe.from_data(data, f"recipe {recipe}")
    return None


def adapt_content(  # noqa: PLR0913 one parameter per usual change
    recipe: object = None,
    *,
    space: Any = None,  # noqa: ANN401 a space or a plain value
    objective: object = None,
    generations: int | None = None,
    evaluations: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> "ContentRecipe":
    """Find a recipe of contents, or make one of a space and a function, and change it.

    Parameters
    ----------
    recipe
        A recipe of contents, its name such as "pcg:zelda-v0", or the path of a .toml or .json file; None if a space is given.
    space
        The space of the contents: a space of `levolve.contents`, or a plain value such as `{"size": range(3, 9), "name": "cave"}`.
    objective
        The function that scores contents, or a marked one of a plug-in as `module:function`; see
        `levolve.contents.function.FunctionContent`.
    generations, evaluations
        When a run ends.
    settings
        Any other settings by their paths, such as `{"strategy.population": 60, "content.errors": "unwinnable"}`.
    """
    if space is not None:
        if recipe is not None:
            message = f"space: expected no recipe as well, got {shown(recipe)}"
            raise InputError(message)
        if objective is None:
            message = "objective: expected a function that scores a content of the space, got none"
            raise InputError(message)
        from levolve.recipes.content_recipe import ContentRecipe  # noqa: PLC0415 see above

        content = {"kind": "function", "space": space, "function": objective}
        found = ContentRecipe.from_data({"name": _name(objective), "content": content})
    else:
        known = find_content_recipe(recipe)
        if known is None:
            message = f"recipe: expected a recipe of contents, got {shown(recipe)}"
            raise InputError(message)
        found = known if objective is None else known.changed({"content.function": objective})
    changes = {path: value for path, value in (("generations", generations), ("evaluations", evaluations)) if value is not None}
    changes |= settings or {}
    return found.changed(changes) if changes else found


def _name(objective: object) -> str:
    """Return the name of a function for lists of runs."""
    return str(getattr(objective, "__name__", objective)).rpartition(":")[2] or "contents"
