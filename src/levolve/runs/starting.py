"""Going on from a level that is there already: its size and places, the cells to keep, and itself as a start."""

from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, FREE
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS, Tileset
from levolve.registry import did_you_mean
from levolve.runs.recipe import Recipe

ALL = "all"


def changes_for(level: Level, keep: str = "") -> dict[str, Any]:
    """Changes to a recipe, so that its levels have the size and the places of this one, and some of its cells.

    Places that the level does not have come from the recipe. `keep` names kinds of tiles, such as "walls" or "red,blue", or "all".
    """
    changes: dict[str, Any] = {"size": (level.width, level.height)}
    changes |= {name: level.places[name] for name in (ENTRANCE, EXIT) if name in level.places}
    if level.checkpoints:
        changes["checkpoints"] = level.checkpoints
    if keep:
        changes["keep"] = kept_rows(level, keep)
    return changes


def starting_with(recipe: Recipe, level: Level) -> Recipe:
    """The recipe with a level to start with, where its genotype can express it; else as it is."""
    # What is wrong with places and kept cells is wrong in any case; that a genotype cannot start from a level is not.
    _ = recipe.frame
    starting = recipe.changed({"start": level.to_text().splitlines()})
    try:
        _ = starting.first_genes
    except InputError:
        return recipe
    return starting


def is_keep(keep: str) -> bool:
    """Whether these are words for cells to keep, in any tileset."""
    return all(part == ALL or any(_kind(part, TILESETS[name]) is not None for name in TILESETS) for part in keep.split(","))


def kept_rows(level: Level, keep: str) -> list[str]:
    """Rows of characters that keep the named kinds of tiles as they are in the level, and leave the others free."""
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
    return ["".join(row) for row in characters[level.tiles]]


def _kind(word: str, tileset: Tileset) -> int | None:
    """The kind of tile that a word names, in the singular or the plural."""
    return next((kind for kind, name in enumerate(tileset.names) if word in {name, f"{name}s"}), None)
