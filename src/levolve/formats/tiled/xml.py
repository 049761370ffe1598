"""Conversion between Tiled's XML and the structure of its JSON. Document types are rejected, and with them all entity attacks."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import Any

from levolve.errors import InputError
from levolve.formats.reading.budgets import MOST_BYTES, MOST_CELLS, MOST_DEPTH, MOST_ELEMENTS, check_amount

LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}
_SHAPES = ("ellipse", "point", "capsule")


class _Builder(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:  # noqa: ARG002 the signature of the parser's callback
        message = "expected a map without a document type (<!DOCTYPE …>)"
        raise InputError(message)


def parse_xml(content: bytes, what: str, root: str, *, comments: bool = False) -> ET.Element:
    """Return the root element, optionally with comments; raise `InputError` if the XML is invalid."""
    check_amount(len(content), MOST_BYTES, "bytes", what)
    check_amount(content.count(b"<"), MOST_ELEMENTS, "elements", what)
    check_amount(content.count(b"="), 2 * MOST_ELEMENTS, "attributes", what)
    check_amount(content.count(b","), 2 * MOST_CELLS, "values", what)
    parser = ET.XMLParser(target=_Builder(insert_comments=comments))  # noqa: S314 entities need a document type, which is rejected
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
        message = f"{what}: expected <{root}> as the outermost element, got <{str(found.tag)[:40]}>"
        raise InputError(message)
    return found


def xml_bytes(element: ET.Element) -> bytes:
    """Encode an element as a file."""
    text: str = ET.tostring(element, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text.strip()}\n'.encode()


def map_data(element: ET.Element) -> dict[str, Any]:
    """Convert a map to the structure of TMJ."""
    return {
        **element.attrib,
        "properties": _properties(element),
        "tilesets": [tileset_data(tileset) for tileset in element.iterfind("tileset")],
        "layers": _layers(element, 0),
    }


def tileset_data(element: ET.Element) -> dict[str, Any]:
    """Convert a tileset to the structure of TMJ."""
    offset = element.find("tileoffset")
    shifted = {} if offset is None else {"tileoffset": dict(offset.attrib)}
    image = element.find("image")
    picture = {} if image is None else {"image": image.get("source", "")}
    return {**element.attrib, **shifted, **picture, "tiles": [dict(tile.attrib) for tile in element.iterfind("tile")]}


def layer_elements(element: ET.Element) -> list[ET.Element]:
    """Return the layers in a map or a group, in order."""
    return [inner for inner in element if inner.tag in LAYERS]


def _properties(element: ET.Element) -> list[dict[str, Any]]:
    # A value with several lines is stored as the element's text.
    return [{**entry.attrib, "value": entry.get("value", entry.text or "")} for entry in element.iterfind("properties/property")]


def _layers(element: ET.Element, depth: int) -> list[dict[str, Any]]:
    if depth > MOST_DEPTH // 2:
        message = f"group: expected at most {MOST_DEPTH // 2} nested groups, got more"
        raise InputError(message)
    return [_layer(layer, depth) for layer in layer_elements(element)]


def _layer(element: ET.Element, depth: int) -> dict[str, Any]:
    layer: dict[str, Any] = {**element.attrib, "type": LAYERS[element.tag], "properties": _properties(element)}
    if element.tag == "group":
        layer["layers"] = _layers(element, depth + 1)
    if element.tag == "objectgroup":
        layer["objects"] = [_object(entry) for entry in element.iterfind("object")]
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


def _object(element: ET.Element) -> dict[str, Any]:
    entry: dict[str, Any] = {**element.attrib, "properties": _properties(element)}
    for shape in ("polygon", "polyline"):
        found = element.find(shape)
        if found is not None:
            entry[shape] = found.get("points", "")
    for shape in _SHAPES:
        entry[shape] = element.find(shape) is not None
    return entry


def _listed(data: ET.Element) -> list[str]:
    """Return the numbers of a layer in CSV, with or without a final comma; empty for a layer in chunks, as in infinite maps."""
    text = (data.text or "").strip().removesuffix(",")
    return [number.strip() for number in text.split(",")] if text and data.find("chunk") is None else []


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
    element = ET.Element("tileset", _attributes(tileset, {"image", "imagewidth", "imageheight", "tiles", "wangsets"}))
    if "image" in tileset:
        ET.SubElement(element, "image", {"source": tileset["image"], "width": str(tileset["imagewidth"]), "height": str(tileset["imageheight"])})
    for tile in tileset.get("tiles", ()):
        inner = ET.SubElement(element, "tile", _attributes(tile, {"objectgroup"}))
        if "objectgroup" in tile:
            shapes = ET.SubElement(inner, "objectgroup", {"draworder": "index", "id": "2"})
            for shape in tile["objectgroup"]["objects"]:
                ET.SubElement(shapes, "object", _attributes(shape, {"name", "type", "rotation", "visible"}))
    sets = ET.SubElement(element, "wangsets") if "wangsets" in tileset else None
    for wang in tileset.get("wangsets", ()):
        assert sets is not None  # noqa: S101 there are sets
        inner = ET.SubElement(sets, "wangset", _attributes(wang, {"colors", "wangtiles"}))
        for colour in wang["colors"]:
            ET.SubElement(inner, "wangcolor", _attributes(colour, ()))
        for tile in wang["wangtiles"]:
            ET.SubElement(inner, "wangtile", {"tileid": str(tile["tileid"]), "wangid": ",".join(map(str, tile["wangid"]))})
    return element


def layer_element(layer: dict[str, Any]) -> ET.Element:
    """Convert a layer to XML."""
    left_out = {"type", "x", "y", "opacity", "visible", "data", "compression", "objects", "draworder", "properties"}
    if layer["type"] == "tilelayer":
        element = ET.Element("layer", _attributes(layer, left_out))
        element.append(data_element(layer["data"], int(layer["width"])))
        return element
    element = ET.Element("objectgroup", _attributes(layer, left_out))
    element.extend(object_element(entry) for entry in layer["objects"])
    return element


def data_element(numbers: list[int], width: int) -> ET.Element:
    """Convert the numbers of a tile layer to XML."""
    rows = [",".join(map(str, numbers[start : start + width])) for start in range(0, len(numbers), width)]
    element = ET.Element("data", {"encoding": "csv"})
    element.text = "\n" + ",\n".join(rows) + "\n"
    return element


def object_element(entry: dict[str, Any]) -> ET.Element:
    """Convert an object to XML."""
    element = ET.Element("object", _attributes(entry, {"properties", "polyline", "rotation", "visible", *_SHAPES}))
    set_properties(element, entry["properties"])
    if "polyline" in entry:
        points = entry["polyline"]
        text = points if isinstance(points, str) else " ".join(f"{point['x']},{point['y']}" for point in points)
        ET.SubElement(element, "polyline", {"points": text})
    return element


def set_properties(parent: ET.Element, properties: list[dict[str, Any]]) -> None:
    """Add properties to an element, after those that it has."""
    if not properties:
        return
    inner = parent.find("properties")
    if inner is None:
        inner = ET.Element("properties")
        parent.insert(0, inner)
    for entry in properties:
        ET.SubElement(inner, "property", {key: str(value) for key, value in entry.items() if (key, value) != ("type", "string")})


def _attributes(data: dict[str, Any], left_out: Iterable[str]) -> dict[str, str]:
    return {key: str(int(value) if isinstance(value, bool) else value) for key, value in data.items() if key not in left_out}
