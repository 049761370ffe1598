"""Conversion of the structure of Tiled's JSON to its XML."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

from levolve.formats.tiled.xml import LINES, SHAPES


def xml_bytes(element: ET.Element) -> bytes:
    """Encode an element as a file."""
    text: str = ET.tostring(element, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text.strip()}\n'.encode()


def map_element(data: dict[str, Any]) -> ET.Element:
    """Convert a map in the structure of TMJ to XML."""
    left_out = {"type", "compressionlevel", "properties", "tilesets", "layers"}
    element = ET.Element("map", _attributes(data, left_out))
    set_properties(element, data["properties"])
    element.extend(tileset_element(tileset) for tileset in data["tilesets"])
    element.extend(layer_element(layer) for layer in data["layers"])
    return element


def tileset_element(tileset: dict[str, Any]) -> ET.Element:
    """Convert a tileset, or a reference to its file, to XML."""
    element = ET.Element(
        "tileset", _attributes(tileset, {"image", "imagewidth", "imageheight", "tiles", "wangsets"})
    )
    if "image" in tileset:
        ET.SubElement(
            element,
            "image",
            {
                "source": tileset["image"],
                "width": str(tileset["imagewidth"]),
                "height": str(tileset["imageheight"]),
            },
        )
    for tile in tileset.get("tiles", ()):
        inner = ET.SubElement(element, "tile", _attributes(tile, {"objectgroup", "properties"}))
        set_properties(inner, tile.get("properties", []))
        if "objectgroup" in tile:
            shapes = ET.SubElement(inner, "objectgroup", {"draworder": "index", "id": "2"})
            for shape in tile["objectgroup"]["objects"]:
                ET.SubElement(
                    shapes, "object", _attributes(shape, {"name", "type", "rotation", "visible"})
                )
    sets = ET.SubElement(element, "wangsets") if "wangsets" in tileset else None
    for wang in tileset.get("wangsets", ()):
        assert sets is not None  # noqa: S101 there are sets
        inner = ET.SubElement(sets, "wangset", _attributes(wang, {"colors", "wangtiles"}))
        for colour in wang["colors"]:
            ET.SubElement(inner, "wangcolor", _attributes(colour, ()))
        for tile in wang["wangtiles"]:
            ET.SubElement(
                inner,
                "wangtile",
                {"tileid": str(tile["tileid"]), "wangid": ",".join(map(str, tile["wangid"]))},
            )
    return element


def layer_element(layer: dict[str, Any]) -> ET.Element:
    """Convert a layer to XML."""
    left_out = {
        "type",
        "x",
        "y",
        "opacity",
        "visible",
        "data",
        "compression",
        "objects",
        "draworder",
        "properties",
    }
    left_out -= {"opacity"} if layer.get("opacity", 1) != 1 else set()
    if layer["type"] == "tilelayer":
        element = ET.Element("layer", _attributes(layer, left_out))
        element.append(data_element(layer["data"], int(layer["width"])))
        return element
    element = ET.Element("objectgroup", _attributes(layer, left_out))
    element.extend(object_element(entry) for entry in layer["objects"])
    return element


def data_element(numbers: list[int], width: int) -> ET.Element:
    """Convert the numbers of a tile layer to XML."""
    rows = [
        ",".join(map(str, numbers[start : start + width]))
        for start in range(0, len(numbers), width)
    ]
    element = ET.Element("data", {"encoding": "csv"})
    element.text = "\n" + ",\n".join(rows) + "\n"
    return element


def object_element(entry: dict[str, Any]) -> ET.Element:
    """Convert an object to XML."""
    element = ET.Element(
        "object", _attributes(entry, {"properties", *LINES, "rotation", "visible", *SHAPES})
    )
    set_properties(element, entry["properties"])
    for shape in LINES:
        points = entry.get(shape)
        if points is not None:
            text = (
                points
                if isinstance(points, str)
                else " ".join(f"{point['x']},{point['y']}" for point in points)
            )
            ET.SubElement(element, shape, {"points": text})
    if entry.get("ellipse"):
        ET.SubElement(element, "ellipse")
    return element


def set_properties(parent: ET.Element, properties: list[dict[str, Any]]) -> None:
    """Add properties to an element that has none."""
    if properties:
        inner = ET.Element("properties")
        inner.extend(map(property_element, properties))
        parent.insert(0, inner)


def property_element(entry: dict[str, Any]) -> ET.Element:
    """Convert a property to XML."""
    fields = {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in entry.items()
        if (key, value) != ("type", "string")
    }
    return ET.Element("property", fields)


def _attributes(data: dict[str, Any], left_out: Iterable[str]) -> dict[str, str]:
    return {
        key: str(int(value) if isinstance(value, bool) else value)
        for key, value in data.items()
        if key not in left_out
    }
