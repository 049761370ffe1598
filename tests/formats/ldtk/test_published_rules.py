"""LDtk projects keep to the rules that LDtk publishes for its JSON, and what they refer to is
there.
"""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from formats.furnished import EVERYTHING, furnished_levels
from formats.ldtk.spotted import SPOTTED
from levels.inputs import levels
from levolve.formats.ldtk.text import project_bytes
from levolve.formats.ldtk.writing import project_of as written
from levolve.formats.look import Look
from levolve.levels.level import Level, Origin
from levolve.recipes.recipe import find_recipe

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")

# What LDtk's schema of version 1.5.3 asks for: each key that is required, and which types its value
# may have. A name in brackets is a list of such things; a key that may be left out ends in "?".
COLOUR, UUID = "colour", "uuid"
RULES: dict[str, dict[str, str]] = {
    "project": {
        "iid": UUID,
        "jsonVersion": "text",
        "appBuildId": "number",
        "nextUid": "whole",
        "identifierStyle": "Capitalize|Uppercase|Lowercase|Free",
        "toc": "[nothing]",
        "worldLayout?": "Free|GridVania|LinearHorizontal|LinearVertical",
        "worldGridWidth?": "whole",
        "worldGridHeight?": "whole",
        "defaultLevelWidth?": "whole",
        "defaultLevelHeight?": "whole",
        "defaultPivotX": "number",
        "defaultPivotY": "number",
        "defaultGridSize": "whole",
        "defaultEntityWidth": "whole",
        "defaultEntityHeight": "whole",
        "bgColor": COLOUR,
        "defaultLevelBgColor": COLOUR,
        "minifyJson": "flag",
        "externalLevels": "flag",
        "exportTiled": "flag",
        "simplifiedExport": "flag",
        "imageExportMode": "None|OneImagePerLayer|OneImagePerLevel|LayersAndLevels",
        "exportLevelBg": "flag",
        "pngFilePattern?": "text or null",
        "backupOnSave": "flag",
        "backupLimit": "whole",
        "backupRelPath?": "text or null",
        "levelNamePattern": "text",
        "tutorialDesc?": "text or null",
        "customCommands": "[nothing]",
        "flags": "[nothing]",
        "defs": "definitions",
        "levels": "[level]",
        "worlds": "[nothing]",
        "dummyWorldIid": UUID,
        "__header__?": "anything",
    },
    "definitions": {
        "layers": "[layer definition]",
        "entities": "[entity definition]",
        "tilesets": "[tileset definition]",
        "enums": "[enum definition]",
        "externalEnums": "[nothing]",
        "levelFields": "[field definition]",
    },
    "layer definition": {
        "__type": "IntGrid|Entities|Tiles|AutoLayer",
        "identifier": "identifier",
        "type": "IntGrid|Entities|Tiles|AutoLayer",
        "uid": "whole",
        "doc?": "text or null",
        "uiColor?": "text or null",
        "gridSize": "whole",
        "guideGridWid": "whole",
        "guideGridHei": "whole",
        "displayOpacity": "share",
        "inactiveOpacity": "share",
        "hideInList": "flag",
        "hideFieldsWhenInactive": "flag",
        "canSelectWhenInactive": "flag",
        "renderInWorldView": "flag",
        "pxOffsetX": "whole",
        "pxOffsetY": "whole",
        "parallaxFactorX": "number",
        "parallaxFactorY": "number",
        "parallaxScaling": "flag",
        "requiredTags": "[text]",
        "excludedTags": "[text]",
        "autoTilesKilledByOtherLayerUid?": "null",
        "uiFilterTags": "[text]",
        "useAsyncRender": "flag",
        "intGridValues": "[value definition]",
        "intGridValuesGroups": "[nothing]",
        "autoRuleGroups": "[rule group]",
        "autoSourceLayerDefUid?": "whole or null",
        "tilesetDefUid?": "whole or null",
        "tilePivotX": "share",
        "tilePivotY": "share",
        "biomeFieldUid?": "null",
    },
    "tileset definition": {
        "__cWid": "whole",
        "__cHei": "whole",
        "identifier": "identifier",
        "uid": "whole",
        "relPath?": "text",
        "embedAtlas?": "null",
        "pxWid": "whole",
        "pxHei": "whole",
        "tileGridSize": "whole",
        "spacing": "whole",
        "padding": "whole",
        "tags": "[text]",
        "tagsSourceEnumUid?": "whole or null",
        "enumTags": "[enum tag]",
        "customData": "[tile data]",
        "savedSelections": "[nothing]",
        "cachedPixelData?": "null",
    },
    "enum tag": {"enumValueId": "identifier", "tileIds": "[whole]"},
    "tile data": {"tileId": "whole", "data": "text"},
    "enum definition": {
        "identifier": "identifier",
        "uid": "whole",
        "values": "[enum value]",
        "iconTilesetUid?": "whole or null",
        "externalRelPath?": "null",
        "externalFileChecksum?": "null",
        "tags": "[text]",
    },
    "enum value": {"id": "identifier", "tileRect?": "rectangle or null", "color": "whole"},
    "rectangle": {"tilesetUid": "whole", "x": "whole", "y": "whole", "w": "whole", "h": "whole"},
    "rule group": {
        "uid": "whole",
        "name": "text",
        "color?": "null",
        "icon?": "null",
        "active": "flag",
        "isOptional": "flag",
        "rules": "[rule]",
        "usesWizard": "flag",
        "requiredBiomeValues": "[text]",
        "biomeRequirementMode": "whole",
    },
    "rule": {
        "uid": "whole",
        "active": "flag",
        "size": "whole",
        "tileRectsIds": "[tile numbers]",
        "alpha": "share",
        "chance": "share",
        "breakOnMatch": "flag",
        "pattern": "[whole]",
        "flipX": "flag",
        "flipY": "flag",
        "xModulo": "whole",
        "yModulo": "whole",
        "xOffset": "whole",
        "yOffset": "whole",
        "tileXOffset": "whole",
        "tileYOffset": "whole",
        "tileRandomXMin": "whole",
        "tileRandomXMax": "whole",
        "tileRandomYMin": "whole",
        "tileRandomYMax": "whole",
        "checker": "None|Horizontal|Vertical",
        "tileMode": "Single|Stamp",
        "pivotX": "share",
        "pivotY": "share",
        "outOfBoundsValue?": "whole or null",
        "invalidated": "flag",
        "perlinActive": "flag",
        "perlinSeed": "number",
        "perlinScale": "number",
        "perlinOctaves": "number",
    },
    "tile": {
        "px": "[whole]",
        "src": "[whole]",
        "f": "whole",
        "t": "whole",
        "d": "[whole]",
        "a": "share",
    },
    "value definition": {
        "value": "whole",
        "identifier?": "identifier",
        "color": COLOUR,
        "tile?": "null",
        "groupUid": "whole",
    },
    "entity definition": {
        "identifier": "identifier",
        "uid": "whole",
        "tags": "[text]",
        "exportToToc": "flag",
        "allowOutOfBounds": "flag",
        "doc?": "text or null",
        "width": "whole",
        "height": "whole",
        "resizableX": "flag",
        "resizableY": "flag",
        "minWidth?": "null",
        "maxWidth?": "null",
        "minHeight?": "null",
        "maxHeight?": "null",
        "keepAspectRatio": "flag",
        "tileOpacity": "share",
        "fillOpacity": "share",
        "lineOpacity": "share",
        "hollow": "flag",
        "color": COLOUR,
        "renderMode": "Rectangle|Ellipse|Tile|Cross",
        "showName": "flag",
        "tilesetId?": "whole or null",
        "tileRenderMode": "Cover|FitInside|Repeat|Stretch|FullSizeCropped|FullSizeUncropped|NineSlice",
        "tileRect?": "rectangle or null",
        "uiTileRect?": "null",
        "nineSliceBorders": "[whole]",
        "maxCount": "whole",
        "limitScope": "PerLayer|PerLevel|PerWorld",
        "limitBehavior": "DiscardOldOnes|PreventAdding|MoveLastOne",
        "pivotX": "share",
        "pivotY": "share",
        "fieldDefs": "[field definition]",
    },
    "field definition": {
        "identifier": "identifier",
        "doc?": "text or null",
        "__type": "Int|String|Tile|Bool|EntityRef|Array<EntityRef>|LocalEnum.Levolve_roles",
        "uid": "whole",
        "type": "field type",
        "isArray": "flag",
        "canBeNull": "flag",
        "arrayMinLength?": "null",
        "arrayMaxLength?": "null",
        "editorDisplayMode": "Hidden|ValueOnly|NameAndValue|EntityTile|RefLinkBetweenCenters",
        "editorDisplayScale": "number",
        "editorDisplayPos": "Above|Center|Beneath",
        "editorLinkStyle": "ZigZag|StraightArrow|CurvedArrow|ArrowsLine|DashedLine",
        "editorDisplayColor?": "null",
        "editorAlwaysShow": "flag",
        "editorShowInWorld": "flag",
        "editorCutLongValues": "flag",
        "editorTextSuffix?": "null",
        "editorTextPrefix?": "null",
        "useForSmartColor": "flag",
        "exportToToc": "flag",
        "searchable": "flag",
        "min?": "number or null",
        "max?": "number or null",
        "regex?": "null",
        "acceptFileTypes?": "null",
        "defaultOverride?": "editor value or null",
        "textLanguageMode?": "null",
        "symmetricalRef": "flag",
        "autoChainRef": "flag",
        "allowOutOfLevelRef": "flag",
        "allowedRefs": "Any|OnlySame|OnlyTags|OnlySpecificEntity",
        "allowedRefsEntityUid?": "null",
        "allowedRefTags": "[text]",
        "tilesetUid?": "whole or null",
    },
    "level": {
        "identifier": "identifier",
        "iid": UUID,
        "uid": "whole",
        "worldX": "whole",
        "worldY": "whole",
        "worldDepth": "whole",
        "pxWid": "whole",
        "pxHei": "whole",
        "__bgColor": COLOUR,
        "bgColor?": "null",
        "useAutoIdentifier": "flag",
        "bgRelPath?": "null",
        "bgPos?": "null",
        "bgPivotX": "share",
        "bgPivotY": "share",
        "__smartColor": COLOUR,
        "__bgPos?": "null",
        "externalRelPath?": "null",
        "fieldInstances": "[field]",
        "layerInstances?": "[layer]",
        "__neighbours": "[nothing]",
    },
    "layer": {
        "__identifier": "identifier",
        "__type": "IntGrid|Entities|Tiles|AutoLayer",
        "__cWid": "whole",
        "__cHei": "whole",
        "__gridSize": "whole",
        "__opacity": "share",
        "__pxTotalOffsetX": "whole",
        "__pxTotalOffsetY": "whole",
        "__tilesetDefUid?": "whole or null",
        "__tilesetRelPath?": "text or null",
        "iid": UUID,
        "levelId": "whole",
        "layerDefUid": "whole",
        "pxOffsetX": "whole",
        "pxOffsetY": "whole",
        "visible": "flag",
        "optionalRules": "[nothing]",
        "intGridCsv": "[whole]",
        "autoLayerTiles": "[tile]",
        "seed": "whole",
        "overrideTilesetUid?": "null",
        "gridTiles": "[nothing]",
        "entityInstances": "[entity]",
    },
    "entity": {
        "__identifier": "identifier",
        "__grid": "[whole]",
        "__pivot": "[share]",
        "__tags": "[text]",
        "__tile?": "rectangle or null",
        "__smartColor": COLOUR,
        "__worldX?": "whole",
        "__worldY?": "whole",
        "iid": UUID,
        "width": "whole",
        "height": "whole",
        "defUid": "whole",
        "px": "[whole]",
        "fieldInstances": "[field]",
    },
    "field": {
        "__identifier": "identifier",
        "__type": "Int|String|Tile|Bool|EntityRef|Array<EntityRef>|LocalEnum.Levolve_roles",
        "__value": "anything",
        "__tile?": "rectangle or null",
        "defUid": "whole",
        "realEditorValues": "[editor value]",
    },
    "editor value": {"id": "V_String|V_Int|V_Bool", "params": "[anything]"},
}


