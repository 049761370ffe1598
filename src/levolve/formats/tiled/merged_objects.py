"""The object layers of a Tiled map that a person edited, with those of a new level in them: places,
areas, things and the solution.
"""

from collections.abc import Mapping
from typing import Any

from levolve.formats.edited_things import Key, kind_named, matched
from levolve.formats.reading.folder import Folder
from levolve.formats.tiled.documents import Document
from levolve.formats.tiled.layers import FLIPS, all_layers, object_layer, places_layer
from levolve.formats.tiled.model import AREAS, PLACES, SOLUTION, THINGS, Map, Object
from levolve.formats.tiled.ownership import (
    cell_under,
    every_layer,
    is_own,
    is_own_property,
    is_walk,
    own_kinds,
    owner_of,
    thing_key,
)
from levolve.formats.tiled.thing_reading import areas_of
from levolve.formats.tiled.tiles import TileKinds
from levolve.levels.areas import CORRIDOR, DOORWAY, ROOM

# The kinds of areas that levolve finds. Others are a person's.
_OUR_AREAS = frozenset({ROOM, CORRIDOR, DOORWAY})


class MergedObjects:
    """Changes the object layers of `document`, the map `original`, to those of the map `written`,
    whose data has the structure of TMJ.
    """

    def __init__(
        self, document: Document, original: Map, written: Map, data: dict[str, Any]
    ) -> None:
        """Find the layers."""
        self.document, self.original, self.written, self.data = document, original, written, data
        self.layers = {layer["name"]: layer for layer in data["layers"]}
        listed = every_layer(original.layers)
        self.next_layer = max([original.nextlayerid, *(layer.id + 1 for layer in listed)])
        self.next_object = max(
            [original.nextobjectid, *(entry.id + 1 for layer in listed for entry in layer.objects)]
        )
        # The first numbers of our tilesets, in the new map and here.
        self.first: list[tuple[int, int]] = []
        # Nodes are found by their paths before the first change.
        self.places = places_layer(original)
        self.walks = next(
            (
                layer
                for layer in all_layers(original)
                if layer.name == SOLUTION and layer.layer.type == "objectgroup"
            ),
            None,
        )
        self.own, self.kinds = own_kinds(original), TileKinds(original, Folder(None))
        self.place_node = None if self.places is None else document.layer(self.places.path)
        self.things, self.areas = (object_layer(original, name) for name in (THINGS, AREAS))
        self.thing_node, self.area_node = (
            None if placed is None else document.layer(placed.path)
            for placed in (self.things, self.areas)
        )
        self.walk_node = None if self.walks is None else document.layer(self.walks.path)

    def number(self, number: int) -> int:
        """Return the number of a tile of the new map in this one."""
        before, first = max(pair for pair in self.first if pair[0] <= max(number, 1))
        return number and number - before + first

    def join_places(self) -> None:
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
                self.document.change(part, {"gid": self.number(data["gid"])})
            kept.append(part)
        kept += [self._placed(entry, offset) for entry in new.values()]
        self.document.replace(self.place_node, "objects", kept)

    def join_areas(self) -> None:
        """Replace the areas: equal shapes stay as they are, and so do areas of other kinds than
        levolve's.
        """
        source = self.layers.get(AREAS)
        if self.areas is None or self.area_node is None:
            if source is not None:
                self._insert(source, self.place_node)
            return
        new = dict(
            zip(areas_of(self.written) or (), source["objects"] if source else [], strict=True)
        )
        kept: list[Any] = []
        parts = self.document.parts(self.area_node, "objects")
        for area, part in zip(areas_of(self.original) or (), parts, strict=True):
            if new.pop(area, None) is not None or area.kind not in _OUR_AREAS:
                kept.append(part)
        kept += [self._placed(entry, self.areas.offset) for entry in new.values()]
        self.document.replace(self.area_node, "objects", kept)

    def is_unknown(self, entry: Object) -> bool:
        """Whether an object of the layer of the things is of an unknown kind."""
        assert self.things is not None  # noqa: S101 the layer of the object
        kind, _, _ = thing_key(entry, self.original, self.things, self.kinds)
        return kind_named(kind, self.own) is None

    def join_things(self) -> None:
        """Move and change the things that the new level has too, with all that a person gave them;
        remove those of known kinds that are gone, and add new ones.
        """
        source = self.layers.get(THINGS)
        data = [] if source is None else source["objects"]
        if self.things is None or self.thing_node is None:
            if source is not None:
                self._insert(source)
            return
        placed, parts = self.things, self.document.parts(self.thing_node, "objects")
        written = object_layer(self.written, THINGS)
        fresh = TileKinds(self.written, Folder(None))
        new = [
            thing_key(entry, self.written, written, fresh)
            for entry in ([] if written is None else written.layer.objects)
            if written is not None
        ]
        old = [
            thing_key(entry, self.original, placed, self.kinds) for entry in placed.layer.objects
        ]
        pairs = matched(old, new, self.own)
        numbers = {
            data[there]["id"]: placed.layer.objects[here].id for here, there in pairs.items()
        }
        added = [entry for entry in data if entry["id"] not in numbers]
        for entry in added:
            numbers[entry["id"]], self.next_object = self.next_object, self.next_object + 1
        kept: list[Any] = []
        for index, (entry, part, key) in enumerate(
            zip(placed.layer.objects, parts, old, strict=True)
        ):
            known = kind_named(key[0], self.own)
            if index in pairs and known is not None:
                self._change_thing(entry, part, key, data[pairs[index]], new[pairs[index]], numbers)
            if index in pairs or known is None:
                kept.append(part)
        for entry in added:
            fitted = {**entry, "properties": _referring(entry["properties"], numbers)}
            kept.append(self._placed(fitted, placed.offset, numbers[entry["id"]]))
        self.document.replace(self.thing_node, "objects", kept)

    def _change_thing(
        self,
        entry: Object,
        part: Any,
        old: Key,
        data: dict[str, Any],
        new: Key,
        numbers: Mapping[int, int],
    ) -> None:
        """Let an object be a new thing: its cell, its tile, its name and its fields, if they are
        levolve's.
        """
        across, down = (cell - before for cell, before in zip(new[1], old[1], strict=True))
        if across or down:
            x = entry.x + across * self.original.tilewidth
            self.document.change(part, {"x": x, "y": entry.y + down * self.original.tileheight})
        owner = owner_of(entry.gid & ~int(FLIPS), self.original.tilesets) if entry.gid else None
        if owner is not None and is_own(owner) and "gid" in data:
            self.document.change(part, {"gid": self.number(data["gid"])})
        if entry.name in {old[0], old[2]}:
            self.document.change(part, {"name": data["name"]})
        kind = kind_named(old[0], self.own)
        listed = self.document.parts(part, "properties")
        theirs = [
            each
            for each, value in zip(listed, entry.properties, strict=True)
            if not is_own_property(value.name, kind, old[0])
        ]
        ours = _referring(data["properties"], numbers)
        self.document.replace(part, "properties", [*theirs, *ours])

    def join_solution(self) -> None:
        """Replace the lines of the solution; other objects of its layer stay."""
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
        walk = [
            self._placed(entry, self.walks.offset, 0 if index else number)
            for index, entry in enumerate(lines)
        ]
        others = [part for entry, part in pairs if not is_walk(entry)]
        self.document.replace(self.walk_node, "objects", [*walk, *others])

    def _insert(self, source: dict[str, Any], above: Any = None) -> None:
        """Add a layer below another one or, without one, above all."""
        numbers = {
            entry["id"]: self.next_object + index for index, entry in enumerate(source["objects"])
        }
        objects = [
            self._placed({**entry, "properties": _referring(entry["properties"], numbers)}, (0, 0))
            for entry in source["objects"]
        ]
        data = {**source, "id": self.new_layer(), "objects": objects}
        self.document.insert(data, above, after=False)

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
            data["gid"] = self.number(entry["gid"])
        return data

    def new_layer(self) -> int:
        """Return a number for a new layer."""
        self.next_layer += 1
        return self.next_layer - 1


def _referring(
    properties: list[dict[str, Any]], numbers: Mapping[int, int]
) -> list[dict[str, Any]]:
    """Return properties whose references are the numbers that objects have here."""
    return [
        {**each, "value": numbers[int(each["value"])]} if each.get("type") == "object" else each
        for each in properties
    ]
