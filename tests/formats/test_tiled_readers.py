"""Other programs read our maps: pytmx, pytiled-parser and arcade see the same cells, places and
solution in every file of a pack.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from pytiled_parser.layer import ObjectLayer, TileLayer
from pytiled_parser.tiled_object import Polyline, Tile

import levolve
from levels.inputs import levels
from levolve.formats import FORMATS
from levolve.formats.look import Look
from levolve.formats.themes.wall_shapes import DIRECTIONS
from levolve.levels.level import Level, Origin
from levolve.levels.tileset import TILESETS
from levolve.recipes.recipe import find_recipe

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
Cells = dict[str, list[list[str]]]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Path, Level]]:
    """A pack of three recipes: with checkpoints, with places A, B and C, and without walls."""
    folder = tmp_path_factory.mktemp("packs")
    files: dict[Path, Level] = {}
    for recipe in ("maze", "dungeon", "maze-chromatic"):
        made = levolve.pack(recipe, count=2, size=(9, 8), seed=1, settings={"generations": 10})
        made.save(folder / recipe, ["tmx", "tmj"])
        files |= {
            folder / recipe / f"{name}.{suffix}": level
            for name, level in zip(made.names, made.levels, strict=True)
            for suffix in ("tmx", "tmj")
        }
    yield files
    for path in files:
        path.unlink()


def expected(level: Level) -> tuple[Cells, dict[str, tuple[int, int]]]:
    """The class of the tile in every cell of each layer, empty where there is none, and the
    places.
    """
    atlas = Look().atlas(level.tileset)
    names = [
        atlas.tileset.names[tile.kind] if tile.kind is not None else tile.place
        for tile in atlas.tiles
    ]
    layers = {
        name: [[names[tile] if tile >= 0 else "" for tile in row] for row in tiles.tolist()]
        for name, tiles in atlas.layers(level.tiles).items()
    }
    return layers, dict(level.places)


def test_pytiled_parser_reads_every_map_of_a_pack(pack: dict[Path, Level]) -> None:
    for path, level in pack.items():
        found = pytiled_parser.parse_map(path)
        tiles = found.tilesets[1].tiles
        assert tiles is not None
        cells: Cells = {}
        places = {}
        for layer in found.layers:
            if isinstance(layer, TileLayer):
                assert layer.data is not None
                cells[layer.name] = [
                    [str(tiles[number - 1].class_) if number else "" for number in row]
                    for row in layer.data
                ]
            elif isinstance(layer, ObjectLayer) and layer.name == "places":
                for entry in layer.tiled_objects:
                    assert isinstance(entry, Tile)
                    assert entry.class_ == "place"
                    places[entry.name] = (
                        int(entry.coordinates.x) // 16,
                        int(entry.coordinates.y) // 16 - 1,
                    )
        assert (cells, places) == expected(level)


def test_pytmx_reads_every_map_of_a_pack_with_all_properties(pack: dict[Path, Level]) -> None:
    pytmx = pytest.importorskip("pytmx")
    for path, level in pack.items():
        if path.suffix != ".tmx":
            continue
        found = pytmx.TiledMap(str(path))
        cells: Cells = {}
        for layer in found.visible_layers:
            if isinstance(layer, pytmx.TiledTileLayer):
                rows: list[list[str]] = [[""] * found.width for _ in range(found.height)]
                for x, y, gid in layer.iter_data():
                    rows[y][x] = found.get_tile_properties_by_gid(gid)["type"] if gid else ""
                cells[layer.name] = rows
        places = {
            entry.name: (int(entry.x) // 16, int(entry.y) // 16)
            for entry in found.get_layer_by_name("places")
        }
        assert (cells, places) == expected(level)
        assert found.properties["levolve_digest"] == level.digest
        assert found.levolve_seed == "1"


def test_arcade_reads_every_map_of_a_pack(
    pack: dict[Path, Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "ARCADE_HEADLESS", "True")
    tilemap = pytest.importorskip("arcade.tilemap")
    for path, level in pack.items():
        found = tilemap.load_tilemap(path)
        cells: Cells = {
            name: [[""] * level.width for _ in range(level.height)] for name in expected(level)[0]
        }
        for name, rows in cells.items():
            for sprite in found.sprite_lists[name]:
                rows[level.height - 1 - int(sprite.center_y // 16)][int(sprite.center_x // 16)] = (
                    sprite.properties["class"]
                )
        places = {
            sprite.properties["name"]: (
                int(sprite.center_x // 16),
                level.height - 1 - int(sprite.center_y // 16),
            )
            for sprite in found.sprite_lists.get("places", ())
        }
        assert (cells, places) == expected(level)


@pytest.mark.parametrize("suffix", ["tmx", "tmj"])
@given(level=levels())
def test_the_tiles_in_the_file_put_together_are_the_drawn_level(
    suffix: str, level: Level, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "drawn"
    folder.mkdir(exist_ok=True)
    found = pytiled_parser.parse_map(levolve.save(level, folder / f"level.{suffix}"))
    image = found.tilesets[1].image
    assert image is not None
    with Image.open(folder / image.name) as opened:
        picture = opened.convert("RGBA")
    drawn = Image.new("RGBA", (level.width * 16, level.height * 16))
    for layer in found.layers:
        if isinstance(layer, TileLayer) and layer.data is not None:
            for y, row in enumerate(layer.data):
                for x, number in enumerate(row):
                    if number:
                        left, top = (number - 1) % 8 * 16, (number - 1) // 8 * 16
                        drawn.alpha_composite(
                            picture.crop((left, top, left + 16, top + 16)), (x * 16, y * 16)
                        )
    theirs, ours = (
        np.asarray(image.convert("RGB"), int)
        for image in (drawn, Look().atlas(level.tileset).draw(level.tiles))
    )
    # Programs round the mixture of two colours differently.
    assert abs(theirs - ours).max() <= 1


@pytest.mark.parametrize("suffix", ["tmx", "tmj"])
def test_another_program_sees_the_solution_as_a_line_from_place_to_place(
    suffix: str, tmp_path: Path
) -> None:
    found = pytiled_parser.parse_map(levolve.save(LEVEL, tmp_path / f"level.{suffix}"))
    layer = found.layers[-1]
    assert isinstance(layer, ObjectLayer)
    (walk,) = layer.tiled_objects
    assert isinstance(walk, Polyline)
    assert walk.properties == {"moves": "rdrd"}
    points = [(walk.coordinates.x + point.x, walk.coordinates.y + point.y) for point in walk.points]
    assert points == [(8, 8), (24, 8), (24, 24), (40, 24), (40, 40)]


@pytest.mark.parametrize("suffix", ["tmx", "tmj"])
def test_another_program_sees_the_origin_as_properties(suffix: str, tmp_path: Path) -> None:
    recipe = find_recipe("maze").to_data()
    path = levolve.save(
        LEVEL.with_origin(Origin.of(recipe, 2**64 - 1, 3, "0.1.0")), tmp_path / f"level.{suffix}"
    )
    properties = pytiled_parser.parse_map(path).properties
    assert properties is not None
    assert json.loads(str(properties["levolve_recipe"])) == recipe
    assert all(name.startswith("levolve_") for name in properties)
    assert (
        properties["levolve_seed"],
        properties["levolve_index"],
        properties["levolve_version"],
    ) == (str(2**64 - 1), "3", "0.1.0")


def tileset_data(name: str) -> dict[str, Any]:
    level = Level(np.zeros((2, 2), np.uint8), tileset=TILESETS[name])
    data: dict[str, Any] = json.loads(FORMATS["tmj"].encode(level))["tilesets"][0]
    return data


@given(st.integers(0, 2**36 - 1))
def test_neighbouring_walls_agree_about_the_terrain_between_them(bits: int) -> None:
    walls = np.array([bits >> bit & 1 for bit in range(36)], bool).reshape(6, 6)
    data = json.loads(FORMATS["tmj"].encode(Level(walls.astype(np.uint8))))
    wang = {
        entry["tileid"]: entry["wangid"]
        for entry in data["tilesets"][0]["wangsets"][0]["wangtiles"]
    }
    numbers = np.array(data["layers"][1]["data"]).reshape(6, 6)
    for y in range(1, 5):
        for x in range(1, 5):
            mine = wang.get(int(numbers[y, x]) - 1, [0] * 8)
            for side, (dx, dy) in list(enumerate(DIRECTIONS))[::2]:
                theirs = wang.get(int(numbers[y + dy, x + dx]) - 1, [0] * 8)
                assert mine[side] == theirs[(side + 4) % 8]
                # The corners at both ends of the shared side.
                assert mine[(side - 1) % 8] == theirs[(side + 5) % 8]
                assert mine[side + 1] == theirs[(side + 3) % 8]


@pytest.mark.parametrize("name", TILESETS)
def test_every_tile_has_a_class_and_every_kind_a_terrain(name: str) -> None:
    data, tileset = tileset_data(name), TILESETS[name]
    assert {tile["type"] for tile in data["tiles"]} >= set(tileset.names)
    colours = [colour["name"] for wang in data["wangsets"] for colour in wang["colors"]]
    assert sorted(colours) == sorted(tileset.names)
    kinds = {tile["id"]: tile["type"] for tile in data["tiles"]}
    for wang in data["wangsets"]:
        for entry in wang["wangtiles"]:
            used = {wang["colors"][colour - 1]["name"] for colour in entry["wangid"] if colour}
            assert used == {kinds[entry["tileid"]]}
