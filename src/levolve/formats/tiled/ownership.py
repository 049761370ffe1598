"""What is levolve's in a Tiled map, what a person added, and the cells that a person marks.

The layer called `keep`: cells that evolution must not change, painted with any tile, or covered by
rectangles.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.edited_things import ID, KIND, Key, field_of, kind_named, part_of
from levolve.formats.metadata import KINDS, read_kinds
from levolve.formats.reading.folder import Folder
from levolve.formats.tiled.layers import (
    FLIPS,
    PlacedLayer,
    all_layers,
    level_layers,
    numbers_in_place,
    object_layer,
    places_layer,
    tile_numbers,
)
from levolve.formats.tiled.model import (
    AREAS,
    KEEP,
    MOVES,
    OWN,
    SOLUTION,
    THINGS,
    Layer,
    Map,
    Object,
    TiledTileset,
    own_properties,
    written_by_us,
)
from levolve.formats.tiled.objects import box_of, centre_of, sized
from levolve.formats.tiled.reading import check_map
from levolve.formats.tiled.thing_reading import label, properties_of, text_of, thing_kind
from levolve.formats.tiled.tiles import Drawn, TileKinds
from levolve.formats.tiled.written_objects import ROLE
from levolve.levels.things.kinds import Kind

_NOUNS = {"objectgroup": "object layer", "imagelayer": "image layer"}


def is_own(tileset: TiledTileset) -> bool:
    """Whether this is a tileset of levolve."""
    return (tileset.name if tileset.source is None else tileset.source).startswith(OWN)


def is_walk(entry: Object) -> bool:
    """Whether an object of the layer `solution` is the line that levolve draws."""
    return any(value.name == MOVES for value in entry.properties) or SOLUTION in {
        entry.name,
        entry.kind,
    }


def owner_of(number: int, tilesets: list[TiledTileset]) -> TiledTileset | None:
    """Return the tileset to which the number of a tile belongs."""
    return max(
        (tileset for tileset in tilesets if tileset.firstgid <= number),
        key=lambda tileset: tileset.firstgid,
        default=None,
    )


def numbers_of(layer: Layer) -> list[int]:
    """Return the numbers of a tile layer."""
    numbers: list[int] = (
        tile_numbers(layer.data, layer.compression, layer.width * layer.height) & ~FLIPS
    ).tolist()
    return numbers


def every_layer(layers: list[Layer]) -> list[Layer]:
    """Return all layers, with groups and the layers in them."""
    return [inner for layer in layers for inner in (layer, *every_layer(layer.layers))]


def own_kinds(found: Map) -> dict[str, Kind]:
    """Return the kinds of things that a map defines in its properties."""
    names = own_properties(entry.name for entry in found.properties)
    texts = [str(each.value) for each in found.properties if names.get(each.name) == KINDS]
    return read_kinds(texts[0]) if texts else {}


def thing_key(entry: Object, found: Map, placed: PlacedLayer, kinds: TileKinds) -> Key:
    """Return the kind, the cell and the id of an object that is a thing."""
    where = label(entry, placed)
    properties = properties_of(entry.properties, where)
    kind = thing_kind(entry, properties, kinds.inherited(entry.gid & ~int(FLIPS))[0], where)
    name = text_of(properties[ID]) if ID in properties else None
    return kind, cell_under(entry, found, placed.offset), name or ""


def is_own_property(name: str, kind: Kind | None, where: str) -> bool:
    """Whether a property of a thing is levolve's: its kind, its id or one of its fields."""
    return name in {KIND, ID} or field_of(name, "", kind, where) is not None


def _foreign_things(found: Map, placed: PlacedLayer) -> Iterator[str]:
    """Return the things of unknown kinds, and the properties of others that are not fields."""
    kinds, own = TileKinds(found, Folder(None)), own_kinds(found)
    for entry in placed.layer.objects:
        kind, cell, _ = thing_key(entry, found, placed, kinds)
        meaning, where = kind_named(kind, own), label(entry, placed)
        if meaning is None:
            yield part_of(kind, cell)
        for value in entry.properties:
            if not is_own_property(value.name, meaning, where):
                yield f"property {shown(value.name)} of {where}"


