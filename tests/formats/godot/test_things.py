"""Things and areas in Godot scenes: sprites in groups, references as node paths, areas as polygons;
and what becomes of them when a person edits the scene.
"""

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

import levolve
from levels.things.inputs import levels_with_things
from levolve.core.errors import InputError, PlaceError
from levolve.formats import FORMATS
from levolve.formats.godot.areas import polygons
from levolve.formats.look import Look
from levolve.formats.themes.things import looks_of
from levolve.levels.areas import Area, find_areas
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import TILESETS
from oracles import godot

TSCN = FORMATS["tscn"]
LEVEL = Level.from_text(
    """S....#....
####..#.#.
E....#..#.
##.#.#.##.
...#......
thing: key 2,0 color=blue
thing: door 2,2 color=blue
thing: lever 4,0 id=a
thing: gate 5,1 lever=a
thing: monster 9,3 damage=3
thing: player 0,0 health=5
thing: stairs 4,2 id=down to=up
thing: stairs 9,0 id=up to=down
thing: ogre 9,4 color=white size=2
thing: torch 0,4"""
)
LEVEL = LEVEL.with_things(
    LEVEL.things,
    {"ogre": Kind("ogre", fields={"size": "3"}, needs={"health": "size"}, tags=("enemy",))},
)


def text_of(level: Level = LEVEL) -> str:
    return TSCN.encode(level).decode()


def decoded(text: str) -> Level:
    return TSCN.decode(text.encode())


def edited(before: str, after: str, level: Level = LEVEL) -> str:
    text = text_of(level)
    assert text.count(before) == 1, before
    return text.replace(before, after)


@given(levels_with_things())
def test_things_and_areas_survive(level: Level) -> None:
    # A goal or a tileset of a test is not registered.
    if level.tileset.name not in TILESETS:
        level = LEVEL
    elif level.goal.name not in GOALS:
        level = Level(
            level.tiles, level.places, level.tileset, things=level.things, kinds=level.kinds
        )
    level = replace(level, areas=find_areas(level))
    again = decoded(text_of(level))
    assert (again, again.areas) == (level, level.areas)


