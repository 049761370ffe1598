"""A map as its file holds it, with everything in it, so that some of its parts can be replaced and
all others stay as they are.
"""

import xml.etree.ElementTree as ET
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from levolve.formats.json import compact_json
from levolve.formats.reading.data import parse_json
from levolve.formats.tiled.xml import (
    data_element,
    layer_element,
    layer_elements,
    object_element,
    parse_xml,
    set_properties,
    tileset_element,
    xml_bytes,
)

# The indices of a layer from the outermost group.
Path = tuple[int, ...]
Offset = tuple[float, float]


@dataclass
class ObjectChanges:
    """Changes to the objects of a layer, by their indices: those to remove, to replace, to move by
    pixels; and objects to add.
    """

    removed: set[int] = field(default_factory=set)
    replaced: dict[int, dict[str, Any]] = field(default_factory=dict)
    moved: dict[int, Offset] = field(default_factory=dict)
    added: list[dict[str, Any]] = field(default_factory=list)


class Document(ABC):
    """A map to change. New parts are given in the structure of TMJ. A layer is found by its path
    before the first change.
    """

    @abstractmethod
    def draw(self, layer: Any, name: str, numbers: list[int], width: int, offset: Offset) -> None:
        """Replace the tiles of a layer, its name and its offset."""

    @abstractmethod
    def layer(self, path: Path) -> Any:
        """Return the layer at a path."""

    @abstractmethod
    def insert(self, data: dict[str, Any], beside: Any = None, *, after: bool = True) -> Any:
        """Insert a layer beside another, or after all others, and return it."""

    @abstractmethod
    def remove(self, layer: Any) -> None:
        """Remove a layer."""

    @abstractmethod
    def change_objects(self, layer: Any, changes: ObjectChanges) -> None:
        """Change the objects of a layer."""

    @abstractmethod
    def change_tilesets(
        self, removed: Collection[int], position: int, added: dict[str, Any] | None
    ) -> None:
        """Remove tilesets, and insert one at a position among those that there were before."""

    @abstractmethod
    def change_properties(self, removed: Collection[str], added: Sequence[dict[str, Any]]) -> None:
        """Replace properties of the map."""

    @abstractmethod
    def set_fields(self, fields: Mapping[str, int]) -> None:
        """Set fields of the map."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """Return the file."""


class XmlDocument(Document):
    """A TMX map."""

    def __init__(self, content: bytes) -> None:
        """Parse a map."""
        self._root = parse_xml(content, "TMX", "map", comments=True)

    def layer(self, path: Path) -> ET.Element:
        """Return the layer at a path."""
        element = self._root
        for index in path:
            element = layer_elements(element)[index]
        return element

    def draw(
        self, layer: ET.Element, name: str, numbers: list[int], width: int, offset: Offset
    ) -> None:
        """Replace the tiles of a layer, its name and its offset."""
        layer.set("name", name)
        for key, pixels in zip(("offsetx", "offsety"), offset, strict=True):
            _set_or_drop(layer.attrib, key, f"{pixels:g}" if pixels else None)
        data, before = data_element(numbers, width), layer.find("data")
        position = len(layer) if before is None else list(layer).index(before)
        if before is not None:
            data.tail = before.tail
            layer.remove(before)
        layer.insert(position, data)

    def insert(
        self, data: dict[str, Any], beside: ET.Element | None = None, *, after: bool = True
    ) -> ET.Element:
        """Insert a layer beside another, or after all others, and return it."""
        element = layer_element(data)
        parent = self._root if beside is None else self._parent(beside)
        position = len(parent) if beside is None else list(parent).index(beside) + after
        _insert(parent, position, element, self._depth(parent))
        return element

    def remove(self, layer: ET.Element) -> None:
        """Remove a layer."""
        _remove(self._parent(layer), layer)

    def change_objects(self, layer: ET.Element, changes: ObjectChanges) -> None:
        """Change the objects of a layer."""
        depth = self._depth(layer)
        for index, entry in enumerate(layer.findall("object")):
            if index in changes.moved:
                for key, pixels in zip(("x", "y"), changes.moved[index], strict=True):
                    entry.set(key, f"{float(entry.get(key, '0')) + pixels:.10g}")
            if index in changes.replaced:
                new = object_element(changes.replaced[index])
                ET.indent(new, " ", depth + 1)
                new.tail = entry.tail
                layer[list(layer).index(entry)] = new
            if index in changes.removed:
                _remove(layer, entry)
        for added in changes.added:
            _insert(layer, len(layer), object_element(added), depth)

    def change_tilesets(
        self, removed: Collection[int], position: int, added: dict[str, Any] | None
    ) -> None:
        """Remove tilesets, and insert one at a position among those that there were before."""
        tilesets = self._root.findall("tileset")
        if added is not None:
            later = [*tilesets[position:], *layer_elements(self._root)]
            where = list(self._root).index(later[0]) if later else len(self._root)
            _insert(self._root, where, tileset_element(added), 0)
        for index in removed:
            _remove(self._root, tilesets[index])

    def change_properties(self, removed: Collection[str], added: Sequence[dict[str, Any]]) -> None:
        """Replace properties of the map."""
        inner = self._root.find("properties")
        if inner is not None:
            for entry in inner.findall("property"):
                if entry.get("name") in removed:
                    _remove(inner, entry)
        if inner is None and added:
            inner = ET.Element("properties")
            _insert(self._root, 0, inner, 0)
        for new in added:
            assert inner is not None  # noqa: S101 it was created
            holder = ET.Element("properties")
            set_properties(holder, [new])
            _insert(inner, len(inner), holder[0][0], 1)

    def set_fields(self, fields: Mapping[str, int]) -> None:
        """Set fields of the map."""
        for key, value in fields.items():
            self._root.set(key, str(value))

    def to_bytes(self) -> bytes:
        """Return the file."""
        return xml_bytes(self._root)

    def _parent(self, layer: ET.Element) -> ET.Element:
        return next(element for element in self._root.iter() if layer in list(element))

    def _depth(self, element: ET.Element) -> int:
        depth = 0
        while element is not self._root:
            element, depth = self._parent(element), depth + 1
        return depth


class JsonDocument(Document):
    """A TMJ map."""

    def __init__(self, content: bytes) -> None:
        """Parse a map."""
        self._data: dict[str, Any] = parse_json(content, "TMJ")

    def layer(self, path: Path) -> dict[str, Any]:
        """Return the layer at a path."""
        layer = self._data
        for index in path:
            layer = layer["layers"][index]
        return layer

    def draw(
        self, layer: dict[str, Any], name: str, numbers: list[int], width: int, offset: Offset
    ) -> None:
        """Replace the tiles of a layer, its name and its offset."""
        for key in ("encoding", "compression"):
            layer.pop(key, None)
        layer |= {"name": name, "data": numbers}
        for key, pixels in zip(("offsetx", "offsety"), offset, strict=True):
            _set_or_drop(layer, key, pixels or None)

    def insert(
        self, data: dict[str, Any], beside: dict[str, Any] | None = None, *, after: bool = True
    ) -> dict[str, Any]:
        """Insert a layer beside another, or after all others, and return it."""
        siblings = self._data.setdefault("layers", []) if beside is None else self._siblings(beside)
        siblings.insert(len(siblings) if beside is None else _index(siblings, beside) + after, data)
        return data

    def remove(self, layer: dict[str, Any]) -> None:
        """Remove a layer."""
        siblings = self._siblings(layer)
        del siblings[_index(siblings, layer)]

    def change_objects(self, layer: dict[str, Any], changes: ObjectChanges) -> None:
        """Change the objects of a layer."""
        objects = layer.setdefault("objects", [])
        for index, (across, down) in changes.moved.items():
            objects[index] |= {
                "x": objects[index].get("x", 0) + across,
                "y": objects[index].get("y", 0) + down,
            }
        for index, data in changes.replaced.items():
            objects[index] = data
        layer["objects"] = [
            entry for index, entry in enumerate(objects) if index not in changes.removed
        ] + changes.added

    def change_tilesets(
        self, removed: Collection[int], position: int, added: dict[str, Any] | None
    ) -> None:
        """Remove tilesets, and insert one at a position among those that there were before."""
        tilesets = self._data.get("tilesets", [])
        kept = [(index, tileset) for index, tileset in enumerate(tilesets) if index not in removed]
        before = [tileset for index, tileset in kept if index < position]
        later = [tileset for index, tileset in kept if index >= position]
        self._data["tilesets"] = [*before, *([] if added is None else [added]), *later]

    def change_properties(self, removed: Collection[str], added: Sequence[dict[str, Any]]) -> None:
        """Replace properties of the map."""
        properties = [
            entry for entry in self._data.get("properties", []) if entry.get("name") not in removed
        ]
        if properties or added:
            self._data["properties"] = [*properties, *added]
        else:
            self._data.pop("properties", None)

    def set_fields(self, fields: Mapping[str, int]) -> None:
        """Set fields of the map."""
        self._data |= fields

    def to_bytes(self) -> bytes:
        """Return the file."""
        return compact_json(self._data)

    def _siblings(self, layer: dict[str, Any]) -> list[dict[str, Any]]:
        waiting = [self._data]
        while True:
            layers: list[dict[str, Any]] = waiting.pop().get("layers", [])
            if any(inner is layer for inner in layers):
                return layers
            waiting += layers


def _index(siblings: list[dict[str, Any]], layer: dict[str, Any]) -> int:
    return next(index for index, inner in enumerate(siblings) if inner is layer)


def _set_or_drop(fields: dict[str, Any], key: str, value: Any) -> None:
    if value is None:
        fields.pop(key, None)
    else:
        fields[key] = value


def _insert(parent: ET.Element, position: int, element: ET.Element, depth: int) -> None:
    """Insert an element on a line of its own."""
    ET.indent(element, " ", depth + 1)
    line, last = "\n" + " " * (depth + 1), "\n" + " " * depth
    if position:
        parent[position - 1].tail = line
    else:
        parent.text = line
    element.tail = line if position < len(parent) else last
    parent.insert(position, element)


def _remove(parent: ET.Element, element: ET.Element) -> None:
    """Remove an element and its line."""
    position = list(parent).index(element)
    last = position == len(parent) - 1
    parent.remove(element)
    if last and len(parent):
        parent[-1].tail = element.tail
    elif last:
        parent.text = None
