"""A new level in a Tiled map that a person edited.

The tiles of our layers, their places, the line of the solution, our tileset and our properties are
replaced; the settings of these layers and everything else stay.
"""

import warnings
from pathlib import PurePosixPath
from typing import Any

from levolve.core.errors import InputError
from levolve.core.safe_text import printable
from levolve.formats.tiled.documents import Document
from levolve.formats.tiled.layers import FLIPS, all_layers, level_layers, places_layer
from levolve.formats.tiled.model import (
    PLACES,
    SOLUTION,
    Map,
    TiledTileset,
    written_by_us,
)
from levolve.formats.tiled.ownership import (
    cell_under,
    every_layer,
    foreign_artwork,
    is_own,
    is_walk,
    numbers_of,
    owner_of,
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
    _Merge(document, original, written, data).merge()
    return document.to_bytes()


def _check_fit(original: Map, written: Map) -> None:
    sizes, sides = (
        [f"{width}x{height}" for width, height in pairs]
        for pairs in (
            ((original.width, original.height), (written.width, written.height)),
            ((original.tilewidth, original.tileheight), (written.tilewidth, written.tileheight)),
        )
    )
    if sizes[0] != sizes[1]:
        raise InputError(f"the map has {sizes[0]} cells, and the level {sizes[1]}")
    if sides[0] != sides[1]:
        raise InputError(
            f"the tiles of the map have {sides[0]} pixels, and those of the level {sides[1]}"
        )


class _Merge:
    def __init__(
        self, document: Document, original: Map, written: Map, data: dict[str, Any]
    ) -> None:
        self.document, self.original, self.written, self.data = document, original, written, data
        self.layers = {layer["name"]: layer for layer in data["layers"]}
        listed = every_layer(original.layers)
        self.next_layer = max([original.nextlayerid, *(layer.id + 1 for layer in listed)])
        self.next_object = max(
            [original.nextobjectid, *(entry.id + 1 for layer in listed for entry in layer.objects)]
        )
        # Nodes are found by their paths before the first change.
        self.drawn = [(placed, document.layer(placed.path)) for placed in level_layers(original)]
        self.places = places_layer(original)
        self.walks = next(
            (
                layer
                for layer in all_layers(original)
                if layer.name == SOLUTION and layer.layer.type == "objectgroup"
            ),
            None,
        )
        self.place_node = None if self.places is None else document.layer(self.places.path)
        self.walk_node = None if self.walks is None else document.layer(self.walks.path)

    def merge(self) -> None:
        self.first = self._join_tilesets()
        self._join_tile_layers()
        self._join_places()
        self._join_solution()
        document, root = self.document, self.document.root
        own = written_by_us(entry.name for entry in self.original.properties)
        theirs = [
            part
            for part, entry in zip(
                document.parts(root, "properties"), self.original.properties, strict=True
            )
            if entry.name not in own
        ]
        document.replace(root, "properties", [*theirs, *self.data.get("properties", [])])
        document.change(root, {"nextlayerid": self.next_layer, "nextobjectid": self.next_object})

    def _join_tilesets(self) -> int:
        """Add our tileset, unless it is there, and return its first number. Ours of earlier
        versions or themes are removed, unless another layer uses them.
        """
        tilesets, new = self.original.tilesets, self.written.tilesets[0]
        same = next((tileset for tileset in tilesets if _is_same(tileset, new)), None)
        used = self._used_numbers()
        owners = [owner_of(number, tilesets) for number in used]
        kept = [
            (tileset, part)
            for tileset, part in zip(
                tilesets, self.document.parts(self.document.root, "tilesets"), strict=True
            )
            if tileset is same or not is_own(tileset) or any(owner is tileset for owner in owners)
        ]
        parts = [part for _, part in kept]
        if same is None:
            ends = [_end(tileset) for tileset, _ in kept]
            first = max([1, *ends, *(number + 1 for number in used)])
            parts.append({**self.data["tilesets"][0], "firstgid": first})
        else:
            first = same.firstgid
        self.document.replace(self.document.root, "tilesets", parts)
        return first

    def _used_numbers(self) -> set[int]:
        """Return the numbers of tiles that parts of the original use which stay."""
        own = {placed.path for placed, _ in self.drawn}
        own |= set() if self.places is None else {self.places.path}
        used: set[int] = {0}
        for placed in all_layers(self.original):
            if placed.path not in own:
                if placed.layer.type == "tilelayer":
                    used.update(numbers_of(placed.layer))
                used |= {entry.gid & ~int(FLIPS) for entry in placed.layer.objects}
        return used - {0}

    def _join_tile_layers(self) -> None:
        """Draw the tile layers: each in the one with its name, else in another of ours, else in a
        new one beside.
        """
        sources = [layer for layer in self.written.layers if layer.type == "tilelayer"]
        named = {placed.name: (placed, node) for placed, node in self.drawn}
        free = [pair for pair in self.drawn if pair[0].name not in self.layers]
        for source in sources:
            if source.name not in named and free:
                named[source.name] = free.pop(0)
        last = None
        for source in sources:
            numbers = [number and number + self.first - 1 for number in numbers_of(source)]
            if source.name in named:
                placed, node = named[source.name]
            else:
                # A new layer lies beside ours, in the same group.
                placed, beside = last or next(iter(named.values()))
                layer = {**self.layers[source.name], "id": self._new_layer(), "data": numbers}
                node = self.document.insert(layer, beside, after=last is not None)
            last = placed, node
            x, y = (-pixels or None for pixels in placed.outer)
            self.document.change(node, {"name": source.name, "offsetx": x, "offsety": y})
            self.document.draw(node, numbers, self.original.width)
        for _, node in free:
            self.document.remove(node)

    def _join_places(self) -> None:
        """Move the places that are elsewhere now by whole cells, with all that a person gave them;
        remove those that are gone, and add new ones.
        """
        source, found = self.layers[PLACES], self.original
        new = {entry["name"]: entry for entry in source["objects"]}
        if self.places is None:
            self._insert(source)
            return
        cells = {
            entry.name: cell_under(entry, self.written)
            for layer in self.written.layers
            if layer.name == PLACES
            for entry in layer.objects
        }
        offset, parts = self.places.offset, self.document.parts(self.place_node, "objects")
        kept: list[Any] = []
        for entry, part in zip(self.places.layer.objects, parts, strict=True):
            if entry.name not in new:
                continue
            data, before = new.pop(entry.name), cell_under(entry, found, offset)
            across, down = (cell - old for cell, old in zip(cells[entry.name], before, strict=True))
            if across or down:
                x, y = entry.x + across * found.tilewidth, entry.y + down * found.tileheight
                self.document.change(part, {"x": x, "y": y})
            owner = owner_of(entry.gid & ~int(FLIPS), found.tilesets) if entry.gid else None
            if owner is not None and is_own(owner):
                self.document.change(part, {"gid": data["gid"] + self.first - 1})
            kept.append(part)
        kept += [self._placed(entry, offset) for entry in new.values()]
        self.document.replace(self.place_node, "objects", kept)

    def _join_solution(self) -> None:
        """Replace the line of the solution; other objects of its layer stay."""
        source = self.layers.get(SOLUTION)
        if self.walks is None:
            if source is not None:
                self._insert(source)
            return
        pairs = list(
            zip(
                self.walks.layer.objects,
                self.document.parts(self.walk_node, "objects"),
                strict=True,
            )
        )
        number = next((entry.id for entry, _ in pairs if is_walk(entry)), 0)
        lines = [] if source is None else source["objects"]
        walk = [self._placed(entry, self.walks.offset, number) for entry in lines]
        others = [part for entry, part in pairs if not is_walk(entry)]
        self.document.replace(self.walk_node, "objects", [*walk, *others])

    def _insert(self, source: dict[str, Any]) -> None:
        objects = [self._placed(entry, (0, 0)) for entry in source["objects"]]
        self.document.insert({**source, "id": self._new_layer(), "objects": objects})

    def _placed(
        self, entry: dict[str, Any], offset: tuple[float, float], number: int = 0
    ) -> dict[str, Any]:
        """Return a written object for a layer that is moved by an offset, with a number of this
        map.
        """
        if not number:
            number, self.next_object = self.next_object, self.next_object + 1
        data = {**entry, "id": number, "x": entry["x"] - offset[0], "y": entry["y"] - offset[1]}
        if "gid" in entry:
            data["gid"] = entry["gid"] + self.first - 1
        return data

    def _new_layer(self) -> int:
        self.next_layer += 1
        return self.next_layer - 1


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
