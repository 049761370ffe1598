"""Things and areas in LDtk projects: what is written, and what counts when a person edits them."""

import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import levolve
from formats.furnished import EVERYTHING, furnished_levels
from formats.ldtk.test_published_rules import check_references
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.edited_things import same_but_unknown
from levolve.formats.level_files import open_level, save_level
from levolve.levels.areas import Area
from levolve.levels.level import Level
from levolve.levels.things.thing import Thing

LDTK = FORMATS["ldtk"]
LOCKED = Level.from_text(
    "S.....\n.####.\n......\n####.#\n.....E\n"
    "thing: key 0,2 color=red id=k\n"
    "thing: door 4,3 color=red\n"
    "thing: lever 5,0 id=a\n"
    "thing: gate 1,4 lever=a\n"
    "thing: torch 2,0 light=3\n"
)


@given(level=furnished_levels())
def test_things_and_areas_come_back_equal(level: Level) -> None:
    content = LDTK.encode(level)
    found = LDTK.decode(content)
    assert (found, found.areas) == (level, level.areas)
    assert LDTK.encode(found) == content


def test_every_kind_comes_back_equal(tmp_path: Path) -> None:
    path = levolve.save(EVERYTHING, tmp_path / "all.ldtk", allow_loss=True)
    assert levolve.load(path) == EVERYTHING
    (picture,) = tmp_path.glob("levolve-things-*.png")
    project = json.loads(path.read_text())
    assert picture.name in {each["relPath"] for each in project["defs"]["tilesets"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return levolve.save(LOCKED, tmp_path / "locked.ldtk")


def layer(project: Any, name: str = "Things") -> Any:
    return next(
        each for each in project["levels"][0]["layerInstances"] if each["__identifier"] == name
    )


def named(project: Any) -> dict[str, Any]:
    return {each["__identifier"]: each for each in layer(project)["entityInstances"]}


def field(entity: Any, name: str) -> Any:
    return next(each for each in entity["fieldInstances"] if each["__identifier"] == name)


def give(entity: Any, name: str, value: Any) -> None:
    kind = {int: "V_Int", bool: "V_Bool"}.get(type(value), "V_String")
    field(entity, name).update(
        {"__value": value, "realEditorValues": [{"id": kind, "params": [value]}]}
    )


def edited(path: Path, edit: Callable[[Any], object]) -> Path:
    project = json.loads(path.read_text())
    edit(project)
    path.write_text(json.dumps(project))
    return path


def changed_things(path: Path) -> tuple[set[str], set[str]]:
    now, before = (
        {each.to_text() for each in level.things} for level in (levolve.load(path), LOCKED)
    )
    return now - before, before - now


def test_samples_of_ldtk_have_such_entities(path: Path) -> None:
    project = json.loads(path.read_text())
    seen = named(project)
    (target,) = field(seen["Lever"], "targets")["__value"]
    assert target["entityIid"] == seen["Gate"]["iid"]
    assert field(seen["Door"], "color")["__value"] == "red"
    assert field(seen["Torch"], "light")["__type"] == "Int"
    definitions = {each["identifier"]: each for each in project["defs"]["entities"]}
    fields = {each["identifier"]: each for each in definitions["Teleporter"]["fieldDefs"]}
    assert fields["destination"]["type"] == "F_EntityRef"
    assert {"Player", "Exit", "Small_key", "Treasure_gate"} <= set(definitions)


def test_what_a_person_moves_copies_and_changes_counts(path: Path) -> None:
    copy_of_key = "11111111-2222-11ee-8888-123456789abc"

    def edit(project: Any) -> None:
        seen = named(project)
        seen["Door"]["px"] = [5 * 16, 2 * 16]
        give(seen["Torch"], "light", 9)
        twin = json.loads(json.dumps(seen["Key"]))
        twin |= {"iid": copy_of_key, "px": [32, 32]}
        layer(project)["entityInstances"].append(twin)

    assert changed_things(edited(path, edit)) == (
        {"door 5,2 color=red", "torch 2,0 light=9", f"key 2,2 id={copy_of_key} color=red"},
        {"door 4,3 color=red", "torch 2,0 light=3"},
    )
    # Its identifier survives.
    again = levolve.save(levolve.load(path), path.with_name("again.ldtk"))
    assert copy_of_key in {
        each["iid"] for each in layer(json.loads(again.read_text()))["entityInstances"]
    }


def test_identifiers_do_not_change_with_the_rest_of_the_level(path: Path) -> None:
    other = replace(LOCKED, tiles=np.zeros_like(LOCKED.tiles))
    again = levolve.save(other, path.with_name("again.ldtk"))
    one, two = (
        {each["iid"] for each in layer(json.loads(each.read_text()))["entityInstances"]}
        for each in (path, again)
    )
    assert one == two
    assert {uuid.UUID(each).version for each in one} == {5}


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (lambda project: named(project)["Key"].update(px=[16, 16]), "expected a walkable tile"),
        (lambda project: named(project)["Key"].update(px=[64, 48]), "expected a cell of its own"),
        (lambda project: field(named(project)["Door"], "color").update(__value="blue"), "in __value and in realEditorValues"),
        (lambda project: field(named(project)["Lever"], "targets").update(__value=[], realEditorValues=[]), "expected lever=ID"),
        (lambda project: layer(project)["entityInstances"].append(named(project)["Key"]), "expected a number of its own"),
        (lambda project: layer(project).update(visible=False), "expected a visible layer"),
        (lambda project: layer(project).update(__identifier="Mine"), "on layer 'Mine': expected things on the layer Things, got one that shows a"),
        (lambda project: named(project)["Key"].update(__tile=named(project)["Door"]["__tile"]), "that of a door"),
        (lambda project: named(project)["Lever"]["fieldInstances"].append(field(named(project)["Lever"], "targets")), "each field of its definition once"),
    ],
)  # fmt: skip
def test_contradictions_are_refused_by_name(
    edit: Callable[[Any], object], error: str, path: Path
) -> None:
    edited(path, edit)
    with pytest.raises(InputError, match=error):
        levolve.load(path)


