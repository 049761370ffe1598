"""Writer for LDtk projects, version 1.5.3 of the format. Identifiers that LDtk would draw at random
are derived from the level's digest.

The world of an LDtk project: where its levels lie, in rows, with gaps between them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

from levolve.formats.ldtk.definition_parts import hex_colour
from levolve.formats.ldtk.definitions import (
    CHECKPOINT,
    ENTITIES,
    NUMBER,
    TilesetSheet,
    definitions_for,
    entity_layers,
    level_fields,
    sheets_of,
)
from levolve.formats.ldtk.thing_entities import (
    AREAS,
    THINGS,
    TILE,
    Furniture,
    LevelSpot,
    area_entities,
    signs_of,
    text_iid,
    thing_entities,
)
from levolve.formats.look import Look
from levolve.formats.metadata import metadata_of
from levolve.formats.pictures.colours import INK, OTHER_PLACE, PAPER, PLACE_COLOURS
from levolve.formats.themes.atlas import FLOOR
from levolve.levels.level import Level
from levolve.levels.places import Place

# Cells between neighbouring levels.
GAP = 4


def positions(sizes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the upper left cells of levels of these sizes, in rows that together are about as wide
    as high. No two levels touch.
    """
    columns = ceil(sqrt(len(sizes)))
    found: list[tuple[int, int]] = []
    top = 0
    for start in range(0, len(sizes), columns):
        left = 0
        row = sizes[start : start + columns]
        for width, _ in row:
            found.append((left, top))
            left += width + GAP
        top += max(height for _, height in row) + GAP
    return found


VERSION = "1.5.3"
# A project with more cells is written without rules and drawn tiles, in the flat colours of its
# IntGrid values: with them it would have more bytes than can be read again.
MOST_DRAWN = 1 << 18


@dataclass(frozen=True)
class _Placed:
    """A level in a project: its name, its number, its position in the world, in pixels, and its
    tileset.
    """

    level: Level
    identifier: str
    uid: int
    corner: tuple[int, int]
    sheet: TilesetSheet
    sheets: Sequence[TilesetSheet]
    fields: Mapping[str, str | None]
    drawn: bool
    furniture: Furniture
    world: str

    @property
    def side(self) -> int:
        return self.sheet.atlas.tile

    def iid(self, name: str) -> str:
        return text_iid(f"{self.level.digest}:{self.identifier}:{name}")


def project_of(levels: Mapping[str, Level], look: Look) -> dict[str, Any]:
    """Return a project with these levels, by identifier, as plain data; lists of drawn tiles are
    text.
    """
    by_tileset = sheets_of((level.tileset for level in levels.values()), look)
    sheets = list(by_tileset.values())
    numbering, side = sheets[0].numbering, look.tile_size
    drawn = sum(level.tiles.size for level in levels.values()) <= MOST_DRAWN
    fields = {name: level_fields(level, metadata_of(level)) for name, level in levels.items()}
    names = list(dict.fromkeys(field for given in fields.values() for field in given))
    furniture = Furniture(
        list(levels.values()),
        numbering,
        signs_of(levels.values(), look) if drawn else None,
        frozenset({*ENTITIES, CHECKPOINT}),
    )
    definitions = definitions_for(sheets, names, furniture, drawn=drawn)
    all_of_them = ":".join(level.digest for level in levels.values())
    corners = positions([(level.width, level.height) for level in levels.values()])
    placed = [
        _Placed(
            level,
            identifier,
            numbering("level", identifier),
            (left * side, top * side),
            by_tileset[level.tileset.name],
            sheets,
            {name: fields[identifier].get(name) for name in names},
            drawn,
            furniture,
            text_iid(f"{all_of_them}:world"),
        )
        for (identifier, level), (left, top) in zip(levels.items(), corners, strict=True)
    ]
    width, height = (
        max(sizes) * side
        for sizes in zip(*((level.width, level.height) for level in levels.values()), strict=True)
    )
    return {
        "__header__": {
            "fileType": "LDtk Project JSON",
            "app": "LDtk",
            "doc": "https://ldtk.io/json",
            "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
            "appAuthor": "Sebastien 'deepnight' Benard",
            "appVersion": VERSION,
            "url": "https://ldtk.io",
        },
        "iid": text_iid(f"{all_of_them}:project"),
        "jsonVersion": VERSION,
        "appBuildId": 473703,
        "nextUid": numbering.following,
        "identifierStyle": "Capitalize",
        "toc": [],
        "worldLayout": "Free",
        "worldGridWidth": width,
        "worldGridHeight": height,
        "defaultLevelWidth": width,
        "defaultLevelHeight": height,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": side,
        "defaultEntityWidth": side,
        "defaultEntityHeight": side,
        "bgColor": hex_colour(INK),
        "defaultLevelBgColor": hex_colour(PAPER),
        "minifyJson": False,
        "externalLevels": False,
        "exportTiled": False,
        "simplifiedExport": False,
        "imageExportMode": "None",
        "exportLevelBg": True,
        "pngFilePattern": None,
        "backupOnSave": False,
        "backupLimit": 10,
        "backupRelPath": None,
        "levelNamePattern": "Level_%idx",
        "tutorialDesc": None,
        "customCommands": [],
        "flags": [],
        "defs": definitions,
        "levels": [_level(one) for one in placed],
        "worlds": [],
        "dummyWorldIid": text_iid(f"{all_of_them}:world"),
    }


