"""Recipes for levels in the style of examples: the examples as data, and the size and places that follow from them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.formats.files import load_level
from levolve.levels.frame import ENTRANCE, EXIT, Place
from levolve.levels.level import Level
from levolve.levels.style import rows_of, tiles_of
from levolve.levels.tileset import WALLS
from levolve.recipes.recipe import Recipe

# The recipe for levels like the examples, if none is named.
SKETCH = "sketch"
# Genotypes whose genes are the tiles of the level, so that windows of examples can be laid into them.
TILE_GENOTYPES = ("direct", "chromatic", "tiles")

Example = Level | str | Path


def read_examples(like: Iterable[Example] | Example) -> list[Level]:
    """Return example levels, each given as a level or as the path of a file; raise `InputError` if nothing can be learned from one."""
    listed = [like] if isinstance(like, Level | str | Path) else list(like)
    if not listed:
        message = "like: expected at least one example level, or its file, got none"
        raise InputError(message)
    found: list[Level] = []
    for number, example in enumerate(listed, 1):
        if not isinstance(example, Level | str | Path):
            message = f"like: expected levels or the paths of level files, got {type(example).__name__} at position {number}"
            raise InputError(message)
        level = example if isinstance(example, Level) else load_level(Path(example))
        if found and level.tileset != found[0].tileset:
            message = f"like: expected examples of one tileset, got {found[0].tileset.name} and {level.tileset.name} (example {number})"
            raise InputError(message)
        tiles_of(rows_of(level), level.tileset, number)
        found.append(level)
    return found


def changes_like(examples: list[Level], recipe: Recipe, *, alone: bool) -> dict[str, Any]:
    """Return changes to a recipe, so that its levels are in the style of examples, with the size and the places of the first one.

    Places keep their distance from the nearest borders. Without an entrance or exit in the example, the walkable cells nearest to the upper left and
    the lower right corner are used. Mutations lay windows of the examples, where genes are tiles. With `alone`, no recipe was named: the genotype is
    replaced by one for the tileset of the examples.
    """
    first = examples[0]
    changes: dict[str, Any] = {"like": [list(rows_of(level)) for level in examples], "size": (first.width, first.height)}
    if alone and first.tileset != WALLS:
        changes["genotype"] = {"kind": "tiles", "tileset": first.tileset.name}
    if not recipe.parts[0].sets_places:
        changes |= {name: _anchored(place, first) for name, place in _ends(first).items()}
    mutation = recipe.strategy.get("mutation", {"kind": "window"})
    if recipe.genotype["kind"] in TILE_GENOTYPES and mutation["kind"] != "window":
        changes["strategy.mutation"] = {"kind": "window"}
    return changes


def check_tileset(recipe: Recipe, examples: list[Level]) -> None:
    """Raise `InputError` if the levels of a recipe are of another tileset than the examples."""
    tileset = recipe.tileset
    if tileset != examples[0].tileset:
        message = (
            f"like: expected examples of the tileset {tileset.name!r}, like the levels of recipe {recipe.name!r}, "
            f"got {examples[0].tileset.name!r}; leave the recipe out to use one that suits the examples"
        )
        raise InputError(message)


def _ends(level: Level) -> dict[str, Place]:
    """Return the entrance and the exit of a level, or the walkable cells nearest to two opposite corners."""
    walkable = np.array([level.tileset.may_stand(kind) for kind in range(len(level.tileset.characters))])
    cells = [(int(x), int(y)) for y, x in np.argwhere(walkable[level.tiles])]
    near = min(cells, key=lambda cell: (cell[0] + cell[1], cell[1]), default=(0, 0))
    far = max(cells, key=lambda cell: (cell[0] + cell[1], cell[1]), default=(-1, -1))
    return {ENTRANCE: level.places.get(ENTRANCE, near), EXIT: level.places.get(EXIT, far)}


def _anchored(place: Place, level: Level) -> Place:
    """Return a place counted from the nearest borders: from the right and the bottom as negative numbers."""
    x, y = place
    return (x if 2 * x < level.width else x - level.width), (y if 2 * y < level.height else y - level.height)