def test_a_thing_is_a_sprite_of_its_sign_in_the_group_of_its_kind(tmp_path: Path) -> None:
    levolve.save(LEVEL, tmp_path / "a.tscn", allow_loss=True)
    shown = godot.shown_things(tmp_path / "a.tscn")
    assert [found.groups for found in shown.values()] == [[thing.kind] for thing in LEVEL.things]
    assert [found.cell for found in shown.values()] == [thing.cell for thing in LEVEL.things]
    looks = looks_of(LEVEL.things, LEVEL.kinds)
    for found, look in zip(shown.values(), looks, strict=True):
        assert found.pixels == Look().theme.thing(look, 16).tobytes()
    assert shown["key 1"].metadata["color"] == '"blue"'
    assert shown["gate 1"].metadata["lever"] == 'NodePath("../a")'
    assert shown["gate 1"].metadata["open"] == "false"
    assert shown["up"].metadata["to"] == 'NodePath("../down")'
    assert shown["monster 1"].metadata["damage"] == "3"
    opened = godot.numbers(shown["door 1"].metadata["used_rect"])
    atlas = Look().thing_atlas(LEVEL)
    door = next(look for look in looks if look.sign == "door")
    assert opened[:2] == [atlas.number(door.used()) % 8 * 16, atlas.number(door.used()) // 8 * 16]
    godot.validate({"a.tscn": TSCN.encode(LEVEL), **TSCN.beside(LEVEL, Look())})


def test_a_secret_door_is_a_wall_to_players(tmp_path: Path) -> None:
    level = Level.from_text("S.#.\n.#.E\n....\nthing: secret_door 1,2")
    levolve.save(level, tmp_path / "a.tscn")
    shown = godot.shown_things(tmp_path / "a.tscn")["secret_door 1"]
    walled = Level.from_text("S.#.\n.#.E\n.#..")
    walls = np.asarray(Look().atlas(level.tileset).draw(walled.tiles))
    sprite = np.frombuffer(shown.pixels, np.uint8).reshape(16, 16, 4)
    assert np.array_equal(sprite[sprite[..., 3] == 255][:, :3], walls[32:, 16:32][sprite[..., 3] == 255])  # fmt: skip
    assert levolve.load(tmp_path / "a.tscn") == level


# What a person does, and the things that the level has then.
ADDED = (
    '\n[node name="{}" type="Sprite2D" parent="Things" groups=["{}"]]\nposition = Vector2({}, {})\n'
)


@pytest.mark.parametrize(
    ("before", "after", "gone", "new"),
    [
        ("position = Vector2(40, 40)", "position = Vector2(24, 47.9)", "door 2,2 color=blue", "door 1,2 color=blue"),
        ('node name="a"', 'node name="Main lever"', "lever 4,0 id=a", "lever 4,0 id=Main_lever"),
        ("metadata/open = false", "metadata/open = true", "", "gate 5,1 lever=a open=true"),
        ('metadata/color = "blue"\n\n[node name="a"', 'metadata/color = &"red"\n\n[node name="a"', "key 2,0 color=blue", "key 2,0 color=red"),
        ("metadata/damage = 3", "metadata/damage = 4.0", "monster 9,3 damage=3", "monster 9,3 damage=4"),
        ("metadata/damage = 3", 'metadata/damage = 3\nmetadata/Notes = "two words"\nmetadata/list = [1]', "", ""),
        ("metadata/damage = 3", 'metadata/damage = 3\nmetadata/loot = "coins"', "monster 9,3 damage=3", "monster 9,3 damage=3 loot=coins"),
        ('NodePath("../a")', '"a"', "", ""),
        ('NodePath("../a")', 'NodePath("../../Things/./a")', "", ""),
        ('metadata/kind = "torch"\n', "", "", ""),
        ('groups=["torch"]', 'groups=["torch", "lights"]', "", ""),
    ],
)  # fmt: skip
def test_what_a_person_changes_is_what_the_level_has(
    before: str, after: str, gone: str, new: str
) -> None:
    text = edited(before, after)
    # The sprite is not changed here, so that it would show something else.
    text = re.sub(r'texture = ExtResource\("3_things"\)\n', "", text)
    text = text.replace('NodePath("../a")', 'NodePath("../Main lever")' if "Main" in after else 'NodePath("../a")')  # fmt: skip
    found = {thing.to_text() for thing in decoded(text).things}
    usual = {thing.to_text() for thing in LEVEL.things}
    if "open" in after:
        usual -= {"gate 5,1 lever=a"}
    if "Main" in after:
        usual = {each.replace("lever=a", "lever=Main_lever") for each in usual}
    assert found == (usual - {gone}) | ({new} if new else set())


def test_a_group_makes_a_thing_and_an_unknown_one_a_decoration() -> None:
    more = ADDED.format("Iron key", "key", 24, 8) + ADDED.format("Bush", "bush", 56, 8)
    more += '\n[node name="Light" type="PointLight2D" parent="Things"]\nenergy = 0.8\n'
    things = [thing.to_text() for thing in decoded(text_of() + more).things]
    assert "key 1,0" in things
    assert "bush 3,0 id=Bush" in things
    assert len(things) == len(LEVEL.things) + 2


def test_things_of_an_instanced_scene_are_read_and_positions_of_parents_count() -> None:
    scene = (
        '\n[node name="Chest" parent="Things" groups=["treasure"] '
        'instance=ExtResource("9_chest")]\nposition = Vector2(24, 8)\nmetadata/value = 3\n'
    )
    assert "treasure 1,0 id=Chest value=3" in [
        thing.to_text() for thing in decoded(text_of() + scene).things
    ]
    moved = edited('[node name="Things" type="Node2D" parent="."]', '[node name="Things" type="Node2D" parent="."]\nposition = Vector2(0, 0.9)\nscale = Vector2(1, 1)')  # fmt: skip
    assert decoded(moved) == LEVEL


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('groups=["key"]', 'groups=["door"]', "node 'Things/key 1': expected the group 'key', as its metadata kind says, got 'door'"),
        ('groups=["torch"]', 'groups=["key", "door"]', "expected the group 'torch', as its metadata kind says"),
        ('node name="down"', 'node name="up"', "node 'Things/up': expected one node of this name, got a second"),
        ('NodePath("../a")', 'NodePath("../b")', "node 'Things/gate 1': expected a path to another node below Things as lever, got 'NodePath(\"../b\")'"),
        ('NodePath("../a")', 'NodePath("../key 1")', "expected the field lever to name a switch such as a lever, got key"),
        ('NodePath("../a")', 'NodePath("../../Walls")', "expected a path to another node below Things"),
        ("metadata/damage = 3", "metadata/damage = Vector2(1, 2)", "node 'Things/monster 1': expected one word or number as damage"),
        ("metadata/damage = 3", 'metadata/damage = "a lot"', "expected one word or number as damage, got"),
        ("metadata/open = false", 'metadata/open = "perhaps"', "expected open=true or open=false, got 'perhaps'"),
        ('metadata/kind = "torch"', 'metadata/kind = "Torch 1"', "node 'Things/torch 1': things: expected a kind of lower-case letters"),
        ("position = Vector2(40, 40)", "position = Vector2(8, 40)", "door at 0,2: expected a cell other than the end of the level"),
        ("position = Vector2(40, 40)", "position = Vector2(88, 40)", "door at 5,2: expected a walkable tile"),
        ("position = Vector2(40, 40)", "position = Vector2(400, 40)", "door at 25,2: expected a cell inside the 10x5 level"),
        ("position = Vector2(40, 40)", "position = Vector2(40, 8)", "expected a cell of its own, because"),
        ("position = Vector2(40, 40)", "position = Vector2(40, 40)\nvisible = false", "node 'Things/door 1': expected visible to be true"),
        ("position = Vector2(40, 40)", "position = Vector2(40, 40)\noffset = Vector2(16, 0)", "node 'Things/door 1': expected its picture in its middle"),
        ('metadata/color = "blue"\n\n[node name="a"', 'metadata/color = "red"\n\n[node name="a"', "node 'Things/key 1': expected a region_rect that shows what it is, got 'Rect2(16, 0, 16, 16)', a key; set it to Rect2(0, 0, 16, 16)"),
        ("metadata/damage = 3", "metadata/damage = 30", "a monster; remove its texture"),
        ("metadata/damage = 3", "metadata/damage = 4", "a monster; set it to Rect2("),
        ("metadata/open = false", "metadata/open = true", "node 'Things/gate 1': expected a region_rect that shows what it is"),
        ("metadata/size = Vector2i(10, 5)", 'metadata/size = Vector2i(10, 5)\nmetadata/things = "torch 1,1"', "expected things as nodes or as metadata, got both"),
    ],
)  # fmt: skip
def test_contradictions_are_refused_with_the_name_of_the_node(
    before: str, after: str, words: str
) -> None:
    with pytest.raises((InputError, PlaceError)) as problem:
        decoded(edited(before, after))
    assert words in str(problem.value)


