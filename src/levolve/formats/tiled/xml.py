"""Conversion between Tiled's XML and the structure of its JSON. Document types are rejected, and with them all entity attacks."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

from levolve.errors import InputError
from levolve.formats.reading.budgets import MOST_BYTES, MOST_CELLS, MOST_ELEMENTS, check_amount

LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}


class _Builder(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:  # noqa: ARG002 the signature of the parser's callback
        message = "expected a map without a document type (<!DOCTYPE …>)"
        raise InputError(message)


def parse_xml(content: bytes, what: str, root: str) -> ET.Element:
    """Return the root element; raise `InputError` if the XML is invalid."""
    check_amount(len(content), MOST_BYTES, "bytes", what)
    check_amount(content.count(b"<"), MOST_ELEMENTS, "elements", what)
    check_amount(content.count(b"="), 2 * MOST_ELEMENTS, "attributes", what)
    check_amount(content.count(b","), 2 * MOST_CELLS, "values", what)
    parser = ET.XMLParser(target=_Builder())  # noqa: S314 entities need a document type, which is rejected
    try:
        parser.feed(content)
        found: ET.Element = parser.close()
    except InputError as problem:
        message = f"{what}: {problem}"
        raise InputError(message) from problem
    except (ET.ParseError, ValueError, LookupError) as problem:
        message = f"{what}: expected valid XML: {problem}"
        raise InputError(message) from problem
    if found.tag != root:
        message = f"{what}: expected <{root}> as the outermost element, got <{found.tag[:40]}>"
        raise InputError(message)
    return found


def map_data(element: ET.Element) -> dict[str, Any]:
    """Convert a map to the structure of TMJ."""
    return {
        **element.attrib,
        "properties": _properties(element),
        "tilesets": [tileset_data(tileset) for tileset in element.iterfind("tileset")],
        "layers": [_layer(layer) for layer in element if layer.tag in LAYERS],
    }


def tileset_data(element: ET.Element) -> dict[str, Any]:
    """Convert a tileset to the structure of TMJ."""
    return {**element.attrib, "tiles": [dict(tile.attrib) for tile in element.iterfind("tile")]}


def _properties(element: ET.Element) -> list[dict[str, Any]]:
    # A value with several lines is stored as the element's text.
    return [{"value": entry.text or "", **entry.attrib} for entry in element.iterfind("properties/property")]


def _layer(element: ET.Element) -> dict[str, Any]:
    layer: dict[str, Any] = {**element.attrib, "type": LAYERS[element.tag]}
    if element.tag == "objectgroup":
        layer["objects"] = [{**entry.attrib, "properties": _properties(entry)} for entry in element.iterfind("object")]
    data = element.find("data")
    if element.tag == "layer" and data is not None:
        encoding = data.get("encoding")
        layer["compression"] = data.get("compression", "")
        if encoding is None:
            layer["data"] = [tile.get("gid", "0") for tile in data.iterfind("tile")]
        elif encoding == "csv":
            layer["data"] = _listed(data)
        else:
            layer["data"] = data.text or ""
    return layer


def _listed(data: ET.Element) -> list[str]:
    """Return the numbers of a layer in CSV, with or without a final comma; empty for a layer in chunks, as in infinite maps."""
    text = (data.text or "").strip().removesuffix(",")
    return [number.strip() for number in text.split(",")] if text and data.find("chunk") is None else []


def map_element(data: dict[str, Any]) -> ET.Element:
    """Convert a map in the structure of TMJ to XML."""
    left_out = {"type", "compressionlevel", "properties", "tilesets", "layers"}
    element = ET.Element("map", _attributes(data, left_out))
    _add_properties(element, data["properties"])
    for tileset in data["tilesets"]:
        image = {"source": tileset["image"], "width": str(tileset["imagewidth"]), "height": str(tileset["imageheight"])}
        inner = ET.SubElement(element, "tileset", _attributes(tileset, {"image", "imagewidth", "imageheight", "tiles"}))
        ET.SubElement(inner, "image", image)
        for tile in tileset["tiles"]:
            ET.SubElement(inner, "tile", _attributes(tile, ()))
    for layer in data["layers"]:
        _add_layer(element, layer)
    return element


def _add_layer(parent: ET.Element, layer: dict[str, Any]) -> None:
    left_out = {"type", "x", "y", "opacity", "visible", "data", "objects", "draworder"}
    if layer["type"] == "tilelayer":
        element = ET.SubElement(parent, "layer", _attributes(layer, left_out))
        width, numbers = layer["width"], layer["data"]
        rows = [",".join(map(str, numbers[start : start + width])) for start in range(0, len(numbers), width)]
        ET.SubElement(element, "data", {"encoding": "csv"}).text = "\n" + ",\n".join(rows) + "\n"
        return
    element = ET.SubElement(parent, "objectgroup", _attributes(layer, left_out))
    for entry in layer["objects"]:
        inner = ET.SubElement(element, "object", _attributes(entry, {"properties", "polyline", "rotation", "visible"}))
        _add_properties(inner, entry["properties"])
        if "polyline" in entry:
            ET.SubElement(inner, "polyline", {"points": " ".join(f"{point['x']},{point['y']}" for point in entry["polyline"])})


def _add_properties(parent: ET.Element, properties: list[dict[str, Any]]) -> None:
    if properties:
        inner = ET.SubElement(parent, "properties")
        for entry in properties:
            ET.SubElement(inner, "property", {key: str(value) for key, value in entry.items() if (key, value) != ("type", "string")})


def _attributes(data: dict[str, Any], left_out: Iterable[str]) -> dict[str, str]:
    return {key: str(int(value) if isinstance(value, bool) else value) for key, value in data.items() if key not in left_out}
