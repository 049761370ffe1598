"""The edit loop of LDtk: what a person added to a project stays, element by element, when a new
level takes the place of the old one.
"""

import copy
import itertools
import json
from typing import Any

import pytest

from formats.ldtk.spotted import SPOTTED
from formats.ldtk.test_drawing import drawn_again
from formats.ldtk.test_published_rules import check_references
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.ldtk.ownership import foreign, grid, kept
from levolve.formats.look import Look
from levolve.formats.themes import THEMES
from levolve.levels.level import Level

LDTK = FORMATS["ldtk"]
OLD = Level.from_text("S.#.\n..1.\n#..E").with_solution("rdrdr")
NEW = Level.from_text("....\nS#1#\n##.E").with_solution("urrddr")
LOOK = Look(SPOTTED)


def added(project: Any) -> Any:
    """Add what a person may add to a project."""
    definitions, level = project["defs"], project["levels"][0]
    places, tiles, _floor = definitions["layers"]
    uid = itertools.count(project["nextUid"])
    enum = {
        "identifier": "Mood",
        "uid": next(uid),
        "values": [{"id": "Calm", "tileRect": None, "color": 255}],
        "iconTilesetUid": None,
        "tags": ["x"],
    }
    sheet = {
        **definitions["tilesets"][0],
        "identifier": "Sky",
        "uid": next(uid),
        "relPath": "sky.png",
        "tagsSourceEnumUid": enum["uid"],
        "enumTags": [],
        "customData": [],
    }
    clouds = {
        **tiles,
        "identifier": "Clouds",
        "type": "Tiles",
        "__type": "Tiles",
        "uid": next(uid),
        "tilesetDefUid": sheet["uid"],
    }
    clouds |= {"intGridValues": [], "autoRuleGroups": [], "pxOffsetX": 5}
    values = [{"value": 1, "identifier": "Keep", "color": "#FF0000", "tile": None, "groupUid": 0}]
    marks = {
        **tiles,
        "identifier": "Marks",
        "uid": next(uid),
        "tilesetDefUid": None,
        "autoRuleGroups": [],
        "intGridValues": values,
    }
    rule = {
        **tiles["autoRuleGroups"][0]["rules"][0],
        "uid": next(uid),
        "pattern": [2],
        "size": 1,
        "tileRectsIds": [[3]],
        "chance": 0.5,
    }
    group = {**tiles["autoRuleGroups"][0], "uid": next(uid), "name": "shadows", "rules": [rule]}
    shadows = {
        **tiles,
        "identifier": "Shadows",
        "type": "AutoLayer",
        "__type": "AutoLayer",
        "uid": next(uid),
        "intGridValues": [],
    }
    shadows |= {
        "autoSourceLayerDefUid": tiles["uid"],
        "autoRuleGroups": [group],
        "tilesetDefUid": sheet["uid"],
    }
    enemies = {**places, "identifier": "Enemies", "uid": next(uid)}
    bat = {**definitions["entities"][0], "identifier": "Bat", "uid": next(uid), "maxCount": 0}
    speed = {**definitions["levelFields"][0], "identifier": "speed", "uid": next(uid)}
    lock = {**definitions["levelFields"][0], "identifier": "lock", "uid": next(uid)}
    definitions["enums"].append(enum)
    definitions["tilesets"].insert(0, sheet)
    definitions["layers"] = [clouds, enemies, places, marks, shadows, *definitions["layers"][1:]]
    definitions["entities"].insert(0, bat)
    definitions["levelFields"].append(speed)
    next(entry for entry in definitions["entities"] if entry["identifier"] == "Exit")[
        "fieldDefs"
    ].append(lock)
    project["nextUid"] = next(uid)
    project |= {
        "bgColor": "#123456",
        "tutorialDesc": "mine",
        "customCommands": [{"command": "make", "when": "Manual"}],
    }

    first, second, third = level["layerInstances"]

    def instance(definition: Any, like: Any, **changes: Any) -> Any:
        name = {
            "__identifier": definition["identifier"],
            "__type": definition["type"],
            "layerDefUid": definition["uid"],
            "iid": definition["identifier"],
        }
        return {
            **like,
            "intGridCsv": [],
            "autoLayerTiles": [],
            "entityInstances": [],
            "seed": 7,
            **name,
            **changes,
        }

    cloud = {"px": [16, 0], "src": [0, 16], "f": 1, "t": 8, "d": [1], "a": 0.5}
    creature = {
        **first["entityInstances"][0],
        "__identifier": "Bat",
        "defUid": bat["uid"],
        "iid": "bat",
        "px": [3, 9],
        "fieldInstances": [],
    }
    marked = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]
    sky = {"__tilesetDefUid": sheet["uid"], "__tilesetRelPath": "sky.png"}
    level["layerInstances"] = [
        instance(clouds, second, gridTiles=[cloud], __pxTotalOffsetX=5, **sky),
        instance(enemies, first, entityInstances=[creature]),
        first,
        instance(marks, second, intGridCsv=marked, __tilesetDefUid=None, __tilesetRelPath=None),
        instance(shadows, second, **sky),
        second,
        third,
    ]
    first["entityInstances"].insert(1, {**creature, "iid": "second bat"})
    way_out = next(
        entity for entity in first["entityInstances"] if entity["__identifier"] == "Exit"
    )
    way_out["fieldInstances"].append(
        {
            "__identifier": "lock",
            "__type": "String",
            "__value": "gold",
            "__tile": None,
            "defUid": lock["uid"],
            "realEditorValues": [],
        }
    )
    level["fieldInstances"].append(
        {
            **level["fieldInstances"][0],
            "__identifier": "speed",
            "__value": "fast",
            "defUid": speed["uid"],
        }
    )
    level |= {"identifier": "Castle", "worldX": 640, "bgColor": "#654321", "bgRelPath": "hills.png"}
    other = copy.deepcopy(level) | {
        "identifier": "Other",
        "uid": project["nextUid"],
        "iid": "other",
        "worldX": 6400,
    }
    project["nextUid"] += 1
    project["levels"].append(other)
    return project


