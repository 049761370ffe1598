"""What LDtk and engines show of a project with one level, written plainly after LDtk's JSON
documentation.

Tiles are drawn at `px` plus the total offset of their layer, from `src` of the layer's picture; the
first layer is the topmost. Entities lie at `px` minus their pivot. A project whose values
contradict each other shows no level that could be named.
"""

import json
import math
from pathlib import Path

from PIL import Image

from oracles.godot import looks_of

Cells = dict[tuple[int, int], str]
PLACES = {"Entrance": "entrance", "Exit": "exit"}


def shown_level(path: Path) -> tuple[Cells, dict[str, tuple[int, int]]] | None:  # noqa: C901, PLR0911 every rule of LDtk in turn
    """The kinds and places that are shown, by cells from the top left; None if that is no level on
    a grid.
    """
    project = json.loads(path.read_text())
    (level,) = project["levels"]
    definitions = {layer["uid"]: layer for layer in project["defs"]["layers"]}
    tilesets = {tileset["uid"]: tileset for tileset in project["defs"]["tilesets"]}
    cells: Cells = {}
    drawn: Cells = {}
    places: dict[str, tuple[int, int]] = {}
    side = next(
        layer["__gridSize"] for layer in level["layerInstances"] if layer["__type"] == "IntGrid"
    )
    for layer in reversed(level["layerInstances"]):
        definition = definitions[layer["layerDefUid"]]
        offset = [layer[f"pxOffset{axis}"] + definition[f"pxOffset{axis}"] for axis in "XY"]
        if (
            offset != [layer[f"__pxTotalOffset{axis}"] for axis in "XY"]
            or not layer["__gridSize"] == definition["gridSize"] == side
        ):
            return None
        if any(definition[f"parallaxFactor{axis}"] for axis in "XY"):
            return None
        seen = layer["visible"] and layer["__opacity"] >= 0.5
        if layer["__type"] == "IntGrid":
            if not seen or offset != [0, 0]:
                return None
            names = {
                value["value"]: (value["identifier"] or "").lower()
                for value in definition["intGridValues"]
            }
            for number, value in enumerate(layer["intGridCsv"]):
                cells[number % layer["__cWid"], number // layer["__cWid"]] = (
                    names[value] if value else "floor"
                )
            if [layer["__cWid"] * side, layer["__cHei"] * side] != [level["pxWid"], level["pxHei"]]:
                return None
        for tile in layer["autoLayerTiles"] if seen else []:
            picture = tilesets[layer["__tilesetDefUid"]]
            look = _look(path.parent, picture, tile["src"])
            at = [(tile["px"][axis] + offset[axis]) / side for axis in (0, 1)]
            if any(part % 1 for part in at) or tile["a"] < 0.5 or picture["tileGridSize"] != side:
                return None
            drawn[int(at[0]), int(at[1])] = look
        for entity in layer["entityInstances"]:
            if not seen:
                return None
            size = entity["width"], entity["height"]
            middle = [
                entity["px"][axis] + (0.5 - entity["__pivot"][axis]) * size[axis] + offset[axis]
                for axis in (0, 1)
            ]
            name = PLACES.get(entity["__identifier"], "checkpoint 1")
            places[name] = (math.floor(middle[0] / side), math.floor(middle[1] / side))
    if any(kind != cells.get(cell, kind) for cell, kind in drawn.items()):
        return None
    return cells, places


def _look(folder: Path, tileset: dict[str, object], src: list[int]) -> str:
    with Image.open(folder / str(tileset["relPath"])) as image:
        pixels = image.convert("RGBA")
    side = int(str(tileset["tileGridSize"]))
    return looks_of(str(tileset["relPath"])).get(
        pixels.crop((src[0], src[1], src[0] + side, src[1] + side)).tobytes(), "unknown"
    )
