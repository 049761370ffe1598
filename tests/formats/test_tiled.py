"""Tiled maps: another program reads what we write, and we read what people draw."""

import base64
import gzip
import json
import xml.etree.ElementTree as ET
import zlib
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import pytiled_parser
from hypothesis import given
from PIL import Image
from pytiled_parser.layer import ObjectLayer, TileLayer
from pytiled_parser.tiled_object import Polyline, Rectangle

import levolve
from levels.inputs import levels
from levolve.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.drawing import draw_level
from levolve.formats.metadata import YOURS
from levolve.formats.themes.paper import PAPER
from levolve.levels.level import Level, Origin
from levolve.recipes.recipe import find_recipe

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")


def text_of(level: Level = LEVEL) -> str:
    return FORMATS["tmx"].encode(level).decode()


def data_of(level: Level = LEVEL) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FORMATS["tmj"].encode(level))
    return data


def read_by_others(level: Level, suffix: str) -> tuple[Level, list[Any], Image.Image]:
    """What pytiled-parser makes of our file: the level, the objects of the solution, and a picture put together from the tiles."""
    with TemporaryDirectory() as folder:
        path = levolve.save(level, Path(folder) / f"level.{suffix}")
        found = pytiled_parser.parse_map(path)
        tileset = found.tilesets[1]
        assert tileset.image is not None
        with Image.open(Path(folder) / tileset.image.name) as opened:
            picture = opened.convert("RGB")
    assert tileset.tiles is not None
    kinds = {1 + number: level.tileset.names.index(str(tile.class_)) for number, tile in tileset.tiles.items()}
    layers = {layer.name: layer for layer in found.layers}
    tile_layer, object_layer = layers["tiles"], layers["places"]
    assert isinstance(tile_layer, TileLayer)
    assert isinstance(object_layer, ObjectLayer)
    assert tile_layer.data is not None
    tiles = np.array([[kinds[number] for number in row] for row in tile_layer.data], np.uint8)
    side = int(found.tile_size.width)
    places = {}
    for entry in object_layer.tiled_objects:
        assert isinstance(entry, Rectangle)
        assert (entry.size.width, entry.size.height) == (side, side)
        places[str(entry.name)] = (int(entry.coordinates.x) // side, int(entry.coordinates.y) // side)
    drawn = Image.new("RGB", (level.width * side, level.height * side))
    for y, row in enumerate(tile_layer.data):
        for x, number in enumerate(row):
            left = (number - 1) * side
            drawn.paste(picture.crop((left, 0, left + side, side)), (x * side, y * side))
    walks = layers.get("solution")
    return Level(tiles, places, level.tileset), walks.tiled_objects if isinstance(walks, ObjectLayer) else [], drawn


@pytest.mark.parametrize("suffix", ["tmx", "tmj"])
@given(levels())
def test_another_program_reads_the_same_tiles_and_places_and_draws_the_same_picture(suffix: str, level: Level) -> None:
    again, walks, drawn = read_by_others(level, suffix)
    assert again == level
    assert walks == []
    assert drawn.tobytes() == draw_level(Level(level.tiles, {}, level.tileset), 16, theme=PAPER).tobytes()


@pytest.mark.parametrize("suffix", ["tmx", "tmj"])
def test_another_program_sees_the_solution_as_a_line_from_place_to_place(suffix: str) -> None:
    _, walks, _ = read_by_others(LEVEL, suffix)
    (walk,) = walks
    assert isinstance(walk, Polyline)
    assert walk.properties == {"moves": "rdrd"}
    points = [(walk.coordinates.x + point.x, walk.coordinates.y + point.y) for point in walk.points]
    assert points == [(8, 8), (24, 8), (24, 24), (40, 24), (40, 40)]


@pytest.mark.parametrize("suffix", ["tmx", "tmj"])
def test_another_program_sees_the_origin_as_properties(suffix: str, tmp_path: Path) -> None:
    recipe = find_recipe("maze").to_data()
    path = levolve.save(LEVEL.with_origin(Origin.of(recipe, 2**64 - 1, 3, "0.1.0")), tmp_path / f"level.{suffix}")
    properties = pytiled_parser.parse_map(path).properties
    assert properties is not None
    assert json.loads(str(properties.pop("recipe"))) == recipe
    assert properties == {"seed": str(2**64 - 1), "index": "3", "version": "0.1.0", "digest": LEVEL.digest, "rights": YOURS}


def packed(compress: Any) -> str:  # noqa: ANN401 a function of bytes
    return base64.b64encode(compress(np.array([1, 1, 2, 1, 1, 1, 2, 1, 1], "<u4").tobytes())).decode()


CHUNK = '<chunk x="0" y="0" width="3" height="3">\n1,1,2,\n1,1,1,\n2,1,1\n</chunk>'
CSV = '<data encoding="csv">\n1,1,2,\n1,1,1,\n2,1,1\n</data>'


@pytest.mark.parametrize(
    "data",
    [
        '<data encoding="csv">1,1,2,1,1,1,2,1,1</data>',
        '<data encoding="csv">\n1,1,2,\n1,1,1,\n2,1,1,\n</data>',
        f'<data encoding="base64">\n   {packed(bytes)}\n  </data>',
        f'<data encoding="base64" compression="zlib">{packed(zlib.compress)}</data>',
        f'<data encoding="base64" compression="gzip">{packed(partial(gzip.compress, mtime=0))}</data>',
        "<data>" + "".join(f'<tile gid="{number}"/>' for number in (1, 1, 2, 1, 1, 1, 2, 1, 1)) + "</data>",
        # Flipped tiles, and cells that were erased.
        f'<data encoding="csv">{1 | 1 << 31},1,{2 | 7 << 29},0,1,0,2,1,1</data>',
        "<data>" + "".join(f"<tile{f' gid={chr(34)}{number}{chr(34)}' if number else ''}/>" for number in (1, 0, 2, 1, 1, 1, 2, 1, 1)) + "</data>",
    ],
)
def test_layers_are_read_however_tiled_writes_them(data: str) -> None:
    assert CSV in text_of()
    assert FORMATS["tmx"].decode(text_of().replace(CSV, data).encode()) == LEVEL


def changed(*changes: tuple[str, str]) -> bytes:
    text = text_of()
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return text.encode()


ENTRANCE = '<object id="1" name="entrance" type="place" x="0" y="0" width="16" height="16" />'
LAYER = '<layer id="1" name="tiles" width="3" height="3">'
TILESET = text_of()[text_of().index(" <tileset") : text_of().index("</tileset>") + len("</tileset>")]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([('infinite="0"', 'infinite="1"')], "infinite map"),
        ([('infinite="0"', 'infinite="1"'), (CSV, f'<data encoding="csv">\n {CHUNK}\n</data>')], "infinite map"),
        ([(CSV, f'<data encoding="csv">\n {CHUNK}\n</data>')], "expected 9 tiles, got 0"),
        ([(CSV, '<data encoding="csv"/>')], "expected 9 tiles, got 0"),
        ([("orthogonal", "isometric")], "expected an orthogonal map, got 'isometric'; choose Orthogonal as Orientation in Tiled"),
        ([('width="3" height="3" tilewidth', 'width="4" height="3" tilewidth')], "expected 4x3 tiles like the map, got 3x3"),
        ([(LAYER, LAYER.replace('width="3"', 'width="2"'))], "expected 3x3 tiles like the map, got 2x3"),
        ([('width="3" height="3"', 'width="1" height="9"')], "at least 2x2"),
        ([('width="3" height="3"', 'width="65536" height="65536"')], "more than the"),
        ([('width="3"', 'width="-3"')], "greater than or equal to 0"),
        ([('tilewidth="16" tileheight="16" infinite', 'tilewidth="0" tileheight="16" infinite')], "tilewidth"),
        ([(CSV, '<data encoding="csv">1,1,2</data>')], "expected 9 tiles, got 3"),
        ([(CSV, '<data encoding="csv">1,1,x</data>')], "layers.0.data"),
        ([(CSV, '<data encoding="csv">1,1,-2,1,1,1,2,1,1</data>')], "got -2"),
        ([(CSV, "<data/>")], "expected 9 tiles, got 0"),
        ([(CSV, '<data encoding="base64" compression="zstd">KLUv/Q==</data>')], "zstd compression is not supported; in Tiled"),
        ([(CSV, '<data encoding="base64">!!!</data>')], "expected base64"),
        ([(CSV, '<data encoding="base64">AAAA</data>')], "four bytes per tile"),
        ([(CSV, '<data encoding="base64" compression="zlib">AAAA</data>')], "layer data: expected compressed data"),
        (
            [(CSV, f'<data encoding="base64" compression="zlib">{base64.b64encode(zlib.compress(bytes(10**6))).decode()}</data>')],
            "at most 36 bytes when unpacked",
        ),
        ([(CSV, CSV.replace("2", "7"))], "got tile 6 without one"),
        ([('<tile id="1" type="wall" />', "")], "got tile 1 without one; select it in Tiled's tileset editor"),
        ([('type="wall"', 'type="lava"')], "expected tiles called only floor, wall or only red"),
        ([('firstgid="1"', 'firstgid="5"')], "expected numbers of tiles in a tileset, got 1"),
        ([(TILESET, '<tileset firstgid="1" source="forest.tsx"/>')], "tileset 'forest.tsx': expected this file in the map's folder"),
        (
            [(LAYER, '<layer name="roof" width="3" height="3"/><layer name="ground" width="3" height="3">')],
            "one of them called 'tiles', got 'roof', 'ground'",
        ),
        ([(LAYER, LAYER + "</layer>" + LAYER)], "got 'tiles', 'tiles'"),
        ([("<layer ", '<group name="all"><layer '), ("</layer>", "</layer></group>")], "group layer 'all'"),
        ([("<layer ", "<imagelayer "), ("</layer>", "</imagelayer>")], "expected a tile layer, got none"),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="-16"'))], "expected a position in the map of 3x3 cells, got -16,0"),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="4.5"'))], "expected a position on the grid of 16x16 pixels, got 4.5,0"),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="480"'))], "expected a position in the map"),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="nan"'))], "finite number"),
        ([(ENTRANCE, ENTRANCE.replace("entrance", "entrence"))], "did you mean 'entrance'"),
        ([(ENTRANCE, ENTRANCE.replace("entrance", "slime"))], "object 'slime' on layer 'places' at 0,0 pixels: expected the name of a place"),
        ([(ENTRANCE, ENTRANCE.replace("entrance", "slime"))], "put other objects on another layer"),
        ([(ENTRANCE, ENTRANCE + ENTRANCE)], "expected one such place, got a second"),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="32"'))], "entrance: expected a walkable tile, got wall at 2,0"),
        ([('name="places"', 'name="doors"'), ('name="solution" color', 'name="enemies" color')], "got 'doors', 'enemies'"),
        ([("<map ", '<!DOCTYPE map [<!ENTITY a "aaaa">]><map ')], "without a document type"),
        ([("<map ", '<!DOCTYPE map SYSTEM "file:///etc/passwd"><map ')], "without a document type"),
        ([("<map ", "<world "), ("</map>", "</world>")], "expected <map> as the outermost element, got <world>"),
        ([("</map>", "")], "expected valid XML"),
        ([("UTF-8", "no-such-code")], "expected valid XML"),
        ([("<object id", "<object y='1' id")], "expected valid XML"),
    ],
)
def test_what_cannot_be_a_level_is_refused_and_the_reason_is_named(changes: list[tuple[str, str]], words: str, tmp_path: Path) -> None:
    path = tmp_path / "edited.tmx"
    path.write_bytes(changed(*changes))
    with pytest.raises(InputError, match=r"edited\.tmx: ") as problem:
        levolve.load(path)
    assert words in str(problem.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.tsx", '<?xml version="1.0"?><tileset name="mine"><tile id="0" class="floor"/><tile id="1" class="wall"/></tileset>'),
        ("mine.tsj", '{"name": "mine", "tiles": [{"id": 0, "type": "floor"}, {"id": 1, "type": "wall"}]}'),
    ],
)
def test_a_tileset_of_ones_own_is_read_from_its_file_when_its_tiles_have_classes(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.tmx"
    path.write_bytes(changed((TILESET, f'<tileset firstgid="1" source="{name}"/>')))
    (tmp_path / name).write_text(content)
    assert levolve.load(path) == LEVEL
    (tmp_path / name).write_text(content.replace("wall", "tree"))
    with pytest.raises(InputError, match="expected tiles called only floor, wall"):
        levolve.load(path)
    (tmp_path / name).write_text("nothing")
    with pytest.raises(InputError, match=f"tileset '{name}': expected"):
        levolve.load(path)


def test_a_tileset_that_no_tile_is_of_does_no_harm() -> None:
    assert FORMATS["tmx"].decode(changed((TILESET, TILESET + '<tileset firstgid="3" source="elsewhere.tsx"/>'))) == LEVEL


def test_places_may_be_points_and_tiles_and_lie_beside_other_objects() -> None:
    point = '<object id="1" name="entrance" x="9.5" y="3"><point/></object>'
    tile = '<object id="1" name="entrance" gid="1" x="0" y="16" width="16" height="16"/>'
    for entry in (point, tile):
        assert FORMATS["tmx"].decode(changed((ENTRANCE, entry))) == LEVEL
    enemies = '<objectgroup id="9" name="enemies"><object id="9" name="bat" x="3" y="3"/></objectgroup>'
    assert FORMATS["tmx"].decode(changed(("</map>", enemies + "</map>"))) == LEVEL


def test_a_layer_of_other_objects_alone_is_left_alone_beside_an_empty_layer_of_places() -> None:
    enemies = '<objectgroup id="9" name="enemies"><object id="9" name="slime" x="3" y="3"/></objectgroup>'
    bare = Level(LEVEL.tiles, {}, LEVEL.tileset)
    begin = text_of(bare).partition("<objectgroup")[0] + enemies
    with pytest.raises(InputError, match=r"object 'slime' on layer 'enemies' .* add an object layer called 'places', which may be empty"):
        FORMATS["tmx"].decode(f"{begin}</map>".encode())
    assert FORMATS["tmx"].decode(f'{begin}<objectgroup id="2" name="places"/></map>'.encode()) == bare


def test_an_error_names_only_what_is_missing() -> None:
    with pytest.raises(InputError, match=r"^TMX: width is missing$"):
        FORMATS["tmx"].decode(changed(('width="3" height="3" tilewidth', 'height="3" tilewidth')))


def test_an_error_message_shortens_long_input() -> None:
    with pytest.raises(InputError, match="layers: expected a valid list, got ") as problem:
        FORMATS["tmj"].decode(json.dumps({**data_of(), "layers": "long" * 1000}).encode())
    assert "got 'longlong" in str(problem.value)
    assert str(problem.value).endswith("…")
    assert len(str(problem.value)) < 150


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"width": "wide"}, "width: expected a valid integer"),
        ({"layers": 5}, "layers: expected a valid list"),
        ({"tilesets": [{"firstgid": 1, "source": 5}]}, "tilesets.0.source"),
        ({"layers": []}, "expected a tile layer, got none"),
        ({"infinite": True}, "infinite map"),
    ],
)
def test_a_wrong_map_in_json_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        FORMATS["tmj"].decode(json.dumps({**data_of(), **change}).encode())


def test_layer_data_in_json_may_be_packed() -> None:
    data = data_of()
    data["layers"][0] |= {"data": packed(zlib.compress), "encoding": "base64", "compression": "zlib"}
    assert FORMATS["tmj"].decode(json.dumps(data).encode()) == LEVEL


def test_an_empty_cell_of_a_rainbow_level_is_refused() -> None:
    level = Level.from_text("RO\nYG")
    text = FORMATS["tmx"].encode(level).decode().replace("3,4", "0,4")
    with pytest.raises(InputError, match="expected a tile in every cell, got an empty cell at 0,1"):
        FORMATS["tmx"].decode(text.encode())


def test_deep_nesting_does_no_harm() -> None:
    with pytest.raises(InputError):
        FORMATS["tmx"].decode(b"<map>" + b"<group>" * 100_000 + b"</group>" * 100_000 + b"</map>")
    assert ET.fromstring(text_of()).tag == "map"  # noqa: S314 our own text
