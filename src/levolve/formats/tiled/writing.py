"""Conversion of levels to Tiled maps: a tile layer, object layers for the places and the solution, and the origin as map properties."""

from typing import Any

from levolve.formats.drawing import PATH
from levolve.formats.marks import OTHER_PLACE
from levolve.formats.metadata import metadata_of
from levolve.formats.tileset import TILE, picture_name
from levolve.formats.walks import path_cells
from levolve.levels.level import Level
from levolve.levels.places import Place

TILES, PLACES, SOLUTION, MOVES = "tiles", "places", "solution", "moves"
VERSION = "1.10"
# The prefix of the names of our tilesets in a map.
OWN = "levolve-"


def map_of(level: Level) -> dict[str, Any]:
    """Return the map in the structure of TMJ."""
    metadata = metadata_of(level)
    moves = metadata.pop("solution", None) if level.goal.stops else None
    places = [_place(number, name, place) for number, (name, place) in enumerate(level.places.items(), 1)]
    layers = [_tile_layer(level), _object_layer(2, PLACES, places)]
    if moves is not None:
        layers.append(_object_layer(3, SOLUTION, [_walk(len(places) + 1, level, moves)]))
    return {
        "type": "map",
        "version": VERSION,
        "tiledversion": f"{VERSION}.0",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "width": level.width,
        "height": level.height,
        "tilewidth": TILE,
        "tileheight": TILE,
        "infinite": False,
        "compressionlevel": -1,
        "nextlayerid": len(layers) + 1,
        "nextobjectid": len(places) + (moves is not None) + 1,
        "properties": _properties(metadata),
        "tilesets": [_tileset(level)],
        "layers": layers,
    }


def _tileset(level: Level) -> dict[str, Any]:
    tileset = level.tileset
    count = len(tileset.names)
    return {
        "firstgid": 1,
        "name": f"{OWN}{tileset.name}",
        "tilewidth": TILE,
        "tileheight": TILE,
        "tilecount": count,
        "columns": count,
        "margin": 0,
        "spacing": 0,
        "image": picture_name(tileset),
        "imagewidth": count * TILE,
        "imageheight": TILE,
        "tiles": [{"id": kind, "type": name} for kind, name in enumerate(tileset.names)],
    }


def _tile_layer(level: Level) -> dict[str, Any]:
    data = (level.tiles.ravel() + 1).tolist()
    size = {"x": 0, "y": 0, "width": level.width, "height": level.height}
    return {"id": 1, "type": "tilelayer", "name": TILES, **size, "opacity": 1, "visible": True, "data": data}


def _object_layer(number: int, name: str, objects: list[dict[str, Any]]) -> dict[str, Any]:
    colour = _hex(PATH if name == SOLUTION else OTHER_PLACE)
    drawn = {"draworder": "topdown", "x": 0, "y": 0, "opacity": 1, "visible": True}
    return {"id": number, "type": "objectgroup", "name": name, "color": colour, **drawn, "objects": objects}


def _place(number: int, name: str, place: Place) -> dict[str, Any]:
    x, y = place
    return {**_object(number, name, "place", x * TILE, y * TILE, TILE), "properties": []}


def _walk(number: int, level: Level, moves: str) -> dict[str, Any]:
    """Return a line through the centres of the cells, with a point at both ends and at each turn."""
    cells = list(path_cells(level))
    turns = [0, *(index for index in range(1, len(moves)) if moves[index] != moves[index - 1]), len(moves)]
    (left, top), corners = cells[0], [cells[turn] for turn in turns]
    line = [{"x": (x - left) * TILE, "y": (y - top) * TILE} for x, y in corners]
    middle = TILE // 2
    begin = _object(number, SOLUTION, SOLUTION, left * TILE + middle, top * TILE + middle, 0)
    return {**begin, "polyline": line, "properties": _properties({MOVES: moves})}


def _object(number: int, name: str, kind: str, x: int, y: int, side: int) -> dict[str, Any]:  # noqa: PLR0913, PLR0917 one argument per field of an object
    return {"id": number, "name": name, "type": kind, "x": x, "y": y, "width": side, "height": side, "rotation": 0, "visible": True}


def _properties(texts: dict[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "type": "string", "value": value} for name, value in sorted(texts.items())]


def _hex(colour: tuple[int, int, int]) -> str:
    # Tiled puts the opacity before the colour.
    return "#ff{:02x}{:02x}{:02x}".format(*colour)
