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
from levolve.formats.tiled.layers import (
    FLIPS,
    all_layers,
    level_layers,
)
from levolve.formats.tiled.merged_objects import MergedObjects
from levolve.formats.tiled.model import (
    Map,
    TiledTileset,
    written_by_us,
)
from levolve.formats.tiled.ownership import (
    foreign_artwork,
    is_own,
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


class _Merge(MergedObjects):
    def __init__(
        self, document: Document, original: Map, written: Map, data: dict[str, Any]
    ) -> None:
        super().__init__(document, original, written, data)
        self.drawn = [(placed, document.layer(placed.path)) for placed in level_layers(original)]

    def merge(self) -> None:
        self._join_tilesets()
        self._join_tile_layers()
        self.join_places()
        self.join_areas()
        self.join_things()
        self.join_solution()
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

    def _join_tilesets(self) -> None:
        """Add our tilesets, unless they are there. Ours of earlier versions or themes are removed,
        unless another layer uses them.
        """
        tilesets, root = self.original.tilesets, self.document.root
        same = [
            next((tileset for tileset in tilesets if _is_same(tileset, new)), None)
            for new in self.written.tilesets
        ]
        used = self._used_numbers()
        owners = [owner_of(number, tilesets) for number in used]
        kept = [
            (tileset, part)
            for tileset, part in zip(tilesets, self.document.parts(root, "tilesets"), strict=True)
            if not is_own(tileset) or any(tileset is one for one in [*same, *owners])
        ]
        parts = [part for _, part in kept]
        ends = [_end(tileset) for tileset, _ in kept]
        free = max([1, *ends, *(number + 1 for number in used)])
        for new, there, data in zip(
            self.written.tilesets, same, self.data["tilesets"], strict=True
        ):
            first = free if there is None else there.firstgid
            self.first.append((new.firstgid, first))
            if there is None:
                parts.append({**data, "firstgid": first})
                free = _end(new.model_copy(update={"firstgid": first}))
        self.document.replace(root, "tilesets", parts)

    def _used_numbers(self) -> set[int]:
        """Return the numbers of tiles that parts of the original use which stay."""
        own = {placed.path for placed, _ in self.drawn}
        own |= {part.path for part in (self.places, self.things) if part is not None}
        used: set[int] = {0}
        for placed in all_layers(self.original):
            if placed.path not in own:
                if placed.layer.type == "tilelayer":
                    used.update(numbers_of(placed.layer))
                used |= {entry.gid & ~int(FLIPS) for entry in placed.layer.objects}
        if self.things is not None:
            kept = [entry for entry in self.things.layer.objects if self.is_unknown(entry)]
            used |= {entry.gid & ~int(FLIPS) for entry in kept}
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
            numbers = [self.number(number) for number in numbers_of(source)]
            if source.name in named:
                placed, node = named[source.name]
            else:
                # A new layer lies beside ours, in the same group.
                placed, beside = last or next(iter(named.values()))
                layer = {**self.layers[source.name], "id": self.new_layer(), "data": numbers}
                node = self.document.insert(layer, beside, after=last is not None)
            last = placed, node
            x, y = (-pixels or None for pixels in placed.outer)
            self.document.change(node, {"name": source.name, "offsetx": x, "offsety": y})
            self.document.draw(node, numbers, self.original.width)
        for _, node in free:
            self.document.remove(node)


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
