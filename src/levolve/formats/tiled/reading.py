"""Conversion of Tiled maps to levels, including maps that levolve did not write."""

from bisect import bisect_right
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, shown
from levolve.formats.metadata import METADATA, level_from_parts
from levolve.formats.reading.budgets import check_cells
from levolve.formats.tiled.data import tile_numbers
from levolve.formats.tiled.model import Layer, Map, Object, TiledTileset
from levolve.formats.tiled.writing import MOVES, OWN, PLACES, SOLUTION, TILES
from levolve.formats.tileset import tileset_of
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
        message = f"map: expected an orthogonal map, got {shown(found.orientation)}; choose Orthogonal as Orientation in Tiled (Map > Map Properties)"
        raise InputError(message)
    group = next((layer.name for layer in found.layers if layer.type == "group"), None)
    if group is not None:
        message = f"group layer {shown(group)}: expected layers without groups; in Tiled choose Layer > Ungroup Layers"
        raise InputError(message)
    check_cells(found.width, found.height, "map")
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
        message = f"layer {shown(layer.name)}: expected {found.width}x{found.height} tiles like the map, got {layer.width}x{layer.height}"
        raise InputError(message)
    numbers = tile_numbers(layer.data, layer.compression, found.width * found.height)
    used, cells = np.unique(numbers, return_inverse=True)
    kinds_of = _Kinds(found, find)
    names = [kinds_of(int(number)) for number in used]
    own = next((tiles.name.removeprefix(OWN) for tiles in found.tilesets if tiles.name.startswith(OWN)), None)
    tileset = tileset_of({name for name in names if name}, f"layer {shown(layer.name)}", own)
    if "" in names and tileset.floor is None:
        where = int(np.flatnonzero(numbers == 0)[0])
        message = f"layer {shown(layer.name)}: expected a tile in every cell, got an empty cell at {where % found.width},{where // found.width}"
        raise InputError(message)
    kinds = np.array([tileset.names.index(name) if name else tileset.open_kind for name in names], np.uint8)
    return kinds[cells].reshape(found.height, found.width), tileset


class _Kinds:
    """The names of tiles by their numbers. A tileset is looked up by bisection, and a tile in a table of its tileset."""

    def __init__(self, found: Map, find: Finder) -> None:
        # Of tilesets that begin at the same number, the first one counts.
        self._tilesets = sorted({tileset.firstgid: tileset for tileset in reversed(found.tilesets)}.values(), key=lambda tileset: tileset.firstgid)
        self._first = [tileset.firstgid for tileset in self._tilesets]
        self._find = find
        self._tables: dict[int | str, dict[int, str]] = {}

    def __call__(self, number: int) -> str:
        """Return the name of the tile with a number; empty for an empty cell."""
        if number == 0:
            return ""
        index = bisect_right(self._first, number) - 1
        if index < 0:
            message = f"layer data: expected numbers of tiles in a tileset, got {number}"
            raise InputError(message)
        owner = self._tilesets[index]
        inside = number - owner.firstgid
        kind = self._table(owner, index).get(inside, "")
        if not kind:
            message = (
                f"tileset {shown(owner.source or owner.name)}: expected tiles with a class such as floor or wall, got tile {inside} without one; "
                "select it in Tiled's tileset editor and set its Class"
            )
            raise InputError(message)
        return kind

    def _table(self, owner: TiledTileset, index: int) -> dict[int, str]:
        """Return the names of a tileset's tiles. A file is read once, even if several tilesets name it."""
        key = index if owner.source is None else owner.source
        if key not in self._tables:
            tiles = owner.tiles if owner.source is None else self._find(owner.source).tiles
            self._tables[key] = {tile.id: tile.kind for tile in reversed(tiles)}
        return self._tables[key]


def _only(found: Map, kind: str, name: str, noun: str) -> Layer | None:
    """Return the layer of a kind with this name, or the only one; None if there is none."""
    layers = [layer for layer in found.layers if layer.type == kind and layer.name != SOLUTION]
    named = [layer for layer in layers if layer.name == name]
    chosen = named or layers
    if len(chosen) > 1:
        message = f"map: expected one {noun}, or one of them called {name!r}, got {', '.join(shown(layer.name) for layer in chosen[:4])}"
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
            message = f"object {shown(entry.name)}: expected one such place, got a second at {entry.x:g},{entry.y:g} pixels"
            raise InputError(message)
        places[entry.name] = _cell(entry, found)
    return places


def _no_place(entry: Object, layer: Layer) -> str:
    remedy = (
        "put other objects on another layer"
        if layer.name == PLACES
        else f"if these objects are not places, add an object layer called {PLACES!r}, which may be empty: the other layers are then ignored"
    )
    where = f"object {shown(entry.name)} on layer {shown(layer.name)} at {entry.x:g},{entry.y:g} pixels"
    return f"{where}: expected the name of a place: {did_you_mean(entry.name, EXAMPLES)}; {remedy}"


def _cell(entry: Object, found: Map) -> Place:
    """Return the cell of an object: a point may be anywhere in it, a larger object must match it exactly."""
    x, y = entry.x / found.tilewidth, (entry.y - (entry.height if entry.gid else 0)) / found.tileheight
    if (entry.width or entry.height) and (x % 1 or y % 1 or entry.rotation):
        message = (
            f"object {shown(entry.name)}: expected a position on the grid of {found.tilewidth}x{found.tileheight} pixels, "
            f"got {entry.x:g},{entry.y:g}; in Tiled choose View > Snapping > Snap to Grid and move it, or use a point"
        )
        raise InputError(message)
    if not (0 <= x < found.width and 0 <= y < found.height):
        message = (
            f"object {shown(entry.name)}: expected a position in the map of {found.width}x{found.height} cells, got {entry.x:g},{entry.y:g} pixels"
        )
        raise InputError(message)
    return int(x), int(y)
