"""Continuing from an existing level: its size and places, the cells to keep, and the level itself as a start."""

from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, FREE
from levolve.levels.level import Level
from levolve.levels.places import TOUR
from levolve.levels.tileset import TILESETS, Tileset
from levolve.recipes.recipe import Recipe, find_recipe, shipped
from levolve.registry import did_you_mean

ALL = "all"


def changes_for(level: Level, keep: str = "") -> dict[str, Any]:
    """Return changes to a recipe, so that its levels have the size, the places and some of the cells of a level.

    Places that the level lacks come from the recipe. `keep` names kinds of tiles, such as "walls" or "red,blue", or "all".
    """
    changes: dict[str, Any] = {"size": (level.width, level.height)}
    changes |= {name: level.places[name] for name in (ENTRANCE, EXIT) if name in level.places}
    if level.checkpoints:
        changes["checkpoints"] = level.checkpoints
    if keep:
        changes["keep"] = kept_rows(level, keep)
    return changes


def starting_with(recipe: Recipe, level: Level) -> Recipe:
    """Add a level to start with to the recipe, if its genotype can express it; otherwise return the recipe unchanged."""
    # Errors in places and kept cells are always errors. If the genotype cannot express the level, that is not an error.
    _ = recipe.frame
    starting = recipe.changed({"start": level.to_text().splitlines()})
    try:
        _ = starting.first_genes
    except InputError:
        return recipe
    return starting


def is_keep(keep: str) -> bool:
    """Whether this names kinds of tiles to keep, of any tileset."""
    return all(part == ALL or any(_kind(part, TILESETS[name]) is not None for name in TILESETS) for part in keep.split(","))


def kept_rows(level: Level, keep: str) -> list[str]:
    """Return rows of characters that keep the named kinds of tiles of the level, and leave the others free."""
    tileset = level.tileset
    kinds: set[int] = set()
    for part in keep.split(","):
        kind = _kind(part, tileset)
        if part == ALL:
            kinds |= set(range(len(tileset.names)))
        elif kind is None:
            message = f"keep: expected kinds of tiles of a {tileset.name} level, or {ALL}, got {part!r}: {did_you_mean(part, [*tileset.names, ALL])}"
            raise InputError(message)
        else:
            kinds.add(kind)
    characters = np.array([sign if kind in kinds else FREE for kind, sign in enumerate(tileset.characters)])
    return ["".join(row) for row in characters[level.tiles].tolist()]


def _kind(word: str, tileset: Tileset) -> int | None:
    """Return the kind of tile with this name, in the singular or the plural."""
    return next((kind for kind, name in enumerate(tileset.names) if word in {name, f"{name}s"}), None)


def recipe_that_encodes(level: Level) -> str | None:
    """Return the name of a built-in recipe that can start with a level, a simple one if there are several; None if there is none."""
    for name in sorted(shipped(), key=lambda name: (find_recipe(name).finish is not None, len(name), name)):
        recipe = find_recipe(name)
        if recipe.encoding.sets_places == (TOUR[1] in level.places) and _can_start(recipe, level):
            return name
    return None


def _can_start(recipe: Recipe, level: Level) -> bool:
    try:
        return bool(starting_with(recipe.changed(changes_for(level)), level).start)
    except InputError:
        return False
