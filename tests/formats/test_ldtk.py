"""LDtk projects: they keep to the rules that LDtk publishes for its JSON, and what people draw in LDtk is read."""

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import given

from levels.inputs import levels
from levolve.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.level import Level, Origin
from levolve.recipes.recipe import find_recipe

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")

# What LDtk's schema of version 1.5.3 asks for: each key that is required, and which types its value may have. A name in brackets is a list of
# such things; a key that may be left out ends in "?".
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
        "tilesets": "[nothing]",
        "enums": "[nothing]",
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
        "autoRuleGroups": "[nothing]",
        "autoSourceLayerDefUid?": "null",
        "tilesetDefUid?": "null",
        "tilePivotX": "share",
        "tilePivotY": "share",
        "biomeFieldUid?": "null",
    },
    "value definition": {"value": "whole", "identifier?": "identifier", "color": COLOUR, "tile?": "null", "groupUid": "whole"},
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
        "tilesetId?": "null",
        "tileRenderMode": "Cover|FitInside|Repeat|Stretch|FullSizeCropped|FullSizeUncropped|NineSlice",
        "tileRect?": "null",
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
        "__type": "Int|String",
        "uid": "whole",
        "type": "F_Int|F_String",
        "isArray": "flag",
        "canBeNull": "flag",
        "arrayMinLength?": "null",
        "arrayMaxLength?": "null",
        "editorDisplayMode": "Hidden|ValueOnly|NameAndValue",
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
        "defaultOverride?": "null",
        "textLanguageMode?": "null",
        "symmetricalRef": "flag",
        "autoChainRef": "flag",
        "allowOutOfLevelRef": "flag",
        "allowedRefs": "Any|OnlySame|OnlyTags|OnlySpecificEntity",
        "allowedRefsEntityUid?": "null",
        "allowedRefTags": "[text]",
        "tilesetUid?": "null",
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
        "__tilesetDefUid?": "null",
        "__tilesetRelPath?": "null",
        "iid": UUID,
        "levelId": "whole",
        "layerDefUid": "whole",
        "pxOffsetX": "whole",
        "pxOffsetY": "whole",
        "visible": "flag",
        "optionalRules": "[nothing]",
        "intGridCsv": "[whole]",
        "autoLayerTiles": "[nothing]",
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
        "__tile?": "null",
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
        "__type": "Int|String",
        "__value": "anything",
        "__tile?": "null",
        "defUid": "whole",
        "realEditorValues": "[anything]",
    },
}


def follow(value: Any, rule: str, where: str) -> None:  # noqa: ANN401 JSON is anything
    """Fail unless a value is what a rule says."""
    if rule in RULES:
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


def _plain(value: Any, rule: str) -> bool:  # noqa: ANN401 same
    if rule.endswith(" or null"):
        return value is None or _plain(value, rule.removesuffix(" or null"))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    checks = {
        "anything": True,
        "nothing": False,
        "null": value is None,
        "flag": isinstance(value, bool),
        "number": is_number,
        "share": is_number and 0 <= value <= 1,
        "whole": isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**31,
        "text": isinstance(value, str),
        COLOUR: isinstance(value, str) and re.fullmatch("#[0-9A-F]{6}", value) is not None,
        UUID: isinstance(value, str) and re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value) is not None,
        "identifier": isinstance(value, str) and re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", value) is not None,
    }
    return checks[rule] if rule in checks else value in rule.split("|")


def project_of(level: Level = LEVEL) -> Any:  # noqa: ANN401 same
    return json.loads(FORMATS["ldtk"].encode(level))


@given(levels())
def test_a_project_keeps_to_the_published_rules(level: Level) -> None:
    follow(project_of(level.with_origin(Origin.of(find_recipe("maze").to_data(), 2**64 - 1, 3, "0.1.0"))), "project", "project")


