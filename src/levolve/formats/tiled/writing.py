"""Conversion of levels to Tiled maps: tile layers, object layers for the places and the solution,
and the origin as map properties.

Our tilesets in Tiled: a class per tile, and Wang sets, so that the terrain brush and the bucket
continue a level.

A tileset of a TMX map is a `.tsx` file that all maps of a folder share. A TMJ map embeds it,
because Phaser reads no other files.
"""

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.look import Look
from levolve.formats.metadata import metadata_of
from levolve.formats.pictures.colours import OTHER_PLACE
from levolve.formats.pictures.drawing import PATH
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.pictures.walk_lines import path_cells
from levolve.formats.themes.atlas import COLUMNS, EMPTY, Atlas, AtlasTile
from levolve.formats.themes.theme import VARIED
from levolve.formats.tiled.model import MOVES, PLACE, PLACES, PREFIX, SOLUTION
from levolve.formats.tiled.xml import parse_xml, tileset_element, xml_bytes
from levolve.levels.level import Level
from levolve.levels.places import Place

# The version of Tiled for which files are written.
VERSION = "1.10"
SUFFIX = ".tsx"
# The corners of a tile among its eight Wang indices, which begin at the top and run clockwise like
# the bits of a wall's mask.
CORNERS = (1, 3, 5, 7)


def tileset_of_atlas(atlas: Atlas) -> dict[str, Any]:
    """Return the tileset of an atlas in the structure of TMJ, without its first number in a map."""
    side = atlas.tile
    return {
        "name": atlas.name,
        "tilewidth": side,
        "tileheight": side,
        "tilecount": atlas.rows * COLUMNS,
        "columns": COLUMNS,
        "margin": 0,
        "spacing": 0,
        "image": f"{atlas.name}.png",
        "imagewidth": COLUMNS * side,
        "imageheight": atlas.rows * side,
        "tiles": [_tile(atlas, number, tile) for number, tile in enumerate(atlas.tiles)],
        "wangsets": [*_wall_set(atlas), _open_set(atlas)],
    }


def _tile(atlas: Atlas, number: int, tile: AtlasTile) -> dict[str, Any]:
    data: dict[str, Any] = {"id": number, "type": atlas.names[number]}
    if tile.kind is not None and tile.variant:
        # How often the brush draws a variant, compared with the first tile of its kind.
        data["probability"] = round(VARIED / (100 - VARIED) / (atlas.theme.variants - 1), 4)
    if tile.kind is not None and not atlas.tileset.may_stand(tile.kind):
        data["objectgroup"] = _collision(atlas.tile)
    return data


def _collision(side: int) -> dict[str, Any]:
    """Return the collision shape of a closed tile, which importers of engines use: the whole
    tile.
    """
    shape = {
        "id": 1,
        "name": "",
        "type": "",
        "x": 0,
        "y": 0,
        "width": side,
        "height": side,
        "rotation": 0,
        "visible": True,
    }
    return {
        "draworder": "index",
        "name": "",
        "type": "objectgroup",
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "objects": [shape],
    }


def _wall_set(atlas: Atlas) -> list[dict[str, Any]]:
    """Return the Wang set of the walls: an edge or a corner has the colour if all cells around it
    are walls. A single wall has no such edge.
    """
    wall = atlas.tileset.wall
    if wall is None:
        return []
    name, first = atlas.tileset.names[wall], atlas.first[wall]
    tiles: list[dict[str, Any]] = [
        {"tileid": number, "wangid": [tile.mask >> bit & 1 for bit in range(8)]}
        for number, tile in enumerate(atlas.tiles)
        if tile.mask is not None
    ]
    full = next(entry["tileid"] for entry in tiles if all(entry["wangid"]))
    colour = {"name": name, "color": _colour(atlas, wall), "tile": full, "probability": 1}
    return [
        {
            "name": name,
            "type": "mixed",
            "tile": first,
            "colors": [colour],
            "wangtiles": [entry for entry in tiles if any(entry["wangid"])],
        }
    ]


def _open_set(atlas: Atlas) -> dict[str, Any]:
    """Return the Wang set of all other kinds: every kind has a colour, and its variants are drawn
    at random.
    """
    kinds = [kind for kind in range(len(atlas.tileset.names)) if kind != atlas.tileset.wall]
    colours = [
        {
            "name": atlas.tileset.names[kind],
            "color": _colour(atlas, kind),
            "tile": atlas.first[kind],
            "probability": 1,
        }
        for kind in kinds
    ]
    tiles = [
        {
            "tileid": number,
            "wangid": [kinds.index(tile.kind) + 1 if index in CORNERS else 0 for index in range(8)],
        }
        for number, tile in enumerate(atlas.tiles)
        if tile.kind in kinds
    ]
    return {
        "name": "floor",
        "type": "corner",
        "tile": atlas.first[kinds[0]],
        "colors": colours,
        "wangtiles": tiles,
    }


def _colour(atlas: Atlas, kind: int) -> str:
    return "#{:02x}{:02x}{:02x}".format(*atlas.theme.colour(atlas.tileset, kind))


def picture_beside(level: Level, look: Look) -> dict[str, bytes]:
    """Return the name and the bytes of the picture of all tiles."""
    atlas = look.atlas(level.tileset)
    return {f"{atlas.name}.png": picture_bytes(atlas.picture)}


