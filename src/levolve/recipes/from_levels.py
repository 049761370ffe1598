"""Continuing from an existing level: its size and places, the cells to keep, and the level itself
as a start.

Recipes for levels in the style of examples: the examples as data, and the size and places that
follow from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.arguments import OldSpelling
from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.level_files import load_level
from levolve.levels.frame import ENTRANCE, EXIT, FREE, HALL, UNKEPT
from levolve.levels.frame import Place as FramePlace
from levolve.levels.level import Level
from levolve.levels.places import TOUR, Place
from levolve.levels.style import rows_of, tiles_of
from levolve.levels.tileset import TILESETS, WALLS, Tileset
from levolve.recipes.framing import FIXED
from levolve.recipes.recipe import Recipe, find_recipe, shipped

ALL = "all"


# What stays of a level: kinds of tiles such as "walls" or "red,blue", or "all"; `(height, width)`
# cells; or a list of both. None, and an empty text, are nothing.
KeepPart = str | NDArray[np.bool_] | None
Keep = KeepPart | Sequence[KeepPart]

# `kept` was an argument of its own.
KEPT = OldSpelling(
    ("kept",),
    "keep",
    "cells, or a list of kinds of tiles and cells",
    lambda given: [part for part in (given.get("keep"), given["kept"]) if part is not None],
)


def split_keep(keep: Keep) -> tuple[str, NDArray[np.bool_] | None]:
    """Return the kinds of tiles and the cells to keep."""
    parts = list(keep) if isinstance(keep, list | tuple) else [keep]
    words = ",".join(part for part in parts if isinstance(part, str) and part)
    cells: NDArray[np.bool_] | None = None
    for part in parts:
        if part is None or isinstance(part, str):
            continue
        if (
            not isinstance(part, np.ndarray) or part.dtype != np.bool_ or part.ndim != 2
        ):  # rows and columns
            raise InputError(
                "keep: expected kinds of tiles, an array of (height, width) booleans, or a list "
                f"of both, got {shown(part)}"
            )
        if cells is not None and cells.shape != part.shape:
            raise InputError(
                f"keep: expected arrays of one shape, got {cells.shape} and {part.shape}"
            )
        cells = part if cells is None else cells | part
    return words, cells


def changes_for(level: Level, keep: Keep = "") -> dict[str, Any]:
    """Return changes to a recipe, so that its levels have the size, the places and some of the
    cells of a level.

    Places that the level lacks come from the recipe.
    """
    keep, kept = split_keep(keep)
    if kept is not None and kept.shape != level.tiles.shape:
        raise InputError(
            f"keep: expected {level.width}x{level.height} cells like the level, got "
            f"{kept.shape[1]}x{kept.shape[0]}"
        )
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


# The share of cells that may change of a level that a genotype cannot express.
CHANGE = 0.25


def starting_with(recipe: Recipe, level: Level, change: float | None = None) -> Recipe:
    """Add a level to start with to the recipe. With `change`, or if the genotype cannot express the
    level, the levels of the recipe are edits of it.

    If cells are kept, a genotype that cannot express the level fills the others: the recipe is then
    returned unchanged.
    """
    # Errors in places and kept cells are always errors. If the genotype cannot express the level,
    # that is not an error.
    _ = recipe.frame
    changes: dict[str, Any] = {"start": level.to_text().splitlines()}
    if change is None:
        starting = recipe.changed(changes)
        try:
            _ = starting.first_genes
        except InputError:
            if recipe.keep:
                return recipe
        else:
            return starting
    if recipe.strategy.get("crossover", {}).get("kind") == "chunk":
        # Genes of edits are not cells. What `levolve meta` varies of chunks is dropped with them.
        changes |= {"strategy.crossover": {"kind": "uniform"}, "vary": None, "meta": None}
    if level.things:
        # They stay where they are, and a level is only a result if it is proven with them.
        changes["furnish"] = {
            **(recipe.furnish or {}),
            "fixed": [thing.to_text() for thing in level.things],
            **({"kinds": [kind.to_data() for kind in level.kinds.values()]} if level.kinds else {}),
        }
    edited = recipe.changed({**changes, "change": CHANGE if change is None else change})
    _ = edited.first_genes
    return edited


def is_keep(keep: str) -> bool:
    """Whether this names kinds of tiles to keep, of any tileset."""
    return all(
        part == ALL or any(_kind(part, TILESETS[name]) is not None for name in TILESETS)
        for part in keep.split(",")
    )


def joined_keep(settings: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings; if both they and the changes keep cells, given as rows, those of both
    are kept.
    """
    rows, others = settings.get("keep"), changes.get("keep")
    sizes = [
        [len(row) for row in given]
        for given in (rows, others)
        if isinstance(given, list) and all(isinstance(row, str) for row in given)
    ]
    if rows is None or others is None or len(sizes) < 2 or sizes[0] != sizes[1]:  # both are rows
        return dict(settings)
    joined = [
        "".join(b if a in UNKEPT else a for a, b in zip(*pair, strict=True))
        for pair in zip(rows, others, strict=True)
    ]
    return {**settings, "keep": joined}


