"""Conversion of levels to Tiled maps: tile layers, object layers for the places and the solution, and the origin as map properties."""

from typing import Any

import numpy as np

from levolve.formats.colours import OTHER_PLACE
from levolve.formats.drawing import PATH
from levolve.formats.look import Look
from levolve.formats.metadata import metadata_of
from levolve.formats.themes.atlas import EMPTY, Atlas
from levolve.formats.tiled.names import MOVES, PLACE, PLACES, PREFIX, SOLUTION
from levolve.formats.tiled.tileset import SUFFIX, VERSION, tileset_of_atlas
from levolve.formats.walks import path_cells
from levolve.levels.level import Level
from levolve.levels.places import Place


def map_of(level: Level, look: Look, *, embedded: bool) -> dict[str, Any]:
    """Return the map in the structure of TMJ; its tileset is embedded, or a file."""
    atlas = look.atlas(level.tileset)
    metadata = metadata_of(level)
    moves = metadata.pop("solution", None) if level.goal.stops else None
    layers = [_tile_layer(number, name, tiles) for number, (name, tiles) in enumerate(atlas.layers(level.tiles).items(), 1)]
    places = [_place(number, name, place, atlas) for number, (name, place) in enumerate(level.places.items(), 1)]
    layers.append(_object_layer(len(layers) + 1, PLACES, places))
    if moves is not None:
        layers.append(_object_layer(len(layers) + 1, SOLUTION, [_walk(len(places) + 1, level, moves, atlas.tile)]))
    return {
        "type": "map",
        "version": VERSION,
        "tiledversion": f"{VERSION}.0",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "width": level.width,
        "height": level.height,
        "tilewidth": atlas.tile,
        "tileheight": atlas.tile,
        "infinite": False,
        "compressionlevel": -1,
        "nextlayerid": len(layers) + 1,
        "nextobjectid": len(places) + (moves is not None) + 1,
        "properties": _properties({f"{PREFIX}{name}": value for name, value in metadata.items()}),
        "tilesets": [{"firstgid": 1, **(tileset_of_atlas(atlas) if embedded else {"source": f"{atlas.name}{SUFFIX}"})}],
        "layers": layers,
    }


def _tile_layer(number: int, name: str, tiles: np.ndarray[Any, np.dtype[np.int32]]) -> dict[str, Any]:
    height, width = tiles.shape
    # The first tile of the only tileset has the number 1.
    data = (tiles - EMPTY).ravel().tolist()
    size = {"x": 0, "y": 0, "width": width, "height": height}
    return {"id": number, "type": "tilelayer", "name": name, **size, "opacity": 1, "visible": True, "data": data}


def _object_layer(number: int, name: str, objects: list[dict[str, Any]]) -> dict[str, Any]:
    colour = _hex(PATH if name == SOLUTION else OTHER_PLACE)
    drawn = {"draworder": "topdown", "x": 0, "y": 0, "opacity": 1, "visible": True}
    return {"id": number, "type": "objectgroup", "name": name, "color": colour, **drawn, "objects": objects}


def _place(number: int, name: str, place: Place, atlas: Atlas) -> dict[str, Any]:
    """Return a place as an object that shows its tile. Its position is that of the lower left corner."""
    x, y = place
    side = atlas.tile
    entry = _object(number, name, PLACE, x * side, (y + 1) * side, side)
    return {**entry, "gid": 1 + atlas.place_tile(name), "properties": []}


def _walk(number: int, level: Level, moves: str, side: int) -> dict[str, Any]:
    """Return a line through the centres of the cells, with a point at both ends and at each turn."""
    cells = list(path_cells(level))
    turns = [0, *(index for index in range(1, len(moves)) if moves[index] != moves[index - 1]), len(moves)]
    (left, top), corners = cells[0], [cells[turn] for turn in turns]
    line = [{"x": (x - left) * side, "y": (y - top) * side} for x, y in corners]
    middle = side / 2 if side % 2 else side // 2
    begin = _object(number, SOLUTION, SOLUTION, left * side + middle, top * side + middle, 0)
    return {**begin, "polyline": line, "properties": _properties({MOVES: moves})}


def _object(number: int, name: str, kind: str, x: float, y: float, side: int) -> dict[str, Any]:  # noqa: PLR0913, PLR0917 one argument per field of an object
    return {"id": number, "name": name, "type": kind, "x": x, "y": y, "width": side, "height": side, "rotation": 0, "visible": True}


def _properties(texts: dict[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "type": "string", "value": value} for name, value in sorted(texts.items())]


def _hex(colour: tuple[int, int, int]) -> str:
    # Tiled puts the opacity before the colour.
    return "#ff{:02x}{:02x}{:02x}".format(*colour)