def follow(value: Any, rule: str, where: str) -> None:
    """Fail unless a value is what a rule says."""
    if rule.removesuffix(" or null") in RULES and rule not in RULES:
        if value is not None:
            follow(value, rule.removesuffix(" or null"), where)
    elif rule in RULES:
        assert isinstance(value, dict), where
        keys = {key.removesuffix("?"): inner for key, inner in RULES[rule].items()}
        assert set(value) <= set(keys), where
        assert {key for key in RULES[rule] if not key.endswith("?")} <= set(value), where
        for key, inner in value.items():
            follow(inner, keys[key], f"{where}.{key}")
    elif rule.startswith("["):
        assert isinstance(value, list), where
        for index, entry in enumerate(value):
            follow(entry, rule[1:-1], f"{where}.{index}")
    else:
        assert _plain(value, rule), f"{where}: {value!r} is not {rule}"


def _plain(value: Any, rule: str) -> bool:
    if rule.endswith(" or null"):
        return value is None or _plain(value, rule.removesuffix(" or null"))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    checks = {
        "anything": True,
        "nothing": False,
        "tile numbers": isinstance(value, list)
        and all(isinstance(number, int) for number in value),
        "null": value is None,
        "flag": isinstance(value, bool),
        "number": is_number,
        "share": is_number and 0 <= value <= 1,
        "whole": isinstance(value, int)
        and not isinstance(value, bool)
        and -(2**31) <= value < 2**31,
        "text": isinstance(value, str),
        "field type": isinstance(value, str)
        and re.fullmatch(r"F_(Int|String|Tile|Bool|EntityRef|Enum\(\d+\))", value) is not None,
        COLOUR: isinstance(value, str) and re.fullmatch("#[0-9A-F]{6}", value) is not None,
        UUID: isinstance(value, str)
        and re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value) is not None,
        "identifier": isinstance(value, str)
        and re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", value) is not None,
    }
    return checks[rule] if rule in checks else value in rule.split("|")