def test_the_picture_of_a_wall_is_no_picture_of_a_thing() -> None:
    text = edited('texture = ExtResource("3_things")\nregion_enabled = true\nregion_rect = Rect2(16, 0, 16, 16)', 'texture = ExtResource("2_tiles")\nregion_enabled = true\nregion_rect = Rect2(64, 0, 16, 16)')  # fmt: skip
    with pytest.raises(InputError, match="node 'Things/key 1': expected the picture of a thing, got that of a tile"):  # fmt: skip
        decoded(text)


def test_a_sprite_of_a_thing_that_is_none_is_refused() -> None:
    """It would bar the way in the game, but not in the proof."""
    text = text_of()
    moved = 'node name="door 1" type="Sprite2D" parent='
    for wrong in (
        text.replace(f'{moved}"Things"', f'{moved}"."'),
        text.replace('name="Things"', 'name="Mine"').replace('parent="Things"', 'parent="Mine"'),
    ):
        assert wrong != text
        with pytest.raises(InputError, match="expected sprites of things directly below a node"):
            decoded(wrong)


def test_a_scene_of_an_earlier_version_has_its_things_in_the_metadata() -> None:
    level = Level.from_text("S..\n..E\nthing: key 1,0")
    text = TSCN.encode(level.with_things([])).decode()
    text = text.replace("metadata/digest = ", 'metadata/things = "key 1,0"\nmetadata/was = ')
    assert decoded(text) == level


def merge(original: str, level: Level) -> str:
    return TSCN.merged(original.encode(), TSCN.encode(level)).decode()


def test_merging_keeps_what_a_person_added_to_things() -> None:
    assert TSCN.foreign is not None
    level = replace(LEVEL, areas=find_areas(LEVEL))
    text = text_of(level)
    assert TSCN.foreign(text.encode()) == []
    assert merge(text, level) == text
    mine = text.replace(
        'groups=["door"]]\n', 'groups=["door", "mine"]]\nz_index = 2\nmetadata/Note = "my door"\n'
    )
    mine += '\n[node name="Light" type="PointLight2D" parent="Things/key 1"]\nenergy = 0.8\n'
    assert TSCN.foreign(mine.encode()) == [
        "property 'z_index' of node 'door 1'",
        "property 'metadata/Note' of node 'door 1'",
        "attribute 'groups' of node 'door 1'",
        "node 'Things/key 1/Light'",
    ]
    other = Level.from_text(
        "E...\n....\n...S\nthing: key 1,1 color=red\nthing: door 1,0 color=red\nthing: lever 3,0 id=b\n"
        "thing: plate 0,2 id=a\nthing: gate 0,1 lever=b"
    )
    merged = merge(mine, other)
    assert decoded(merged) == other
    assert 'groups=["door", "mine"]]\nz_index = 2\nmetadata/Note = "my door"' in merged
    assert TSCN.foreign(merged.encode()) == TSCN.foreign(mine.encode())
    assert 'name="ogre 1"' not in merged
    # The old `a` was a lever: its group would contradict the plate.
    assert '[node name="a" type="Sprite2D" parent="Things" groups=["plate"]]' in merged
    with pytest.raises(InputError, match="node 'Things/key 1/Light': expected it below a node that"):  # fmt: skip
        merge(mine, other.with_things(other.things[1:2]))


