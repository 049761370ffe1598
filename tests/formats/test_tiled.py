"""Tiled maps: what people draw and what earlier versions wrote is read, as Tiled shows it."""

import base64
import gzip
import json
import xml.etree.ElementTree as ET
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
# The file of this level that an earlier version wrote: one tile layer, an embedded tileset, and
# properties without a prefix.
EARLIER = Path(__file__).with_name("earlier.tmx").read_text()


def data_of(level: Level = LEVEL) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FORMATS["tmj"].encode(level))
    return data


def test_a_file_of_an_earlier_version_is_read_with_its_solution() -> None:
    again = FORMATS["tmx"].decode(EARLIER.encode())
    assert (again, again.solution) == (LEVEL, LEVEL.solution)


def packed(compress: Any) -> str:
    return base64.b64encode(
        compress(np.array([1, 1, 2, 1, 1, 1, 2, 1, 1], "<u4").tobytes())
    ).decode()


CHUNK = '<chunk x="0" y="0" width="3" height="3">\n1,1,2,\n1,1,1,\n2,1,1\n</chunk>'
CSV = '<data encoding="csv">\n1,1,2,\n1,1,1,\n2,1,1\n</data>'


@pytest.mark.parametrize(
    "data",
    [
        '<data encoding="csv">1,1,2,1,1,1,2,1,1</data>',
        '<data encoding="csv">\n1,1,2,\n1,1,1,\n2,1,1,\n</data>',
        f'<data encoding="base64">\n   {packed(bytes)}\n  </data>',
        f'<data encoding="base64" compression="zlib">{packed(zlib.compress)}</data>',
        (
            '<data encoding="base64" '
            f'compression="gzip">{packed(partial(gzip.compress, mtime=0))}</data>'
        ),
        "<data>"
        + "".join(f'<tile gid="{number}"/>' for number in (1, 1, 2, 1, 1, 1, 2, 1, 1))
        + "</data>",
        # Flipped tiles, and cells that were erased.
        f'<data encoding="csv">{1 | 1 << 31},1,{2 | 7 << 29},0,1,0,2,1,1</data>',
        "<data>"
        + "".join(
            f"<tile{f' gid={chr(34)}{number}{chr(34)}' if number else ''}/>"
            for number in (1, 0, 2, 1, 1, 1, 2, 1, 1)
        )
        + "</data>",
    ],
)
def test_layers_are_read_however_tiled_writes_them(data: str) -> None:
    assert CSV in EARLIER
    assert FORMATS["tmx"].decode(EARLIER.replace(CSV, data).encode()) == LEVEL


def changed(*changes: tuple[str, str]) -> bytes:
    text = EARLIER
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return text.encode()


