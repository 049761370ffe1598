"""The definitions of an LDtk project: layers, entities and level fields, each with a name and a number that other parts refer to."""

from collections.abc import Iterable, Mapping
from typing import Any

from levolve.formats.marks import OTHER_PLACE, PLACE_COLOURS
from levolve.formats.metadata import ABOUT, AREAS, GOAL, PUZZLE, RIGHTS
from levolve.formats.tileset import TILE
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR
from levolve.levels.text import RECOGNISED
from levolve.levels.tileset import Colour

TILES, PLACES, CHECKPOINT, NUMBER, TILESET = "Tiles", "Places", "Checkpoint", "number", "tileset"
# LDtk's names of the places that can occur only once; they begin with a capital letter.
ENTITIES = {name.capitalize(): name for name in (ENTRANCE, EXIT, *TOUR)}

# Every definition has a unique number.
LEVEL_UID, TILES_UID, PLACES_UID, NUMBER_UID = 1, 2, 3, 4
FIELD_UIDS = {name: 10 + position for position, name in enumerate([*ABOUT, GOAL, TILESET, AREAS, PUZZLE, RIGHTS])}
ENTITY_UIDS = {name: 30 + position for position, name in enumerate([*ENTITIES, CHECKPOINT])}
NEXT_UID = 100
MOST_NUMBER = 10**9 - 1


def level_fields(level: Level, metadata: Mapping[str, str]) -> dict[str, str | None]:
    """Return the fields of a level by name: its metadata, which may be empty, and its goal, areas, puzzle and tileset if there are any to write."""
    tileset = {} if level.tileset in RECOGNISED else {TILESET: level.tileset.name}
    optional = {name: metadata[name] for name in (GOAL, AREAS, PUZZLE) if name in metadata}
    return {name: metadata.get(name) for name in (*ABOUT, RIGHTS)} | optional | tileset


def definitions_for(level: Level, fields: Iterable[str]) -> dict[str, Any]:
    """Return the definitions of a project with one level that has these fields."""
    tileset = level.tileset
    values = [
        {"value": kind + 1, "identifier": name, "color": hex_colour(colour), "tile": None, "groupUid": 0}
        for kind, (name, colour) in enumerate(zip(tileset.names, tileset.colours, strict=True))
    ]
    number = _field_definition(NUMBER_UID, NUMBER, "Int", shown=True)
    entities = [_entity_definition(name, PLACE_COLOURS.get(place, OTHER_PLACE)) for name, place in ENTITIES.items()]
    return {
        "layers": [_layer_definition(PLACES_UID, PLACES, "Entities", []), _layer_definition(TILES_UID, TILES, "IntGrid", values)],
        "entities": [*entities, {**_entity_definition(CHECKPOINT, OTHER_PLACE), "maxCount": 0, "fieldDefs": [number]}],
        "tilesets": [],
        "enums": [],
        "externalEnums": [],
        "levelFields": [_field_definition(FIELD_UIDS[name], name, "String") for name in fields],
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
    """Return the definition of an entity of one cell. A level has at most one: adding a second moves the first."""
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
        "color": hex_colour(colour),
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


def hex_colour(colour: Colour) -> str:
    """Format a colour for LDtk."""
    return "#{:02X}{:02X}{:02X}".format(*colour)
