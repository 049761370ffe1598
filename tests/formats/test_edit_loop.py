"""The edit loop: what a person adds to a map is in the files of new levels, and cells that a person
marks do not change.
"""

import json
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.level_files import open_level, save_level
from levolve.formats.look import Look
from levolve.formats.originals import ForeignPartsWarning, Original
from levolve.levels.level import Level
from levolve.levels.solver import recertified

LEVEL = recertified(
    Level.from_text("S...#...\n.##.#.#.\n.#...#..\n.#.#.#.#\n...#...E\ncheckpoint 1: 3,2")
)
EARLIER = Path(__file__).with_name("earlier.tmx").read_bytes()
OWN_LAYERS = {"floor", "walls", "tiles", "places", "solution"}
DECOR = ",".join(["0", "101", str(104 | 1 << 31)] + ["0"] * 36 + ["103"])


def foreign_tmx(level: Level = LEVEL) -> str:
    """A map with an image layer, a tile layer and an object layer in a group, a tileset, objects
    and properties of a person.
    """
    text = FORMATS["tmx"].encode(level).decode()
    forest = (
        '<tileset firstgid="101" name="forest" tilewidth="16" tileheight="16" tilecount="4" '
        'columns="2">\n'
        '  <image source="forest.png" width="32" height="32"/>\n'
        '  <tile id="1" type="tree"><properties><property name="tall" type="bool" '
        'value="true"/></properties></tile>\n </tileset>'
    )
    enemies = (
        '<group id="30" name="actors" offsetx="3"><objectgroup id="31" name="enemies" '
        'color="#ff0000"><properties><property name="wave" type="int" '
        'value="2"/></properties><object id="77" name="bat" type="enemy" x="3.5" '
        'y="9"><point/></object>'
        '<object id="79" gid="102" x="16" y="32" width="16" height="16"/></objectgroup></group>'
    )
    changes = [
        (" <tileset firstgid", f" {forest}\n <tileset firstgid"),
        (
            "<properties>",
            (
                '<properties>\n  <property name="music" value="wind.ogg"/>\n  <property '
                'name="version" type="int" value="3"/>'
            ),
        ),
        (
            ' <layer id="1"',
            (
                ' <imagelayer id="11" name="sky" parallaxx="0.5"><image source="sky.png" '
                'width="9" height="9"/></imagelayer>\n <layer id="1"'
            ),
        ),
        (
            ' <objectgroup id="3"',
            (
                ' <layer id="12" name="decor" width="8" height="5"><data '
                f'encoding="csv">{DECOR}</data></layer>\n <objectgroup id="3"'
            ),
        ),
        ('<objectgroup id="4"', '<objectgroup id="4" visible="0"'),
        ("</map>", f" {enemies}\n</map>"),
        (
            'orientation="orthogonal"',
            'class="world" orientation="orthogonal" backgroundcolor="#102030"',
        ),
    ]
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after, 1)
    return text


def foreign_tmj(level: Level = LEVEL) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FORMATS["tmj"].encode(level))
    shown = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    decor = {
        "id": 12,
        "type": "tilelayer",
        "name": "decor",
        "width": 8,
        "height": 5,
        **shown,
        "data": [int(number) for number in DECOR.split(",")],
    }
    sky = {
        "id": 11,
        "type": "imagelayer",
        "name": "sky",
        "image": "sky.png",
        "parallaxx": 0.5,
        **shown,
    }
    bat = {
        "id": 77,
        "name": "bat",
        "type": "enemy",
        "x": 3.5,
        "y": 9,
        "width": 0,
        "height": 0,
        "point": True,
        "rotation": 0,
        "visible": True,
    }
    enemies = {
        "id": 31,
        "type": "objectgroup",
        "name": "enemies",
        "color": "#ff0000",
        **shown,
        "objects": [bat],
    }
    group = {
        "id": 30,
        "type": "group",
        "name": "actors",
        "offsetx": 3,
        **shown,
        "layers": [enemies],
    }
    forest = {
        "firstgid": 101,
        "name": "forest",
        "tilewidth": 16,
        "tileheight": 16,
        "tilecount": 4,
        "columns": 2,
        "image": "forest.png",
    }
    data["layers"] = [sky, *data["layers"][:2], decor, *data["layers"][2:], group]
    data["layers"][-2]["visible"] = False
    data["tilesets"].insert(0, {**forest, "tiles": [{"id": 1, "type": "tree"}]})
    data["properties"] = [
        {"name": "music", "type": "file", "value": "wind.ogg"},
        *data["properties"],
    ]
    return {**data, "class": "world", "backgroundcolor": "#102030"}