PACK = {
    "Level_01_maze": LEVEL,
    "Level_02_colours": Level.from_text("RO\nYG"),
    "Level_03_maze": Level.from_text("S...#\n.#..E"),
    "Level_04_maze": Level.from_text("S.#\n..1\n#.E"),
    "Level_05_locked": EVERYTHING,
    "Level_06_locked": EVERYTHING,
}


def project_of(levels: dict[str, Level], look: Look) -> Any:
    return json.loads(project_bytes(written(levels, look)))


LOOKS = [Look(), Look(tile=32), Look(SPOTTED)]


@given(levels() | furnished_levels())
def test_a_project_keeps_to_the_published_rules(level: Level) -> None:
    made = level.with_origin(Origin.of(find_recipe("maze").to_data(), 2**64 - 1, 3, "0.1.0"))
    follow(project_of({"Level_0": made}, Look()), "project", "project")


@pytest.mark.parametrize("look", LOOKS)
def test_a_project_of_several_levels_keeps_to_the_published_rules(look: Look) -> None:
    follow(project_of(PACK, look), "project", "project")


@given(levels() | furnished_levels())
def test_what_a_project_refers_to_is_there_and_its_numbers_fit_together(level: Level) -> None:
    check_references(project_of({"Level_0": level}, Look()))