@pytest.fixture
def edited() -> Any:
    return added(json.loads(LDTK.write(OLD, LOOK)))


def merge(original: bytes, written: bytes, part: str | None = None) -> bytes:
    return LDTK.merged(original, written, *([] if part is None else [part]))


def merged(project: Any, level: Level = NEW, look: Look = LOOK, part: str | None = "Castle") -> Any:
    return json.loads(merge(json.dumps(project).encode(), LDTK.write(level, look), part))


def layer_of(project: Any, name: str, level: int = 0) -> Any:
    (found,) = [
        layer
        for layer in project["levels"][level]["layerInstances"]
        if layer["__identifier"] == name
    ]
    return found


def test_everything_that_a_person_added_stays_element_by_element(edited: Any) -> None:
    found = merged(edited)
    assert {
        key: value for key, value in found.items() if key not in {"defs", "levels", "nextUid"}
    } == {key: value for key, value in edited.items() if key not in {"defs", "levels", "nextUid"}}
    assert found["defs"] == edited["defs"]
    assert found["levels"][1] == edited["levels"][1]
    level, old = found["levels"][0], edited["levels"][0]
    assert {
        key: value
        for key, value in level.items()
        if key not in {"layerInstances", "fieldInstances"}
    } == {
        key: value for key, value in old.items() if key not in {"layerInstances", "fieldInstances"}
    }
    assert [layer["__identifier"] for layer in level["layerInstances"]] == [
        layer["__identifier"] for layer in old["layerInstances"]
    ]
    for name in ("Clouds", "Enemies", "Marks"):
        assert layer_of(found, name) == layer_of(edited, name)
    for name in ("Shadows", "Tiles", "Floor", "Places"):
        changed = {"autoLayerTiles", "intGridCsv", "entityInstances"}
        assert {
            key: value for key, value in layer_of(found, name).items() if key not in changed
        } == {key: value for key, value in layer_of(edited, name).items() if key not in changed}
    assert [field for field in level["fieldInstances"] if field["__identifier"] == "speed"] == [
        old["fieldInstances"][-1]
    ]
    places, before = (
        layer_of(found, "Places")["entityInstances"],
        layer_of(edited, "Places")["entityInstances"],
    )
    assert [entity for entity in places if entity["__identifier"] == "Bat"] == [
        entity for entity in before if entity["__identifier"] == "Bat"
    ]
    assert [entity["fieldInstances"] for entity in places if entity["__identifier"] == "Exit"] == [
        entity["fieldInstances"] for entity in before if entity["__identifier"] == "Exit"
    ]


def test_the_new_level_is_in_the_project_and_its_numbers_fit(edited: Any) -> None:
    content = merge(json.dumps(edited).encode(), LDTK.write(NEW, LOOK), "Castle")
    assert LDTK.levels is not None
    found = LDTK.levels(content)
    assert (found["Castle"], found["Castle"].solution, found["Other"]) == (NEW, NEW.solution, OLD)
    entrance = next(
        entity
        for entity in layer_of(json.loads(content), "Places")["entityInstances"]
        if entity["__identifier"] == "Entrance"
    )
    assert (entrance["px"], entrance["__grid"], entrance["__worldX"], entrance["__worldY"]) == (
        [0, 16],
        [0, 1],
        640,
        16,
    )