def test_a_gate_has_one_switch(path: Path) -> None:
    def edit(project: Any) -> None:
        twin = json.loads(json.dumps(named(project)["Lever"]))
        twin |= {"iid": "x", "px": [0, 16]}
        layer(project)["entityInstances"].append(twin)

    edited(path, edit)
    with pytest.raises(InputError, match="expected one switch that opens it, got two"):
        levolve.load(path)


def person(project: Any) -> None:
    """Add a field to doors, an entity of a kind of the person's own, and its definition."""
    definitions = project["defs"]["entities"]
    door = next(each for each in definitions if each["identifier"] == "Door")
    mine = {**door["fieldDefs"][0], "identifier": "creaks", "uid": 9001}
    door["fieldDefs"].append(mine)
    seen = named(project)
    seen["Door"]["fieldInstances"].append(
        {**field(seen["Door"], "color"), "__identifier": "creaks", "defUid": 9001, "__value": "a lot",
         "realEditorValues": [{"id": "V_String", "params": ["a lot"]}]}
    )  # fmt: skip
    definitions.append({**door, "identifier": "Statue", "uid": 9002, "fieldDefs": []})
    statue = {
        **seen["Door"],
        "__identifier": "Statue",
        "defUid": 9002,
        "fieldInstances": [],
        "px": [48, 32],
        "iid": "s",
    }
    layer(project)["entityInstances"].append({**statue, "__tile": None})
    project["nextUid"] = 9003


