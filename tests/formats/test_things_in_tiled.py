"""Things and areas in Tiled maps: what other programs see, and what counts when a person edits
them.
"""

import copy
import json
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
from hypothesis import given
from PIL import Image
from pytiled_parser.layer import ObjectLayer

import levolve
from cli.processes import COMMAND, SECONDS
from formats.furnished import EVERYTHING, furnished_levels
from levolve.core.errors import InputError, PlaceError
from levolve.formats import FORMATS
from levolve.formats.edited_things import same_but_unknown
from levolve.formats.level_files import open_level, save_level
from levolve.formats.look import Look
from levolve.formats.originals import ForeignPartsWarning
from levolve.formats.pictures.drawing import draw_level
from levolve.formats.themes import THEMES
from levolve.levels.areas import Area, find_areas
from levolve.levels.level import Level
from levolve.levels.things.thing import Thing
from oracles.rasterized import RASTERIZER, drawn

# The door bars the way; the second key opens nothing.
LOCKED = Level.from_text(
    "S.....\n.####.\n......\n####.#\n.....E\n"
    "thing: key 0,2 color=red id=k\n"
    "thing: door 4,3 color=red\n"
    "thing: lever 5,0 id=a\n"
    "thing: gate 1,4 lever=a\n"
    "thing: torch 2,0 light=3\n"
)
Edit = Callable[[ET.Element], None]


@pytest.mark.parametrize("name", ["tmx", "tmj"])
@given(level=furnished_levels())
def test_things_and_areas_come_back_equal(name: str, level: Level) -> None:
    content = FORMATS[name].encode(level)
    found = FORMATS[name].decode(content)
    assert (found, found.areas) == (level, level.areas)
    assert FORMATS[name].encode(found) == content


@pytest.mark.parametrize("name", ["tmx", "tmj"])
def test_every_kind_comes_back_equal(name: str, tmp_path: Path) -> None:
    path = levolve.save(EVERYTHING, tmp_path / f"all.{name}", allow_loss=True)
    assert FORMATS[name].read(path.read_bytes(), tmp_path) == EVERYTHING
    # Without the files beside it, our tilesets are known by their names.
    assert FORMATS[name].decode(path.read_bytes()) == EVERYTHING


def things(root: ET.Element) -> dict[str, ET.Element]:
    """The objects of the layer of the things, by their names."""
    (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "things")
    return {entry.get("name", ""): entry for entry in layer.findall("object")}


def set_property(entry: ET.Element, name: str, value: str | None, kind: str = "") -> None:
    listed = entry.find("properties")
    assert listed is not None
    for each in [each for each in listed if each.get("name") == name]:
        listed.remove(each)
    if value is not None:
        ET.SubElement(
            listed, "property", {"name": name, "value": value, **({"type": kind} if kind else {})}
        )


def move(entry: ET.Element, x: int, y: int) -> None:
    entry.set("x", str(16 * x + 3))
    entry.set("y", str(16 * y + 12))


def edited(path: Path, edit: Edit) -> Path:
    tree = ET.parse(path)
    edit(tree.getroot())
    tree.write(path)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return levolve.save(LOCKED, tmp_path / "locked.tmx")


def add(root: ET.Element, **attributes: str) -> ET.Element:
    (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "things")
    return ET.SubElement(layer, "object", {"id": "90", **attributes})


def painted(root: ET.Element, number: str) -> None:
    """Paint a tile into the first cell of a new tile layer."""
    layer = ET.SubElement(root, "layer", id="90", name="mine", width="6", height="5")
    ET.SubElement(layer, "data", encoding="csv").text = ",".join([number, *["0"] * 29])


def changed_things(path: Path) -> tuple[set[str], set[str]]:
    """What is new in the level of a file, and what is gone."""
    now, before = (
        {each.to_text() for each in level.things} for level in (levolve.load(path), LOCKED)
    )
    return now - before, before - now


