"""Themes of a user: a picture of tiles and a TOML file that says which tile is which. Both may come
from strangers.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.formats.level_files import load_level, save_level
from levolve.formats.look import Look, look_of
from levolve.formats.pictures.drawing import contact_sheet, draw_level
from levolve.formats.themes.atlas import atlas_of
from levolve.formats.themes.picture import read_theme, words_of
from levolve.formats.themes.wall_shapes import MASKS
from levolve.levels.level import Level
from levolve.levels.tileset import RAINBOW, WALLS

DOCUMENT = Path(__file__).parents[3] / "docs" / "themes.md"
EXAMPLE = re.search(r"```toml\n(.*?)```", DOCUMENT.read_text(), re.DOTALL).group(1)  # type: ignore[union-attr]
LEVEL = Level.from_text("S.#\n..#\n#.E")


def write_tiles(folder: Path, columns: int = 8, rows: int = 2, tile: int = 16) -> None:
    """A picture in which every tile has a colour of its own: red for its column, green for its
    row.
    """
    pixels = np.full((rows * tile, columns * tile, 4), 255, np.uint8)
    pixels[..., 0] = (np.arange(columns * tile) // tile * 20)[None, :]
    pixels[..., 1] = (np.arange(rows * tile) // tile * 50)[:, None]
    Image.fromarray(pixels).save(folder / "tiles.png")


def described(folder: Path, text: str = EXAMPLE) -> Path:
    write_tiles(folder)
    path = folder / "moor.toml"
    path.write_text(text)
    return path


def tile_at(pixels: np.ndarray) -> tuple[int, int]:
    assert (pixels == pixels[0, 0]).all()
    return int(pixels[0, 0, 0]) // 20, int(pixels[0, 0, 1]) // 50


def test_the_example_of_the_documentation_draws_its_tiles(tmp_path: Path) -> None:
    theme = read_theme(described(tmp_path))
    assert (theme.name, theme.own_tile, theme.variants) == ("moor", 16, 3)
    walls = {words_of(mask): tile_at(theme.wall(WALLS, mask, 16)) for mask in MASKS}
    assert (walls[""], walls["e w"], walls["n ne e se s sw w nw"]) == ((4, 0), (5, 0), (7, 0))
    assert walls["n ne e s w"] == (6, 0), "corners are dropped"
    assert walls["n"] == walls["n ne e"] == (3, 0), "the plain tile is for all others"
    assert [tile_at(theme.floor(WALLS, 0, variant, 16)) for variant in range(3)] == [
        (0, 0),
        (1, 0),
        (2, 0),
    ]
    assert [tile_at(theme.floor(RAINBOW, kind, 1, 16)) for kind in (0, 1)] == [(5, 1), (7, 1)]
    assert [tile_at(theme.place(name, 16)) for name in ("entrance", "checkpoint 3", "A")] == [
        (0, 1),
        (2, 1),
        (4, 1),
    ]
    assert theme.place("B", 16)[..., 3].max() == 255, "a painted mark"


def test_tiles_are_scaled_by_whole_factors(tmp_path: Path) -> None:
    path = described(tmp_path)
    assert look_of(path).tile_size == 16
    drawn = np.asarray(draw_level(LEVEL, theme=look_of(path).theme, path=False))
    assert np.array_equal(
        np.asarray(draw_level(LEVEL, 48, theme=look_of(path, 48).theme, path=False)),
        drawn.repeat(3, axis=0).repeat(3, axis=1),
    )
    assert atlas_of(look_of(path, 8).theme, WALLS, 8).pixels.shape[1] == 8
    for tile in (24, 15, 40):
        with pytest.raises(
            InputError,
            match=(
                "tile: expected a whole multiple or part of the 16 pixels of theme moor, such "
                f"as 16, 32, 48, got {tile}"
            ),
        ):
            look_of(path, tile)
    assert contact_sheet([LEVEL], ["a preview of any size"], theme=look_of(path).theme).width > 0
    assert draw_level(LEVEL, 2, theme=look_of(path).theme).size == (6, 6)


def test_a_stored_look_names_the_file(tmp_path: Path) -> None:
    look = look_of(described(tmp_path), 32)
    again = Look.from_data(look.to_data())
    assert (again.theme.file, again.tile) == (tmp_path / "moor.toml", 32)


def test_levels_are_written_with_the_tiles_of_a_user(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = described(tmp_path)
    saved = save_level(LEVEL, tmp_path / "a.png", look_of(path))
    assert (
        run(
            [
                "convert",
                str(saved),
                str(tmp_path / "b.png"),
                "--theme",
                str(path),
                "--tile",
                "16",
                "--quiet",
            ]
        )
        == 0
    )
    assert (tmp_path / "b.png").read_bytes() == saved.read_bytes()
    assert load_level(saved) == LEVEL
    assert (
        run(["convert", str(saved), str(tmp_path / "c.png"), "--theme", str(tmp_path / "no.toml")])
        == 2
    )
    assert "no.toml: expected a file that can be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "tile = 16 ",
            "tile = 0 ",
            "tile: expected the width and height of a tile, 4 to 256 pixels, got 0",
        ),
        ("tile = 16 ", "tile = 10000 ", "tile: expected .* got 10000"),
        ("tile = 16 ", 'tile = "16" ', "tile: expected .* got '16'"),
        (
            "tile = 16 ",
            "tile = 12 ",
            (
                "image: expected a width and a height that are multiples of 12, the tile size, "
                "got 128x32"
            ),
        ),
        ("tile = 16 ", "tile = 64 ", "at least one tile of 64 pixels"),
        ('"tiles.png"', '"none.png"', r"image: .*none\.png: expected a file that can be read"),
        (
            '"tiles.png"',
            '"../tiles.png"',
            "image: expected a picture in the folder of this file or below it",
        ),
        (
            '"tiles.png"',
            '"/etc/passwd"',
            "image: expected a picture in the folder of this file or below it",
        ),
        ('"tiles.png"', '"."', "image: expected a picture in the folder"),
        ('"tiles.png"', '"moor.toml"', "image: PNG"),
        ('"tiles.png"', "7", "image: expected the name of a PNG picture"),
        ('"moor"', '"../moor"', "name: expected up to 40 lower-case letters"),
        ('"moor"', '"stone"', "not the name of another theme"),
        (
            "tiles = [[0, 0], [1, 0], [2, 0]]",
            "",
            r"floor.tiles: expected 1 to 16 tiles such as \[\[0, 0\], \[1, 0\]\], got nothing",
        ),
        (
            "tiles = [[0, 0], [1, 0], [2, 0]]",
            "tiles = [[0, 0], [8, 0]]",
            r"floor.tiles: expected .* from \[0, 0\] to \[7, 1\], got \[8, 0\]",
        ),
        ("tiles = [[0, 0], [1, 0], [2, 0]]", "tiles = [[0, -1]]", r"got \[0, -1\]"),
        ("tiles = [[0, 0], [1, 0], [2, 0]]", "tiles = [[true, 0]]", r"got \[True, 0\]"),
        (
            "tiles = [[0, 0], [1, 0], [2, 0]]",
            "tels = [0, 0]",
            r"floor: expected tiles = \[\[column, row\], …\], got 'tels'",
        ),
        (
            "tile = [3, 0]",
            "",
            'wall: expected tile = .* neighbours too: "n", "e", "n e", "n ne e", "s", "n s" and',
        ),
        ('"e w"', '"e x"', "neighbours in the words n ne e se s sw w nw, got 'e x'"),
        ('"e w"', '"e se w"', "expected corners only between two sides"),
        ("exit = ", "exti = ", "unknown place 'exti': did you mean 'exit'"),
        ("[places]", "[placse]", "unknown key 'placse': did you mean 'places'"),
        ("[wall]", "wall = 7\n[more]", "unknown key 'more'|wall: expected a table"),
        ('name = "moor"', "name = ", "TOML: expected valid TOML"),
    ],
)
def test_a_description_that_does_not_fit_is_refused_with_its_reason(
    old: str, new: str, words: str, tmp_path: Path
) -> None:
    assert old in EXAMPLE
    path = described(tmp_path, EXAMPLE.replace(old, new, 1))
    with pytest.raises(InputError, match=words) as problem:
        look_of(path)
    assert str(problem.value).startswith(f"theme {path}: ")


def test_a_damaged_picture_is_refused(tmp_path: Path) -> None:
    path = described(tmp_path)
    picture = tmp_path / "tiles.png"
    whole = picture.read_bytes()
    for damaged in (b"", whole[:40], whole[:-30], whole[:60] + b"\0" + whole[61:], b"GIF89a"):
        picture.write_bytes(damaged)
        with pytest.raises(InputError, match="image: "):
            look_of(path)


def test_a_picture_outside_the_folder_is_not_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    path = described(inside)
    (inside / "tiles.png").rename(tmp_path / "tiles.png")
    (inside / "tiles.png").symlink_to(tmp_path / "tiles.png")
    with pytest.raises(
        InputError, match="expected a picture in the folder of this file or below it"
    ):
        look_of(path)


def test_a_kind_without_a_tile_is_named_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = described(tmp_path)
    output = tmp_path / "a.png"
    assert (
        run(
            [
                "evolve",
                "maze-chromatic",
                "-o",
                str(output),
                "--theme",
                str(path),
                "--generations",
                "100000",
                "--no-store",
            ]
        )
        == 2
    )
    assert (
        "expected a tile for yellow of the tileset rainbow; add yellow = [column, row] to [kinds]"
        in capsys.readouterr().err
    )
    assert not output.exists()
