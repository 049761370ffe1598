"""A new level in a map that a person has edited: our layers, places, tileset and properties are
replaced, everything else stays as it is.

Which parts of a map are levolve's, and which a person added.

The layer called `keep`: cells that evolution must not change, painted with any tile, or covered by
rectangles.
"""

import math
import warnings
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.core.safe_text import printable
from levolve.formats.tiled.documents import Document, ObjectChanges, Offset
from levolve.formats.tiled.layers import (
    FLIPS,
    PlacedLayer,
    all_layers,
    level_layers,
    numbers_in_place,
    places_layer,
    tile_numbers,
)
from levolve.formats.tiled.model import (
    KEEP,
    MOVES,
    OWN,
    PLACE,
    PLACES,
    SOLUTION,
    Layer,
    Map,
    Object,
    TiledTileset,
    written_by_us,
)
from levolve.formats.tiled.objects import box_of, centre_of, sized
from levolve.formats.tiled.reading import check_map
from levolve.formats.tiled.tiles import Drawn

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


def is_plain(entry: Object, found: Map) -> bool:
    """Whether a place is as levolve writes it, apart from its position: a rectangle of one cell, or
    one of our tiles.
    """
    if (
        entry.properties
        or entry.polygon
        or entry.polyline
        or entry.ellipse
        or entry.rotation
        or entry.kind not in {"", PLACE}
    ):
        return False
    owner = owner_of(entry.gid & ~int(FLIPS), found.tilesets) if entry.gid else None
    return (entry.width, entry.height) == (found.tilewidth, found.tileheight) and (
        owner is None or is_own(owner)
    )


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


def foreign_parts(found: Map) -> list[str]:
    """Return the parts of a map that are not levolve's: layers, objects, properties and tilesets,
    each in a few words.
    """
    own = {placed.path for placed in level_layers(found)}
    places = places_layer(found)
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


# The numbers that are left free after a tileset in another file, which does not say how many tiles
# it has.
ROOM = 1 << 16


def merge_level(document: Document, original: Map, written: Map, data: dict[str, Any]) -> bytes:
    """Return the original map with the level of a map that levolve wrote, given as a model and as
    data in the structure of TMJ.
    """
    _check_fit(original, written)
    artwork = foreign_artwork(original)
    if artwork:
        warnings.warn(
            printable(
                "the level is drawn with the tiles of levolve, not with those of "
                f"{', '.join(artwork)}"
            ),
            stacklevel=2,
        )
    merge = _Merge(document, original, written, data)
    merge.join_tilesets()
    merge.join_tile_layers()
    merge.join_places()
    merge.join_solution()
    own = written_by_us(entry.name for entry in original.properties)
    document.change_properties(own, data.get("properties", []))
    document.set_fields({"nextlayerid": merge.next_layer, "nextobjectid": merge.next_object})
    return document.to_bytes()


def _check_fit(original: Map, written: Map) -> None:
    sizes = ((original.width, original.height), (written.width, written.height))
    if sizes[0] != sizes[1]:
        message = "the map has {}x{} cells, and the level {}x{}".format(*sizes[0], *sizes[1])
        raise InputError(message)
    sides = ((original.tilewidth, original.tileheight), (written.tilewidth, written.tileheight))
    if sides[0] != sides[1]:
        message = "the tiles of the map have {}x{} pixels, and those of the level {}x{}".format(
            *sides[0], *sides[1]
        )
        raise InputError(message)


@dataclass
class _Tilesets:
    """What happens to the tilesets of the original: those to remove, and where the new one begins,
    if it is not there.
    """

    removed: set[int]
    position: int
    first: int
    is_new: bool