ENTRANCE = '<object id="1" name="entrance" type="place" x="0" y="0" width="16" height="16" />'
LAYER = '<layer id="1" name="tiles" width="3" height="3">'
TILESET = EARLIER[EARLIER.index(" <tileset") : EARLIER.index("</tileset>") + len("</tileset>")]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([('infinite="0"', 'infinite="1"')], "infinite map"),
        (
            [('infinite="0"', 'infinite="1"'), (CSV, f'<data encoding="csv">\n {CHUNK}\n</data>')],
            "infinite map",
        ),
        (
            [(CSV, f'<data encoding="csv">\n {CHUNK}\n</data>')],
            "expected one block of tiles, got chunks",
        ),
        ([(CSV, '<data encoding="csv"/>')], "expected 9 tiles, got 0"),
        (
            [("orthogonal", "isometric")],
            (
                "expected an orthogonal map, got 'isometric'; choose Orthogonal as Orientation "
                "in Tiled"
            ),
        ),
        (
            [('width="3" height="3" tilewidth', 'width="4" height="3" tilewidth')],
            "expected 4x3 tiles like the map, got 3x3",
        ),
        (
            [(LAYER, LAYER.replace('width="3"', 'width="2"'))],
            "expected 3x3 tiles like the map, got 2x3",
        ),
        ([('width="3" height="3"', 'width="1" height="9"')], "at least 2x2"),
        ([('width="3" height="3"', 'width="65536" height="65536"')], "more than the"),
        ([('width="3"', 'width="-3"')], "greater than or equal to 0"),
        (
            [('tilewidth="16" tileheight="16" infinite', 'tilewidth="0" tileheight="16" infinite')],
            "tilewidth",
        ),
        ([(CSV, '<data encoding="csv">1,1,2</data>')], "expected 9 tiles, got 3"),
        (
            [(CSV, '<data encoding="csv">1,1,x</data>')],
            "expected numbers of tiles with commas between them",
        ),
        (
            [(CSV, '<data encoding="csv">1,1,-2,1,1,1,2,1,1</data>')],
            "expected numbers of tiles with commas between them",
        ),
        ([(CSV, "<data/>")], "expected 9 tiles, got 0"),
        (
            [(CSV, '<data encoding="base64" compression="zstd">KLUv/Q==</data>')],
            "zstd compression is not supported; in Tiled",
        ),
        ([(CSV, '<data encoding="base64">!!!</data>')], "expected base64"),
        ([(CSV, '<data encoding="base64">AAAA</data>')], "four bytes per tile"),
        (
            [(CSV, '<data encoding="base64" compression="zlib">AAAA</data>')],
            "layer data: expected compressed data",
        ),
        (
            [
                (
                    CSV,
                    (
                        '<data encoding="base64" '
                        'compression="zlib">'
                        f"{base64.b64encode(zlib.compress(bytes(10**6))).decode()}</data>"
                    ),
                )
            ],
            "at most 36 bytes when unpacked",
        ),
        ([(CSV, CSV.replace("2", "7"))], "got tile 6 without one"),
        (
            [('<tile id="1" type="wall" />', "")],
            "got tile 1 without one; select it in Tiled's tileset editor",
        ),
        ([('type="wall"', 'type="lava"')], "expected tiles called only floor, wall or only red"),
        ([('firstgid="1"', 'firstgid="5"')], "expected numbers of tiles in a tileset, got 1"),
        (
            [(TILESET, '<tileset firstgid="1" source="forest.tsx"/>')],
            "tileset 'forest.tsx': expected this file in the map's folder",
        ),
        (
            [
                (
                    LAYER,
                    (
                        '<layer name="roof" width="3" height="3"/><layer name="ground" width="3" '
                        'height="3">'
                    ),
                )
            ],
            "or tile layers called 'floor', 'walls', 'tiles', each once, got 'roof', 'ground'",
        ),
        ([(LAYER, LAYER + "</layer>" + LAYER)], "got 'tiles', 'tiles'"),
        (
            [("<layer ", "<imagelayer "), ("</layer>", "</imagelayer>")],
            "expected a tile layer, got none",
        ),
        (
            [(ENTRANCE, ENTRANCE.replace('x="0"', 'x="-16"'))],
            "expected its centre in the map of 3x3 cells, got -8,8 pixels",
        ),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="480"'))], "expected its centre in the map"),
        ([(ENTRANCE, ENTRANCE.replace('x="0"', 'x="nan"'))], "finite number"),
        ([(ENTRANCE, ENTRANCE.replace("entrance", "entrence"))], "did you mean 'entrance'"),
        (
            [(ENTRANCE, ENTRANCE.replace("entrance", "slime"))],
            "object 'slime' on layer 'places' at 0,0 pixels: expected the name of a place",
        ),
        ([(ENTRANCE, ENTRANCE.replace("entrance", "slime"))], "put other objects on another layer"),
        ([(ENTRANCE, ENTRANCE + ENTRANCE)], "expected one such place, got a second"),
        (
            [(ENTRANCE, ENTRANCE.replace('x="0"', 'x="32"'))],
            "entrance: expected a walkable tile, got wall at 2,0",
        ),
        (
            [('name="places"', 'name="doors"'), ('name="solution" color', 'name="enemies" color')],
            "got 'doors', 'enemies'",
        ),
        ([("<layer ", '<layer visible="0" ')], "layer 'tiles': expected a visible layer"),
        ([("<layer ", '<layer opacity="0" ')], "layer 'tiles': expected a visible layer"),
        ([("<layer ", '<layer tintcolor="#00ffffff" ')], "layer 'tiles': expected a visible layer"),
        (
            [("<layer ", '<group visible="0"><layer '), ("</layer>", "</layer></group>")],
            "layer 'tiles': expected a visible layer",
        ),
        (
            [("<layer ", '<layer parallaxx="0.5" ')],
            "layer 'tiles': expected a parallax factor of 1, got 0.5, 1",
        ),
        ([("<layer ", '<layer x="1" ')], "layer 'tiles': expected x and y of 0, got 1, 0"),
        (
            [("<layer ", '<layer offsetx="5" ')],
            "expected an offset of whole tiles of 16x16 pixels, got 5,0",
        ),
        ([("<layer ", '<layer offsetx="16" ')], "its offset of 1,0 tiles moves outside"),
        ([("<layer ", '<layer offsety="-1600" ')], "its offset of 0,-100 tiles moves outside"),
        (
            [('name="places"', 'name="places" visible="0"')],
            "layer 'places': expected a visible layer",
        ),
        (
            [('name="places"', 'name="places" offsety="16"')],
            "exit': expected its centre in the map of 3x3 cells, got 40,56 pixels",
        ),
        (
            [(ENTRANCE, ENTRANCE.replace("/>", 'visible="0"/>'))],
            "object 'entrance': expected a visible object",
        ),
        (
            [(ENTRANCE, ENTRANCE.replace("/>", 'template="a.tx"/>'))],
            "object 'entrance': expected an object without a template",
        ),
        (
            [
                (
                    ENTRANCE,
                    '<object name="entrance" x="0" y="0"><polygon points="1,1 x,2"/></object>',
                )
            ],
            "expected points of two numbers each",
        ),
        (
            [
                (
                    ENTRANCE,
                    (
                        '<object name="entrance" x="0" y="0"><polygon points="1,1 nan,2 '
                        'inf,3"/></object>'
                    ),
                )
            ],
            "finite numbers",
        ),
        (
            [(TILESET, TILESET.replace("<image", '<tileoffset x="16" y="0"/><image'))],
            "tileset 'levolve-walls': expected tiles drawn in their cells",
        ),
        (
            [('type="wall"', 'type="entrance"')],
            "layer 'tiles': expected tiles of floor or wall, got the mark of the entrance",
        ),
        (
            [("<layer ", "<group>" * 40 + "<layer "), ("</layer>", "</layer>" + "</group>" * 40)],
            "at most 32 nested groups",
        ),
        ([("<map ", '<!DOCTYPE map [<!ENTITY a "aaaa">]><map ')], "without a document type"),
        ([("<map ", '<!DOCTYPE map SYSTEM "file:///etc/passwd"><map ')], "without a document type"),
        (
            [("<map ", "<world "), ("</map>", "</world>")],
            "expected <map> as the outermost element, got <world>",
        ),
        ([("</map>", "")], "expected valid XML"),
        ([("UTF-8", "no-such-code")], "expected valid XML"),
        ([("<object id", "<object y='1' id")], "expected valid XML"),
    ],
)
def test_what_cannot_be_a_level_is_refused_and_the_reason_is_named(
    changes: list[tuple[str, str]], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "edited.tmx"
    path.write_bytes(changed(*changes))
    with pytest.raises(InputError, match=r"edited\.tmx: ") as problem:
        levolve.load(path)
    assert words in str(problem.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "mine.tsx",
            (
                '<?xml version="1.0"?><tileset name="mine"><tile id="0" class="floor"/><tile '
                'id="1" class="wall"/></tileset>'
            ),
        ),
        (
            "mine.tsj",
            '{"name": "mine", "tiles": [{"id": 0, "type": "floor"}, {"id": 1, "type": "wall"}]}',
        ),
    ],
)
def test_a_tileset_of_ones_own_is_read_from_its_file_when_its_tiles_have_classes(
    name: str, content: str, tmp_path: Path
) -> None:
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
    assert (
        FORMATS["tmx"].decode(
            changed((TILESET, TILESET + '<tileset firstgid="3" source="elsewhere.tsx"/>'))
        )
        == LEVEL
    )