def test_what_a_person_moves_deletes_and_changes_counts(path: Path) -> None:
    def edit(root: ET.Element) -> None:
        named = things(root)
        move(named["door"], 5, 2)
        set_property(named["torch"], "light", "9", "int")
        named["a"].set("type", "plate")
        set_property(named["a"], "kind", "plate")
        named["a"].attrib.pop("gid")
        named["a"].attrib |= {"x": "83", "y": "3"}

    assert changed_things(edited(path, edit)) == (
        {"door 5,2 color=red", "torch 2,0 light=9", "plate 5,0 id=a"},
        {"door 4,3 color=red", "torch 2,0 light=3", "lever 5,0 id=a"},
    )


def test_a_copy_is_a_second_thing_whose_id_is_not_taken_twice(path: Path) -> None:
    def edit(root: ET.Element) -> None:
        for name, number in (("k", "90"), ("a", "91")):
            twin = copy.deepcopy(things(root)[name])
            twin.set("id", number)
            move(twin, 2 + int(number[1]), 2)
            (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "things")
            layer.append(twin)
        set_property(things(root)["gate"], "lever", "91", "object")

    assert changed_things(edited(path, edit)) == (
        {"key 2,2 color=red", "lever 3,2 id=o91", "gate 1,4 lever=o91"},
        {"gate 1,4 lever=a"},
    )


def test_objects_without_a_size_or_made_from_a_tile_are_things(path: Path) -> None:
    def edit(root: ET.Element) -> None:
        named = things(root)
        gid = int(named["k"].get("gid", ""))
        for key in ("width", "height"):
            named["door"].attrib.pop(key)
        # The second tile of the sheet is a blue key.
        add(root, gid=str(gid + 1), x="32", y="48", width="16", height="16")
        add(root, id="91", type="Potion", x="8", y="70")

    assert changed_things(edited(path, edit)) == ({"key 2,2 color=blue", "potion 0,4"}, set())


def test_unknown_classes_have_no_effect_are_named_and_survive(path: Path) -> None:
    def edit(root: ET.Element) -> None:
        statue = add(root, type="NPC Statue", x="40", y="40", name="Bob")
        ET.SubElement(statue, "properties")
        set_property(statue, "mood", "grim")
        set_property(statue, "text", "two words")

    edited(path, edit)
    assert changed_things(path)[0] == {"npc_statue 2,2 mood=grim"}
    done = subprocess.run(
        [COMMAND, "check", path], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0
    assert "because they are not known: npc_statue, torch" in done.stdout
    level, original = open_level(path)
    again = save_level(
        Level(np.zeros((5, 6), np.uint8)), path.with_name("b.tmx"), original=original
    )
    assert {thing.kind for thing in levolve.load(again).things} == {"npc_statue", "torch"}
    kept = things(ET.parse(again).getroot())["Bob"]
    assert [each.get("value") for each in kept.iter("property")] == ["grim", "two words"]
    assert levolve.load(levolve.save(level, path.with_suffix(".txt"))).things == level.things


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (lambda root: things(root)["k"].set("type", "potion"), "class and its property 'kind'"),
        (lambda root: things(root)["k"].set("gid", things(root)["door"].get("gid", "")), "got that of a door"),
        (lambda root: move(things(root)["k"], 1, 1), "key k at 1,1: expected a walkable tile"),
        (lambda root: move(things(root)["k"], 4, 3), "at 4,3: expected a cell of its own"),
        (lambda root: move(things(root)["k"], 9, 1), "expected its centre in the map"),
        (lambda root: things(root)["k"].set("visible", "0"), "expected a visible object"),
        (lambda root: things(root)["k"].set("template", "a.tx"), "without a template"),
        (lambda root: things(root)["k"].set("id", "7"), "expected a number of its own"),
        (lambda root: set_property(things(root)["gate"], "lever", "1", "object"), "reference to none"),
        (lambda root: set_property(things(root)["gate"], "lever", None), "expected lever=ID"),
        (lambda root: set_property(things(root)["door"], "color", "dark red"), "expected a word"),
        (lambda root: add(root, x="8", y="8"), "expected a class such as key"),
        (lambda root: root.append(copy.deepcopy(next(e for e in root.iter("objectgroup") if e.get("name") == "things"))), "expected one object layer 'things'"),
        (lambda root: next(e for e in root.iter("objectgroup") if e.get("name") == "things").set("visible", "0"), "expected a visible layer"),
        (lambda root: next(e for e in root.iter("objectgroup") if e.get("name") == "things").set("name", "mine"), "on layer 'mine': expected things as objects on the layer 'things', got the tile of a"),
        (lambda root: painted(root, things(root)["door"].get("gid", "")), "layer 'mine': expected things as objects on the layer 'things', got the tile of a door"),
    ],
)  # fmt: skip
def test_contradictions_are_refused_by_name(edit: Edit, error: str, path: Path) -> None:
    edited(path, edit)
    with pytest.raises((InputError, PlaceError), match=error):
        levolve.load(path)


