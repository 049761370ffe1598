"""What Tiled shows of a map, written plainly after Tiled's documentation of TMX and of JSON maps.

Layers are drawn in the order of the file, each moved by its offset and those of its groups. A tile
of a layer stands on the lower edge of its cell. An object that shows a tile stands on its own lower
left corner, and turns around it.
"""

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

from PIL import Image

from oracles.godot import looks_of

Cells = dict[tuple[int, int], str]
FLIPS = 0xF0000000
# Names of elements of TMX, and what JSON calls such a layer.
TYPES = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group"}


def read(path: Path) -> dict[str, Any]:
    """A map as plain data, the same for both forms."""
    return json.loads(path.read_text()) if path.suffix == ".tmj" else _map(ET.parse(path).getroot())


def _map(root: ET.Element) -> dict[str, Any]:
    tilesets = [dict(each.attrib) for each in root.findall("tileset")]
    return {
        **root.attrib,
        "tilesets": tilesets,
        "layers": [_layer(each) for each in root if each.tag in TYPES],
    }


def _layer(element: ET.Element) -> dict[str, Any]:
    data = element.findtext("data") or ""
    return {
        **element.attrib,
        "type": TYPES[element.tag],
        "layers": [_layer(each) for each in element if each.tag in TYPES],
        "data": [int(number) for number in data.split(",") if number.strip()],
        "objects": [dict(each.attrib) for each in element.findall("object")],
    }


def number(data: dict[str, Any], key: str, default: float = 0) -> float:
    return float(data.get(key, default))


def shown_level(path: Path) -> tuple[Cells, dict[str, tuple[int, int]]] | None:  # noqa: C901 every rule of Tiled in turn
    """The kinds and places that Tiled shows, by cells from the top left; None if that is no level
    on a grid.
    """
    found = read(path)
    width, height = number(found, "tilewidth"), number(found, "tileheight")
    across, down = int(number(found, "width")), int(number(found, "height"))
    cells: Cells = {(x, y): "floor" for y in range(down) for x in range(across)}
    walls: set[tuple[int, int]] = set()
    places: dict[str, tuple[int, int]] = {}
    flat = _flat(found["layers"], 0, 0)
    if flat is None:
        return None
    for layer, left, top, seen in flat:
        if layer["type"] == "tilelayer" and seen and layer["name"] != "keep":
            for index, gid in enumerate(layer["data"]):
                drawn = _tile(found, path.parent, gid & ~FLIPS) if gid else None
                if drawn is None:
                    continue
                kind, wide, high, shift = drawn
                x = (index % int(number(layer, "width"))) * width + left + shift[0]
                y = (index // int(number(layer, "width")) + 1) * height - high + top + shift[1]
                if (wide, high) != (width, height) or x % width or y % height:
                    return None
                cells[int(x // width), int(y // height)] = kind
                if kind == "wall":
                    walls.add((int(x // width), int(y // height)))
        for entry in (
            layer["objects"] if layer["type"] == "objectgroup" and layer["name"] == "places" else []
        ):
            if not seen or str(entry.get("visible", 1)).lower() not in {"1", "true"}:
                return None
            turn = math.radians(number(entry, "rotation"))
            aside, up = (
                number(entry, "width") / 2,
                number(entry, "height") / 2 * (-1 if entry.get("gid") else 1),
            )
            x = number(entry, "x") + aside * math.cos(turn) - up * math.sin(turn) + left
            y = number(entry, "y") + aside * math.sin(turn) + up * math.cos(turn) + top
            places[str(entry["name"])] = (
                math.floor(x / width + 1e-9),
                math.floor(y / height + 1e-9),
            )
    if any(cells[cell] != "wall" for cell in walls):
        return None
    return cells, places


def _flat(
    layers: list[dict[str, Any]], left: float, top: float, *, seen: bool = True
) -> list[tuple[dict[str, Any], float, float, bool]] | None:
    """All layers with their offsets, and whether they are seen; None if one moves against
    others.
    """
    found = []
    for layer in layers:
        if number(layer, "parallaxx", 1) != 1 or number(layer, "parallaxy", 1) != 1:
            return None
        at = left + number(layer, "offsetx"), top + number(layer, "offsety")
        visible = (
            seen
            and str(layer.get("visible", 1)).lower() in {"1", "true"}
            and number(layer, "opacity", 1) >= 0.5
        )
        if layer["type"] == "group":
            inner = _flat(layer["layers"], *at, seen=visible)
            if inner is None:
                return None
            found += inner
        else:
            found.append((layer, *at, visible))
    return found


def _tile(
    found: dict[str, Any], folder: Path, gid: int
) -> tuple[str, float, float, tuple[float, float]] | None:
    """What a tile shows, its size and its offset."""
    tileset = max(
        (each for each in found["tilesets"] if int(each["firstgid"]) <= gid),
        key=lambda each: int(each["firstgid"]),
    )
    data: dict[str, Any] = (
        tileset if "source" not in tileset else _file(folder / str(tileset["source"]))
    )
    wide, high, columns = (int(number(data, key)) for key in ("tilewidth", "tileheight", "columns"))
    local = gid - int(tileset["firstgid"])
    if local >= int(number(data, "tilecount")):
        return None
    margin, gap = int(number(data, "margin")), int(number(data, "spacing"))
    x, y = margin + local % columns * (wide + gap), margin + local // columns * (high + gap)
    offset = data.get("tileoffset", {})
    with Image.open(folder / data["image"]) as picture:
        look = picture.convert("RGBA").crop((x, y, x + wide, y + high)).tobytes()
    return (
        looks_of(data["image"]).get(look, "unknown"),
        float(wide),
        float(high),
        (number(offset, "x"), number(offset, "y")),
    )


def _file(path: Path) -> dict[str, Any]:
    root = ET.parse(path).getroot()
    image, offset = root.find("image"), root.find("tileoffset")
    assert image is not None
    return {
        **root.attrib,
        "image": image.get("source", ""),
        "tileoffset": {} if offset is None else dict(offset.attrib),
    }