def files_beside(level: Level, look: Look) -> dict[str, bytes]:
    """Return the picture of all tiles, and the tileset that refers to it."""
    atlas = look.atlas(level.tileset)
    element = tileset_element(
        {"version": VERSION, "tiledversion": f"{VERSION}.0", **tileset_of_atlas(atlas)}
    )
    ET.indent(element, " ")
    return {**picture_beside(level, look), f"{atlas.name}{SUFFIX}": xml_bytes(element)}


def serves(name: str, present: bytes, needed: bytes) -> bool:
    """Whether a tileset that is already there can serve: with the same picture and classes. A
    person may have added to it.
    """
    if not name.endswith(SUFFIX):
        return False
    try:
        there, ours = (parse_xml(content, name, "tileset") for content in (present, needed))
    except InputError:
        return False
    return all(
        _key(there, field) == _key(ours, field)
        for field in ("tilewidth", "tileheight", "columns", "margin", "spacing")
    ) and (
        [image.get("source") for image in there.iterfind("image")]
        == [image.get("source") for image in ours.iterfind("image")]
        and there.find("tileoffset") is None
        and _classes(ours).items() <= _classes(there).items()
    )


def _key(element: ET.Element, field: str) -> str:
    return element.get(field) or "0"


def _classes(element: ET.Element) -> dict[str, str]:
    return {
        tile.get("id", ""): tile.get("type") or tile.get("class") or ""
        for tile in element.iterfind("tile")
    }


def map_of(level: Level, look: Look, *, embedded: bool) -> dict[str, Any]:
    """Return the map in the structure of TMJ; its tileset is embedded, or a file."""
    atlas = look.atlas(level.tileset)
    metadata = metadata_of(level)
    moves = metadata.pop("solution", None) if level.goal.stops else None
    layers = [
        _tile_layer(number, name, tiles)
        for number, (name, tiles) in enumerate(atlas.layers(level.tiles).items(), 1)
    ]
    places = [
        _place(number, name, place, atlas)
        for number, (name, place) in enumerate(level.places.items(), 1)
    ]
    layers.append(_object_layer(len(layers) + 1, PLACES, places))
    if moves is not None:
        layers.append(
            _object_layer(
                len(layers) + 1, SOLUTION, [_walk(len(places) + 1, level, moves, atlas.tile)]
            )
        )
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
        "tilesets": [
            {
                "firstgid": 1,
                **(tileset_of_atlas(atlas) if embedded else {"source": f"{atlas.name}{SUFFIX}"}),
            }
        ],
        "layers": layers,
    }


def _tile_layer(
    number: int, name: str, tiles: np.ndarray[Any, np.dtype[np.int32]]
) -> dict[str, Any]:
    height, width = tiles.shape
    # The first tile of the only tileset has the number 1.
    data = (tiles - EMPTY).ravel().tolist()
    size = {"x": 0, "y": 0, "width": width, "height": height}
    return {
        "id": number,
        "type": "tilelayer",
        "name": name,
        **size,
        "opacity": 1,
        "visible": True,
        "data": data,
    }


def _object_layer(number: int, name: str, objects: list[dict[str, Any]]) -> dict[str, Any]:
    colour = _hex(PATH if name == SOLUTION else OTHER_PLACE)
    drawn = {"draworder": "topdown", "x": 0, "y": 0, "opacity": 1, "visible": True}
    return {
        "id": number,
        "type": "objectgroup",
        "name": name,
        "color": colour,
        **drawn,
        "objects": objects,
    }


def _place(number: int, name: str, place: Place, atlas: Atlas) -> dict[str, Any]:
    """Return a place as an object that shows its tile. Its position is that of the lower left
    corner.
    """
    x, y = place
    side = atlas.tile
    entry = _object(number, name, PLACE, x * side, (y + 1) * side, side)
    return {**entry, "gid": 1 + atlas.place_tile(name), "properties": []}


def _walk(number: int, level: Level, moves: str, side: int) -> dict[str, Any]:
    """Return a line through the centres of the cells, with a point at both ends and at each
    turn.
    """
    cells = list(path_cells(level))
    turns = [
        0,
        *(index for index in range(1, len(moves)) if moves[index] != moves[index - 1]),
        len(moves),
    ]
    (left, top), corners = cells[0], [cells[turn] for turn in turns]
    line = [{"x": (x - left) * side, "y": (y - top) * side} for x, y in corners]
    middle = side / 2 if side % 2 else side // 2
    begin = _object(number, SOLUTION, SOLUTION, left * side + middle, top * side + middle, 0)
    return {**begin, "polyline": line, "properties": _properties({MOVES: moves})}


def _object(number: int, name: str, kind: str, x: float, y: float, side: int) -> dict[str, Any]:
    return {
        "id": number,
        "name": name,
        "type": kind,
        "x": x,
        "y": y,
        "width": side,
        "height": side,
        "rotation": 0,
        "visible": True,
    }


def _properties(texts: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {"name": name, "type": "string", "value": value} for name, value in sorted(texts.items())
    ]


def _hex(colour: tuple[int, int, int]) -> str:
    # Tiled puts the opacity before the colour.
    return "#ff{:02x}{:02x}{:02x}".format(*colour)