def test_another_colour_than_the_tile_shows_counts_with_a_warning(path: Path) -> None:
    edited(path, lambda root: set_property(things(root)["door"], "color", "blue"))
    with pytest.warns(UserWarning, match="tile shows color 'red', but the property says 'blue'"):
        level = levolve.load(path)
    assert "door 4,3 color=blue" in {thing.to_text() for thing in level.things}


def test_a_one_way_that_is_turned_is_refused(tmp_path: Path) -> None:
    level = Level.from_text("S..E\n....\nthing: one_way 1,0 direction=r")
    path = levolve.save(level, tmp_path / "a.tmx", allow_loss=True)
    for change in ({"rotation": "180"}, {"gid": str(0x80000000 | 169)}):
        levolve.save(level, path, allow_loss=True)
        edited(path, lambda root, change=change: things(root)["one_way"].attrib.update(change))  # type: ignore[misc]
        with pytest.raises(InputError, match="expected a tile that"):
            levolve.load(path)


def check(path: Path) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [COMMAND, "check", "--json", path], capture_output=True, text=True, timeout=SECONDS, check=False
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)[0]


def foreign(root: ET.Element) -> None:
    """Add what a person adds around things."""
    layer = ET.SubElement(root, "objectgroup", {"id": "50", "name": "decor"})
    ET.SubElement(layer, "object", {"id": "60", "type": "door", "x": "3", "y": "3"})
    ET.SubElement(layer, "object", {"id": "61", "type": "Chandelier", "x": "3", "y": "3"})


def test_levolve_check_judges_what_a_script_made_of_a_map(path: Path) -> None:
    edited(path, foreign)
    assert (check(path)[0], check(path)[1]["verdict"]) == (0, "safe")
    edited(path, lambda root: move(things(root)["door"], 5, 1))
    assert check(path)[1]["verdict"] == "safe"

    def delete_key(root: ET.Element) -> None:
        (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "things")
        layer.remove(things(root)["k"])

    edited(path, lambda root: move(things(root)["door"], 4, 3))
    edited(path, delete_key)
    code, found = check(path)
    assert (code, found["verdict"], found["why"]) == (1, "lost", "nothing opens the door at 4,3")
    assert "nothing gives: red key" in " ".join(found["remarks"])


def test_a_level_that_can_be_lost_is_reported_with_its_first_losing_move(tmp_path: Path) -> None:
    level = Level.from_text(
        "S.....\n.####.\n....#E\nthing: small_key 1,0\nthing: small_key 2,0\n"
        "thing: small_door 3,0\nthing: small_door 1,2\n"
    )
    path = levolve.save(level, tmp_path / "a.tmx")

    def edit(root: ET.Element) -> None:
        (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "things")
        layer.remove(layer.findall("object")[1])

    edited(path, edit)
    code, found = check(path)
    assert (code, found["verdict"]) == (1, "losable")
    assert found["losing_move"] == {"play": "rlddr", "cell": [1, 2], "holds": {"small key": 1}}