@given(levels())
def test_what_a_project_refers_to_is_there_and_its_numbers_fit_together(level: Level) -> None:
    project = project_of(level)
    definitions, (found,) = project["defs"], project["levels"]
    layers = {layer["uid"]: layer for layer in definitions["layers"]}
    entities = {entity["uid"]: entity for entity in definitions["entities"]}
    fields = [*definitions["levelFields"], *(field for entity in entities.values() for field in entity["fieldDefs"])]
    uids = [found["uid"], *layers, *entities, *(field["uid"] for field in fields)]
    assert len(set(uids)) == len(uids)
    assert max(uids) < project["nextUid"]
    assert [layer["layerDefUid"] for layer in found["layerInstances"]] == list(layers)
    assert {field["defUid"]: field["__type"] for field in found["fieldInstances"]} == {
        field["uid"]: field["__type"] for field in definitions["levelFields"]
    }
    identifiers = [project["iid"], project["dummyWorldIid"], found["iid"]]
    for layer in found["layerInstances"]:
        definition = layers[layer["layerDefUid"]]
        assert (layer["__identifier"], layer["__type"], layer["levelId"]) == (definition["identifier"], definition["type"], found["uid"])
        assert (layer["__cWid"] * layer["__gridSize"], layer["__cHei"] * layer["__gridSize"]) == (found["pxWid"], found["pxHei"])
        assert len(layer["intGridCsv"]) == (layer["__cWid"] * layer["__cHei"] if layer["__type"] == "IntGrid" else 0)
        assert set(layer["intGridCsv"]) <= {value["value"] for value in definition["intGridValues"]}
        identifiers += [layer["iid"], *(entity["iid"] for entity in layer["entityInstances"])]
        for entity in layer["entityInstances"]:
            assert entity["__identifier"] == entities[entity["defUid"]]["identifier"]
            assert entity["px"] == [part * layer["__gridSize"] for part in entity["__grid"]] == [entity["__worldX"], entity["__worldY"]]
            assert all(0 <= part < most for part, most in zip(entity["__grid"], (layer["__cWid"], layer["__cHei"]), strict=True))
            assert {field["defUid"] for field in entity["fieldInstances"]} == {field["uid"] for field in entities[entity["defUid"]]["fieldDefs"]}
    assert len(set(identifiers)) == len(identifiers)


def changed(path: str, value: object) -> bytes:
    """The project with one thing changed, by its path."""
    project = copy.deepcopy(project_of())
    *keys, last = [int(key) if key.isdigit() else key for key in path.split("/")]
    inner = project
    for key in keys:
        inner = inner[key]
    inner[last] = value
    return json.dumps(project).encode()


PLACES, TILES = "levels/0/layerInstances/0", "levels/0/layerInstances/1"


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("levels", [], "expected a project with one level, got none"),
        ("levels", [{"identifier": "Cellar"}, {"identifier": "Attic"}], "got Cellar, Attic"),
        ("levels/0/layerInstances", None, "Save levels to separate files"),
        ("levels/0/layerInstances", [], "expected an IntGrid layer, got none"),
        ("levels/0/layerInstances", "all", "layerInstances: expected a valid list"),
        (f"{TILES}/__cWid", 4, "expected 4x3 cells in intGridCsv, got 9"),
        (f"{TILES}/__cWid", 1, "at least 2x2"),
        (f"{TILES}/__cWid", "wide", "__cWid: expected a valid integer"),
        (f"{TILES}/__pxTotalOffsetX", 8, "no offset, got 8,0"),
        (f"{TILES}/intGridCsv", [1, 1, 7, 1, 1, 1, 2, 1, 1], "got 7 without one"),
        ("defs/layers/1/intGridValues/1/identifier", "lava", "expected tiles called only floor, wall"),
        (f"{PLACES}/entityInstances/0/__identifier", "Entrence", "did you mean 'Entrance'"),
        (f"{PLACES}/entityInstances/1/__identifier", "Entrance", "expected one entrance, got a second at 2,2"),
        (f"{PLACES}/entityInstances/0/__grid", [3, 0], "entrance: expected a cell inside the 3x3 level"),
        (f"{PLACES}/entityInstances/0/__grid", [-1, 0], "entrance: expected a cell inside the 3x3 level"),
        (f"{PLACES}/entityInstances/0/__grid", [0.5, 0], "__grid.0: expected a valid integer"),
        (f"{PLACES}/entityInstances/0/__grid", [2, 0], "got wall at 2,0"),
        (f"{PLACES}/entityInstances/2/fieldInstances/0/__value", None, "expected a whole number in its field 'number'"),
        (f"{PLACES}/entityInstances/2/fieldInstances/0/__value", 0, "unknown place 'checkpoint 0'"),
    ],
)
def test_what_cannot_be_a_level_is_refused_and_the_reason_is_named(path: str, value: object, words: str) -> None:
    with pytest.raises(InputError) as problem:
        FORMATS["ldtk"].decode(changed(path, value))
    assert words in str(problem.value)


def test_erased_cells_are_floor_and_other_layers_are_left_alone() -> None:
    assert FORMATS["ldtk"].decode(changed(f"{TILES}/intGridCsv", [0, 0, 2, 1, 1, 1, 2, 0, 0])) == LEVEL
    project = project_of()
    enemies = {**project["levels"][0]["layerInstances"][0], "__identifier": "Enemies"}
    enemies["entityInstances"] = [{"__identifier": "Bat", "__grid": [1, 1]}]
    project["levels"][0]["layerInstances"].insert(0, enemies)
    assert FORMATS["ldtk"].decode(json.dumps(project).encode()) == LEVEL