class _Merge:
    def __init__(
        self, document: Document, original: Map, written: Map, data: dict[str, Any]
    ) -> None:
        self.document, self.original, self.written = document, original, written
        self.layers = {layer["name"]: layer for layer in data["layers"]}
        self.tileset: dict[str, Any] = data["tilesets"][0]
        listed = every_layer(original.layers)
        self.next_layer = max([original.nextlayerid, *(layer.id + 1 for layer in listed)])
        self.next_object = max(
            [original.nextobjectid, *(entry.id + 1 for layer in listed for entry in layer.objects)]
        )
        self.tile_layers = [
            (placed, document.layer(placed.path)) for placed in level_layers(original)
        ]
        self.places = places_layer(original)
        self.walks = next(
            (
                layer
                for layer in all_layers(original)
                if layer.name == SOLUTION and layer.layer.type == "objectgroup"
            ),
            None,
        )
        self.place_nodes = None if self.places is None else document.layer(self.places.path)
        self.walk_node = None if self.walks is None else document.layer(self.walks.path)
        self.plan = _plan_tilesets(self)

    def join_tilesets(self) -> None:
        """Add our tileset, unless it is there, and remove ours of earlier versions or themes,
        unless another layer uses it.
        """
        added = {**self.tileset, "firstgid": self.plan.first} if self.plan.is_new else None
        self.document.change_tilesets(self.plan.removed, self.plan.position, added)

    def join_tile_layers(self) -> None:
        """Draw the tile layers: each in the one with its name, else in another of ours, else in a
        new one beside.
        """
        names = [layer.name for layer in self.written.layers if layer.type == "tilelayer"]
        free = [(placed, node) for placed, node in self.tile_layers if placed.name not in names]
        named = {placed.name: (placed, node) for placed, node in self.tile_layers}
        drawn: Any = None
        outer: Offset = (0, 0)
        for position, name in enumerate(names):
            source = next(layer for layer in self.written.layers if layer.name == name)
            numbers = [
                number + self.plan.first - 1 if number else 0 for number in numbers_of(source)
            ]
            found = named.get(name) or (free.pop(0) if free else None)
            if found is not None:
                outer, node = found[0].outer, found[1]
            else:
                # A new layer lies beside ours, in the same group.
                placed, beside = (
                    next(named[other] for other in names[position:] if other in named)
                    if drawn is None
                    else (None, drawn)
                )
                outer = outer if placed is None else placed.outer
                layer = {**self.layers[name], "id": self._new_layer(), "data": numbers}
                node = self.document.insert(layer, beside, after=drawn is not None)
            self.document.draw(node, name, numbers, self.original.width, (-outer[0], -outer[1]))
            drawn = node
        for _, node in free:
            self.document.remove(node)

    def join_places(self) -> None:
        """Put the places into their layer. An object that a person changed is only moved, by whole
        cells, if its place is in another cell.
        """
        source = self.layers[PLACES]
        new = {entry["name"]: entry for entry in source["objects"]}
        if self.places is None:
            objects = [self._placed(entry, (0, 0)) for entry in new.values()]
            self.document.insert({**source, "id": self._new_layer(), "objects": objects})
            return
        changes, offset = ObjectChanges(), self.places.offset
        cells = {
            entry.name: _cell(entry, self.written)
            for entry in _layer_called(self.written, PLACES).objects
        }
        for index, entry in enumerate(self.places.layer.objects):
            name = entry.name or self._name_by_cell(entry, cells)
            data = new.pop(name, None)
            if data is None:
                changes.removed.add(index)
                continue
            if is_plain(entry, self.original):
                changes.replaced[index] = self._placed(data, offset, entry.id)
                continue
            before = _cell(entry, self.original, offset)
            steps = (cells[name][0] - before[0], cells[name][1] - before[1])
            if steps != (0, 0):
                changes.moved[index] = (
                    steps[0] * self.original.tilewidth,
                    steps[1] * self.original.tileheight,
                )
        changes.added = [self._placed(entry, offset) for entry in new.values()]
        self.document.change_objects(self.place_nodes, changes)

    def join_solution(self) -> None:
        """Replace the line of the solution; other objects of its layer stay."""
        source = self.layers.get(SOLUTION)
        entries = [] if source is None else source["objects"]
        if self.walks is None:
            if source is not None:
                self.document.insert(
                    {
                        **source,
                        "id": self._new_layer(),
                        "objects": [self._placed(entry, (0, 0)) for entry in entries],
                    }
                )
            return
        old = [index for index, entry in enumerate(self.walks.layer.objects) if is_walk(entry)]
        if not entries and len(old) == len(self.walks.layer.objects):
            self.document.remove(self.walk_node)
            return
        changes = ObjectChanges(set(old))
        if old and entries:
            first = self.walks.layer.objects[old[0]].id
            changes = ObjectChanges(
                set(old[1:]), {old[0]: self._placed(entries[0], self.walks.offset, first)}
            )
        elif entries:
            changes.added = [self._placed(entries[0], self.walks.offset)]
        self.document.change_objects(self.walk_node, changes)

    def _name_by_cell(self, entry: Object, cells: dict[str, tuple[int, int]]) -> str:
        """Return the name of a place without one, which shows the mark of its place: that of the
        place in its cell.
        """
        assert self.places is not None  # noqa: S101 it has this object
        cell = _cell(entry, self.original, self.places.offset)
        return next((name for name, other in cells.items() if other == cell), "")

    def _placed(self, entry: dict[str, Any], offset: Offset, number: int = 0) -> dict[str, Any]:
        """Return a written object for a layer that is moved by an offset, with a number of this
        map.
        """
        data = {**entry, "id": number or self._new_object()}
        if any(offset):
            data |= {
                key: float(entry[key]) - pixels
                for key, pixels in zip(("x", "y"), offset, strict=True)
            }
        if int(entry.get("gid", 0)):
            data["gid"] = int(entry["gid"]) + self.plan.first - 1
        return data

    def _new_layer(self) -> int:
        self.next_layer += 1
        return self.next_layer - 1

    def _new_object(self) -> int:
        self.next_object += 1
        return self.next_object - 1


