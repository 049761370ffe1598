"""Conversion of Tiled's XML to the structure of its JSON. Document types are rejected, and thus all
entity attacks.

What Tiled would read in another way is an error: a part that is there twice, and a number or a flag
in an unusual form.
"""

import re
import xml.etree.ElementTree as ET
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats.reading.budgets import (
    MOST_BYTES,
    MOST_CELLS,
    MOST_DEPTH,
    MOST_ELEMENTS,
    MOST_PARSED,
    check_amount,
)
from levolve.formats.reading.data import Check

LAYERS = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
    "group": "group",
}
LINES = ("polygon", "polyline")
SHAPES = ("ellipse", "point", "capsule")
# The memory that an element and an attribute stand for, in bytes.
_ELEMENT_COST, _ATTRIBUTE_COST = 400, 100
_WHOLE = {
    "firstgid",
    "tilecount",
    "columns",
    "margin",
    "spacing",
    "tilewidth",
    "tileheight",
    "gid",
    "id",
    "tileid",
    "duration",
}
_WHOLE |= {"nextlayerid", "nextobjectid", "imagewidth", "imageheight"}
_REAL = {
    "x",
    "y",
    "width",
    "height",
    "rotation",
    "offsetx",
    "offsety",
    "parallaxx",
    "parallaxy",
    "opacity",
}
_FLAGS = frozenset({"visible", "infinite", "repeatx", "repeaty"})
_NUMBER = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,40})?(?:e[+-]?[0-9]{1,3})?", re.ASCII)
_INTEGER = re.compile(r"-?[0-9]{1,20}", re.ASCII)
_CELLS = re.compile(r"[0-9,\s]*", re.ASCII)