def test_what_a_person_gave_to_things_stays_when_a_new_level_comes(path: Path) -> None:
    edited(path, person)
    level, original = open_level(path)
    assert {thing.kind for thing in level.things} >= {"statue", "torch"}
    assert not any("creaks" in thing.fields for thing in level.things)
    new = LOCKED.with_things(
        [
            Thing("key", (3, 2), "k", {"color": "blue"}),
            Thing("door", (4, 3), fields={"color": "blue"}),
            Thing("potion", (0, 4)),
            Thing("lever", (5, 2), "b"),
            Thing("gate", (1, 4), fields={"lever": "b"}),
        ]
    )
    again = save_level(new, path.with_name("b.ldtk"), original=original, allow_loss=True)
    found = levolve.load(again)
    assert same_but_unknown(found, new)
    assert {thing.kind for thing in found.things} >= {"statue", "torch"}
    before, after = (named(json.loads(each.read_text())) for each in (path, again))
    assert field(after["Door"], "creaks")["__value"] == "a lot"
    assert [before[name]["iid"] for name in ("Key", "Door", "Lever", "Gate")] == [
        after[name]["iid"] for name in ("Key", "Door", "Lever", "Gate")
    ]
    check_identifiers(json.loads(again.read_text()))


def check_identifiers(project: Any) -> None:
    iids = [
        entity["iid"]
        for level in project["levels"]
        for each in level["layerInstances"]
        for entity in each["entityInstances"]
    ]
    assert len(set(iids)) == len(iids)


def test_things_and_areas_join_a_project_without_them(tmp_path: Path) -> None:
    bare = levolve.save(LOCKED.with_things(()), tmp_path / "a.ldtk")
    edited(bare, lambda project: project.update(tutorialDesc="mine"))
    _, original = open_level(bare)
    new = replace(LOCKED, areas=(Area("room", 0, 0, 3, 1, role="boss"),))
    again = save_level(new, tmp_path / "b.ldtk", original=original)
    found = levolve.load(again)
    assert (found, found.areas) == (new, new.areas)
    project = json.loads(again.read_text())
    assert project["tutorialDesc"] == "mine"
    assert len(project["defs"]["layers"]) == len(project["levels"][0]["layerInstances"])
    check_references(project)


def test_areas_are_rectangles_that_a_person_can_change(tmp_path: Path) -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    level = replace(LOCKED, areas=(Area("room", 3, 0, 3, 1, role="boss"), Area.of("hall", ring)))
    path = levolve.save(level, tmp_path / "a.ldtk")
    assert levolve.load(path).areas == level.areas

    def edit(project: Any) -> None:
        entities = layer(project, "Areas")["entityInstances"]
        assert entities[0]["__identifier"] == "Room"
        entities[0]["width"] = 39
        give(entities[0], "role", "Shop")
        twin = json.loads(json.dumps(entities[0])) | {"px": [0, 64], "iid": "new"}
        field(twin, "shape").update(__value=None, realEditorValues=[])
        entities.append(twin)

    assert levolve.load(edited(path, edit)).areas == (
        Area("room", 3, 0, 2, 1, role="shop"), level.areas[1], Area("room", 0, 4, 2, 1, role="shop"),
    )  # fmt: skip


def test_files_of_earlier_versions_with_areas_as_text_are_read(tmp_path: Path) -> None:
    path = levolve.save(LOCKED.with_things(()), tmp_path / "a.ldtk")

    def edit(project: Any) -> None:
        fields = project["levels"][0]["fieldInstances"]
        fields.append({**fields[0], "__identifier": "areas", "__value": "room 0,0,3x1"})

    assert levolve.load(edited(path, edit)).areas == (Area("room", 0, 0, 3, 1),)


def test_ten_thousand_things_are_read(tmp_path: Path) -> None:
    cells = [(x, y) for y in range(101) for x in range(100)]
    made = [Thing("key", cell, fields={"color": "red"}) for cell in cells[:10_000]]
    level = Level(np.zeros((101, 100), np.uint8), things=tuple(made))
    content = LDTK.encode(level)
    assert LDTK.decode(content) == level
    project = json.loads(content)
    entities = layer(project)["entityInstances"]
    entities.append({**entities[0], "iid": "one more"})
    with pytest.raises(InputError, match="expected at most 10,000 things"):
        LDTK.decode(json.dumps(project).encode())