@pytest.mark.parametrize(
    ("position", "cell"),
    [
        # Dragged freehand: the cell under the centre.
        ('x="4.5" y="0" width="16" height="16"', (0, 0)),
        ('x="7.9" y="9" width="16" height="16"', (0, 1)),
        ('x="8" y="-8" width="16" height="16"', (1, 0)),
        ('x="0" y="16" width="32" height="30"', (1, 1)),
        # Turned clockwise around the upper left corner; a tile object around the lower left one.
        ('x="16" y="0" width="16" height="16" rotation="90"', (0, 0)),
        ('x="16" y="16" width="16" height="16" rotation="180"', (0, 0)),
        ('x="0" y="32" width="16" height="16" rotation="-90"', (0, 1)),
        ('gid="1" x="0" y="16" width="16" height="16"', (0, 0)),
        ('gid="1" x="0" y="16" width="16" height="16" rotation="90"', (0, 1)),
        (f'gid="{1 | 1 << 31}" x="16" y="32" width="16" height="16"', (1, 1)),
        ('x="20" y="20"', (1, 1)),
    ],
)
def test_a_place_is_in_the_cell_under_the_centre_of_its_object(
    position: str, cell: tuple[int, int]
) -> None:
    level = FORMATS["tmx"].decode(
        changed((ENTRANCE, f'<object id="1" name="entrance" {position}/>'))
    )
    assert level.entrance == cell


def test_the_centre_of_a_polygon_is_that_of_its_points_and_an_alignment_moves_a_tile_object() -> (
    None
):
    polygon = (
        '<object id="1" name="entrance" x="16" y="16"><polygon points="0,0 14,0 '
        '1.4e+01,14"/></object>'
    )
    assert FORMATS["tmx"].decode(changed((ENTRANCE, polygon))).entrance == (1, 1)
    tile = '<object id="1" name="entrance" gid="1" x="0" y="16" width="16" height="16"/>'
    aligned = TILESET.replace("columns", 'objectalignment="topleft" columns')
    assert FORMATS["tmx"].decode(changed((ENTRANCE, tile), (TILESET, aligned))).entrance == (0, 1)