def xml_parts(content: bytes) -> list[Any]:
    """Everything in a TMX map that is not ours, element by element, in order."""

    def tree(element: ET.Element) -> Any:
        return (
            element.tag,
            element.attrib,
            (element.text or "").strip(),
            [tree(inner) for inner in element],
        )

    root = ET.fromstring(content)
    counters = {"nextlayerid", "nextobjectid"}
    parts: list[Any] = [{key: value for key, value in root.attrib.items() if key not in counters}]
    for element in root:
        if element.tag == "properties":
            parts += [
                tree(entry)
                for entry in element
                if not str(entry.get("name")).startswith("levolve_")
            ]
        elif element.get("name") in OWN_LAYERS:
            parts.append((element.tag, element.attrib))
        else:
            parts.append(tree(element))
    return parts


def json_parts(content: bytes) -> Any:
    """Everything in a TMJ map that is not ours."""
    data = json.loads(content)
    return {
        **{key: value for key, value in data.items() if key not in {"nextlayerid", "nextobjectid"}},
        "properties": [
            entry for entry in data["properties"] if not entry["name"].startswith("levolve_")
        ],
        "layers": [
            {key: value for key, value in layer.items() if key not in {"data", "objects"}}
            if layer["name"] in OWN_LAYERS
            else layer
            for layer in data["layers"]
        ],
    }


CASES: list[tuple[str, bytes, Callable[[bytes], Any]]] = [
    ("tmx", foreign_tmx().encode(), xml_parts),
    ("tmj", json.dumps(foreign_tmj()).encode(), json_parts),
]
FOREIGN = [
    "group 'actors'",
    "image layer 'sky'",
    "layer 'decor'",
    "object layer 'enemies'",
    "tileset 'forest'",
    "property 'music'",
]


@pytest.mark.parametrize(("suffix", "content", "parts"), CASES)
@pytest.mark.parametrize("command", ["evolve", "pack", "convert"])
def test_foreign_parts_come_back_equal_element_by_element(
    command: str, suffix: str, content: bytes, parts: Callable[[bytes], Any], tmp_path: Path
) -> None:
    source, target = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    source.write_bytes(content)
    find = FORMATS[suffix].foreign
    assert find is not None
    assert set(FOREIGN) <= set(find(content))
    given = ["--from", str(source), "--keep", "walls", "--seed", "1", "-q", "--no-store"]
    if command == "convert":
        assert run(["convert", str(source), str(target)]) == 0
    elif command == "evolve":
        assert run(["evolve", "maze", *given, "--generations", "20", "-o", str(target)]) == 0
    else:
        assert (
            run(
                [
                    "pack",
                    "maze",
                    *given,
                    "--count",
                    "2",
                    "--set",
                    "generations=5",
                    "--to",
                    suffix,
                    "-o",
                    str(tmp_path / "pack"),
                ]
            )
            == 0
        )
        target = tmp_path / "pack" / f"02-maze.{suffix}"
    again = levolve.load(target)
    again.check()
    assert (again == LEVEL) == (command == "convert")
    assert dict(again.places) == dict(LEVEL.places)
    assert parts(target.read_bytes()) == parts(content)


@pytest.mark.parametrize(("suffix", "content", "parts"), CASES)
def test_numbers_of_layers_and_objects_stay_unique(
    suffix: str, content: bytes, parts: object, tmp_path: Path
) -> None:
    level, original = open_level(_written(tmp_path / f"a.{suffix}", content))
    moved = Level(level.tiles, {**level.places, "checkpoint 2": (0, 4)}, level.tileset)
    data = _model(
        save_level(moved, tmp_path / f"b.{suffix}", original=original).read_bytes(), suffix
    )
    layers = _flat(data["layers"])
    numbers = [int(entry["id"]) for layer in layers for entry in layer.get("objects", ())]
    assert len(set(numbers)) == len(numbers) < int(data["nextobjectid"])
    assert max(numbers) < int(data["nextobjectid"])
    assert len({int(layer["id"]) for layer in layers}) == len(layers)
    assert levolve.load(tmp_path / f"b.{suffix}") == moved


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _model(content: bytes, suffix: str) -> dict[str, Any]:
    from levolve.formats.tiled.xml import map_data

    data: dict[str, Any] = (
        map_data(ET.fromstring(content)) if suffix == "tmx" else json.loads(content)
    )
    return data


