"""A TMX or TMJ map as its file holds it, with everything in it, so that some of its parts can be
replaced and all others stay as they are.
"""

import xml.etree.ElementTree as ET
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from typing import Any

from levolve.formats.json import compact_json
from levolve.formats.reading.data import parse_json
from levolve.formats.tiled.xml import LAYERS, parse_xml
from levolve.formats.tiled.xml_writing import (
    data_element,
    layer_element,
    object_element,
    property_element,
    tileset_element,
    xml_bytes,
)


class Document(ABC):
    """A map to change. Its parts have the names of TMJ: layers, objects, tilesets, properties."""

    root: Any

    @abstractmethod
    def parts(self, parent: Any, kind: str) -> list[Any]:
        """Return the parts of a kind in the map, a group or a layer."""

    @abstractmethod
    def replace(self, parent: Any, kind: str, parts: list[Any]) -> None:
        """Replace the parts of a kind by some of them and by new ones, in the structure of TMJ."""

    @abstractmethod
    def change(self, part: Any, fields: Mapping[str, str | float | None]) -> None:
        """Set fields of a part; those that are None are removed."""

    @abstractmethod
    def draw(self, layer: Any, numbers: list[int], width: int) -> None:
        """Replace the tiles of a layer."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """Return the file."""

    def layer(self, path: tuple[int, ...]) -> Any:
        """Return the layer at a path of indices from the outermost group."""
        layer = self.root
        for index in path:
            layer = self.parts(layer, "layers")[index]
        return layer

    def insert(self, data: dict[str, Any], beside: Any = None, *, after: bool = True) -> Any:
        """Insert a layer beside another, or after all others, and return it."""
        group, layers, place = self.root, self.parts(self.root, "layers"), -1
        if beside is not None:
            group, layers, place = self._place(beside)
        place = len(layers) if beside is None else place + after
        self.replace(group, "layers", [*layers[:place], data, *layers[place:]])
        return self.parts(group, "layers")[place]

    def remove(self, layer: Any) -> None:
        """Remove a layer."""
        group, layers, place = self._place(layer)
        self.replace(group, "layers", layers[:place] + layers[place + 1 :])

    def _place(self, layer: Any) -> tuple[Any, list[Any], int]:
        """Return the group of a layer, its layers, and the index of the layer among them."""
        waiting = [self.root]
        while True:
            group = waiting.pop()
            layers = self.parts(group, "layers")
            for place, inner in enumerate(layers):
                if inner is layer:
                    return group, layers, place
            waiting += layers


# The tags of parts, and what converts a new part to XML.
_PARTS: Mapping[str, tuple[Collection[str], Callable[[dict[str, Any]], ET.Element]]] = {
    "layers": (LAYERS, layer_element),
    "objects": (("object",), object_element),
    "tilesets": (("tileset",), tileset_element),
    "properties": (("property",), property_element),
}


class XmlDocument(Document):
    """A TMX map."""

    def __init__(self, content: bytes) -> None:
        """Parse a map."""
        self.root: ET.Element = parse_xml(content, "TMX", "map", comments=True)

    def _holder(self, parent: ET.Element, kind: str) -> ET.Element:
        if kind != "properties":
            return parent
        found = parent.find("properties")
        if found is None:
            found = ET.Element("properties")
            parent.insert(0, found)
        return found

    def parts(self, parent: ET.Element, kind: str) -> list[ET.Element]:
        """Return the parts of a kind in the map, a group or a layer."""
        return [each for each in self._holder(parent, kind) if each.tag in _PARTS[kind][0]]

    def replace(self, parent: ET.Element, kind: str, parts: list[Any]) -> None:
        """Replace the parts of a kind by some of them and by new ones, in the structure of TMJ."""
        before, holder = self.parts(parent, kind), self._holder(parent, kind)
        # Tilesets lie before layers, and everything else at the end.
        later = before or (self.parts(parent, "layers") if kind == "tilesets" else [])
        children = list(holder)
        first = children.index(later[0]) if later else len(children)
        place = len(children)
        ours, kept = ({id(part) for part in listed} for listed in (before, parts))
        waiting = iter(parts)
        found: list[ET.Element] = []
        for index, child in enumerate(children):
            if index == first:
                place = len(found)
            if id(child) in ours and id(child) not in kept:
                continue
            if id(child) in ours:
                for part in waiting:
                    found.append(_PARTS[kind][1](part) if isinstance(part, dict) else part)
                    if part is child:
                        break
                place = len(found)
            else:
                found.append(child)
        found[place:place] = [_PARTS[kind][1](part) for part in waiting]
        holder[:] = found

    def change(self, part: ET.Element, fields: Mapping[str, str | float | None]) -> None:
        """Set fields of a part; those that are None are removed."""
        for key, value in fields.items():
            part.attrib.pop(key, None)
            if value is not None:
                part.set(key, value if isinstance(value, str) else f"{value:.10g}")

    def draw(self, layer: ET.Element, numbers: list[int], width: int) -> None:
        """Replace the tiles of a layer."""
        for before in layer.findall("data"):
            layer.remove(before)
        layer.append(data_element(numbers, width))

    def to_bytes(self) -> bytes:
        """Return the file."""
        ET.indent(self.root, " ")
        return xml_bytes(self.root)


class JsonDocument(Document):
    """A TMJ map."""

    def __init__(self, content: bytes) -> None:
        """Parse a map."""
        self.root: dict[str, Any] = parse_json(content, "TMJ")

    def parts(self, parent: dict[str, Any], kind: str) -> list[dict[str, Any]]:
        """Return the parts of a kind in the map, a group or a layer."""
        return list(parent.get(kind, ()))

    def replace(self, parent: dict[str, Any], kind: str, parts: list[dict[str, Any]]) -> None:
        """Replace the parts of a kind by some of them and by new ones, in the structure of TMJ."""
        parent[kind] = parts

    def change(self, part: dict[str, Any], fields: Mapping[str, str | float | None]) -> None:
        """Set fields of a part; those that are None are removed."""
        for key, value in fields.items():
            if value is None:
                part.pop(key, None)
            else:
                part[key] = int(value) if isinstance(value, float) and value % 1 == 0 else value

    def draw(self, layer: dict[str, Any], numbers: list[int], width: int) -> None:
        """Replace the tiles of a layer."""
        self.change(layer, {"encoding": None, "compression": None})
        layer["data"] = numbers

    def to_bytes(self) -> bytes:
        """Return the file."""
        return compact_json(self.root)
