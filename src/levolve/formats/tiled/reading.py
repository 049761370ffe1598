"""Conversion of Tiled maps to levels, including maps that levolve did not write."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.formats.metadata import METADATA, level_from_parts
from levolve.formats.tiled.data import tile_numbers
from levolve.formats.tiled.model import Layer, Map, Object, TiledTileset
from levolve.formats.tiled.writing import MOVES, OWN, PLACES, SOLUTION, TILES
from levolve.formats.tileset import tileset_of
from levolve.levels.frame import check_size
from levolve.levels.level import Level
from levolve.levels.places import Place, known_place
from levolve.levels.tileset import Tileset as Kinds
from levolve.registry import did_you_mean

# Returns the tileset in a file of the map's folder.
Finder = Callable[[str], TiledTileset]
EXAMPLES = ["entrance", "exit", "checkpoint 1", "A", "B", "C"]


def level_of(found: Map, find: Finder) -> Level:
    """Return the level of a map: its tile layer, the places in its object layer, and its properties."""
    if found.infinite:
        message = "map: expected a fixed size, got an infinite map; turn off 'Infinite' in Tiled (Map > Map Properties)"
        raise InputError(message)
    if found.orientation != "orthogonal":
        message = f"map: expected an orthogonal map, got {found.orientation!r}; choose Orthogonal as Orientation in Tiled (Map > Map Properties)"
        raise InputError(message)
    group = next((layer.name for layer in found.layers if layer.type == "group"), None)
    if group is not None:
        message = f"group layer {group!r}: expected layers without groups; in Tiled choose Layer > Ungroup Layers"
        raise InputError(message)
    check_size(found.width, found.height, "map")
    tiles, tileset = _tiles(found, find)
    metadata = {entry.name: str(entry.value) for entry in found.properties if entry.name in METADATA}
    walks = [entry for layer in found.layers if layer.name == SOLUTION for entry in layer.objects]
    moves = [str(value.value) for entry in walks for value in entry.properties if value.name == MOVES]
    if moves:
        metadata["solution"] = moves[0]
    return level_from_parts(tiles, _places(found), tileset, metadata)


def _tiles(found: Map, find: Finder) -> tuple[NDArray[np.uint8], Kinds]:
    layer = _only(found, "tilelayer", TILES, "tile layer")
    if layer is None:
        message = "map: expected a tile layer, got none"
        raise InputError(message)
    if (layer.width, layer.height) != (found.width, found.height):
        message = f"layer {layer.name!r}: expected {found.width}x{found.height} tiles like the map, got {layer.width}x{layer.height}"
        raise InputError(message)
    numbers = tile_numbers(layer.data, layer.compression, found.width * found.height)
    used, cells = np.unique(numbers, return_inverse=True)
    looked_up: dict[str, TiledTileset] = {}
    names = [_kind(int(number), found, find, looked_up) for number in used]
    own = next((tiles.name.removeprefix(OWN) for tiles in found.tilesets if tiles.name.startswith(OWN)), None)
    tileset = tileset_of({name for name in names if name}, f"layer {layer.name!r}", own)
    if "" in names and tileset.floor is None:
        where = int(np.flatnonzero(numbers == 0)[0])
        message = f"layer {layer.name!r}: expected a tile in every cell, got an empty cell at {where % found.width},{where // found.width}"
        raise InputError(message)
    kinds = np.array([tileset.names.index(name) if name else tileset.open_kind for name in names], np.uint8)
    return kinds[cells].reshape(found.height, found.width), tileset


def _kind(number: int, found: Map, find: Finder, looked_up: dict[str, TiledTileset]) -> str:
    """Return the name of the tile with a number; empty for an empty cell."""
    if number == 0:
        return ""
    owners = [tileset for tileset in found.tilesets if tileset.firstgid <= number]
    if not owners:
        message = f"layer data: expected numbers of tiles in a tileset, got {number}"
        raise InputError(message)
    owner = max(owners, key=lambda tileset: tileset.firstgid)
    inside = number - owner.firstgid
    if owner.source is not None:
        if owner.source not in looked_up:
            looked_up[owner.source] = find(owner.source)
        tiles = looked_up[owner.source].tiles
    else:
        tiles = owner.tiles
    kind = next((tile.kind for tile in tiles if tile.id == inside), "")
    if not kind:
        message = (
            f"tileset {owner.source or owner.name!r}: expected tiles with a class such as floor or wall, got tile {inside} without one; "
            "select it in Tiled's tileset editor and set its Class"
        )
        raise InputError(message)
    return kind


def _only(found: Map, kind: str, name: str, noun: str) -> Layer | None:
    """Return the layer of a kind with this name, or the only one; None if there is none."""
    layers = [layer for layer in found.layers if layer.type == kind and layer.name != SOLUTION]
    named = [layer for layer in layers if layer.name == name]
    chosen = named or layers
    if len(chosen) > 1:
        message = f"map: expected one {noun}, or one of them called {name!r}, got {', '.join(repr(layer.name) for layer in chosen)}"
        raise InputError(message)
    return chosen[0] if chosen else None


def _places(found: Map) -> dict[str, Place]:
    layer = _only(found, "objectgroup", PLACES, "object layer")
    places: dict[str, Place] = {}
    if layer is None:
        return places
    for entry in layer.objects:
        if not known_place(entry.name):
            raise InputError(_no_place(entry, layer))
        if entry.name in places:
            message = f"object {entry.name!r}: expected one such place, got a second at {entry.x:g},{entry.y:g} pixels"
            raise InputError(message)
        places[entry.name] = _cell(entry, found)
    return places


def _no_place(entry: Object, layer: Layer) -> str:
    remedy = (
        "put other objects on another layer"
        if layer.name == PLACES
        else f"if these objects are not places, add an object layer called {PLACES!r}, which may be empty: the other layers are then ignored"
    )
    where = f"object {entry.name!r} on layer {layer.name!r} at {entry.x:g},{entry.y:g} pixels"
    return f"{where}: expected the name of a place: {did_you_mean(entry.name, EXAMPLES)}; {remedy}"


def _cell(entry: Object, found: Map) -> Place:
    """Return the cell of an object: a point may be anywhere in it, a larger object must match it exactly."""
    x, y = entry.x / found.tilewidth, (entry.y - (entry.height if entry.gid else 0)) / found.tileheight
    if (entry.width or entry.height) and (x % 1 or y % 1 or entry.rotation):
        message = (
            f"object {entry.name!r}: expected a position on the grid of {found.tilewidth}x{found.tileheight} pixels, got {entry.x:g},{entry.y:g}; "
            "in Tiled choose View > Snapping > Snap to Grid and move it, or use a point"
        )
        raise InputError(message)
    if not (0 <= x < found.width and 0 <= y < found.height):
        message = f"object {entry.name!r}: expected a position in the map of {found.width}x{found.height} cells, got {entry.x:g},{entry.y:g} pixels"
        raise InputError(message)
    return int(x), int(y)