@pytest.mark.parametrize("look", LOOKS)
def test_what_a_project_of_several_levels_refers_to_is_there(look: Look) -> None:
    project = project_of(PACK, look)
    check_references(project)
    areas = [
        (level["worldX"], level["worldY"], level["pxWid"], level["pxHei"])
        for level in project["levels"]
    ]
    for (x, y, width, height), (left, top, wide, high) in itertools.combinations(areas, 2):
        assert x + width < left or left + wide < x or y + height < top or top + high < y, (
            "levels overlap or touch"
        )
    assert [level["identifier"] for level in project["levels"]] == list(PACK)


def check_references(project: Any) -> None:
    """Fail unless every number that refers to a definition refers to one of the right kind, and
    sizes, names and positions agree.
    """
    definitions = project["defs"]
    layers, entities, tilesets, enums = (
        {entry["uid"]: entry for entry in definitions[key]}
        for key in ("layers", "entities", "tilesets", "enums")
    )
    fields = [
        *definitions["levelFields"],
        *(field for entity in entities.values() for field in entity["fieldDefs"]),
    ]
    groups = [group for layer in layers.values() for group in layer["autoRuleGroups"]]
    rules = {rule["uid"]: rule for group in groups for rule in group["rules"]}
    uids = [level["uid"] for level in project["levels"]] + [
        entry["uid"] for entry in [*fields, *groups]
    ]
    uids += [*layers, *entities, *tilesets, *enums, *rules]
    assert len(set(uids)) == len(uids)
    assert max(uids) < project["nextUid"]
    for tileset in tilesets.values():
        assert (
            tileset["__cWid"] * tileset["tileGridSize"],
            tileset["__cHei"] * tileset["tileGridSize"],
        ) == (tileset["pxWid"], tileset["pxHei"])
        if tileset["tagsSourceEnumUid"] is None:
            assert tileset["identifier"].startswith("Levolve_things_")
            continue
        values = [value["id"] for value in enums[tileset["tagsSourceEnumUid"]]["values"]]
        assert [tag["enumValueId"] for tag in tileset["enumTags"]] == values
        tagged = {
            tile: tag["enumValueId"].lower()
            for tag in tileset["enumTags"]
            for tile in tag["tileIds"]
        }
        assert {
            entry["tileId"]: entry["data"] for entry in tileset["customData"]
        }.items() >= tagged.items()
    for rectangle in rectangles(project):
        tileset = tilesets[rectangle["tilesetUid"]]
        assert 0 <= rectangle["x"] <= tileset["pxWid"] - rectangle["w"]
        assert 0 <= rectangle["y"] <= tileset["pxHei"] - rectangle["h"]
    for layer in layers.values():
        if layer["type"] == "AutoLayer":
            assert layers[layer["autoSourceLayerDefUid"]]["type"] == "IntGrid"
        source = layers[layer["autoSourceLayerDefUid"]] if layer["type"] == "AutoLayer" else layer
        known = {0, *(value["value"] for value in source["intGridValues"])}
        for rule in (rule for group in layer["autoRuleGroups"] for rule in group["rules"]):
            assert len(rule["pattern"]) == rule["size"] ** 2
            assert {abs(value) for value in rule["pattern"]} <= known | {1_000_001}
            assert rule["outOfBoundsValue"] in {None, *known}
            tiles = (
                tilesets[layer["tilesetDefUid"]]["__cWid"]
                * tilesets[layer["tilesetDefUid"]]["__cHei"]
            )
            assert all(0 <= tile < tiles for numbers in rule["tileRectsIds"] for tile in numbers)
    identifiers = [project["iid"], project["dummyWorldIid"]]
    for found in project["levels"]:
        assert [layer["layerDefUid"] for layer in found["layerInstances"]] == list(layers)
        assert {field["defUid"]: field["__type"] for field in found["fieldInstances"]} == {
            field["uid"]: field["__type"] for field in definitions["levelFields"]
        }
        identifiers.append(found["iid"])
        for layer in found["layerInstances"]:
            check_layer(layer, found, layers[layer["layerDefUid"]], project)
            identifiers += [layer["iid"], *(entity["iid"] for entity in layer["entityInstances"])]
    assert len(set(identifiers)) == len(identifiers)