def test_offsets_of_layers_and_groups_are_added_and_applied() -> None:
    # All four rows of cells move down by one: the first row is free, and the last row, which is
    # empty, leaves the map.
    lower = CSV.replace("\n1,1,2,\n1,1,1,\n2,1,1", "\n1,1,2,\n1,1,1,\n0,0,0")
    group = ("<layer ", '<group name="all" offsety="24"><layer offsety="-8" ')
    moved = FORMATS["tmx"].decode(changed((CSV, lower), group, ("</layer>", "</layer></group>")))
    assert moved.tiles.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    entrance = ENTRANCE.replace('y="0"', 'y="32"')
    level = FORMATS["tmx"].decode(
        changed(('name="places"', 'name="places" offsetx="-8" offsety="-24"'), (ENTRANCE, entrance))
    )
    assert dict(level.places) == {"entrance": (0, 1), "exit": (2, 1), "checkpoint 1": (2, 0)}


def test_a_tile_object_without_a_name_is_the_place_whose_mark_it_shows() -> None:
    data = data_of()
    entry = data["layers"][2]["objects"][0]
    assert entry["name"] == "entrance"
    entry["name"] = ""
    assert FORMATS["tmj"].decode(json.dumps(data).encode()) == LEVEL


def test_a_wall_on_any_layer_of_the_level_is_a_wall_unless_another_tile_covers_it() -> None:
    data = data_of()
    floor, walls = data["layers"][:2]
    wall = max(walls["data"])
    floor["data"][4] = wall
    assert FORMATS["tmj"].decode(json.dumps(data).encode()).tiles.tolist() == [
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
    ]
    walls["data"][4] = floor["data"][0]
    with pytest.raises(InputError, match="expected no tile over a wall, got one at 1,1"):
        FORMATS["tmj"].decode(json.dumps(data).encode())
    data["layers"] = [walls, *data["layers"][2:]]
    walls["data"][4] = 0
    assert FORMATS["tmj"].decode(json.dumps(data).encode()) == LEVEL


def test_places_may_be_points_and_tiles_and_lie_beside_other_objects() -> None:
    point = '<object id="1" name="entrance" x="9.5" y="3"><point/></object>'
    tile = '<object id="1" name="entrance" gid="1" x="0" y="16" width="16" height="16"/>'
    for entry in (point, tile):
        assert FORMATS["tmx"].decode(changed((ENTRANCE, entry))) == LEVEL
    enemies = (
        '<objectgroup id="9" name="enemies"><object id="9" name="bat" x="3" y="3"/></objectgroup>'
    )
    assert FORMATS["tmx"].decode(changed(("</map>", enemies + "</map>"))) == LEVEL


def test_a_layer_of_other_objects_alone_is_left_alone_beside_an_empty_layer_of_places() -> None:
    enemies = (
        '<objectgroup id="9" name="enemies"><object id="9" name="slime" x="3" y="3"/></objectgroup>'
    )
    bare = Level(LEVEL.tiles, {}, LEVEL.tileset)
    begin = EARLIER.partition("<objectgroup")[0] + enemies
    with pytest.raises(
        InputError,
        match=(
            r"object 'slime' on layer 'enemies' .* add an object layer called 'places', which "
            r"may be empty"
        ),
    ):
        FORMATS["tmx"].decode(f"{begin}</map>".encode())
    assert (
        FORMATS["tmx"].decode(f'{begin}<objectgroup id="2" name="places"/></map>'.encode()) == bare
    )


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
    walls = np.array(data["layers"][1]["data"], "<u4").tobytes()
    data["layers"][1] |= {
        "data": base64.b64encode(zlib.compress(walls)).decode(),
        "encoding": "base64",
        "compression": "zlib",
    }
    assert FORMATS["tmj"].decode(json.dumps(data).encode()) == LEVEL


def test_an_empty_cell_of_a_rainbow_level_is_refused() -> None:
    data = data_of(Level.from_text("RO\nYG"))
    data["layers"][0]["data"][2] = 0
    with pytest.raises(InputError, match="expected a tile in every cell, got an empty cell at 0,1"):
        FORMATS["tmj"].decode(json.dumps(data).encode())


def test_deep_nesting_does_no_harm() -> None:
    with pytest.raises(InputError):
        FORMATS["tmx"].decode(b"<map>" + b"<group>" * 100_000 + b"</group>" * 100_000 + b"</map>")
    assert ET.fromstring(EARLIER).tag == "map"
