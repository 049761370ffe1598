"""Godot scenes: what Godot finds in them, and what comes back from Godot."""

import base64
import re
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import levolve
from levels.inputs import levels
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.look import Look
from levolve.levels.level import Level
from oracles import godot

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
TSCN = FORMATS["tscn"]
ATLAS = Look().atlas(LEVEL.tileset)
MARK = ATLAS.place_tile("entrance")
# Written by an earlier version, with the TileSet inside.
EARLIER = (Path(__file__).parent / "earlier.tscn").read_bytes()


def text_of(level: Level = LEVEL) -> str:
    return TSCN.encode(level).decode()


def data_of(text: str, layer: str) -> str:
    match = re.search(
        rf'name="{layer}" type="TileMapLayer".*\ntile_map_data = (PackedByteArray\(.*\))', text
    )
    assert match is not None
    return match[1]


def cells_of(text: str, layer: str) -> list[tuple[int, ...]]:
    content = base64.b64decode(data_of(text, layer)[17:-2], validate=True)
    assert struct.unpack_from("<H", content) == (0,)
    return [struct.unpack_from("<hhHHHH", content, offset) for offset in range(2, len(content), 12)]


@given(levels())
def test_every_cell_has_a_floor_tile_and_every_wall_a_wall_tile(level: Level) -> None:
    text = text_of(level)
    if level.tileset.wall is None:
        assert len(cells_of(text, "Tiles")) == level.tiles.size
        return
    assert [cell[:2] for cell in cells_of(text, "Floor")] == [
        (x, y) for y in range(level.height) for x in range(level.width)
    ]
    assert {cell[:2] for cell in cells_of(text, "Walls")} == {
        (x, y) for y, x in np.argwhere(level.tiles == level.tileset.wall).tolist()
    }


@settings(max_examples=20)
@given(levels())
def test_scenes_and_tilesets_are_valid_and_everything_they_name_exists(level: Level) -> None:
    look = Look()
    files = {
        "a.tscn": TSCN.write(level, look),
        "b.tscn": TSCN.write(level, look),
        **TSCN.beside(level, look),
    }
    assert TSCN.bundle is not None
    godot.validate({**files, **TSCN.bundle("pack", {"a": level, "b": level}, look)})


def test_godot_shows_the_level_and_its_places(tmp_path: Path) -> None:
    levolve.save(LEVEL, tmp_path / "a.tscn")
    cells = {(x, y): LEVEL.tileset.names[LEVEL.tiles[y, x]] for y in range(3) for x in range(3)}
    assert godot.shown_level(tmp_path / "a.tscn") == (cells, dict(LEVEL.places))


@given(levels())
def test_markers_stand_in_the_middle_of_their_cells_and_say_what_they_are(level: Level) -> None:
    markers = {
        part.fields["name"]: part.properties
        for part in godot.parse(text_of(level))
        if part.fields.get("type") == "Marker2D"
    }
    assert list(markers) == list(level.places)
    for name, (x, y) in level.places.items():
        assert markers[name]["position"] == f"Vector2({16 * x + 8}, {16 * y + 8})"
        assert markers[name]["metadata/cell"] == f"Vector2i({x}, {y})"
        assert markers[name]["metadata/name"] == f'"{name}"'
        assert markers[name]["metadata/kind"] in {'"entrance"', '"exit"', '"checkpoint"', '"tour"'}


def test_the_solution_is_a_hidden_line_from_corner_to_corner() -> None:
    (line,) = (
        part.properties for part in godot.parse(text_of()) if part.fields.get("type") == "Line2D"
    )
    assert (line["visible"], line["points"]) == (
        "false",
        "PackedVector2Array(8, 8, 24, 8, 24, 24, 40, 24, 40, 40)",
    )
    straight = Level.from_text("S..E\n....").with_solution("rrr")
    assert "points = PackedVector2Array(8, 8, 56, 8)" in text_of(straight)
    assert "Line2D" not in text_of(LEVEL.with_solution(None))