def test_our_layers_are_drawn_as_ldtk_draws_them_and_what_other_rules_drew_is_removed(
    edited: Any,
) -> None:
    shadow = {"px": [32, 0], "src": [48, 0], "f": 0, "t": 3, "d": [99, 2], "a": 1}
    for level in (0, 1):
        layer_of(edited, "Shadows", level)["autoLayerTiles"] = [shadow]
    with pytest.warns(UserWarning, match="removed from layer 'Shadows'; in LDtk apply"):
        found = merged(edited)
    plain = json.loads(LDTK.write(NEW, LOOK))
    for name in ("Tiles", "Floor"):
        layer = layer_of(found, name)
        assert [tile["px"] + [tile["t"]] for tile in layer["autoLayerTiles"]] == [
            tile["px"] + [tile["t"]] for tile in layer_of(plain, name)["autoLayerTiles"]
        ]
        assert layer["autoLayerTiles"] == drawn_again(found, layer, found["levels"][0])
    assert layer_of(found, "Shadows")["autoLayerTiles"] == []
    assert layer_of(found, "Shadows", 1)["autoLayerTiles"] == [shadow]


def test_rules_of_ours_that_a_person_changed_stay_and_what_they_drew_is_removed() -> None:
    project = json.loads(LDTK.write(OLD, LOOK))
    rules = project["defs"]["layers"][1]["autoRuleGroups"][0]["rules"]
    rules[0]["tileRectsIds"] = [[3]]
    with pytest.warns(UserWarning, match="removed from layer 'Tiles'; in LDtk apply"):
        found = merged(project, part=None)
    assert found["defs"] == project["defs"]
    assert layer_of(found, "Tiles")["autoLayerTiles"] == []
    floor = layer_of(found, "Floor")
    assert floor["autoLayerTiles"] == drawn_again(found, floor, found["levels"][0])


def test_a_level_merged_with_a_project_without_changes_is_the_plain_project() -> None:
    plain = json.loads(LDTK.write(NEW, LOOK))
    found = merged(json.loads(LDTK.write(OLD, LOOK)), part=None)
    check_references(found)
    for key in ("Tiles", "Floor"):
        assert layer_of(found, key)["autoLayerTiles"] == layer_of(plain, key)["autoLayerTiles"]


def test_another_theme_than_that_of_the_project_is_refused() -> None:
    project = LDTK.write(OLD, Look(THEMES["paper"]))
    with pytest.raises(
        InputError,
        match=r"expected the tiles of the project, levolve-walls-paper-16.png and not "
        "levolve-walls-spotted-16.png; choose its theme with --theme",
    ):
        merge(project, LDTK.write(NEW, LOOK))


def test_a_level_of_a_pack_with_two_tilesets_is_drawn_as_ldtk_draws_it() -> None:
    assert LDTK.bundle is not None
    assert LDTK.levels is not None
    levels = {"1": Level.from_text("ROYG\nYGBV\nVBGY"), "2": OLD}
    project = LDTK.bundle("p", levels, LOOK)["p.ldtk"]
    content = merge(project, LDTK.write(NEW, LOOK), "Level_2")
    found, before = json.loads(content), json.loads(project)
    assert (LDTK.levels(content)["Level_1"], LDTK.levels(content)["Level_2"]) == (levels["1"], NEW)
    assert found["defs"] == before["defs"]
    assert found["levels"][0] == before["levels"][0]
    for name in ("Tiles_walls", "Floor_walls"):
        layer = layer_of(found, name, 1)
        assert layer["autoLayerTiles"] == drawn_again(found, layer, found["levels"][1])


def test_a_project_without_rules_gets_the_level_and_no_drawn_tiles() -> None:
    project = json.loads(LDTK.write(OLD, LOOK))
    project["levels"][0]["layerInstances"].pop()
    project["levels"][0]["layerInstances"][1] |= {
        "autoLayerTiles": [],
        "__tilesetDefUid": None,
        "__tilesetRelPath": None,
    }
    project["defs"] |= {"tilesets": [], "enums": [], "layers": project["defs"]["layers"][:2]}
    project["defs"]["layers"][1] |= {"autoRuleGroups": [], "tilesetDefUid": None}
    for entity in project["defs"]["entities"]:
        entity |= {"tilesetId": None, "tileRect": None, "fieldDefs": entity["fieldDefs"][:1]}
    for entity in project["levels"][0]["layerInstances"][0]["entityInstances"]:
        entity |= {"__tile": None, "fieldInstances": entity["fieldInstances"][:1]}
    found = merged(project, part=None)
    check_references(found)
    assert found["defs"] == project["defs"]
    assert layer_of(found, "Tiles")["autoLayerTiles"] == []
    assert all(entity["__tile"] is None for entity in layer_of(found, "Places")["entityInstances"])