def kept_rows(level: Level, keep: str, kept: NDArray[np.bool_] | None = None) -> list[str]:
    """Return rows of characters that keep the named kinds of tiles of the level and the cells in
    `kept`, and leave the others free.
    """
    tileset = level.tileset
    kinds: set[int] = set()
    for part in keep.split(",") if keep else ():
        kind = _kind(part, tileset)
        if part == ALL:
            kinds |= set(range(len(tileset.names)))
        elif kind is None:
            raise InputError(
                f"keep: expected kinds of tiles of a {tileset.name} level, or {ALL}, got "
                f"{part!r}: {did_you_mean(part, [*tileset.names, ALL])}"
            )
        else:
            kinds.add(kind)
    characters = np.array(list(tileset.characters))[level.tiles]
    stays = (
        np.isin(level.tiles, sorted(kinds))
        if kept is None
        else np.isin(level.tiles, sorted(kinds)) | kept
    )
    free = np.where(_halls(level), HALL, FREE) if tileset.wall in kinds else FREE
    return ["".join(row) for row in np.where(stays, characters, free).tolist()]


def _halls(level: Level) -> NDArray[np.bool_]:
    """Return the walkable cells that can be reached from the stops of the goal; without stops, the
    largest region.
    """
    tileset = level.tileset
    linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
    unseen = {
        (x, y)
        for y, x in np.argwhere(
            np.array([tileset.may_stand(kind) for kind in range(len(tileset.names))])[level.tiles]
        ).tolist()
    }
    stops = {
        level.places[name]
        for name in dict.fromkeys((ENTRANCE, EXIT, *level.goal.stops_in(level.places)))
        if name in level.places
    }
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
    reached = [region for region in regions if region & stops] or [
        max(regions, key=lambda region: (len(region), min(region)), default=set())
    ]
    halls = np.zeros(level.tiles.shape, bool)
    for x, y in set().union(*reached):
        halls[y, x] = True
    return halls


def _kind(word: str, tileset: Tileset) -> int | None:
    """Return the kind of tile with this name, in the singular or the plural."""
    return next(
        (kind for kind, name in enumerate(tileset.names) if word in {name, f"{name}s"}), None
    )


def recipe_that_encodes(level: Level) -> str | None:
    """Return the name of a built-in recipe that can start with a level, a simple one if there are
    several; None if there is none.
    """
    for name in sorted(
        shipped(), key=lambda name: (find_recipe(name).finish is not None, len(name), name)
    ):
        recipe = find_recipe(name)
        if recipe.parts[0].sets_places == (TOUR[1] in level.places) and _can_start(recipe, level):
            return name
    return None


def _can_start(recipe: Recipe, level: Level) -> bool:
    try:
        return starting_with(recipe.changed(changes_for(level)), level).change is None
    except InputError:
        return False


# The recipe for levels like the examples, if none is named.
SKETCH = "sketch"
# Genotypes whose genes are the tiles of the level, so that windows of examples can be laid into
# them.
TILE_GENOTYPES = ("direct", "chromatic", "tiles")

Example = Level | str | Path


def read_examples(like: Iterable[Example] | Example) -> list[Level]:
    """Return example levels, each given as a level or as the path of a file; raise `InputError` if
    nothing can be learned from one.
    """
    listed = [like] if isinstance(like, Level | str | Path) else list(like)
    if not listed:
        raise InputError("like: expected at least one example level, or its file, got none")
    found: list[Level] = []
    for number, example in enumerate(listed, 1):
        if not isinstance(example, Level | str | Path):
            raise InputError(
                "like: expected levels or the paths of level files, got "
                f"{type(example).__name__} at position {number}"
            )
        level = example if isinstance(example, Level) else load_level(Path(example))
        if found and level.tileset != found[0].tileset:
            raise InputError(
                f"like: expected examples of one tileset, got {found[0].tileset.name} and "
                f"{level.tileset.name} (example {number})"
            )
        tiles_of(rows_of(level), level.tileset, number)
        found.append(level)
    return found


def changes_like(examples: list[Level], recipe: Recipe, *, alone: bool) -> dict[str, Any]:
    """Return changes to a recipe, so that its levels are in the style of examples, with the size
    and the places of the first one.

    Places keep their distance from the nearest borders. Without an entrance or exit in the example,
    the walkable cells nearest to the upper left and the lower right corner are used. Mutations lay
    windows of the examples, where genes are tiles. With `alone`, no recipe was named: the genotype
    is replaced by one for the tileset of the examples.
    """
    first = examples[0]
    changes: dict[str, Any] = {
        "like": [list(rows_of(level)) for level in examples],
        "size": (first.width, first.height),
    }
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
        raise InputError(
            f"like: expected examples of the tileset {tileset.name!r}, like the levels of "
            f"recipe {recipe.name!r}, "
            f"got {examples[0].tileset.name!r}; leave the recipe out to use one that suits "
            "the examples"
        )


def _ends(level: Level) -> dict[str, FramePlace]:
    """Return the entrance and the exit of a level, or the walkable cells nearest to two opposite
    corners.
    """
    walkable = np.array(
        [level.tileset.may_stand(kind) for kind in range(len(level.tileset.characters))]
    )
    cells = [(int(x), int(y)) for y, x in np.argwhere(walkable[level.tiles])]
    near = min(cells, key=lambda cell: (cell[0] + cell[1], cell[1]), default=(0, 0))
    far = max(cells, key=lambda cell: (cell[0] + cell[1], cell[1]), default=(-1, -1))
    return {ENTRANCE: level.places.get(ENTRANCE, near), EXIT: level.places.get(EXIT, far)}


def _anchored(place: FramePlace, level: Level) -> FramePlace:
    """Return a place counted from the nearest borders: from the right and the bottom as negative
    numbers.
    """
    x, y = place
    return (x if 2 * x < level.width else x - level.width), (
        y if 2 * y < level.height else y - level.height
    )
