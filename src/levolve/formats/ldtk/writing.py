"""A level as LDtk writes projects down, version 1.5.3 of its format. Identifiers that LDtk would draw at random come from the level's digest."""

import uuid
from typing import Any

from levolve.formats.drawing import INK, OTHER_PLACE, PAPER, PLACE_COLOURS, TILE_COLOURS, Colour
from levolve.formats.facts import FACTS, facts_of
from levolve.formats.tileset import TILE
from levolve.levels.frame import ENTRANCE, EXIT, TOUR, Place
from levolve.levels.level import Level

VERSION = "1.5.3"
TILES, PLACES, CHECKPOINT, NUMBER = "Tiles", "Places", "Checkpoint", "number"
# What LDtk calls the places that there can be one of; its names begin with a capital letter.
ENTITIES = {name.capitalize(): name for name in (ENTRANCE, EXIT, *TOUR)}

# Every definition has a number of its own.
LEVEL_UID, TILES_UID, PLACES_UID, NUMBER_UID = 1, 2, 3, 4
FACT_UIDS = {name: 10 + position for position, name in enumerate(FACTS)}
ENTITY_UIDS = {name: 20 + position for position, name in enumerate([*ENTITIES, CHECKPOINT])}
NEXT_UID = 100
MOST_NUMBER = 10**9 - 1


def project_of(level: Level) -> dict[str, Any]:
    """The whole project as plain data."""
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
        "bgColor": _hex(INK),
        "defaultLevelBgColor": _hex(PAPER),
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
        "defs": _definitions(level),
        "levels": [_level(level)],
        "worlds": [],
        "dummyWorldIid": _identifier(level, "world"),
    }


def _definitions(level: Level) -> dict[str, Any]:
    values = [
        {"value": kind + 1, "identifier": name, "color": _hex(colour), "tile": None, "groupUid": 0}
        for kind, (name, colour) in enumerate(zip(level.tileset.names, TILE_COLOURS[level.tileset.name], strict=True))
    ]
    number = _field_definition(NUMBER_UID, NUMBER, "Int", shown=True)
    entities = [_entity_definition(name, PLACE_COLOURS.get(place, OTHER_PLACE)) for name, place in ENTITIES.items()]
    return {
        "layers": [_layer_definition(PLACES_UID, PLACES, "Entities", []), _layer_definition(TILES_UID, TILES, "IntGrid", values)],
        "entities": [*entities, {**_entity_definition(CHECKPOINT, OTHER_PLACE), "maxCount": 0, "fieldDefs": [number]}],
        "tilesets": [],
        "enums": [],
        "externalEnums": [],
        "levelFields": [_field_definition(uid, name, "String") for name, uid in FACT_UIDS.items()],
    }


def _layer_definition(uid: int, name: str, kind: str, values: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "doc": None,
        "uiColor": None,
        "gridSize": TILE,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 0.6,
        "hideInList": False,
        "hideFieldsWhenInactive": True,
        "canSelectWhenInactive": True,
        "renderInWorldView": True,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": True,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": None,
        "uiFilterTags": [],
        "useAsyncRender": False,
        "intGridValues": values,
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": None,
        "tilesetDefUid": None,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": None,
    }


def _entity_definition(name: str, colour: Colour) -> dict[str, Any]:
    """An entity of one cell. There is one of each in a level: to set a second moves the first."""
    return {
        "identifier": name,
        "uid": ENTITY_UIDS[name],
        "tags": [],
        "exportToToc": False,
        "allowOutOfBounds": False,
        "doc": None,
        "width": TILE,
        "height": TILE,
        "resizableX": False,
        "resizableY": False,
        "minWidth": None,
        "maxWidth": None,
        "minHeight": None,
        "maxHeight": None,
        "keepAspectRatio": False,
        "tileOpacity": 1,
        "fillOpacity": 0.8,
        "lineOpacity": 1,
        "hollow": False,
        "color": _hex(colour),
        "renderMode": "Ellipse",
        "showName": True,
        "tilesetId": None,
        "tileRenderMode": "FitInside",
        "tileRect": None,
        "uiTileRect": None,
        "nineSliceBorders": [],
        "maxCount": 1,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": [],
    }


def _field_definition(uid: int, name: str, kind: str, *, shown: bool = False) -> dict[str, Any]:
    return {
        "identifier": name,
        "doc": None,
        "__type": kind,
        "uid": uid,
        "type": f"F_{kind}",
        "isArray": False,
        "canBeNull": kind == "String",
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": "ValueOnly" if shown else "Hidden",
        "editorDisplayScale": 1,
        "editorDisplayPos": "Center" if shown else "Above",
        "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": None,
        "editorAlwaysShow": False,
        "editorShowInWorld": True,
        "editorCutLongValues": True,
        "editorTextSuffix": None,
        "editorTextPrefix": None,
        "useForSmartColor": False,
        "exportToToc": False,
        "searchable": False,
        "min": 1 if kind == "Int" else None,
        "max": MOST_NUMBER if kind == "Int" else None,
        "regex": None,
        "acceptFileTypes": None,
        "defaultOverride": None,
        "textLanguageMode": None,
        "symmetricalRef": False,
        "autoChainRef": True,
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [],
        "tilesetUid": None,
    }


def _level(level: Level) -> dict[str, Any]:
    facts = facts_of(level)
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
        "__bgColor": _hex(PAPER),
        "bgColor": None,
        "useAutoIdentifier": True,
        "bgRelPath": None,
        "bgPos": None,
        "bgPivotX": 0.5,
        "bgPivotY": 0.5,
        "__smartColor": _hex(PAPER),
        "__bgPos": None,
        "externalRelPath": None,
        "fieldInstances": [_field(uid, name, "String", facts.get(name)) for name, uid in FACT_UIDS.items()],
        "layerInstances": [_layer(level, PLACES, "Entities", PLACES_UID, [], entities), _layer(level, TILES, "IntGrid", TILES_UID, cells, [])],
        "__neighbours": [],
    }


def _layer(level: Level, name: str, kind: str, uid: int, cells: list[int], entities: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: PLR0913, PLR0917 what LDtk has
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
        "__smartColor": _hex(PLACE_COLOURS.get(name, OTHER_PLACE)),
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


def _hex(colour: Colour) -> str:
    return "#{:02X}{:02X}{:02X}".format(*colour)
