"""TileSets of scenes: in a file of the folder, inside the scene, or known by name; kinds decide,
and our own pictures must agree with them.
"""

import io
import re
from pathlib import Path

import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.level_files import save_level
from levolve.formats.look import Look
from levolve.levels.level import Level
from oracles import godot

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
NAME = Look().atlas(LEVEL.tileset).name


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    return save_level(LEVEL, tmp_path / "a.tscn")


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_levels_of_a_folder_share_one_tileset_and_another_file_of_its_name_stays(
    scene: Path,
) -> None:
    save_level(Level.from_text("S#\n.E"), scene.parent / "b.tscn")
    assert sorted(path.name for path in scene.parent.iterdir()) == [
        "a.tscn",
        "b.tscn",
        f"{NAME}.png",
        f"{NAME}.tres",
    ]
    change(scene.parent / f"{NAME}.tres", "collision_layer = 1", "collision_layer = 3")
    with pytest.raises(
        levolve.core.errors.OutputError,
        match=r"b\.tscn needs this name for its tiles, but another file has it",
    ):
        save_level(LEVEL, scene.parent / "b.tscn")


def test_the_tileset_of_another_tile_size_is_another_file(tmp_path: Path) -> None:
    look = Look(tile=32)
    path = save_level(LEVEL, tmp_path / "a.tscn", look)
    assert (tmp_path / look.atlas(LEVEL.tileset).name).with_suffix(".tres").exists()
    assert "position = Vector2(80, 48)" in path.read_text(), (
        "checkpoint 1 in the middle of its cell"
    )
    assert levolve.load(path) == LEVEL


def test_the_file_counts_and_not_its_name(scene: Path) -> None:
    """A person gives the first wall tile, which stands at 2,0, the kind floor in a TileSet with a
    picture of their own.
    """
    tres = scene.parent / f"{NAME}.tres"
    change(tres, f'path="{NAME}.png"', 'path="mine.png"')
    column, row = godot.raw_cells(re.findall(r"tile_map_data = (.*)", scene.read_text())[1])[0][3:5]
    change(
        tres,
        f'{column}:{row}/0/custom_data_0 = "wall"',
        f'{column}:{row}/0/custom_data_0 = "floor"',
    )
    assert levolve.load(scene).to_text() == "S..\n..1\n#.E"
    tres.rename(scene.parent / "mine.tres")
    change(scene, f"{NAME}.tres", "res://any/folder/mine.tres")
    assert levolve.load(scene).to_text() == "S..\n..1\n#.E"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (
            'name = "kind"',
            'name = "sort"',
            "expected a TileSet with kinds; use the TileSet that levolve wrote",
        ),
        (
            'custom_data_0 = "wall"',
            'custom_data_0 = "hedge"',
            f"expected {NAME}.png to show hedge as tile",
        ),
        (
            'custom_data_0 = "wall"',
            'custom_data_0 = "floor"',
            f"expected {NAME}.png to show floor as tile",
        ),
        (
            "tile_size = Vector2i(16, 16)",
            "tile_size = Vector2i(32, 16)",
            "got 16x16 in cells of 32x16",
        ),
        (
            "tile_size = Vector2i(16, 16)",
            "tile_size = Vector2i(0, 16)",
            "expected square tiles of 1 to 256 pixels",
        ),
        (
            "tile_size = Vector2i(16, 16)",
            "tile_size = Vector2i(16, 16)\ntile_shape = 1",
            "expected square tiles",
        ),
        (
            "region_size = Vector2i(16, 16)",
            "region_size = Vector2i(8, 8)",
            f"expected tiles of 16x16 pixels without gaps in {NAME}.png",
        ),
        (
            "region_size = Vector2i(16, 16)",
            "region_size = Vector2i(16, 16)\nmargins = Vector2i(16, 0)",
            "without gaps",
        ),
        (
            "0:0/0 = 0\n",
            "0:0/0 = 0\n0:0/0/texture_origin = Vector2i(16, 0)\n",
            "expected a tile that fills its cell, got 'texture_origin",
        ),
        (
            "0:0/0 = 0\n",
            "0:0/0 = 0\n0:0/0/modulate = Color(1, 1, 1, 0)\n",
            "expected a tile that fills its cell",
        ),
        (
            "0:0/0 = 0\n",
            "0:0/size_in_atlas = Vector2i(2, 2)\n0:0/0 = 0\n",
            "expected a tile that fills its cell",
        ),
        (
            "0:0/0 = 0\n",
            "",
            "expected tiles of the tileset in the scene that have a kind, got 0:0 of source 0",
        ),
    ],
)
def test_tiles_without_a_kind_or_shown_elsewhere_are_refused(
    scene: Path, before: str, after: str, words: str
) -> None:
    change(scene.parent / f"{NAME}.tres", before, after)
    with pytest.raises(InputError) as problem:
        levolve.load(scene)
    assert words in str(problem.value)


