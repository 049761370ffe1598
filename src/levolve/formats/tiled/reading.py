"""Conversion of Tiled maps to levels, including maps that levolve did not write."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.metadata import KINDS, level_from_parts, read_kinds
from levolve.formats.reading.budgets import MOST_LAYER_CELLS, check_amount, check_cells
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.atlas import NUMBERED
from levolve.formats.themes.atlas import PLACES as PLACE_MARKS
from levolve.formats.themes.recognition import tileset_of
from levolve.formats.tiled.layers import (
    FLIPS,
    PlacedLayer,
    all_layers,
    level_layers,
    numbers_in_place,
    places_layer,
)
from levolve.formats.tiled.model import MOVES, OWN, PLACES, SOLUTION, Map, Object, own_properties
from levolve.formats.tiled.objects import Others, cell_of, sized
from levolve.formats.tiled.thing_reading import areas_of, things_of
from levolve.formats.tiled.tiles import TileKinds
from levolve.levels.level import Level
from levolve.levels.places import Place, checkpoint, known_place
from levolve.levels.tileset import TILESETS, Tileset

EXAMPLES = ["entrance", "exit", "checkpoint 1", "A", "B", "C"]


def level_of(found: Map, files: Folder) -> Level:
    """Return the level of a map: its tile layers, the places in its object layer, and its
    properties.
    """
    check_map(found)
    kinds = TileKinds(found, files)
    tiles, tileset = _tiles(found, kinds)
    own = own_properties(entry.name for entry in found.properties)
    double = next(
        (
            name
            for name, count in Counter(entry.name for entry in found.properties).items()
            if count > 1 and name in own
        ),
        None,
    )
    if double is not None:
        raise InputError(
            f"map: expected one property {shown(double)}, got a second; remove one of them in "
            "Tiled (Map > Map Properties)"
        )
    metadata = {
        own[entry.name]: str(entry.value) for entry in found.properties if entry.name in own
    }
    walks = [
        entry
        for layer in all_layers(found)
        if layer.name == SOLUTION
        for entry in layer.layer.objects
    ]
    moves = [
        str(value.value) for entry in walks for value in entry.properties if value.name == MOVES
    ]
    if moves:
        metadata["solution"] = moves[0]
    places = _places(found, kinds)
    Others(found, kinds, files, tiles, tileset).check()
    things = things_of(found, kinds, read_kinds(metadata.get(KINDS, "[]")))
    return level_from_parts(tiles, places, tileset, metadata, things, areas_of(found))


def check_map(found: Map) -> None:
    """Raise `InputError` for a map that cannot be a level."""
    if found.infinite:
        raise InputError(
            "map: expected a fixed size, got an infinite map; turn off 'Infinite' in Tiled (Map "
            "> Map Properties)"
        )
    if found.orientation != "orthogonal":
        raise InputError(
            f"map: expected an orthogonal map, got {shown(found.orientation)}; choose Orthogonal "
            "as Orientation in Tiled (Map > Map Properties)"
        )
    check_cells(found.width, found.height, "map")
    cells = sum(
        layer.layer.width * layer.layer.height
        for layer in all_layers(found)
        if layer.layer.type == "tilelayer"
    )
    check_amount(cells, MOST_LAYER_CELLS, "cells in all tile layers", "map")


def _tiles(found: Map, kinds: TileKinds) -> tuple[NDArray[np.uint8], Tileset]:
    """Return the kinds of the cells: those of the topmost tiles. A wall must not be covered by
    another tile.
    """
    layers = level_layers(found)
    classes: list[list[str]] = []
    cells: list[NDArray[np.intp]] = []
    for layer in layers:
        layer.check_shown()
        used, which = np.unique(numbers_in_place(found, layer), return_inverse=True)
        classes.append([_kind_of(int(number), kinds, layer) for number in used])
        cells.append(which.reshape(found.height, found.width))
    ours = (tiles.source or tiles.name for tiles in found.tilesets)
    own = next(filter(None, (_own_tileset(name) for name in ours if name.startswith(OWN))), None)
    names = {name for listed in classes for name in listed if name}
    what = " and ".join(f"layer {shown(layer.name)}" for layer in layers)
    tileset = tileset_of(names, what, own)
    tiles = np.full((found.height, found.width), -1, np.int16)
    walls = np.zeros((found.height, found.width), bool)
    for listed, which in zip(classes, cells, strict=True):
        shown_kinds = np.array(
            [tileset.names.index(name) if name else -1 for name in listed], np.int16
        )[which]
        covered = walls & (shown_kinds >= 0) & (shown_kinds != tileset.wall)
        if covered.any():
            y, x = np.argwhere(covered)[0]
            raise InputError(
                f"{what}: expected no tile over a wall, got one at {x},{y}; erase one of the two "
                "tiles, or put the layer of the walls on top"
            )
        tiles = np.where(shown_kinds >= 0, shown_kinds, tiles)
        walls |= (shown_kinds == tileset.wall) if tileset.wall is not None else False
    if tileset.floor is None and (tiles < 0).any():
        y, x = np.argwhere(tiles < 0)[0]
        raise InputError(f"{what}: expected a tile in every cell, got an empty cell at {x},{y}")
    tiles = np.where(tiles < 0, tileset.open_kind, tiles)
    return np.where(walls, tileset.wall if tileset.wall is not None else 0, tiles).astype(
        np.uint8
    ), tileset


def _kind_of(number: int, kinds: TileKinds, layer: PlacedLayer) -> str:
    name = kinds.class_of(number)
    if known_place(name):
        raise InputError(
            f"layer {shown(layer.name)}: expected tiles of floor or wall, got the mark of the "
            f"{name}; places are objects on the layer {PLACES!r}"
        )
    return name


def _own_tileset(name: str) -> str | None:
    """Return the name of the tileset whose tiles are in one of our atlases, or in a tileset of an
    earlier version.
    """
    rest = name.removeprefix(OWN)
    known = [tileset for tileset in TILESETS if rest == tileset or rest.startswith(f"{tileset}-")]
    return max(known, key=len, default=None)


def places_of(found: Map, kinds: TileKinds) -> dict[str, tuple[int, Place]]:
    """Return the index of each place among the objects of its layer, and its cell."""
    placed = places_layer(found)
    places: dict[str, tuple[int, Place]] = {}
    if placed is None or not placed.layer.objects:
        return places
    placed.check_shown()
    for index, entry in enumerate(placed.layer.objects):
        name = _place_name(entry, placed, kinds)
        if name in places:
            raise InputError(
                f"object {shown(name)}: expected one such place, got a second at "
                f"{entry.x:g},{entry.y:g} pixels"
            )
        if entry.gid & ~int(FLIPS):
            _check_mark(entry, name, kinds)
            entry = sized(entry, kinds.drawn(entry.gid & ~int(FLIPS)), f"object {shown(name)}")  # noqa: PLW2901 the same object with its size
        places[name] = index, cell_of(entry, placed, found, kinds.alignment_of(entry.gid))
    return places


def _check_mark(entry: Object, name: str, kinds: TileKinds) -> None:
    """Raise `InputError` for a place that shows the mark of another place. Numbers without a mark
    of their own share the last one.
    """
    marks = {mark for mark in kinds.drawn(entry.gid & ~int(FLIPS)).names if known_place(mark)}
    own = name if name in PLACE_MARKS else checkpoint(NUMBERED)
    if marks - {own}:
        raise InputError(
            f"object {shown(name)}: expected a tile that shows this place, got the mark of the "
            f"{min(marks - {own})}; choose its tile in Tiled"
        )


def _places(found: Map, kinds: TileKinds) -> dict[str, Place]:
    return {name: cell for name, (_, cell) in places_of(found, kinds).items()}


def _place_name(entry: Object, placed: PlacedLayer, kinds: TileKinds) -> str:
    """Return the name of a place: that of the object, or, if it has none, the class of the tile
    that it shows.
    """
    name = entry.name
    if not name and entry.gid & ~int(FLIPS) and not entry.template:
        name = kinds.class_of(entry.gid & ~int(FLIPS))
    if not known_place(name):
        raise InputError(_no_place(entry, placed))
    return name


def _no_place(entry: Object, placed: PlacedLayer) -> str:
    remedy = (
        "put other objects on another layer"
        if placed.name == PLACES
        else (
            f"if these objects are not places, add an object layer called {PLACES!r}, which may "
            "be empty: the other layers are then ignored"
        )
    )
    where = (
        f"object {shown(entry.name)} on layer {shown(placed.name)} at {entry.x:g},{entry.y:g} "
        "pixels"
    )
    return f"{where}: expected the name of a place: {did_you_mean(entry.name, EXAMPLES)}; {remedy}"