def test_a_pack_is_a_scene_with_an_instance_of_each_level(tmp_path: Path) -> None:
    assert TSCN.bundle is not None
    wide = Level.from_text("S...\n...E")
    ((name, content),) = TSCN.bundle(
        "mine", {"one": LEVEL, "two": wide, "three": LEVEL}, Look()
    ).items()
    assert name == "mine.tscn"
    nodes = [part for part in godot.parse(content.decode()) if part.tag == "node"][1:]
    assert [(part.fields["name"], part.properties["position"]) for part in nodes] == [
        ("one", "Vector2(0, 0)"),
        ("two", "Vector2(96, 0)"),
        ("three", "Vector2(0, 80)"),
    ]
    assert list(TSCN.bundle("one", {"one": LEVEL}, Look())) == ["one-pack.tscn"], (
        "no level is replaced"
    )
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="got a scene that lists a pack; name one of its levels"):
        levolve.load(tmp_path / name)


def test_a_scene_of_an_earlier_version_is_read() -> None:
    level = TSCN.decode(EARLIER)
    assert (level, level.solution) == (LEVEL, "rdrd")


def numbers(cells: list[tuple[int, ...]]) -> str:
    content = struct.pack("<H", 0) + b"".join(struct.pack("<hhHHHH", *cell) for cell in cells)
    return f"PackedByteArray({', '.join(map(str, content))})"


FLOOR, WALLS = data_of(text_of(), "Floor"), data_of(text_of(), "Walls")