def check_layer(layer: Any, found: Any, definition: Any, project: Any) -> None:
    entities = {entity["uid"]: entity for entity in project["defs"]["entities"]}
    tilesets = {tileset["uid"]: tileset for tileset in project["defs"]["tilesets"]}
    rules = {rule["uid"]: rule for group in definition["autoRuleGroups"] for rule in group["rules"]}
    assert (layer["__identifier"], layer["__type"], layer["levelId"]) == (
        definition["identifier"],
        definition["type"],
        found["uid"],
    )
    assert (layer["__cWid"] * layer["__gridSize"], layer["__cHei"] * layer["__gridSize"]) == (
        found["pxWid"],
        found["pxHei"],
    )
    assert layer["__gridSize"] == definition["gridSize"]
    assert len(layer["intGridCsv"]) == (
        layer["__cWid"] * layer["__cHei"] if layer["__type"] == "IntGrid" else 0
    )
    assert set(layer["intGridCsv"]) <= {
        0,
        *(value["value"] for value in definition["intGridValues"]),
    }
    assert layer["__tilesetDefUid"] == definition["tilesetDefUid"]
    for tile in layer["autoLayerTiles"]:
        tileset, (rule, cell), side = (
            tilesets[layer["__tilesetDefUid"]],
            tile["d"],
            layer["__gridSize"],
        )
        assert tile["px"] == [cell % layer["__cWid"] * side, cell // layer["__cWid"] * side]
        assert tile["src"] == [
            tile["t"] % tileset["__cWid"] * side,
            tile["t"] // tileset["__cWid"] * side,
        ]
        assert [tile["t"]] in rules[rule]["tileRectsIds"]
    if tilesets and layer["__tilesetDefUid"] is not None:
        assert layer["__tilesetRelPath"] == tilesets[layer["__tilesetDefUid"]]["relPath"]
    for entity in layer["entityInstances"]:
        assert entity["__identifier"] == entities[entity["defUid"]]["identifier"]
        assert entity["px"] == [part * layer["__gridSize"] for part in entity["__grid"]]
        assert [entity["__worldX"], entity["__worldY"]] == [
            found["worldX"] + entity["px"][0],
            found["worldY"] + entity["px"][1],
        ]
        assert all(
            0 <= part < most
            for part, most in zip(entity["__grid"], (layer["__cWid"], layer["__cHei"]), strict=True)
        )
        fields = {field["uid"]: field for field in entities[entity["defUid"]]["fieldDefs"]}
        assert {field["defUid"] for field in entity["fieldInstances"]} == set(fields)
        for field in entity["fieldInstances"]:
            known = fields[field["defUid"]]
            assert (field["__identifier"], field["__type"]) == (
                known["identifier"],
                known["__type"],
            )
            for value in links(field["__value"]):
                there = next(
                    layer for layer in found["layerInstances"] if layer["iid"] == value["layerIid"]
                )
                assert value["levelIid"] == found["iid"]
                assert value["worldIid"] == project["dummyWorldIid"]
                assert value["entityIid"] in {each["iid"] for each in there["entityInstances"]}


def links(value: Any) -> list[Any]:
    """The references to entities in the value of a field."""
    listed = value if isinstance(value, list) else [value]
    return [each for each in listed if isinstance(each, dict) and "entityIid" in each]


def rectangles(part: Any) -> Iterator[Any]:
    """All rectangles of tilesets in a part of a project."""
    if isinstance(part, dict):
        if set(part) == {"tilesetUid", "x", "y", "w", "h"}:
            yield part
        for value in part.values():
            yield from rectangles(value)
    elif isinstance(part, list):
        for value in part:
            yield from rectangles(value)
