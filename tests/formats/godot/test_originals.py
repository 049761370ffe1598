"""What a person adds to a scene in Godot survives when the level is written again."""

from pathlib import Path

import numpy as np
import pytest

import levolve
from formats.godot.test_scenes import EARLIER, numbers
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.format import Format
from levolve.formats.level_files import save_level
from levolve.formats.look import Look
from levolve.levels.level import Level
from levolve.levels.solver import recertified
from levolve.levels.tileset import TILESETS

TSCN: Format = FORMATS["tscn"]
NAME = Look().atlas(TILESETS["walls"]).name
LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
OTHER = Level.from_text("S..\n#.#\n1.E").with_solution("rddr")
ADDED_RESOURCES = """[ext_resource type="Script" uid="uid://b2" path="res://level.gd" id="3_gd"]
[ext_resource type="PackedScene" path="res://player.tscn" id="4_player"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_a"]
size = Vector2(20, 20)

"""
ADDED_NODES = """
[node name="Lights" type="Node2D" parent="."]
position = Vector2(3, 4)

[node name="Torch" type="PointLight2D" parent="Lights"]
energy = 0.8
metadata/notes = {
"a": ["b", "]"],
}

[node name="Area" type="Area2D" parent="Places/exit" groups=["goals", "name="]]

[node name="Shape" type="CollisionShape2D" parent="Places/exit/Area"]
shape = SubResource("RectangleShape2D_a")

[node name="Player" parent="." instance=ExtResource("4_player")]
position = Vector2(8, 8)

[connection signal="body_entered" from="Places/exit/Area" to="." method="_on_exit"]
"""


def edited(level: Level = LEVEL) -> str:
    """A scene as Godot saves it: other ids and paths, a script and groups at our nodes, and nodes,
    resources and a connection of a person.
    """
    text = (
        TSCN.encode(level)
        .decode()
        .replace('"1_tileset"', '"1_x7k2"')
        .replace('path="levolve-', 'uid="uid://a1" path="res://levels/levolve-')
    )
    text = text.replace(
        "[gd_scene load_steps=3 format=4]", '[gd_scene load_steps=6 format=4 uid="uid://c8"]'
    )
    root, walls = (
        '[node name="Level" type="Node2D"',
        '[node name="Walls" type="TileMapLayer" parent="."]',
    )
    script = 'script = ExtResource("3_gd")\nspeed = 5'
    text = text.replace(f"\n{root}]", f'{ADDED_RESOURCES}{root} groups=["levels"]]\n{script}')
    text = text.replace(
        walls, f'[node name="Clouds" type="Node2D" parent="."]\n\n{walls}\ny_sort_enabled = true'
    )
    return text.replace("visible = false\n", "") + ADDED_NODES


def merge(original: str | bytes, level: Level) -> str:
    return TSCN.merged(
        original.encode() if isinstance(original, str) else original, TSCN.encode(level)
    ).decode()


def foreign(text: str | bytes) -> list[str]:
    assert TSCN.foreign is not None
    return TSCN.foreign(text.encode() if isinstance(text, str) else text)


def test_foreign_parts_are_named() -> None:
    assert foreign(TSCN.encode(LEVEL)) == foreign(EARLIER) == []
    assert foreign(edited()) == [
        "resource 'res://level.gd'",
        "resource 'res://player.tscn'",
        "resource 'RectangleShape2D_a'",
        "connection 'body_entered' from node 'Places/exit/Area'",
        "property 'script' of node 'Level'",
        "property 'speed' of node 'Level'",
        "attribute 'groups' of node 'Level'",
        "node 'Clouds'",
        "property 'y_sort_enabled' of node 'Walls'",
        "node 'Lights'",
        "node 'Lights/Torch'",
        "node 'Places/exit/Area'",
        "node 'Places/exit/Area/Shape'",
        "node 'Player'",
    ]


def test_a_scene_merged_with_itself_is_the_same_text() -> None:
    text = TSCN.encode(LEVEL).decode()
    assert merge(text, LEVEL) == text
    assert merge(edited(), LEVEL) == edited()