def test_a_scene_that_godot_saved_is_read() -> None:
    """In another order, with what the editor adds, bytes as numbers, erased cells, flipped tiles,
    and values of several lines.
    """
    (x, y, *tile), other = cells_of(text_of(), "Walls")
    text = text_of().replace(
        WALLS,
        numbers(
            [other, (1, 1, *tile), (1, 1, 0xFFFF, 0xFFFF, 0xFFFF, 0), (x, y, *tile[:3], 0x3000)]
        ),
    )
    text = text.replace(
        "[gd_scene load_steps=3 format=4]",
        '[gd_scene format=4 uid="uid://c8kv3jx2wr7pb"]\n\n; a remark',
    )
    text = text.replace('path="levolve', 'uid="uid://b1" path="res://levels/levolve')
    text = text.replace(
        'type="Node2D"]', 'type="Node2D" unique_id=1234 groups=["levels", "a]b", "name="]]', 1
    )
    text = text.replace(
        "metadata/size", 'metadata/_edit_ = {\n"lock": [true, "]"],\n}\nmetadata/size'
    )
    assert TSCN.decode(text.encode()) == LEVEL


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("[gd_scene", "[gd_resource", "begins with [gd_scene"),
        ("metadata/size", "metadata/length", "expected a scene written by levolve"),
        ("Vector2i(3, 3)", "Vector2i(3)", "expected 2 numbers in brackets"),
        ("Vector2i(3, 3)", "Vector2i(3.5, 3)", "expected whole numbers"),
        ("Vector2i(3, 3)", "Vector2i(1, 3)", "at least 2x2"),
        (
            "Vector2i(3, 3)",
            "Vector2i(2, 2)",
            "expected cells inside the 2x2 of metadata/size, got another one at 2,0",
        ),
        ('tileset = "walls"', 'tileset = "wall"', "did you mean 'walls'"),
        ('tileset = "walls"', "tileset = 5", "expected a text in quotes"),
        (
            'type="TileMapLayer"',
            'type="TileMap"',
            "expected one TileMapLayer, or layers called Floor, Walls, Tiles, each once, got none",
        ),
        ('name="Walls"', 'name="Floor"', "each once, got 'Floor', 'Floor'"),
        (FLOOR, 'PackedByteArray("AA")', "expected base64"),
        (FLOOR, "PackedByteArray(0, 300)", "numbers from 0 to 255"),
        (FLOOR, "PackedByteArray(1, 0)", "expected the version 0"),
        (FLOOR, "PackedByteArray(0, 0, 1)", "12 bytes per cell"),
        (FLOOR, "5", "expected a PackedByteArray"),
        (FLOOR, numbers([(-1, 0, 0, 0, 0, 0)]), "got another one at -1,0"),
        (
            FLOOR,
            numbers([(1, 1, 3, 0, 0, 0)]),
            (
                "cell 1,1: expected tiles of the tileset in the scene that have a kind, got 0:0 "
                "of source 3"
            ),
        ),
        (FLOOR, numbers([(1, 1, 0, 0, 99, 0)]), "got 0:99 of source 0"),
        (FLOOR, numbers([(1, 1, 0, 0, 0, 5)]), "expected tiles of the tileset in the scene"),
        (
            FLOOR,
            numbers([(1, 1, 0, MARK % 8, MARK // 8, 0)]),
            "expected a tile of the kind floor or wall, got 'entrance'",
        ),
        ("Vector2(8, 8)", "Vector2(-8, 8)", "entrance: expected a cell inside"),
        ("Vector2(8, 8)", "Vector2(40, 8)", "got wall at 2,0"),
        ("Vector2(8, 8)", "Vector2(1e30, 8)", "expected nodes near the tiles"),
        ("Vector2(8, 8)", "Vector2(inf, 8)", "expected 2 numbers in brackets"),
        ('"entrance" type="Marker2D"', '"door" type="Marker2D"', "unknown place 'door'"),
        ('"exit" type="Marker2D"', '"entrance" type="Marker2D"', "expected one, got a second"),
        (
            "Vector2(40, 24)",
            "Vector2(40, 24",
            "expected a closing bracket or quotation mark for the one that begins here",
        ),
        ("tile_set =", "tile_set", "expected 'key = value'"),
        ("metadata/theme =", "metadata/theme = 5 visible =", "expected one value per line"),
        (
            'ExtResource("1_tileset")',
            'ExtResource("9")',
            "expected a TileSet of this scene or of a .tres file",
        ),
        (
            f"{ATLAS.name}.tres",
            "mine.tres",
            "TileSet 'mine.tres': expected this file in the scene's folder",
        ),
        (
            f"{ATLAS.name}.tres",
            "../levolve-walls-other-16.tres",
            "expected this file in the scene's folder",
        ),
    ],
)
def test_what_cannot_be_a_level_is_refused_and_the_reason_is_named(
    before: str, after: str, words: str
) -> None:
    text = text_of()
    assert before in text
    with pytest.raises(InputError) as problem:
        TSCN.decode(text.replace(before, after).encode())
    assert words in str(problem.value)


def test_a_rainbow_level_with_an_erased_cell_is_refused() -> None:
    text = text_of(Level.from_text("RO\nYG"))
    with pytest.raises(InputError, match="got an empty cell at 1,0"):
        TSCN.decode(text.replace(data_of(text, "Tiles"), numbers([(0, 0, 0, 0, 0, 0)])).encode())


def test_a_level_longer_than_godot_can_number_is_refused() -> None:
    with pytest.raises(InputError, match="at most 32768 cells per side"):
        TSCN.encode(Level(np.zeros((2, 40_000), np.uint8)))


def test_a_scene_that_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(InputError, match="at most 67,108,864 bytes"):
        TSCN.encode(Level(np.ones((2048, 2048), np.uint8)))


def moved(node: str, lines: str, text: str | None = None) -> bytes:
    """The scene with more values in a node."""
    found, count = re.subn(
        rf'(\[node name="{node}"[^\n]*\])\n', rf"\1\n{lines}\n", text or text_of(), count=1
    )
    assert count == 1
    return found.encode()


# Nothing at the right and at the bottom, so that layers can be moved.
ROOMY = Level.from_text("S#..\n..E.\n.#..\n....").with_solution("drr")
SAME = "S#..\n..E.\n.#..\n...."


@pytest.mark.parametrize(
    ("node", "lines", "expected"),
    [
        ("Walls", "position = Vector2(16, 0)", "S.#.\n..E.\n..#.\n...."),
        ("Walls", "position = Vector2(0, 16)", "S...\n.#E.\n....\n.#.."),
        ("Walls", "transform = Transform2D(1, 0, 0, 1, 16.0000001, 0)", "S.#.\n..E.\n..#.\n...."),
        ("Places", "position = Vector2(16, 16)", ".#..\n.S..\n.#.E\n...."),
        ("Places", "position = Vector2(7.9, -8)", SAME),
        ("Places", "scale = Vector2(1.1, 1.1)", SAME),
        ("Places", "scale = Vector2(1.2, 1.2)", "S#..\n...E\n.#..\n...."),
        ("exit", "rotation = 0\nmetadata/mine = 5", SAME),
        ("Level", "position = Vector2(5, 7.5)\nscale = Vector2(3, 3)\nrotation = 1e-09", SAME),
        ("Level", "position = Vector2(1e-05, 1)", SAME),
        ("Floor", "z_index = -5\ny_sort_enabled = true\nmodulate = Color(0.5, 1, 1, 1)", SAME),
        ("Floor", "position = Vector2(-16, 0)", ".S#.\n...E\n..#.\n...."),
    ],
)
def test_positions_and_scales_move_cells_as_godot_does(
    node: str, lines: str, expected: str, tmp_path: Path
) -> None:
    levolve.save(ROOMY, tmp_path / "a.tscn")
    (tmp_path / "a.tscn").write_bytes(moved(node, lines, text_of(ROOMY)))
    level = levolve.load(tmp_path / "a.tscn")
    assert level.to_text() == expected
    level.check()
    cells = {(x, y): level.tileset.names[level.tiles[y, x]] for y in range(4) for x in range(4)}
    assert godot.shown_level(tmp_path / "a.tscn") == (cells, dict(level.places))


@pytest.mark.parametrize(
    ("node", "lines", "words"),
    [
        (
            "Walls",
            "position = Vector2(8, 0)",
            (
                "layer 'Walls': expected its cells on those of 'Floor', got a layer moved by "
                "0.5,0 cells"
            ),
        ),
        ("Walls", "scale = Vector2(2, 2)", "or with another scale"),
        (
            "Walls",
            "position = Vector2(160, 0)",
            "expected cells inside the 4x4 of metadata/size, got another one at 11,0",
        ),
        (
            "Walls",
            "rotation = 1.5708",
            "expected a node that is not rotated or skewed, got 'rotation = 1.5708'",
        ),
        ("Level", "rotation_degrees = 90", "expected a node that is not rotated"),
        ("Places", "skew = 0.1", "expected a node that is not rotated or skewed"),
        ("Level", "scale = Vector2(-1, 1)", "expected a positive scale"),
        ("Walls", "scale = Vector2(0, 0)", "expected a positive scale"),
        (
            "Walls",
            "transform = Transform2D(0, 1, -1, 0, 0, 0)",
            "expected a node that is not rotated or skewed",
        ),
        (
            "Walls",
            "transform = Transform2D(1, 0, 0, 1, 0, 0)\nposition = Vector2(1, 1)",
            "expected position and scale, or a transform",
        ),
        ("Walls", "visible = false", "expected visible to be true"),
        ("Walls", '"visible" = false', "expected visible to be true"),
        ("Walls", "vis ible = false", "expected visible to be true"),
        ("Level", "visible = false", "expected visible to be true"),
        ("Places", "visible = false", "expected visible to be true"),
        ("Walls", "enabled = false", "expected enabled to be true"),
        ("Walls", "modulate = Color(1, 1, 1, 0.1)", "expected an opacity of at least 0.5"),
        ("Walls", "show_behind_parent = true", "expected show_behind_parent to be false"),
        ("Walls", "top_level = true", "expected top_level to be false"),
        ("Walls", "z_index = -1", "layer 'Floor': expected no tile over a wall, got one at 1,0"),
        ("Level", "clip_children = 1", "expected clip_children to be 0"),
        ("Walls", "visibility_layer = 0", "expected a layer, so that the node is shown"),
        ("Walls", "global_position = Vector2(16, 0)", "expected a position relative to the parent"),
        (
            "Places",
            "position = Vector2(16, 0)",
            "entrance: expected a walkable tile, got wall at 1,0",
        ),
        (
            "Mark",
            "position = Vector2(16, 0)",
            "marker 'entrance': expected its picture Mark in the same cell",
        ),
        ("Mark", "offset = Vector2(16, 0)", "expected its picture Mark in the same cell"),
    ],
)
def test_what_godot_shows_elsewhere_or_not_at_all_is_refused(
    node: str, lines: str, words: str
) -> None:
    with pytest.raises(InputError) as problem:
        TSCN.decode(moved(node, lines, text_of(ROOMY)))
    assert words in str(problem.value)


def test_the_picture_of_another_place_is_refused() -> None:
    with pytest.raises(InputError, match="marker 'entrance': expected the picture of this place"):
        TSCN.decode(
            text_of(ROOMY)
            .replace(f"Rect2({MARK % 8 * 16}, ", f"Rect2({(MARK + 1) % 8 * 16}, ")
            .encode()
        )


def nested(group: str, child: str = "Walls") -> bytes:
    """The scene with a layer in a group of its own."""
    text = text_of(ROOMY)
    return text.replace(
        f'[node name="{child}" type="TileMapLayer" parent="."]',
        f'{group}\n\n[node name="{child}" type="TileMapLayer" parent="Map"]',
    ).encode()


def test_parents_count_too() -> None:
    plain = '[node name="Map" type="Node2D" parent="."]\n'
    assert TSCN.decode(nested(plain)) == ROOMY
    assert (
        TSCN.decode(nested(plain + "position = Vector2(16, 0)")).to_text()
        == "S.#.\n..E.\n..#.\n...."
    )
    scaled = moved(
        "Walls",
        "position = Vector2(8, 0)\nscale = Vector2(0.5, 0.5)",
        nested(plain + "scale = Vector2(2, 2)").decode(),
    )
    assert TSCN.decode(scaled).to_text() == "S.#.\n..E.\n..#.\n...."
    for group, words in (
        (plain + "rotation = 3.14159", "not rotated"),
        (
            plain.replace("Node2D", "CanvasLayer"),
            "expected a parent of type Node2D for 'Walls', got 'CanvasLayer'",
        ),
        (plain.replace("Node2D", "Parallax2D"), "expected a parent of type Node2D"),
        ('[node name="Map" parent="." instance=ExtResource("2_tiles")]', "got 'an instance'"),
        ("", "expected one parent 'Map' before it, got none"),
        (plain + plain, "expected one parent 'Map' before it, got two"),
    ):
        with pytest.raises(InputError, match=words):
            TSCN.decode(nested(group))


def test_another_layer_may_decorate_but_not_add_walls() -> None:
    text = text_of(ROOMY)
    extra = (
        '\n[node name="Extra" type="TileMapLayer" parent="."]\ntile_map_data = {}\ntile_set = '
        'ExtResource("1_tileset")\n'
    )
    assert TSCN.decode((text + extra.format(numbers([(0, 0, 0, 0, 0, 0)]))).encode()) == ROOMY
    wall = cells_of(text, "Walls")[0][2:]
    with pytest.raises(
        InputError,
        match=(
            "layer 'Extra': expected the level's tiles on Floor and Walls and Tiles only, got "
            "one at 3,3"
        ),
    ):
        TSCN.decode((text + extra.format(numbers([(3, 3, *wall)]))).encode())
    assert (
        TSCN.decode(
            (text + extra.replace("Extra", "keep").format(numbers([(3, 3, *wall)]))).encode()
        )
        == ROOMY
    )