def test_what_a_person_gave_to_things_stays_when_a_new_level_comes(path: Path) -> None:
    def edit(root: ET.Element) -> None:
        foreign(root)
        set_property(things(root)["k"], "glint", "0.5", "float")
        set_property(things(root)["k"], "story", "found in a well")
        things(root)["k"].attrib |= {"width": "14", "name": "golden"}
        add(root, type="banner", x="72", y="8")

    edited(path, edit)
    _, original = open_level(path)
    new = LOCKED.with_things(
        [
            Thing("key", (3, 2), "k", {"color": "blue"}),
            Thing("door", (4, 3), fields={"color": "blue"}),
            Thing("potion", (0, 4)),
            Thing("lever", (5, 2), "b"),
            Thing("gate", (1, 4), fields={"lever": "b"}),
        ]
    )
    again = save_level(new, path.with_name("b.tmx"), original=original, allow_loss=True)
    level = levolve.load(again)
    assert same_but_unknown(level, new)
    assert {thing.kind for thing in level.things} >= {"torch", "banner"}
    root = ET.parse(again).getroot()
    key = things(root)["golden"]
    values = {each.get("name"): each.get("value") for each in key.iter("property")}
    assert values == {
        "glint": "0.5", "story": "found in a well", "color": "blue", "kind": "key", "thing_id": "k",
    }  # fmt: skip
    before = things(ET.parse(path).getroot())["golden"]
    assert (key.get("width"), key.get("id")) == ("14", before.get("id"))
    assert any(each.get("name") == "decor" for each in root.iter("objectgroup"))
    with pytest.warns(ForeignPartsWarning, match="property 'glint'"):
        save_level(new, path.with_name("b.csv"), original=original, allow_loss=True)


def test_a_new_look_of_things_keeps_the_tiles_of_a_person(path: Path) -> None:
    def edit(root: ET.Element) -> None:
        add(root, type="banner", x="64", y="16", gid=things(root)["torch"].get("gid", ""))

    edited(path, edit)
    _, original = open_level(path)
    again = save_level(LOCKED, path.with_name("b.tmx"), Look(THEMES["wood"]), original)
    sources = [each.get("source") for each in ET.parse(again).getroot().iter("tileset")]
    # The banner shows a sign of the first theme.
    themes = sorted(str(each).split("-")[2] for each in sources if "things" in str(each))
    assert themes == ["stone", "wood"]
    assert same_but_unknown(levolve.load(again), LOCKED)


def test_areas_are_shapes_that_a_person_can_change(tmp_path: Path) -> None:
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    level = replace(LOCKED, areas=(Area("room", 3, 0, 3, 1, role="boss"), Area.of("hall", ring)))
    path = levolve.save(level, tmp_path / "a.tmx")
    assert "levolve_areas" not in path.read_text()
    assert levolve.load(path).areas == level.areas

    def edit(root: ET.Element) -> None:
        (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "areas")
        room, hall = layer.findall("object")
        room.set("width", "41")
        set_property(room, "role", "shop")
        hall.set("x", "16")
        ET.SubElement(
            layer, "object", {"id": "80", "x": "-9", "y": "60", "width": "30", "height": "99"}
        )

    edited(path, edit)
    moved = Area.of("hall", [(x + 1, y) for x, y in ring])
    assert levolve.load(path).areas == (
        Area("room", 3, 0, 3, 1, role="shop"), moved, Area("room", 0, 4, 1, 1),
    )  # fmt: skip
    _, original = open_level(path)
    new = replace(LOCKED, areas=(Area("corridor", 0, 0, 2, 1),))
    again = save_level(new, tmp_path / "b.tmx", original=original)
    assert set(levolve.load(again).areas) == {moved, *new.areas}


@pytest.mark.parametrize(
    ("attributes", "error"),
    [
        ({"width": "16"}, "expected a rectangle or a polygon"),
        ({"width": "16", "height": "16", "rotation": "45"}, "not turned"),
        ({"width": "16", "height": "16", "x": "900"}, "covers none"),
        ({"width": "16", "height": "16", "type": "Throne room"}, "expected a class such as room"),
    ],
)
def test_shapes_that_are_no_areas_are_refused(
    attributes: dict[str, str], error: str, tmp_path: Path
) -> None:
    path = levolve.save(replace(LOCKED, areas=find_areas(LOCKED)), tmp_path / "a.tmx")

    def edit(root: ET.Element) -> None:
        (layer,) = (each for each in root.iter("objectgroup") if each.get("name") == "areas")
        ET.SubElement(layer, "object", {"id": "80", "x": "0", "y": "0", **attributes})

    edited(path, edit)
    with pytest.raises(InputError, match=error):
        levolve.load(path)