def foreign_parts(found: Map) -> list[str]:
    """Return the parts of a map that are not levolve's: layers, objects, properties and tilesets,
    each in a few words.
    """
    own = {placed.path for placed in level_layers(found)}
    places, things, areas = (
        places_layer(found),
        *(object_layer(found, name) for name in (THINGS, AREAS)),
    )
    own |= {placed.path for placed in (things, areas) if placed is not None}
    parts = [
        f"group {shown(layer.name)}" for layer in every_layer(found.layers) if layer.type == "group"
    ]
    for placed in all_layers(found):
        layer = placed.layer
        is_places, is_solution = (
            places is not None and placed.path == places.path,
            layer.name == SOLUTION and layer.type == "objectgroup",
        )
        if placed.path not in own and not is_places and not is_solution:
            parts.append(f"{_NOUNS.get(layer.type, 'layer')} {shown(layer.name)}")
            continue
        parts += [
            f"property {shown(entry.name)} of layer {shown(layer.name)}"
            for entry in layer.properties
        ]
        if is_places:
            parts += [
                f"property {shown(value.name)} of object {shown(entry.name)}"
                for entry in layer.objects
                for value in entry.properties
            ]
        if is_solution:
            parts += [
                f"object {shown(entry.name)} on layer {shown(layer.name)}"
                for entry in layer.objects
                if not is_walk(entry)
            ]
    if things is not None:
        parts += _foreign_things(found, things)
    if areas is not None:
        parts += [
            f"property {shown(value.name)} of {label(entry, areas)}"
            for entry in areas.layer.objects
            for value in entry.properties
            if value.name != ROLE
        ]
    parts += [
        f"tileset {shown(tileset.source or tileset.name)}"
        for tileset in found.tilesets
        if not is_own(tileset)
    ]
    ours = written_by_us(entry.name for entry in found.properties)
    parts += [
        f"property {shown(entry.name)}" for entry in found.properties if entry.name not in ours
    ]
    parts += [f"class {shown(found.kind)} of the map"] if found.kind else []
    return parts + (
        [f"background colour {shown(found.backgroundcolor)}"] if found.backgroundcolor else []
    )


def foreign_artwork(found: Map) -> list[str]:
    """Return the tilesets of a person with which the level itself is drawn."""
    used = {number for placed in level_layers(found) for number in numbers_of(placed.layer)} - {0}
    owners = [owner_of(number, found.tilesets) for number in sorted(used)]
    return list(
        dict.fromkeys(
            shown(owner.source or owner.name)
            for owner in owners
            if owner is not None and not is_own(owner)
        )
    )


def cell_under(entry: Object, found: Map, offset: tuple[float, float] = (0, 0)) -> tuple[int, int]:
    """Return the cell under the centre of an object, whose tileset may be in another file."""
    x, y = centre_of(_with_size(entry, found), "unspecified")
    return int((x + offset[0]) // found.tilewidth), int((y + offset[1]) // found.tileheight)


def _with_size(entry: Object, found: Map) -> Object:
    """Return an object that shows a tile with the size of the tile, if it has none of its own.

    Tilesets in other files are not read here, but the tiles of our own are as large as cells.
    """
    number = entry.gid & ~int(FLIPS)
    owner = owner_of(number, found.tilesets) if number else None
    if owner is None:
        return entry
    ours = found.tilewidth, found.tileheight
    width, height = ours if is_own(owner) else (owner.tilewidth, owner.tileheight)
    drawn = Drawn(frozenset(), width, height, 0, 0, filled=False)
    return sized(entry, drawn, f"object {shown(entry.name or str(entry.id))}")


def kept_cells(found: Map) -> NDArray[np.bool_] | None:
    """Return the `(height, width)` cells that the layers called `keep` mark; None if there is no
    such layer.
    """
    check_map(found)
    layers = [
        layer
        for layer in all_layers(found)
        if layer.name == KEEP and layer.layer.type in {"tilelayer", "objectgroup"}
    ]
    if not layers:
        return None
    kept = np.zeros((found.height, found.width), bool)
    for placed in layers:
        if placed.parallax != (1, 1) or (placed.layer.x, placed.layer.y) != (0, 0):
            raise InputError(
                f"layer {KEEP!r}: expected a parallax factor of 1, and x and y of 0, got others; "
                "set them in Tiled (layer properties)"
            )
        if placed.layer.type == "tilelayer":
            kept |= numbers_in_place(found, placed) != 0
        else:
            for entry in placed.layer.objects:
                _cover(kept, entry, placed, found)
    return kept


def _cover(kept: NDArray[np.bool_], entry: Object, placed: PlacedLayer, found: Map) -> None:
    """Mark the cells whose centres a rectangle covers, and the cell under its own centre."""
    if entry.polygon or entry.polyline or entry.ellipse or entry.rotation % 360 or entry.template:
        raise InputError(
            f"object {shown(entry.name or str(entry.id))} on layer {KEEP!r}: expected a "
            "rectangle that is not turned; draw it anew in Tiled"
        )
    entry = _with_size(entry, found)
    edges = box_of(entry, "unspecified")
    begin = [
        (position + offset)
        for position, offset in zip((entry.x, entry.y), placed.offset, strict=True)
    ]
    spans = []
    for axis, (size, count) in enumerate(
        ((found.tilewidth, found.width), (found.tileheight, found.height))
    ):
        low, high = (begin[axis] + edges[axis]) / size, (begin[axis] + edges[axis + 2]) / size
        middle = math.floor((low + high) / 2)
        first, last = min(math.ceil(low - 0.5), middle), max(math.ceil(high - 0.5), middle + 1)
        spans.append(slice(max(first, 0), max(min(last, count), 0)))
    if not kept[spans[1], spans[0]].size:
        raise InputError(
            f"object {shown(entry.name or str(entry.id))} on layer {KEEP!r}: expected a "
            "rectangle on the map, got one outside; move or remove it"
        )
    kept[spans[1], spans[0]] = True
