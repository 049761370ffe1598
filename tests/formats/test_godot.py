"""Godot scenes: the bytes of a TileMapLayer, decoded here byte by byte, and what comes back from Godot."""

import base64
import re
import struct

import numpy as np
import pytest
from hypothesis import given

from levels.inputs import levels
from levolve.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")


def text_of(level: Level = LEVEL) -> str:
    return FORMATS["tscn"].encode(level).decode()


def packed(text: str) -> bytes:
    match = re.search(r'tile_map_data = PackedByteArray\("([^"]*)"\)', text)
    assert match is not None
    return base64.b64decode(match[1], validate=True)


@given(levels())
def test_cells_are_six_numbers_of_two_bytes_after_a_version_of_two(level: Level) -> None:
    content = packed(text_of(level))
    assert struct.unpack_from("<H", content) == (0,)
    assert len(content) == 2 + 12 * level.width * level.height
    cells = [struct.unpack_from("<hhHHHH", content, offset) for offset in range(2, len(content), 12)]
    assert cells == [(x, y, 0, level.tiles[y, x], 0, 0) for y in range(level.height) for x in range(level.width)]


@given(levels())
def test_markers_stand_in_the_middle_of_their_cells(level: Level) -> None:
    markers = re.findall(r'\[node name="([^"]*)" type="Marker2D" parent="Places"\]\nposition = Vector2\((\d+), (\d+)\)', text_of(level))
    assert {name: (int(x), int(y)) for name, x, y in markers} == {name: (16 * x + 8, 16 * y + 8) for name, (x, y) in level.places.items()}


def test_the_tileset_has_every_kind_of_tile_and_only_walls_collide() -> None:
    text = text_of()
    assert re.findall(r'^(\d):0/0/custom_data_0 = "(\w+)"', text, re.MULTILINE) == [("0", "floor"), ("1", "wall")]
    assert re.findall(r"^(\d):0/0/physics_layer_0", text, re.MULTILINE) == ["1"]
    assert 'path="levolve-walls.png"' in text
    assert "physics_layer_0/polygon" not in text_of(Level.from_text("RO\nYG"))
    references = set(re.findall(r'(?:Ext|Sub)Resource\("([^"]*)"\)', text))
    assert references == set(re.findall(r'_resource type="\w+"(?: path="[^"]*")? id="([^"]*)"', text))


def numbers(cells: list[tuple[int, ...]]) -> str:
    content = struct.pack("<H", 0) + b"".join(struct.pack("<hhHHHH", *cell) for cell in cells)
    return f"PackedByteArray({', '.join(map(str, content))})"


DATA = re.search(r"PackedByteArray\(.*\)", text_of())[0]  # type: ignore[index]
WALLS = [(2, 0, 0, 1, 0, 0), (0, 2, 0, 1, 0, 0)]


def test_a_scene_that_godot_saved_is_read() -> None:
    """In another order, with what the editor adds, bytes as numbers, erased cells, and values of several lines."""
    text = text_of().replace(DATA, numbers([*WALLS, (1, 1, 0xFFFF, 0xFFFF, 0xFFFF, 0)]))
    text = text.replace("[gd_scene load_steps=4 format=4]", '[gd_scene format=4 uid="uid://c8kv3jx2wr7pb"]\n\n; a remark')
    text = text.replace('type="Node2D"]', 'type="Node2D" unique_id=1234 groups=["levels", "a]b"]]', 1)
    text = text.replace("metadata/size", 'metadata/_edit_ = {\n"lock": [true, "]"],\n}\nmetadata/size')
    assert FORMATS["tscn"].decode(text.encode()) == LEVEL


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("[gd_scene", "[gd_resource", "begins with [gd_scene"),
        ("metadata/size", "metadata/length", "expected a scene written by levolve"),
        ("Vector2i(3, 3)", "Vector2i(3)", "expected 2 numbers in brackets"),
        ("Vector2i(3, 3)", "Vector2i(1, 3)", "at least 2x2"),
        ("Vector2i(3, 3)", "Vector2i(2, 2)", "expected cells inside the 2x2 of metadata/size, got another one at 2,0"),
        ('tileset = "walls"', 'tileset = "wall"', "did you mean 'walls'"),
        ('tileset = "walls"', "tileset = 5", "expected a text in quotes"),
        ('type="TileMapLayer"', 'type="TileMap"', "expected one TileMapLayer, or one of them called Tiles, got none"),
        (DATA, 'PackedByteArray("AA")', "expected base64"),
        (DATA, "PackedByteArray(0, 300)", "numbers from 0 to 255"),
        (DATA, "PackedByteArray(1, 0)", "expected the version 0"),
        (DATA, "PackedByteArray(0, 0, 1)", "12 bytes per cell"),
        (DATA, "5", "expected a PackedByteArray"),
        (DATA, numbers([(-1, 0, 0, 0, 0, 0)]), "got another one at -1,0"),
        (DATA, numbers([(1, 1, 3, 0, 0, 0)]), "tiles of the tileset in the scene, got another one at 1,1"),
        (DATA, numbers([(1, 1, 0, 2, 0, 0)]), "tiles of the tileset in the scene"),
        ("Vector2(8, 8)", "Vector2(-8, 8)", "entrance: expected a cell inside"),
        ("Vector2(8, 8)", "Vector2(40, 8)", "got wall at 2,0"),
        ('"entrance" type="Marker2D"', '"door" type="Marker2D"', "unknown place 'door'"),
        ('"exit" type="Marker2D"', '"entrance" type="Marker2D"', "expected one, got a second"),
        ("Vector2(40, 24)", "Vector2(40, 24", "line 41: expected a closing bracket or quotation mark for the one that begins here"),
        ("tile_set =", "tile_set", "expected 'key = value'"),
    ],
)
def test_what_cannot_be_a_level_is_refused_and_the_reason_is_named(before: str, after: str, words: str) -> None:
    text = text_of()
    assert before in text
    with pytest.raises(InputError) as problem:
        FORMATS["tscn"].decode(text.replace(before, after).encode())
    assert words in str(problem.value)


def test_a_rainbow_level_with_an_erased_cell_is_refused() -> None:
    text = text_of(Level.from_text("RO\nYG"))
    data = re.search(r"PackedByteArray\(.*\)", text)
    assert data is not None
    with pytest.raises(InputError, match="got an empty cell at 1,0"):
        FORMATS["tscn"].decode(text.replace(data[0], numbers([(0, 0, 0, 0, 0, 0)])).encode())


def test_a_level_longer_than_godot_can_number_is_refused() -> None:
    with pytest.raises(InputError, match="at most 32768 cells per side"):
        FORMATS["tscn"].encode(Level(np.zeros((2, 40_000), np.uint8)))