def test_files_of_earlier_versions_with_areas_and_things_as_text_are_read(tmp_path: Path) -> None:
    path = levolve.save(LOCKED, tmp_path / "a.tmx")

    def edit(root: ET.Element) -> None:
        for layer in list(root.iter("objectgroup")):
            if layer.get("name") == "things":
                root.remove(layer)
        listed = root.find("properties")
        assert listed is not None
        texts = {
            "things": "; ".join(thing.to_text() for thing in LOCKED.things),
            "areas": "room 0,0,3x1",
        }
        for name, text in texts.items():
            ET.SubElement(listed, "property", {"name": f"levolve_{name}", "value": text})

    level = levolve.load(edited(path, edit))
    assert (level, level.areas) == (LOCKED, (Area("room", 0, 0, 3, 1),))


def test_other_programs_see_things_with_class_tile_and_references(path: Path) -> None:
    layers = pytiled_parser.parse_map(path).layers
    (layer,) = (each for each in layers if isinstance(each, ObjectLayer) and each.name == "things")
    seen = {entry.name: entry for entry in layer.tiled_objects}
    assert {entry.class_ for entry in seen.values()} == {"key", "door", "lever", "gate", "torch"}
    assert seen["gate"].properties == {"kind": "gate", "lever": str(seen["a"].id)}
    assert seen["torch"].properties == {"kind": "torch", "light": 3}
    pytmx = pytest.importorskip("pytmx")
    found = {entry.name: entry for entry in pytmx.TiledMap(str(path)).get_layer_by_name("things")}
    assert found["k"].properties["color"] == "red"
    assert (found["k"].type, found["k"].x, found["k"].y) == ("key", 0, 32)


@pytest.mark.skipif(RASTERIZER is None, reason="requires tmxrasterizer, which comes with Tiled")
@pytest.mark.parametrize("theme", ["stone", "wood", "paper"])
def test_a_locked_level_looks_in_tiled_as_in_levolve(theme: str, tmp_path: Path) -> None:
    look = Look(THEMES[theme], 16)
    path = save_level(LOCKED, tmp_path / "a.tmx", look)
    theirs = drawn(path, "solution")
    ours = np.asarray(draw_level(LOCKED, 16, path=False, theme=look.theme).convert("RGB"), np.int16)
    assert theirs is not None
    for thing in (thing for thing in LOCKED.things if thing.kind != "torch"):
        x, y = (16 * part for part in thing.cell)
        there, here = (
            pixels[y : y + 16, x : x + 16] for pixels in (theirs, ours[: theirs.shape[0]])
        )
        assert abs(there - here).max() <= 3, thing.label


def test_ten_thousand_things_are_read_and_one_more_is_refused(tmp_path: Path) -> None:
    cells = [(x, y) for y in range(101) for x in range(100)]
    made = [Thing("torch", cell, fields={"light": "3"}) for cell in cells[:10_000]]
    level = Level(np.zeros((101, 100), np.uint8), things=tuple(made))
    content = FORMATS["tmx"].encode(level)
    assert FORMATS["tmx"].decode(content) == level
    more = content.replace(b'<objectgroup id="4" name="things"', b'<objectgroup id="4" name="x"', 1)
    assert more == content or FORMATS["tmx"].decode(more).things == ()
    root = ET.fromstring(content)
    add(root, type="torch", x="8", y="8", id="99999")
    with pytest.raises(InputError, match="expected at most 10,000 things"):
        FORMATS["tmx"].decode(ET.tostring(root))


def test_a_project_with_the_classes_lies_beside(path: Path) -> None:
    project = path.with_name("levolve.tiled-project")
    types = {each["name"]: each for each in json.loads(project.read_text())["propertyTypes"]}
    assert types["door"]["members"] == [{"name": "color", "type": "string", "value": "red"}]
    assert types["gate"]["members"][0] == {"name": "lever", "type": "object", "value": 0}
    assert len({each["id"] for each in types.values()}) == len(types)
    project.write_text("changed by a person")
    levolve.save(LOCKED, path)
    assert project.read_text() == "changed by a person"
    (picture,) = path.parent.glob("levolve-things-stone-16*.png")
    with Image.open(picture) as image:
        assert image.size[0] == 128
