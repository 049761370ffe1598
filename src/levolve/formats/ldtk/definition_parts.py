"""Definitions of layers, entities and fields of LDtk with their default settings."""

from typing import Any

from levolve.levels.tileset import Colour

MOST_NUMBER = 10**9 - 1


def layer_definition(uid: int, name: str, kind: str, side: int) -> dict[str, Any]:
    """Return the definition of a layer."""
    return {
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "doc": None,
        "uiColor": None,
        "gridSize": side,
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
        "intGridValues": [],
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": None,
        "tilesetDefUid": None,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": None,
    }


def entity_base(uid: int, name: str, side: int) -> dict[str, Any]:
    """Return the definition of an entity of one cell without a tile, in its order of keys."""
    return {
        "identifier": name,
        "uid": uid,
        "tags": [],
        "exportToToc": False,
        "allowOutOfBounds": False,
        "doc": None,
        "width": side,
        "height": side,
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
        "color": "",
        "renderMode": "Ellipse",
        "showName": True,
        "tilesetId": None,
        "tileRenderMode": "FitInside",
        "tileRect": None,
        "uiTileRect": None,
        "nineSliceBorders": [],
        "maxCount": 0,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": [],
    }


def field_definition(uid: int, name: str, kind: str, *, shown: str = "Hidden") -> dict[str, Any]:
    """Return the definition of a field that no instance needs to have."""
    return {
        "identifier": name,
        "doc": None,
        "__type": kind,
        "uid": uid,
        "type": f"F_{kind}",
        "isArray": False,
        "canBeNull": kind != "Int",
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": shown,
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
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
