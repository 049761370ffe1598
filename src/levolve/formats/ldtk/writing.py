"""Writer for LDtk projects, version 1.5.3 of the format. Identifiers that LDtk would draw at random are derived from the level's digest."""

import uuid
from typing import Any

from levolve.formats.ldtk.definitions import (
    CHECKPOINT,
    ENTITIES,
    ENTITY_UIDS,
    FIELD_UIDS,
    LEVEL_UID,
    NEXT_UID,
    NUMBER,
    NUMBER_UID,
    PLACES,
    PLACES_UID,
    TILES,
    TILES_UID,
    definitions_for,
    hex_colour,
    level_fields,
)
from levolve.formats.marks import INK, OTHER_PLACE, PAPER, PLACE_COLOURS
from levolve.formats.metadata import metadata_of
from levolve.formats.tileset import TILE
from levolve.levels.level import Level
from levolve.levels.places import Place

VERSION = "1.5.3"


def project_of(level: Level) -> dict[str, Any]:
    """Return the project as plain data."""
    width, height = level.width * TILE, level.height * TILE
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
        "iid": _identifier(level, "project"),
        "jsonVersion": VERSION,
        "appBuildId": 473703,
        "nextUid": NEXT_UID,
        "identifierStyle": "Capitalize",
        "toc": [],
        "worldLayout": "Free",
        "worldGridWidth": width,
        "worldGridHeight": height,
        "defaultLevelWidth": width,
        "defaultLevelHeight": height,
        "defaultPivotX": 0,
        "defaultPivotY": 0,
        "defaultGridSize": TILE,
        "defaultEntityWidth": TILE,
        "defaultEntityHeight": TILE,
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
        "defs": definitions_for(level, level_fields(level, metadata_of(level))),
        "levels": [_level(level)],
        "worlds": [],
        "dummyWorldIid": _identifier(level, "world"),
    }


def _level(level: Level) -> dict[str, Any]:
    fields = level_fields(level, metadata_of(level))
    cells = (level.tiles.ravel() + 1).tolist()
    entities = [_entity(level, name, place) for name, place in level.places.items()]
    return {
        "identifier": "Level_0",
        "iid": _identifier(level, "level"),
        "uid": LEVEL_UID,
        "worldX": 0,
        "worldY": 0,
        "worldDepth": 0,
        "pxWid": level.width * TILE,
        "pxHei": level.height * TILE,
        "__bgColor": hex_colour(PAPER),
        "bgColor": None,
        "useAutoIdentifier": True,
        "bgRelPath": None,
        "bgPos": None,
        "bgPivotX": 0.5,
        "bgPivotY": 0.5,
        "__smartColor": hex_colour(PAPER),
        "__bgPos": None,
        "externalRelPath": None,
        "fieldInstances": [_field(FIELD_UIDS[name], name, "String", value) for name, value in fields.items()],
        "layerInstances": [_layer(level, PLACES, "Entities", PLACES_UID, [], entities), _layer(level, TILES, "IntGrid", TILES_UID, cells, [])],
        "__neighbours": [],
    }


def _layer(level: Level, name: str, kind: str, uid: int, cells: list[int], entities: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: PLR0913, PLR0917 one argument per field of LDtk
    return {
        "__identifier": name,
        "__type": kind,
        "__cWid": level.width,
        "__cHei": level.height,
        "__gridSize": TILE,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": 0,
        "__tilesetDefUid": None,
        "__tilesetRelPath": None,
        "iid": _identifier(level, name),
        "levelId": LEVEL_UID,
        "layerDefUid": uid,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": True,
        "optionalRules": [],
        "intGridCsv": cells,
        "autoLayerTiles": [],
        "seed": 0,
        "overrideTilesetUid": None,
        "gridTiles": [],
        "entityInstances": entities,
    }


def _entity(level: Level, name: str, place: Place) -> dict[str, Any]:
    called = next((identifier for identifier, known in ENTITIES.items() if known == name), CHECKPOINT)
    x, y = place
    fields = [_field(NUMBER_UID, NUMBER, "Int", int(name.split()[1]))] if called == CHECKPOINT else []
    return {
        "__identifier": called,
        "__grid": [x, y],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": None,
        "__smartColor": hex_colour(PLACE_COLOURS.get(name, OTHER_PLACE)),
        "iid": _identifier(level, name),
        "width": TILE,
        "height": TILE,
        "defUid": ENTITY_UIDS[called],
        "px": [x * TILE, y * TILE],
        "fieldInstances": fields,
        "__worldX": x * TILE,
        "__worldY": y * TILE,
    }


def _field(uid: int, name: str, kind: str, value: str | int | None) -> dict[str, Any]:
    inner = [] if value is None else [{"id": f"V_{kind}", "params": [value]}]
    return {"__identifier": name, "__type": kind, "__value": value, "__tile": None, "defUid": uid, "realEditorValues": inner}


def _identifier(level: Level, name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"levolve:{level.digest}:{name}"))