def test_foreign_parts_survive_as_unchanged_text_beside_another_level() -> None:
    merged = merge(edited(), OTHER)
    level = TSCN.decode(merged.encode())
    assert (level, level.solution) == (OTHER, OTHER.solution)
    assert foreign(merged) == foreign(edited())
    for paragraph in [*ADDED_RESOURCES.strip().split("\n\n"), *ADDED_NODES.strip().split("\n\n")]:
        assert f"{paragraph}\n" in merged
    assert (
        merged.index('name="Floor"') < merged.index('name="Clouds"') < merged.index('name="Walls"')
    ), "drawn in the same order"
    assert '[gd_scene load_steps=6 format=4 uid="uid://c8"]' in merged
    assert 'uid="uid://a1" path="res://levels/levolve-' in merged
    assert 'tile_set = ExtResource("1_x7k2")' in merged
    assert "visible = false" not in merged, "the person shows the solution"


def test_places_come_and_go_but_not_with_what_a_person_put_below_them() -> None:
    more = Level.from_text("S.2\n#.1\n..E")
    merged = merge(edited(), more)
    assert TSCN.decode(merged.encode()) == more
    assert (
        merged.index('name="checkpoint 1"')
        < merged.index('name="checkpoint 2"')
        < merged.index('name="Lights"')
    )
    none = merge(edited(), Level.from_text("S..\n#..\n..E"))
    assert "checkpoint 1" not in none
    with pytest.raises(
        InputError,
        match=(
            "node 'Places/exit/Area': expected it below a node that the new level has too, got "
            "'Places/exit'"
        ),
    ):
        merge(edited(), Level.from_text("S..\n#..\n..."))
    text = (
        TSCN.encode(LEVEL).decode()
        + '\n[connection signal="a" from="Places/checkpoint 1" to="." method="b"]\n'
    )
    with pytest.raises(
        InputError, match="connection 'a': expected nodes that the new level has too"
    ):
        merge(text, Level.from_text("S..\n#..\n..E"))


def test_a_scene_of_an_earlier_version_gets_the_shared_tileset_and_new_layers() -> None:
    text = EARLIER.decode()
    merged = merge(text + ADDED_NODES.partition('[node name="Area')[0], OTHER)
    assert TSCN.decode(merged.encode()) == OTHER
    assert "sub_resource" not in merged
    assert 'name="Tiles"' not in merged
    assert (
        merged.index('name="Floor"') < merged.index('name="Walls"') < merged.index('name="Torch"')
    )
    below = text + '\n[node name="Mine" type="Node2D" parent="Tiles"]\n'
    with pytest.raises(
        InputError,
        match="node 'Tiles/Mine': expected it below a node that the new level has too, got 'Tiles'",
    ):
        merge(below, OTHER)


def test_a_resource_of_ours_that_a_person_uses_stays_and_ids_do_not_collide() -> None:
    layer = (
        '\n[node name="Decor" type="TileMapLayer" parent="."]\ntile_set = '
        'ExtResource("1_tileset")\n'
    )
    text = TSCN.encode(LEVEL).decode().replace(NAME, "levolve-walls-old-16") + layer
    merged = merge(text, OTHER)
    assert merged.count("[ext_resource") == 3
    assert 'path="levolve-walls-old-16.tres" id="1_tileset"]' in merged
    assert f'path="{NAME}.tres" id="1_tileset_1"]' in merged
    assert layer in merged
    assert TSCN.decode(merged.encode()) == OTHER


def test_moved_layers_are_written_in_their_place_and_moved_parents_are_refused() -> None:
    walls = '[node name="Walls" type="TileMapLayer" parent="."]'
    text = (
        TSCN.encode(Level.from_text("S#..\n...E"))
        .decode()
        .replace(walls, f"{walls}\nposition = Vector2(16, 0)")
    )
    level = TSCN.decode(text.encode())
    assert level.to_text() == "S.#.\n...E"
    merged = merge(text, level)
    assert "position = Vector2(16, 0)" not in merged
    assert TSCN.decode(merged.encode()) == level
    group = (
        '[node name="Map" type="Node2D" parent="."]\nposition = Vector2(16, 0)\n\n[node '
        'name="Walls" type="TileMapLayer" parent="Map"]'
    )
    nested = TSCN.encode(Level.from_text("S#..\n...E")).decode().replace(walls, group)
    with pytest.raises(InputError, match="does not fit between the parts that a person added or"):
        merge(nested, level)
    assert TSCN.decode(merge(nested.replace("(16, 0)", "(0, 0)"), level).encode()) == level


