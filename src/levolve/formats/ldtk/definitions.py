"""What an LDtk project defines: its layers, its entities, and the fields of levels; by name, and by numbers that everything else refers to."""

from typing import Any

from levolve.formats.drawing import OTHER_PLACE, PLACE_COLOURS, TILE_COLOURS, Colour
from levolve.formats.facts import FACTS
from levolve.formats.tileset import TILE
from levolve.levels.frame import ENTRANCE, EXIT, TOUR
from levolve.levels.tileset import Tileset

TILES, PLACES, CHECKPOINT, NUMBER = "Tiles", "Places", "Checkpoint", "number"
# What LDtk calls the places that there can be one of; its names begin with a capital letter.
ENTITIES = {name.capitalize(): name for name in (ENTRANCE, EXIT, *TOUR)}

# Every definition has a number of its own.
LEVEL_UID, TILES_UID, PLACES_UID, NUMBER_UID = 1, 2, 3, 4
FACT_UIDS = {name: 10 + position for position, name in enumerate(FACTS)}
ENTITY_UIDS = {name: 20 + position for position, name in enumerate([*ENTITIES, CHECKPOINT])}
NEXT_UID = 100
MOST_NUMBER = 10**9 - 1


def definitions_for(tileset: Tileset) -> dict[str, Any]:
    """The definitions of a project whose levels have these kinds of tiles."""
    values = [
        {"value": kind + 1, "identifier": name, "color": hex_colour(colour), "tile": None, "groupUid": 0}
        for kind, (name, colour) in enumerate(zip(tileset.names, TILE_COLOURS[tileset.name], strict=True))
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
    """A colour as LDtk writes it."""
    return "#{:02X}{:02X}{:02X}".format(*colour)