def _level(placed: _Placed) -> dict[str, Any]:
    level, side = placed.level, placed.side
    return {
        "identifier": placed.identifier,
        "iid": placed.iid("level"),
        "uid": placed.uid,
        "worldX": placed.corner[0],
        "worldY": placed.corner[1],
        "worldDepth": 0,
        "pxWid": level.width * side,
        "pxHei": level.height * side,
        "__bgColor": hex_colour(PAPER),
        "bgColor": None,
        "useAutoIdentifier": False,
        "bgRelPath": None,
        "bgPos": None,
        "bgPivotX": 0.5,
        "bgPivotY": 0.5,
        "__smartColor": hex_colour(PAPER),
        "__bgPos": None,
        "externalRelPath": None,
        "fieldInstances": [
            _field(placed.sheet.numbering("field", name), name, "String", value)
            for name, value in placed.fields.items()
        ],
        "layerInstances": _layers(placed),
        "__neighbours": [],
    }


def _layers(placed: _Placed) -> list[dict[str, Any]]:
    """Return the layers in the order of their definitions, the highest first. Those of other
    tilesets are empty.
    """
    level = placed.level
    iids = {"layerIid": placed.iid(THINGS), "levelIid": placed.iid("level")}
    iids |= {"worldIid": placed.world}
    room = LevelSpot(level, placed.identifier, placed.corner, placed.side, iids)
    layers = []
    for name in entity_layers(placed.furniture):
        entities = (
            thing_entities(placed.furniture, room)
            if name == THINGS
            else area_entities(placed.furniture, room)
            if name == AREAS
            else [_entity(placed, name, place) for name, place in level.places.items()]
        )
        layers.append({**_layer(placed, name, "Entities"), "entityInstances": entities})
    shown = placed.sheet.atlas.layers(level.tiles) if placed.drawn else {}
    for sheet in placed.sheets:
        mine = sheet is placed.sheet
        values = (level.tiles.ravel() + 1).tolist() if mine else [0] * level.tiles.size
        layers.append({**_layer(placed, sheet.tiles_layer, "IntGrid"), "intGridCsv": values})
        if placed.drawn and sheet.floor_layer is not None:
            layers.append(_layer(placed, sheet.floor_layer, "AutoLayer"))
        if not placed.drawn:
            continue
        for layer in layers:
            group = sheet.groups.get(layer["__identifier"])
            if group is None:
                continue
            layer |= {
                "__tilesetDefUid": sheet.uid,
                "__tilesetRelPath": sheet.picture,
                "seed": group.seed,
            }
            if mine:
                cells = (
                    shown[FLOOR]
                    if layer["__identifier"] == sheet.floor_layer
                    else list(shown.values())[-1]
                )
                layer["autoLayerTiles"] = group.drawn(cells, placed.side)
    return layers


def _layer(placed: _Placed, name: str, kind: str) -> dict[str, Any]:
    return {
        "__identifier": name,
        "__type": kind,
        "__cWid": placed.level.width,
        "__cHei": placed.level.height,
        "__gridSize": placed.side,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": 0,
        "__tilesetDefUid": None,
        "__tilesetRelPath": None,
        "iid": placed.iid(name),
        "levelId": placed.uid,
        "layerDefUid": placed.sheet.numbering("layer", name),
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": True,
        "optionalRules": [],
        "intGridCsv": [],
        "autoLayerTiles": [],
        "seed": 0,
        "overrideTilesetUid": None,
        "gridTiles": [],
        "entityInstances": [],
    }


def _entity(placed: _Placed, name: str, place: Place) -> dict[str, Any]:
    called = next(
        (identifier for identifier, known in ENTITIES.items() if known == name), CHECKPOINT
    )
    # The tiles of places are drawn with the first tileset, in all levels.
    sheet, numbering, side = placed.sheets[0], placed.sheet.numbering, placed.side
    rectangle = sheet.rectangle(sheet.atlas.place_tile(name)) if placed.drawn else None
    fields = (
        [_field(numbering("field", CHECKPOINT, NUMBER), NUMBER, "Int", int(name.split()[1]))]
        if called == CHECKPOINT
        else []
    )
    if called == CHECKPOINT and rectangle is not None:
        fields.append(_tile_field(numbering("field", CHECKPOINT, TILE), rectangle))
    x, y = place[0] * side, place[1] * side
    return {
        "__identifier": called,
        "__grid": list(place),
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": rectangle,
        "__smartColor": hex_colour(PLACE_COLOURS.get(name, OTHER_PLACE)),
        "iid": placed.iid(f"place {name}"),
        "width": side,
        "height": side,
        "defUid": numbering("entity", called),
        "px": [x, y],
        "fieldInstances": fields,
        "__worldX": placed.corner[0] + x,
        "__worldY": placed.corner[1] + y,
    }


def _field(uid: int, name: str, kind: str, value: str | int | None) -> dict[str, Any]:
    inner = [] if value is None else [{"id": f"V_{kind}", "params": [value]}]
    return {
        "__identifier": name,
        "__type": kind,
        "__value": value,
        "__tile": None,
        "defUid": uid,
        "realEditorValues": inner,
    }


def _tile_field(uid: int, rectangle: dict[str, int]) -> dict[str, Any]:
    text = ",".join(str(rectangle[key]) for key in "xywh")
    inner = [{"id": "V_String", "params": [text]}]
    return {
        "__identifier": TILE,
        "__type": "Tile",
        "__value": rectangle,
        "__tile": rectangle,
        "defUid": uid,
        "realEditorValues": inner,
    }