def test_another_tile_size_is_refused() -> None:
    with pytest.raises(InputError, match="expected tiles as large as in the original"):
        TSCN.merged(edited().encode(), TSCN.write(OTHER, Look(tile=32)))


KEEP = (
    '\n[node name="{}" type="TileMapLayer" parent="."]\n{}tile_map_data = {}\ntile_set = '
    'ExtResource("1_tileset")\n'
)


@pytest.mark.parametrize(
    ("name", "lines"),
    [("Keep", ""), ("keep", "visible = false\n"), ("Keep", "position = Vector2(16, -16)\n")],
)
def test_a_layer_called_keep_marks_cells(name: str, lines: str) -> None:
    assert TSCN.kept is not None
    text = TSCN.encode(LEVEL).decode()
    assert TSCN.kept(text.encode()) is None
    at = [(1, 1), (0, 2)] if "position" in lines else [(2, 0), (1, 1)]
    found = TSCN.kept(
        (text + KEEP.format(name, lines, numbers([(x, y, 0, 0, 0, 0) for x, y in at]))).encode()
    )
    assert found is not None
    assert np.argwhere(found).tolist() == [[0, 2], [1, 1]]


def test_a_layer_keep_that_does_not_fit_the_level_is_refused() -> None:
    assert TSCN.kept is not None
    text = TSCN.encode(LEVEL).decode()
    outside = KEEP.format("Keep", "", numbers([(3, 0, 0, 0, 0, 0)]))
    with pytest.raises(
        InputError,
        match=(
            "layer 'Keep': expected cells inside the 3x3 of metadata/size, got another one at 3,0"
        ),
    ):
        TSCN.kept((text + outside).encode())
    with pytest.raises(InputError, match="expected one layer called Keep, got 2"):
        TSCN.kept((text + outside + outside.replace("Keep", "keep")).encode())
    with pytest.raises(InputError, match="layer 'Keep': expected its cells on those of 'Floor'"):
        TSCN.kept((text + KEEP.format("Keep", "position = Vector2(3, 0)\n", numbers([]))).encode())


def test_what_a_person_added_survives_evolve_from_and_kept_cells_do_not_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    level = recertified(
        Level.from_text("S...#...\n.##.#.#.\n.#...#..\n.#.#.#.#\n...#...E\ncheckpoint 1: 3,2")
    )
    path, target = tmp_path / "mine.tscn", tmp_path / "next.tscn"
    save_level(level, path)
    kept = [(4, 0), (1, 1), (2, 1), (4, 1)]
    keep = KEEP.format(
        "Keep", "visible = false\n", numbers([(x, y, 0, 0, 0, 0) for x, y in kept])
    ).replace("1_tileset", "1_x7k2")
    text = edited(level)
    path.write_text(text.replace("\n[connection", f"{keep}\n[connection"))
    assert (
        run(
            [
                "evolve",
                "maze",
                "--from",
                str(path),
                "--seed",
                "1",
                "--generations",
                "3",
                "-q",
                "-o",
                str(target),
            ]
        )
        == 0
    )
    assert capsys.readouterr().err == ""
    found = levolve.load(target)
    found.check()
    assert found != level
    assert all(found.tiles[y, x] == level.tiles[y, x] for x, y in kept)
    assert foreign(target.read_bytes()) == foreign(path.read_bytes())
    for paragraph in [
        *ADDED_RESOURCES.strip().split("\n\n"),
        *ADDED_NODES.strip().split("\n\n"),
        keep.strip(),
    ]:
        assert f"{paragraph}\n" in target.read_text()
    assert run(["convert", str(path), str(tmp_path / "again.tscn"), "-q"]) == 0
    assert (tmp_path / "again.tscn").read_text() == path.read_text()
