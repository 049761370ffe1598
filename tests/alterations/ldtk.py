"""Alterations of LDtk projects and the picture of their tiles."""

import json
from pathlib import Path
from random import Random
from typing import Any

from alterations.alteration import pick
from levolve.levels.level import Level

OFFSETS = (0, 16, -16, 8, 1, 32)


def alter(path: Path, level: Level, other: Level, random: Random) -> str:
    """Change a project once or twice; return what was done."""
    del other
    project = json.loads(path.read_text())
    ways = (_offset, _offset, _layer, _entity, _entity, _grid, _drawn, _drawn, _names, _size)
    done = "; ".join(
        random.choice(ways)(project, level, random) for _ in range(random.choice((1, 1, 2)))
    )
    path.write_text(json.dumps(project))
    return done


def _layers(project: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = project["levels"][0]["layerInstances"]
    return found


def _offset(project: dict[str, Any], level: Level, random: Random) -> str:
    """Move a layer, in the level or in its definition; sometimes only the sum of both."""
    del level
    layer, axis, pixels = (
        random.choice(_layers(project)),
        pick(random, "X", "Y"),
        random.choice(OFFSETS),
    )
    way = pick(random, "instance", "definition", "total")
    if way == "instance":
        layer[f"pxOffset{axis}"] += pixels
    if way == "definition":
        next(known for known in project["defs"]["layers"] if known["uid"] == layer["layerDefUid"])[
            f"pxOffset{axis}"
        ] += pixels
    layer[f"__pxTotalOffset{axis}"] += pixels
    return f"{way} offset {axis} of {layer['__identifier']}: {pixels}"


def _layer(project: dict[str, Any], level: Level, random: Random) -> str:
    """Hide a layer, make it faint, give it parallax or exchange two of them."""
    del level
    layers = _layers(project)
    layer = random.choice(layers)
    definition = next(
        known for known in project["defs"]["layers"] if known["uid"] == layer["layerDefUid"]
    )
    way = pick(random, "visible", "opacity", "parallax", "order", "grid")
    if way == "visible":
        layer["visible"] = False
    elif way == "opacity":
        layer["__opacity"] = definition["displayOpacity"] = random.choice((0, 0.2, 0.9))
    elif way == "parallax":
        definition["parallaxFactorX"] = random.choice((0, 0.5))
    elif way == "grid":
        layer["__gridSize"] = random.choice((8, 32))
    else:
        layers.reverse()
    return f"{way} of {layer['__identifier']}"


def _entity(project: dict[str, Any], level: Level, random: Random) -> str:
    """Move, resize or pivot an entity, or exchange two."""
    entities = next(layer for layer in _layers(project) if layer["__type"] == "Entities")[
        "entityInstances"
    ]
    entity = random.choice(entities)
    way = pick(random, "px", "px", "free", "pivot", "size", "exchange", "grid")
    if way == "px":
        entity["px"] = [16 * random.randrange(level.width), 16 * random.randrange(level.height)]
    elif way == "free":
        entity["px"][random.randrange(2)] += random.randint(-20, 20)
    elif way == "pivot":
        definition = next(
            known for known in project["defs"]["entities"] if known["uid"] == entity["defUid"]
        )
        entity["__pivot"] = [definition["pivotX"], definition["pivotY"]] = [
            random.choice((0, 0.5, 1)),
            random.choice((0, 0.5, 1)),
        ]
    elif way == "size":
        entity["width"], entity["height"] = random.choice((8, 32, 48)), random.choice((16, 32))
    elif way == "grid":
        # Only a copy of what px says.
        entity["__grid"] = [0, 0]
    else:
        one, two = random.sample(entities, 2)
        one["px"], two["px"] = two["px"], one["px"]
    return f"{way} of {entity['__identifier']}"


def _grid(project: dict[str, Any], level: Level, random: Random) -> str:
    """Change values of the IntGrid layer, with or without its drawn tiles."""
    layer = next(layer for layer in _layers(project) if layer["__type"] == "IntGrid")
    for _ in range(random.randint(1, 3)):
        layer["intGridCsv"][random.randrange(level.tiles.size)] = random.choice((0, 1, 2))
    if random.random() < 0.5:
        for each in _layers(project):
            each["autoLayerTiles"] = []
    return "other values"


def _drawn(project: dict[str, Any], level: Level, random: Random) -> str:
    """Change drawn tiles."""
    del level
    layer = random.choice(
        [layer for layer in _layers(project) if layer["autoLayerTiles"]] or _layers(project)
    )
    if not layer["autoLayerTiles"]:
        return "nothing"
    tile = random.choice(layer["autoLayerTiles"])
    way = pick(random, "px", "tile", "both", "flip", "remove", "faint")
    number = random.randrange(51)
    if way == "px":
        tile["px"][random.randrange(2)] += random.choice(OFFSETS)
    if way in {"tile", "both"}:
        tile["src"] = [number % 8 * 16, number // 8 * 16]
    if way == "both":
        tile["t"] = number
    if way == "flip":
        tile["f"] = random.randrange(4)
    if way == "remove":
        layer["autoLayerTiles"].remove(tile)
    if way == "faint":
        tile["a"] = random.choice((0, 1))
    return f"{way} of a drawn tile of {layer['__identifier']}"


def _names(project: dict[str, Any], level: Level, random: Random) -> str:
    """Exchange the names of the values, or of the tiles."""
    del level
    for layer in project["defs"]["layers"]:
        values = layer["intGridValues"]
        if len(values) == 2 and random.random() < 0.7:
            values[0]["identifier"], values[1]["identifier"] = (
                values[1]["identifier"],
                values[0]["identifier"],
            )
    return "names of values exchanged"


def _size(project: dict[str, Any], level: Level, random: Random) -> str:
    """Change the size of the level or of a layer."""
    del level
    found = project["levels"][0]
    way = pick(random, "pxWid", "__cWid", "tileset")
    if way == "pxWid":
        found["pxWid"] += random.choice((-16, 16))
    elif way == "__cWid":
        for layer in _layers(project):
            layer["__cWid"], layer["__cHei"] = layer["__cHei"], layer["__cWid"]
    else:
        project["defs"]["tilesets"][0]["tileGridSize"] = random.choice((8, 32))
    return f"another {way}"