def test_cells_of_another_size_move_the_places(scene: Path) -> None:
    """Godot shows the tiles of another picture with gaps between them, and a marker in the cell
    under it.
    """
    change(scene.parent / f"{NAME}.tres", f'path="{NAME}.png"', 'path="mine.png"')
    change(
        scene.parent / f"{NAME}.tres",
        "tile_size = Vector2i(16, 16)",
        "tile_size = Vector2i(20, 20)",
    )
    assert dict(levolve.load(scene).places) == {
        "entrance": (0, 0),
        "exit": (2, 2),
        "checkpoint 1": (2, 1),
    }
    change(
        scene.parent / f"{NAME}.tres",
        "tile_size = Vector2i(20, 20)",
        "tile_size = Vector2i(32, 32)",
    )
    assert dict(levolve.load(scene).places) == {
        "entrance": (0, 0),
        "exit": (1, 1),
        "checkpoint 1": (1, 0),
    }


def test_a_picture_whose_tiles_were_swapped_is_refused_and_one_that_was_painted_is_not(
    scene: Path,
) -> None:
    path = scene.parent / f"{NAME}.png"
    with Image.open(path) as image:
        picture = image.convert("RGBA")
    painted = picture.copy()
    painted.putpixel((3, 3), (255, 0, 0, 255))
    painted.save(path)
    assert levolve.load(scene) == LEVEL
    wall = next(
        n for n, tile in enumerate(Look().atlas(LEVEL.tileset).tiles) if tile.mask is not None
    )
    left, top = wall % 8 * 16, wall // 8 * 16
    picture.paste(picture.crop((0, 0, 16, 16)), (left, top))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    path.write_bytes(buffer.getvalue())
    with pytest.raises(
        InputError,
        match=(
            rf"expected {NAME}.png to show wall as tile {wall % 8}:{wall // 8}, as its kind "
            r"says, got floor"
        ),
    ):
        levolve.load(scene)
    path.write_bytes(b"no picture")
    assert levolve.load(scene) == LEVEL


@pytest.mark.parametrize("kind", ["up", "absolute", "link", "drive", "suffix"])
def test_tilesets_outside_the_folder_of_the_scene_are_not_read(
    kind: str, scene: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "levels"
    folder.mkdir()
    outside = (tmp_path / f"{NAME}.tres").rename(tmp_path / "outside.tres")
    (folder / "link.tres").symlink_to(outside)
    (folder / "secret.txt").write_bytes(outside.read_bytes())
    sources = {
        "up": "../outside.tres",
        "absolute": str(outside),
        "link": "link.tres",
        "drive": "C:/outside.tres",
        "suffix": "secret.txt",
    }
    moved = scene.rename(folder / "a.tscn")
    change(moved, f"{NAME}.tres", sources[kind])
    with pytest.raises(InputError, match="expected this file in the scene's folder"):
        levolve.load(moved)


@pytest.mark.parametrize(
    "content",
    [
        "root:secret:0:0",
        "[gd_scene]\nsecret",
        '[gd_resource type="Theme"]\n[resource]\na = "secret"',
        "[gd_resource\nsecret",
    ],
)
def test_an_error_does_not_quote_another_file(content: str, scene: Path) -> None:
    (scene.parent / f"{NAME}.tres").write_text(content)
    with pytest.raises(
        InputError, match="expected a TileSet of Godot, got another or a damaged file"
    ) as problem:
        levolve.load(scene)
    assert "secret" not in f"{problem.value}{problem.value.__cause__}"


def test_without_its_file_a_tileset_of_ours_is_known_by_name(scene: Path) -> None:
    (scene.parent / f"{NAME}.tres").unlink()
    assert levolve.load(scene) == FORMATS["tscn"].decode(scene.read_bytes()) == LEVEL