def _flat(layers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [inner for layer in layers for inner in (layer, *_flat(layer.get("layers", [])))]


def test_a_file_of_an_earlier_version_gets_the_new_layers_at_the_old_place() -> None:
    clouds = (
        b'<layer id="9" name="clouds" width="3" height="3"><data '
        b'encoding="csv">0,0,0,0,5,0,0,0,0</data></layer></map>'
    )
    forest = b'<tileset firstgid="3" source="forest.tsx"/>\n <layer id="1"'
    original = EARLIER.replace(b"</map>", clouds).replace(b'<layer id="1"', forest)
    level = FORMATS["tmx"].decode(EARLIER)
    merged = FORMATS["tmx"].merged(original, FORMATS["tmx"].encode(level))
    assert FORMATS["tmx"].decode(merged) == level
    root = ET.fromstring(merged)
    assert [layer.get("name") for layer in root if layer.tag in {"layer", "objectgroup"}] == [
        "floor",
        "walls",
        "places",
        "solution",
        "clouds",
    ]
    (forest_first, ours) = root.findall("tileset")
    assert forest_first.attrib == {"firstgid": "3", "source": "forest.tsx"}
    assert int(str(ours.get("firstgid"))) >= 3 + 65536
    assert root.findtext("layer[@name='clouds']/data") == "0,0,0,0,5,0,0,0,0"
    assert [entry.get("name") for entry in root.findall("properties/property")] == [
        "levolve_digest",
        "levolve_rights",
    ]


def test_our_tileset_stays_as_long_as_another_layer_uses_it() -> None:
    clouds = (
        b'<layer id="9" name="clouds" width="3" height="3"><data '
        b'encoding="csv">0,0,2,0,0,0,0,0,0</data></layer></map>'
    )
    level = FORMATS["tmx"].decode(EARLIER)
    root = ET.fromstring(
        FORMATS["tmx"].merged(EARLIER.replace(b"</map>", clouds), FORMATS["tmx"].encode(level))
    )
    before, _ = root.findall("tileset")
    assert (before.get("name"), before.get("firstgid")) == ("levolve-walls", "1")


@pytest.mark.parametrize(("suffix", "content", "parts"), CASES)
def test_a_level_with_floor_under_a_wall_that_a_person_drew_is_not_written(
    suffix: str, content: bytes, parts: object
) -> None:
    wall = np.argwhere(LEVEL.tiles == 1)[0]
    number = 1 + Look().atlas(LEVEL.tileset).first[1]
    cells = ",".join(str(number if cell == wall[1] else 0) for cell in range(40))
    given = content.replace(DECOR.encode(), cells.encode())
    if suffix == "tmj":
        data = json.loads(content)
        data["layers"][3]["data"] = [int(cell) for cell in cells.split(",")]
        given = json.dumps(data).encode()
    assert FORMATS[suffix].decode(given) == LEVEL
    assert FORMATS[suffix].decode(FORMATS[suffix].merged(given, FORMATS[suffix].encode(LEVEL)))
    tiles = LEVEL.tiles.copy()
    tiles[tuple(wall)] = 0
    other = Level(tiles, LEVEL.places)
    with pytest.raises(InputError, match="layer 'decor': expected the tiles of the level on its"):
        FORMATS[suffix].merged(given, FORMATS[suffix].encode(other))


def test_an_object_that_a_person_changed_is_moved_only_with_its_place() -> None:
    text = foreign_tmx()
    begin = text.index('<object id="1" name="entrance"')
    end = text.index("/>", begin) + 2
    key = '<properties><property name="key" value="red"/></properties>'
    mine = (
        '<object id="1" name="entrance" type="door" x="3" y="4" width="5" height="6" '
        f'rotation="0">{key}</object>'
    )
    text = text[:begin] + mine + text[end:]
    merge = FORMATS["tmx"].merged

    def entrance(content: bytes) -> str:
        found = ET.fromstring(content).find(".//object[@name='entrance']")
        assert found is not None
        return ET.canonicalize(ET.tostring(found, "unicode"), strip_text=True)

    merged = merge(text.encode(), FORMATS["tmx"].encode(LEVEL))
    assert entrance(merged) == ET.canonicalize(mine)
    moved = Level(LEVEL.tiles, {**LEVEL.places, "entrance": (2, 2)}, LEVEL.tileset)
    merged = merge(text.encode(), FORMATS["tmx"].encode(moved))
    assert entrance(merged) == ET.canonicalize(mine.replace('x="3" y="4"', 'x="35" y="36"'))
    assert FORMATS["tmx"].decode(merged) == moved
    gone = Level(
        LEVEL.tiles,
        {name: place for name, place in LEVEL.places.items() if name != "entrance"},
        LEVEL.tileset,
    )
    assert FORMATS["tmx"].decode(merge(text.encode(), FORMATS["tmx"].encode(gone))) == gone


def test_layers_in_a_group_that_is_moved_show_the_new_level_in_its_place() -> None:
    text = foreign_tmx().replace(
        '<layer id="1"',
        (
            '<group id="40" name="all" offsetx="16" offsety="5"><layer id="1" offsetx="-16" '
            'offsety="-5"'
        ),
        1,
    )
    begin = text.index("</layer>", text.index('name="walls"')) + len("</layer>")
    text = (text[:begin] + "</group>" + text[begin:]).replace(
        '<layer id="2"', '<layer id="2" offsetx="-16" offsety="-5"'
    )
    text = text.replace('name="places"', 'name="places" offsetx="7" offsety="-7"')
    assert FORMATS["tmx"].decode(text.encode()) == LEVEL
    # Another level: its last column is closed, and the exit is elsewhere.
    tiles = LEVEL.tiles.copy()
    tiles[:, -1] = 1
    other = recertified(Level(tiles, {"entrance": (0, 0), "exit": (3, 0)}, LEVEL.tileset))
    assert (
        FORMATS["tmx"].decode(FORMATS["tmx"].merged(text.encode(), FORMATS["tmx"].encode(other)))
        == other
    )


@pytest.mark.parametrize(("suffix", "content", "parts"), CASES)
def test_parts_that_cannot_be_kept_are_named_in_a_warning(
    suffix: str, content: bytes, parts: object, tmp_path: Path
) -> None:
    level, original = open_level(_written(tmp_path / f"a.{suffix}", content))
    with pytest.warns(
        ForeignPartsWarning,
        match=(
            rf"a\.{suffix}: not kept in \.json files, only in \.{suffix} files: group 'actors', "
            r"image layer 'sky'"
        ),
    ):
        save_level(level, tmp_path / "b.json", original=original)
    larger = Level(np.pad(level.tiles, 1, constant_values=1))
    with pytest.warns(
        ForeignPartsWarning,
        match="not kept, because the map has 8x5 cells, and the level 10x7: group 'actors'",
    ):
        save_level(larger, tmp_path / f"c.{suffix}", original=original)
    assert levolve.load(tmp_path / f"c.{suffix}") == larger
    with pytest.warns(
        ForeignPartsWarning,
        match=(
            "not kept, because the tiles of the map have 16x16 pixels, and those of the level 32x32"
        ),
    ):
        save_level(level, tmp_path / f"d.{suffix}", Look(tile=32), original)


def test_a_file_without_foreign_parts_is_written_as_always_and_without_a_warning(
    tmp_path: Path,
) -> None:
    level, original = open_level(levolve.save(LEVEL, tmp_path / "a.tmx"))
    assert original.foreign == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (
            save_level(level, tmp_path / "b.tmx", original=original).read_bytes()
            == (tmp_path / "a.tmx").read_bytes()
        )
        save_level(level, tmp_path / "b.json", original=original)


def test_the_tiles_of_a_new_level_are_as_large_as_those_of_the_map(tmp_path: Path) -> None:
    source = levolve.save(LEVEL, tmp_path / "a.tmx", tile=32)
    source.write_text(source.read_text().replace("</map>", '<imagelayer id="9" name="sky"/></map>'))
    written = levolve.save(LEVEL, tmp_path / "b.tmx", original=source)
    assert 'tilewidth="32"' in written.read_text()
    assert '<imagelayer id="9" name="sky" />' in written.read_text()


def test_a_level_drawn_with_other_tiles_is_redrawn_with_a_warning() -> None:
    original = EARLIER.replace(b'name="levolve-walls"', b'name="castle"').replace(
        b"</map>", b'<imagelayer id="9" name="sky"/></map>'
    )
    level = FORMATS["tmx"].decode(original)
    with pytest.warns(
        UserWarning, match="drawn with the tiles of levolve, not with those of 'castle'"
    ):
        merged = FORMATS["tmx"].merged(original, FORMATS["tmx"].encode(level))
    assert FORMATS["tmx"].decode(merged) == level
    assert b'name="castle"' in merged


def test_a_tileset_that_a_person_added_to_is_left_as_it_is_and_another_is_not_replaced(
    tmp_path: Path,
) -> None:
    levolve.save(LEVEL, tmp_path / "a.tmx")
    (tileset,) = tmp_path.glob("*.tsx")
    mine = tileset.read_text().replace('type="floor" />', 'type="floor"><objectgroup/></tile>', 1)
    tileset.write_text(mine)
    levolve.save(LEVEL, tmp_path / "b.tmx")
    assert tileset.read_text() == mine
    tileset.write_text(mine.replace('type="wall"', 'type="lava"', 1))
    with pytest.raises(levolve.core.errors.OutputError, match="another file has it"):
        levolve.save(LEVEL, tmp_path / "c.tmx")


def test_an_original_travels_with_the_options_of_a_stored_run() -> None:
    original = Original("a.tmx", "tmx", foreign_tmx().encode())
    data = json.loads(json.dumps(original.to_data()))
    assert len(data["content"]) < len(original.content)
    assert Original.from_data(data) == original
    assert Original.from_data(None) is None


def test_a_resumed_run_writes_the_same_foreign_parts(tmp_path: Path) -> None:
    source = _written(tmp_path / "a.tmx", foreign_tmx().encode())
    store = ["--store", str(tmp_path / "runs.db")]
    given = [
        "maze",
        "--from",
        str(source),
        "--keep",
        "walls",
        "--seed",
        "1",
        "--generations",
        "5",
        "-q",
    ]
    assert run(["evolve", *given, *store, "-o", str(tmp_path / "b.tmx")]) == 0
    written = (tmp_path / "b.tmx").read_bytes()
    source.unlink()
    (tmp_path / "b.tmx").unlink()
    assert run(["resume", "last", *store, "-q"]) == 0
    assert (tmp_path / "b.tmx").read_bytes() == written
    assert xml_parts(written) == xml_parts(foreign_tmx().encode())


PAINTED = (
    '<layer id="50" name="keep" width="8" height="5"><data encoding="csv">'
    + ",".join(["1"] * 16 + ["0"] * 24)
    + "</data></layer></map>"
)
BOXES = (
    '<objectgroup id="50" name="keep"><object id="90" x="1" y="0" width="126" '
    'height="30"/></objectgroup></map>'
)


@pytest.mark.parametrize(
    "layer", [PAINTED, BOXES, PAINTED.replace('name="keep"', 'name="keep" visible="0"')]
)
@pytest.mark.parametrize("command", ["evolve", "pack"])
def test_cells_of_a_layer_called_keep_do_not_change(
    command: str, layer: str, tmp_path: Path
) -> None:
    source = _written(
        tmp_path / "a.tmx", FORMATS["tmx"].encode(LEVEL).replace(b"</map>", layer.encode())
    )
    expected = np.zeros((5, 8), bool)
    expected[:2] = True
    assert FORMATS["tmx"].kept is not None
    kept = FORMATS["tmx"].kept(source.read_bytes())
    assert kept is not None
    assert np.array_equal(kept, expected)
    given = ["maze", "--from", str(source), "--seed", "3", "-q", "--no-store"]
    if command == "evolve":
        assert run(["evolve", *given, "--generations", "40", "-o", str(tmp_path / "b.tmx")]) == 0
        again = levolve.load(tmp_path / "b.tmx")
    else:
        assert (
            run(
                [
                    "pack",
                    *given,
                    "--count",
                    "1",
                    "--set",
                    "generations=20",
                    "--to",
                    "tmx",
                    "-o",
                    str(tmp_path / "pack"),
                ]
            )
            == 0
        )
        again = levolve.load(tmp_path / "pack" / "01-maze.tmx")
    assert (again.tiles[:2] == LEVEL.tiles[:2]).all()
    assert (again.tiles != LEVEL.tiles).any()


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        (
            PAINTED.replace('width="8"', 'width="4"'),
            "layer 'keep': expected 8x5 tiles like the map, got 4x5",
        ),
        (
            PAINTED.replace('name="keep"', 'name="keep" offsetx="5"'),
            "layer 'keep': expected an offset of whole tiles",
        ),
        (
            PAINTED.replace('name="keep"', 'name="keep" parallaxx="2"'),
            "expected a parallax factor of 1",
        ),
        (
            BOXES.replace('width="126"', 'width="126" rotation="45"'),
            "expected a rectangle that is not turned",
        ),
        (BOXES.replace('x="1"', 'x="4000"'), "expected a rectangle on the map, got one outside"),
    ],
)
def test_a_layer_called_keep_that_does_not_fit_is_refused(
    layer: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = _written(
        tmp_path / "a.tmx", FORMATS["tmx"].encode(LEVEL).replace(b"</map>", layer.encode())
    )
    assert run(["evolve", "maze", "--from", str(source), "-q", "--no-store"]) == 2
    assert words in capsys.readouterr().err


def test_a_keep_layer_joins_the_cells_of_the_option_and_another_size_is_an_error(
    tmp_path: Path,
) -> None:
    rows = tmp_path / "rows.txt"
    rows.write_text("????????\n????????\n????????\n????????\n???????.\n")
    source = _written(
        tmp_path / "a.tmx", FORMATS["tmx"].encode(LEVEL).replace(b"</map>", PAINTED.encode())
    )
    assert (
        run(
            [
                "evolve",
                "maze",
                "--from",
                str(source),
                "--keep",
                str(rows),
                "-q",
                "--no-store",
                "--seed",
                "1",
                "-o",
                str(tmp_path / "b.tmx"),
            ]
        )
        == 0
    )
    origin = levolve.load(tmp_path / "b.tmx").origin
    assert origin is not None
    assert origin.recipe["keep"] == ["....#...", ".##.#.#.", "????????", "????????", "???????."]
    with pytest.raises(InputError, match="keep: expected 8x5 cells like the level, got 2x3"):
        levolve.evolve("maze", start=LEVEL, keep=np.zeros((3, 2), bool))


@pytest.mark.parametrize("size", ["", ' width="16"', ' height="-0"', ' width="0" height="16"'])
def test_an_object_without_a_size_is_where_its_tile_is_drawn(size: str) -> None:
    level = Level.from_text("S.#\n..1\n#.E")
    text = FORMATS["tmx"].encode(level).decode()
    sized = ' width="16" height="16" gid="53"'
    assert sized in text
    keep = f'<object id="91" x="16" y="16" gid="1"{size}/>'
    layer = f'<objectgroup id="90" name="keep">{keep}</objectgroup></map>'
    text = text.replace(sized, f' gid="53"{size}').replace("</map>", layer)
    original = Original("a.tmx", "tmx", text.encode())
    assert original.kept is not None
    assert np.argwhere(original.kept).tolist() == [[0, 1]]
    written, _ = original.write(level, "tmx", Look())
    assert FORMATS["tmx"].decode(written) == level


def test_an_object_whose_size_only_another_file_says_is_refused() -> None:
    level = Level.from_text("S.#\n..1\n#.E")
    text = FORMATS["tmx"].encode(level).decode()
    other = '<tileset firstgid="500" source="mine.tsx"/><layer id="1"'
    layer = (
        '<objectgroup id="90" name="keep"><object id="91" x="16" y="16" gid="501"/></objectgroup>'
    )
    text = text.replace('<layer id="1"', other).replace("</map>", f"{layer}</map>")
    with pytest.raises(InputError, match="object '91': expected an object with a size"):
        _ = Original("a.tmx", "tmx", text.encode()).kept