class _Builder(ET.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise InputError("expected a map without a document type (<!DOCTYPE …>)")


def parse_xml(
    content: bytes, what: str, root: str, *, comments: bool = False, check: Check = check_amount
) -> ET.Element:
    """Return the root element, optionally with comments; raise `InputError` if the XML is invalid.

    `check` compares amounts with budgets, such as `LoadBudget.take` of a load with several files.
    """
    check_amount(len(content), MOST_BYTES, "bytes", what)
    elements, attributes = content.count(b"<"), content.count(b"=")
    check(elements, MOST_ELEMENTS, "elements", what)
    check(attributes, 2 * MOST_ELEMENTS, "attributes", what)
    check(
        _ELEMENT_COST * elements + _ATTRIBUTE_COST * attributes,
        MOST_PARSED,
        "bytes when parsed",
        what,
    )
    check_amount(content.count(b","), 2 * MOST_CELLS, "values", what)
    parser = ET.XMLParser(target=_Builder(insert_comments=comments))  # noqa: S314 entities need a document type, which is rejected
    try:
        parser.feed(content)
        found: ET.Element = parser.close()
    except InputError as problem:
        raise InputError(f"{what}: {problem}") from problem
    except (ET.ParseError, ValueError, LookupError) as problem:
        raise InputError(f"{what}: expected valid XML: {problem}") from problem
    if found.tag != root:
        raise InputError(
            f"{what}: expected <{root}> as the outermost element, got <{str(found.tag)[:40]}>"
        )
    return found


def map_data(element: ET.Element) -> dict[str, Any]:
    """Convert a map to the structure of TMJ."""
    return {
        **_typed(element),
        "properties": _properties(element),
        "tilesets": [tileset_data(tileset) for tileset in element.iterfind("tileset")],
        "layers": _layers(element, 0),
    }


def tileset_data(element: ET.Element) -> dict[str, Any]:
    """Convert a tileset to the structure of TMJ."""
    offset = _only(element, "tileoffset")
    shifted = {} if offset is None else {"tileoffset": _typed(offset)}
    return {
        **_typed(element),
        **shifted,
        **_picture(element),
        "tiles": [_tile(tile) for tile in element.iterfind("tile")],
    }


def _tile(element: ET.Element) -> dict[str, Any]:
    if not len(element):
        return _typed(element)
    animation = _only(element, "animation")
    frames = [] if animation is None else [_typed(frame) for frame in animation.iterfind("frame")]
    found = {**_typed(element), **_picture(element), "animation": frames}
    return found | {"properties": _properties(element)}


def _picture(element: ET.Element) -> dict[str, Any]:
    """Return the name and the size of the picture of a tileset, a tile or an image layer."""
    image = _only(element, "image")
    if image is None:
        return {}
    if len(image):
        raise InputError(
            f"{element.tag}: expected a picture in a file of its own, got one inside the map or "
            "tileset; save it as a file"
        )
    sizes = {
        f"image{key}": value for key, value in _typed(image).items() if key in {"width", "height"}
    }
    return {"image": image.get("source", ""), **sizes}


def _only(element: ET.Element, tag: str) -> ET.Element | None:
    """Return the part of an element with a tag; None if there is none."""
    found = element.findall(tag)
    if len(found) > 1:
        name = element.get("name") or element.get("id") or ""
        raise InputError(
            f"{element.tag} {shown(name)}: expected one <{tag}>, got {len(found)}; remove all "
            "but one"
        )
    return found[0] if found else None


def _typed(element: ET.Element) -> dict[str, Any]:
    """Return the attributes with numbers and flags instead of their texts."""
    return {key: _value(element, key, text) for key, text in element.attrib.items()}


def _value(element: ET.Element, key: str, text: str) -> str | float | bool:
    if key in _FLAGS:
        if text in {"0", "1"}:
            return text == "1"
        expected = "0 or 1"
    elif key in _WHOLE or (key in _REAL and _INTEGER.fullmatch(text)):
        if _INTEGER.fullmatch(text):
            return int(text)
        expected = "a whole number"
    elif key in _REAL:
        if _NUMBER.fullmatch(text):
            return float(text)
        expected = "a finite number"
    else:
        return text
    name = element.get("name") or element.get("id") or ""
    raise InputError(
        f"{element.tag} {shown(name)}: expected {expected} as {key}, got {shown(text)}"
    )


def layer_elements(element: ET.Element) -> list[ET.Element]:
    """Return the layers in a map or a group, in order."""
    return [inner for inner in element if inner.tag in LAYERS]


def _properties(element: ET.Element) -> list[dict[str, Any]]:
    # A value with several lines is stored as the element's text.
    return [
        {**entry.attrib, "value": entry.get("value", entry.text or "")}
        for entry in element.iterfind("properties/property")
    ]


def _layers(element: ET.Element, depth: int) -> list[dict[str, Any]]:
    if depth > MOST_DEPTH // 2:
        raise InputError(f"group: expected at most {MOST_DEPTH // 2} nested groups, got more")
    return [_layer(layer, depth) for layer in layer_elements(element)]


def _layer(element: ET.Element, depth: int) -> dict[str, Any]:
    layer: dict[str, Any] = {
        **_typed(element),
        "type": LAYERS[element.tag],
        "properties": _properties(element),
    }
    if element.tag == "group":
        layer["layers"] = _layers(element, depth + 1)
    if element.tag == "objectgroup":
        layer["objects"] = [_object(entry) for entry in element.iterfind("object")]
    if element.tag == "imagelayer":
        layer |= _picture(element)
    if element.tag == "layer":
        layer |= _tile_data(element)
    return layer


def _tile_data(element: ET.Element) -> dict[str, Any]:
    """Return the numbers of a tile layer, and the parts of it that only infinite maps have."""
    data = _only(element, "data")
    if data is None:
        return {}
    encoding, kinds = data.get("encoding"), {inner.tag for inner in data}
    found: dict[str, Any] = {
        "compression": data.get("compression", ""),
        "chunks": [dict(chunk.attrib) for chunk in data.iterfind("chunk")],
    }
    mixed = kinds - {"tile", "chunk"} if encoding is None else kinds - {"chunk"}
    if mixed or ((data.text or "").strip() and kinds):
        raise InputError(
            f"layer {shown(element.get('name', ''))}: expected tiles in one form, got elements "
            "and numbers in one <data>"
        )
    if encoding is None:
        return {
            **found,
            "data": [_value(tile, "gid", tile.get("gid", "0")) for tile in data.iterfind("tile")],
        }
    return {**found, "data": _listed(data, element) if encoding == "csv" else data.text or ""}


def _object(element: ET.Element) -> dict[str, Any]:
    entry: dict[str, Any] = {**_typed(element), "properties": _properties(element)}
    for shape in LINES:
        found = _only(element, shape)
        if found is not None:
            entry[shape] = found.get("points", "")
    for shape in SHAPES:
        entry[shape] = element.find(shape) is not None
    return entry


def _listed(data: ET.Element, layer: ET.Element) -> list[int]:
    """Return the numbers of a layer in CSV, with or without a final comma; empty for a layer in
    chunks, as in infinite maps.
    """
    text = (data.text or "").strip().removesuffix(",")
    if not text:
        return []
    try:
        if _CELLS.fullmatch(text):
            return [int(number) for number in text.split(",")]
    except ValueError:
        pass
    raise InputError(
        f"layer {shown(layer.get('name', ''))}: expected numbers of tiles with commas between "
        "them, got other text"
    )