def test_merging_adds_things_to_a_scene_without_and_removes_all() -> None:
    plain = text_of(LEVEL.with_things([]))
    assert decoded(merge(plain, LEVEL)) == LEVEL
    none = merge(text_of(), LEVEL.with_things([]))
    assert decoded(none) == LEVEL.with_things([])
    assert 'name="Things"' in none


def test_areas_are_polygons_around_their_cells() -> None:
    corner = Area.of("room", [(0, 0), (1, 0), (0, 1)], "boss")
    assert polygons(corner) == [[(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]]
    ring = Area.of("corridor", [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)])
    assert len(polygons(ring)) == len(ring.rectangles) == 4
    # Two squares that touch at a corner, joined around it.
    cells = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 1)]
    touching = Area.of("room", cells)
    assert len(polygons(touching)) == len(touching.rectangles)
    level = replace(Level.from_text("S...\n....\n...E"), areas=(corner, ring))
    text = text_of(level)
    assert decoded(text).areas == (corner, ring)
    assert '[node name="room 1" type="Area2D" parent="Areas" groups=["room"]]' in text
    assert 'metadata/role = "boss"' in text
    assert "polygon = PackedVector2Array(0, 0, 32, 0, 32, 16, 16, 16, 16, 32, 0, 32)" in text
    drawn = text.replace(
        "PackedVector2Array(0, 0, 32, 0, 32, 16, 16, 16, 16, 32, 0, 32)",
        "PackedVector2Array(1, 1, 60, 2, 5, 40)",
    )
    (triangle, _) = decoded(drawn).areas
    assert triangle.cells == ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1)) or len(triangle.cells) > 3
    empty = text.replace("PackedVector2Array(0, 0, 32, 0, 32, 16, 16, 16, 16, 32, 0, 32)", "PackedVector2Array()")  # fmt: skip
    with pytest.raises(InputError, match="node 'Areas/room 1': expected a CollisionPolygon2D"):
        decoded(empty)


def test_ten_thousand_things_take_seconds() -> None:
    side = 110
    things = [Thing("key", (n % side, n // side + 1)) for n in range(10_000)]
    level = Level(np.zeros((side, side), np.uint8), {"entrance": (0, 0)}, things=tuple(things))
    begin = time.process_time()
    text = text_of(level)
    assert decoded(text) == level
    assert merge(text_of(level.with_things(things[::2])), level).count('groups=["key"]') == 10_000
    assert time.process_time() - begin < 60


def test_things_can_be_instances_of_scenes_and_stay_so_when_merged() -> None:
    look = Look(scenes=(("key", "res://things/key.tscn"), ("dragon", "res://dragon.tscn")))
    content = TSCN.write(LEVEL, look)
    text = content.decode()
    assert '[ext_resource type="PackedScene" path="res://things/key.tscn" id="4_key"]' in text
    assert "dragon" not in text
    assert (
        '[node name="key 1" parent="Things" groups=["key"] instance=ExtResource("4_key")]' in text
    )
    assert decoded(text) == LEVEL
    moved = LEVEL.with_things(
        [replace(thing, cell=(1, 0)) if thing.kind == "key" else thing for thing in LEVEL.things]
    )
    merged = merge(text, moved)
    assert decoded(merged) == moved
    node = merged.partition('[node name="key 1"')[2].partition("[node")[0]
    assert "instance=" in node
    assert "texture" not in node
    assert "position = Vector2(24, 8)" in node


def test_a_scene_with_more_nodes_than_can_be_read_again_is_not_written() -> None:
    level = Level(np.zeros((120, 120), np.uint8))
    cells = [(x, y) for y in range(120) for x in range(120)]
    crowded = replace(level, areas=tuple(Area.of("room", [cell]) for cell in cells) * 2)
    with pytest.raises(InputError, match="tscn: expected at most 524,288 brackets"):
        TSCN.encode(crowded)
