"""Continuing from an existing level: its size and places, the cells to keep, and the level itself as a start."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, FREE, HALL, UNKEPT
from levolve.levels.level import Level
from levolve.levels.places import TOUR, Place
from levolve.levels.tileset import TILESETS, Tileset
from levolve.recipes.recipe import FIXED, Recipe, find_recipe, shipped
from levolve.registry import did_you_mean

ALL = "all"


def changes_for(level: Level, keep: str = "", kept: NDArray[np.bool_] | None = None) -> dict[str, Any]:
    """Return changes to a recipe, so that its levels have the size, the places and some of the cells of a level.

    Places that the level lacks come from the recipe. `keep` names kinds of tiles, such as "walls" or "red,blue", or "all"; `kept` are further cells.
    """
    if kept is not None and kept.shape != level.tiles.shape:
        message = f"keep: expected {level.width}x{level.height} cells like the level, got {kept.shape[1]}x{kept.shape[0]}"
        raise InputError(message)
    changes: dict[str, Any] = {"size": (level.width, level.height)}
    changes |= {name: level.places[name] for name in (ENTRANCE, EXIT) if name in level.places}
    if ENTRANCE in level.places and EXIT in level.places:
        # Otherwise a recipe with a rule for places would choose its own.
        changes["places"] = FIXED
    if level.checkpoints:
        changes["checkpoints"] = level.checkpoints
    if keep or kept is not None:
        changes["keep"] = kept_rows(level, keep, kept)
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


def joined_keep(settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings; if both they and the changes keep cells, given as rows, those of both are kept."""
    rows, others = settings.get("keep"), changes.get("keep")
    sizes = [[len(row) for row in given] for given in (rows, others) if isinstance(given, list) and all(isinstance(row, str) for row in given)]
    if rows is None or others is None or len(sizes) < 2 or sizes[0] != sizes[1]:  # noqa: PLR2004 both are rows
        return dict(settings)
    joined = ["".join(b if a in UNKEPT else a for a, b in zip(*pair, strict=True)) for pair in zip(rows, others, strict=True)]
    return {**settings, "keep": joined}


def kept_rows(level: Level, keep: str, kept: NDArray[np.bool_] | None = None) -> list[str]:
    """Return rows of characters that keep the named kinds of tiles of the level and the cells in `kept`, and leave the others free."""
    tileset = level.tileset
    kinds: set[int] = set()
    for part in keep.split(",") if keep else ():
        kind = _kind(part, tileset)
        if part == ALL:
            kinds |= set(range(len(tileset.names)))
        elif kind is None:
            message = f"keep: expected kinds of tiles of a {tileset.name} level, or {ALL}, got {part!r}: {did_you_mean(part, [*tileset.names, ALL])}"
            raise InputError(message)
        else:
            kinds.add(kind)
    characters = np.array(list(tileset.characters))[level.tiles]
    stays = np.isin(level.tiles, sorted(kinds)) if kept is None else np.isin(level.tiles, sorted(kinds)) | kept
    free = np.where(_halls(level), HALL, FREE) if tileset.wall in kinds else FREE
    return ["".join(row) for row in np.where(stays, characters, free).tolist()]


def _halls(level: Level) -> NDArray[np.bool_]:
    """Return the walkable cells that can be reached from the stops of the goal; without stops, the largest region."""
    tileset = level.tileset
    linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
    unseen = {(x, y) for y, x in np.argwhere(np.array([tileset.may_stand(kind) for kind in range(len(tileset.names))])[level.tiles]).tolist()}
    stops = {level.places[name] for name in dict.fromkeys((ENTRANCE, EXIT, *level.goal.stops_in(level.places))) if name in level.places}
    regions: list[set[Place]] = []
    while unseen:
        waiting = [unseen.pop()]
        region = set(waiting)
        while waiting:
            x, y = waiting.pop()
            for cell in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
                if cell in unseen and linked[level.tiles[y, x], level.tiles[cell[1], cell[0]]]:
                    unseen.discard(cell)
                    region.add(cell)
                    waiting.append(cell)
        regions.append(region)
    reached = [region for region in regions if region & stops] or [max(regions, key=lambda region: (len(region), min(region)), default=set())]
    halls = np.zeros(level.tiles.shape, bool)
    for x, y in set().union(*reached):
        halls[y, x] = True
    return halls


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