def _plan_tilesets(merge: _Merge) -> _Tilesets:
    tilesets = merge.original.tilesets
    new = merge.written.tilesets[0]
    same = [index for index, tileset in enumerate(tilesets) if _is_same(tileset, new)]
    used = _used_numbers(merge)
    removed = {
        index
        for index, tileset in enumerate(tilesets)
        if is_own(tileset)
        and index not in same[:1]
        and not any(owner_of(number, tilesets) is tileset for number in used)
    }
    if same:
        return _Tilesets(removed, 0, tilesets[same[0]].firstgid, is_new=False)
    kept = sorted(
        (tileset for index, tileset in enumerate(tilesets) if index not in removed),
        key=lambda tileset: tileset.firstgid,
    )
    for index in sorted(removed):
        first = tilesets[index].firstgid
        later = [tileset.firstgid for tileset in kept if tileset.firstgid >= first]
        if not any(tileset.firstgid < first < _end(tileset) for tileset in kept) and (
            not later or later[0] - first >= _size(merge.written)
        ):
            return _Tilesets(removed, index, first, is_new=True)
    first = max([1, *(_end(tileset) for tileset in kept), *(number + 1 for number in used)])
    return _Tilesets(removed, len(tilesets), first, is_new=True)


def _size(written: Map) -> int:
    """Return how many numbers our tileset needs; that in a file needs as many as an embedded
    one.
    """
    return (
        max([written.tilesets[0].tilecount, *(1 + tile.id for tile in written.tilesets[0].tiles)])
        if written.tilesets[0].source is None
        else ROOM
    )


def _end(tileset: TiledTileset) -> int:
    """Return the first number after a tileset."""
    count = max([tileset.tilecount, *(tile.id + 1 for tile in tileset.tiles)], default=0)
    return tileset.firstgid + (count if tileset.source is None and count else ROOM)


def _is_same(tileset: TiledTileset, new: TiledTileset) -> bool:
    """Whether a tileset is the one of the new level; a person may have added to it."""
    if tileset.source is not None or new.source is not None:
        return (
            tileset.source or f"{tileset.name}{PurePosixPath(new.source or '').suffix}"
        ) == new.source
    classes = {tile.id: tile.kind for tile in tileset.tiles}
    return (
        tileset.name == new.name
        and tileset.tilecount >= new.tilecount
        and all(classes.get(tile.id) == tile.kind for tile in new.tiles)
    )


def _used_numbers(merge: _Merge) -> set[int]:
    """Return the numbers of tiles that parts of the original use which stay."""
    own = {placed.path for placed, _ in merge.tile_layers}
    used: set[int] = set()
    for placed in all_layers(merge.original):
        layer = placed.layer
        if layer.type == "tilelayer" and placed.path not in own:
            used |= set(numbers_of(layer))
        in_places = merge.places is not None and placed.path == merge.places.path
        used |= {
            entry.gid & ~int(FLIPS)
            for entry in layer.objects
            if not (in_places and is_plain(entry, merge.original))
        }
    return used - {0}


def _layer_called(found: Map, name: str) -> Layer:
    return next(layer for layer in found.layers if layer.name == name)


def _cell(entry: Object, found: Map, offset: Offset = (0, 0)) -> tuple[int, int]:
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
            message = (
                f"layer {KEEP!r}: expected a parallax factor of 1, and x and y of 0, got others; "
                "set them in Tiled (layer properties)"
            )
            raise InputError(message)
        if placed.layer.type == "tilelayer":
            kept |= numbers_in_place(found, placed) != 0
        else:
            for entry in placed.layer.objects:
                _cover(kept, entry, placed, found)
    return kept


def _cover(kept: NDArray[np.bool_], entry: Object, placed: PlacedLayer, found: Map) -> None:
    """Mark the cells whose centres a rectangle covers, and the cell under its own centre."""
    if entry.polygon or entry.polyline or entry.ellipse or entry.rotation % 360 or entry.template:
        message = (
            f"object {shown(entry.name or str(entry.id))} on layer {KEEP!r}: expected a "
            "rectangle that is not turned; draw it anew in Tiled"
        )
        raise InputError(message)
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
        message = (
            f"object {shown(entry.name or str(entry.id))} on layer {KEEP!r}: expected a "
            "rectangle on the map, got one outside; move or remove it"
        )
        raise InputError(message)
    kept[spans[1], spans[0]] = True