def test_a_project_with_its_own_layers_gets_the_level_in_them_and_nothing_else() -> None:
    """One IntGrid layer with the value wall, whose rules a person wrote, and an entity layer of
    another name, pivot and grid.
    """
    project = json.loads(
        LDTK.write(OLD, LOOK)
        .decode()
        .replace('"Tiles"', '"Collisions"')
        .replace('"Places"', '"Things"')
    )
    places, tiles, _ = project["defs"]["layers"]
    project["defs"]["layers"] = [places, tiles]
    project["levels"][0]["layerInstances"].pop()
    tiles["intGridValues"] = [{**tiles["intGridValues"][1], "value": 5, "identifier": "Wall"}]
    layer = project["levels"][0]["layerInstances"][1]
    layer["intGridCsv"] = [5 if value == 2 else 0 for value in layer["intGridCsv"]]
    rule = {
        **tiles["autoRuleGroups"][0]["rules"][0],
        "pattern": [5],
        "size": 1,
        "outOfBoundsValue": None,
        "tileRectsIds": [[60]],
    }
    tiles["autoRuleGroups"] = [{**tiles["autoRuleGroups"][0], "name": "mine", "rules": [rule]}]
    layer["autoLayerTiles"] = layer["autoLayerTiles"][:1]
    with pytest.warns(UserWarning, match="removed from layer 'Collisions'"):
        found = merged(project, Level.from_text("A..#\n.B..\n..C#"), part=None)
    assert [layer["identifier"] for layer in found["defs"]["layers"]] == ["Things", "Collisions"]
    assert layer_of(found, "Collisions")["intGridCsv"] == [0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 5]
    assert layer_of(found, "Collisions")["autoLayerTiles"] == []
    assert found["defs"]["layers"] == project["defs"]["layers"]
    assert [entity["__identifier"] for entity in layer_of(found, "Things")["entityInstances"]] == [
        "A",
        "B",
        "C",
    ]


def test_a_level_of_another_size_is_refused() -> None:
    original = LDTK.write(OLD, LOOK)
    with pytest.raises(
        InputError,
        match="expected a level of 4x3 tiles of 16 pixels, as in the project, got 2x2 of 16",
    ):
        merge(original, LDTK.write(Level.from_text("S.\n.E"), LOOK))
    with pytest.raises(InputError, match="choose the size of tiles with --tile 16"):
        merge(original, LDTK.write(NEW, Look(tile=32)))
    with pytest.raises(InputError, match="expected one level called Cellar, got 0"):
        merge(original, LDTK.write(NEW, LOOK), "Cellar")


def test_foreign_parts_are_named(edited: Any) -> None:
    assert foreign(LDTK.write(OLD, LOOK)) == []
    named = foreign(json.dumps(edited).encode(), "Castle")
    for name in (
        "level 'Other'",
        "layer 'Clouds'",
        "layer 'Shadows'",
        "entity 'Bat'",
        "tileset 'Sky'",
        "enum 'Mood'",
        "level field 'speed'",
    ):
        assert name in named
    for name in (
        "field 'lock' of entity 'Exit'",
        "level setting 'bgRelPath'",
        "setting 'customCommands'",
    ):
        assert name in named
    assert not any("Tiles" in name or "Entrance" in name for name in named)


def test_a_value_or_a_layer_called_keep_marks_cells(edited: Any) -> None:
    assert kept(LDTK.write(OLD, LOOK)) is None
    marks = kept(json.dumps(edited).encode(), "Castle")
    assert marks is not None
    assert marks.tolist() == [[True, False, False, False], [False] * 4, [False, False, True, False]]
    renamed = json.loads(
        json.dumps(edited)
        .replace('"Marks"', '"Keep"')
        .replace('"identifier": "Keep", "color"', '"identifier": "x", "color"')
    )
    again = kept(json.dumps(renamed).encode(), "Castle")
    assert again is not None
    assert again.tolist() == marks.tolist()
    assert LDTK.levels is not None
    assert LDTK.levels(json.dumps(renamed).encode())["Castle"] == OLD
    assert grid(json.dumps(edited).encode(), "Castle") == (16, 16)


def test_a_keep_layer_of_another_size_is_refused(edited: Any) -> None:
    marks = layer_of(edited, "Marks")
    marks |= {"__cWid": 3, "intGridCsv": [0] * 9}
    with pytest.raises(
        InputError,
        match=(
            "layer Marks: expected the cells of layer Tiles, 4x3 of 16 pixels without an offset, "
            "got 3x3 of 16"
        ),
    ):
        kept(json.dumps(edited).encode(), "Castle")
