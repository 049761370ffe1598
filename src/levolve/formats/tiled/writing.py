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
from levolve.formats.json import compact_json
from levolve.formats.look import Look
from levolve.formats.metadata import AREAS, THINGS, metadata_of
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.themes.atlas import COLUMNS, EMPTY, Atlas, AtlasTile
from levolve.formats.themes.theme import VARIED
from levolve.formats.themes.thing_atlas import ThingAtlas, shown_fields
from levolve.formats.tiled.model import PREFIX
from levolve.formats.tiled.project import PROJECT, project_of
from levolve.formats.tiled.written_objects import (
    object_layer,
    object_layers,
    text_properties,
    typed_property,
)
from levolve.formats.tiled.xml import parse_xml
from levolve.formats.tiled.xml_writing import tileset_element, xml_bytes
from levolve.levels.level import Level

# The version of Tiled for which files are written.
VERSION = "1.10"
SUFFIX = ".tsx"
# The corners of a tile among its eight Wang indices, which begin at the top and run clockwise like
# the bits of a wall's mask.
CORNERS = (1, 3, 5, 7)


def tilesets_of(level: Level, look: Look) -> list[dict[str, Any]]:
    """Return the tilesets of a level in the structure of TMJ, without their first numbers in a map:
    that of its tiles and, if it has things, that of their tiles.
    """
    atlas = look.atlas(level.tileset)
    tiles = [_tile(atlas, number, tile) for number, tile in enumerate(atlas.tiles)]
    found = _sheet(atlas.name, atlas.tile, atlas.rows, tiles)
    found |= {"wangsets": [*_wall_set(atlas), _open_set(atlas)]}
    if not level.things:
        return [found]
    return [found, tileset_of_things(look.thing_atlas(level))]


def tileset_of_things(signs: ThingAtlas) -> dict[str, Any]:
    """Return the tileset of signs of things. An object that shows a tile has its class and its
    properties, as far as it has none of its own.
    """
    tiles = [
        {
            "id": number,
            "type": kind,
            "properties": [typed_property(*pair) for pair in shown_fields(kind, look).items()],
        }
        for number, (kind, look) in enumerate(signs.signs)
    ]
    return _sheet(signs.name, signs.tile, signs.rows, tiles)


def _sheet(name: str, side: int, rows: int, tiles: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": name,
        "tilewidth": side,
        "tileheight": side,
        "tilecount": rows * COLUMNS,
        "columns": COLUMNS,
        "margin": 0,
        "spacing": 0,
        "image": f"{name}.png",
        "imagewidth": COLUMNS * side,
        "imageheight": rows * side,
        "tiles": tiles,
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
    """Return the names and the bytes of the pictures of all tiles, and of a project for a level
    with things or areas.
    """
    atlas = look.atlas(level.tileset)
    found = {f"{atlas.name}.png": picture_bytes(atlas.picture)}
    if level.things:
        things = look.thing_atlas(level)
        found[f"{things.name}.png"] = picture_bytes(things.picture)
    if level.things or level.areas:
        found[PROJECT] = compact_json(project_of())
    return found


def files_beside(level: Level, look: Look) -> dict[str, bytes]:
    """Return the pictures of all tiles, and the tilesets that refer to them."""
    found = picture_beside(level, look)
    for tileset in tilesets_of(level, look):
        element = tileset_element({"version": VERSION, "tiledversion": f"{VERSION}.0", **tileset})
        ET.indent(element, " ")
        found[f"{tileset['name']}{SUFFIX}"] = xml_bytes(element)
    return found


def serves(name: str, present: bytes, needed: bytes) -> bool:
    """Whether a tileset that is already there can serve: with the same picture and classes. A
    person may have added to it. A project always can: Tiled and people change it.
    """
    if name == PROJECT:
        return True
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
    objects = dict(object_layers(level, look, moves))
    layers += [
        object_layer(number, name, listed)
        for number, (name, listed) in enumerate(objects.items(), len(layers) + 1)
    ]
    # Layers say what these would say as one text.
    for name in (THINGS, AREAS):
        metadata.pop(name, None)
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
        "nextobjectid": sum(map(len, objects.values())) + 1,
        "properties": text_properties(
            {f"{PREFIX}{name}": value for name, value in metadata.items()}
        ),
        "tilesets": _tilesets(level, look, embedded=embedded),
        "layers": layers,
    }


def _tilesets(level: Level, look: Look, *, embedded: bool) -> list[dict[str, Any]]:
    """Return the tilesets of a map: embedded, or the names of their files."""
    first, found = 1, []
    for tileset in tilesets_of(level, look):
        shown = tileset if embedded else {"source": f"{tileset['name']}{SUFFIX}"}
        found.append({"firstgid": first, **shown})
        first += tileset["tilecount"]
    return found


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
