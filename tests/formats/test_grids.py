"""CSV, Sokoban's text, NumPy's arrays and painted pictures: what other programs make of them, and
what people write by hand.
"""

import io
import zipfile
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from PIL import Image

from levels.inputs import levels
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.pictures.pixels import SIGN_COLOURS
from levolve.levels.level import Level
from levolve.levels.tileset import WALLS

COLOURS = {**SIGN_COLOURS, **dict(zip(WALLS.characters, WALLS.colours, strict=True))}

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")


@given(levels())
def test_numpy_reads_our_csv_as_it_stands(level: Level) -> None:
    assert np.array_equal(
        np.loadtxt(
            io.BytesIO(FORMATS["csv"].encode(level)), delimiter=",", dtype=np.uint8, ndmin=2
        ),
        level.tiles,
    )


@pytest.mark.parametrize(
    "text",
    [
        "0,0,1\n0,0,0\n1,0,0\n# entrance: 0,0\n# exit: 2,2\n# checkpoint 1: 2,1",
        # As spreadsheets write it back.
        (
            '"# entrance: 0",0,\n# Exit: 2,2\n"# checkpoint 1: '
            '2",1,\n\n0,0,1\n0,0,0\n"1","0","0"\n,,\n'
        ),
        (
            "# my level\n# note: drawn on a train\n# entrance: 0,0\n# exit: 2,2\n# checkpoint 1: "
            "2,1\n0;0;1\r\n0;0;0\r\n1;0;0\r\n"
        ),
        (
            "# tileset: walls\n# entrance: 0,0\n# exit: 2,2\n# checkpoint 1: "
            "2,1\n0\t0\t1\n0\t0\t0\n1\t0\t0"
        ),
    ],
)
def test_csv_is_read_as_people_and_spreadsheets_write_it(text: str) -> None:
    assert FORMATS["csv"].decode(text.encode()) == LEVEL


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected rows of numbers"),
        ("# entrance: 0,0", "expected rows of numbers"),
        ("0,1\n0", "line 2: expected 2 cells like the first row, got 1"),
        ("0,1\n0,x", "line 2: expected numbers of tiles such as 0,1,0, got 'x'"),
        ("0,1\n0,", "line 2: expected numbers of tiles"),
        ("0,1\n0,2", "others need a line such as '# tileset: rainbow'"),
        ("# tileset: rainbow\n0,1\n0,6", "from 0 to 5"),
        ("# tileset: rain\n0,1\n0,6", "did you mean 'rainbow'"),
        ("# entrence: 0,0\n0,1\n0,0", "CSV, line 1: expected a place"),
        (
            "# entrance: 0,0\n# entrance: 0,1\n0,1\n0,0",
            "CSV, line 2: expected one entrance, got a second",
        ),
        ("# entrance: 7,0\n0,1\n0,0", "inside the 2x2 level"),
        ("# entrance: 1,0\n0,1\n0,0", "got wall at 1,0"),
        ("# recipe: {\n0,1\n0,0", "recipe: expected valid JSON"),
        ("# recipe: {}\n# seed: x\n0,1\n0,0", "seed: expected a whole number, got 'x'"),
        ("# recipe: {}\n# seed: 5\n0,1\n0,0", "origin: expected"),
        ("\xff", "expected numbers of tiles"),
    ],
)
def test_a_wrong_csv_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as problem:
        FORMATS["csv"].decode(text.encode())
    assert words in str(problem.value)


def test_sokoban_text_has_the_format_of_sokoban_programs() -> None:
    picture = FORMATS["xsb"].encode(LEVEL).decode().split("\n\n")[0]
    assert picture == "#####\n#@ ##\n#   #\n## .#\n#####"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "#####\n#@ ##\n#   #\n## .#\n#####\n\ncheckpoint 1: 2,1\nTitle: Mine\nAuthor: me",
            "S.#\n..1\n#.E",
        ),
        ("; 1\n\n#####\n#@-##\n#___#\n##-.#\n#####", "S.#\n...\n#.E"),
        ("  ####\n###@ #\n#    #\n#.####\n###", "##S.\n....\nE###"),
        ("@ #\n  .", "S.#\n##E"),
    ],
)
def test_sokoban_text_is_read_as_people_write_it(text: str, expected: str) -> None:
    assert FORMATS["xsb"].decode(text.encode()).to_text() == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected lines of cells"),
        ("Title: nothing", "expected lines of cells"),
        ("####\n#@$#\n#. #\n####", "line 2, column 3: expected a level without boxes, got '$'"),
        ("####\n#@x#\n#. #\n####", "line 2, column 3: expected one of # @ . or a space, got 'x'"),
        ("####\n#@@#\n#. #\n####", "line 2, column 3: expected one entrance, got a second"),
        ("###\n#@#\n###\n\n###\n#@#\n###", "line 5: expected one level in the file, got a second"),
        ("###\n#@#\n###", "at least 2x2"),
        ("####\n#@ #\n#. #\n####\nentrence: 0,0", "XSB, line 5: expected a place"),
    ],
)
def test_a_wrong_sokoban_text_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as problem:
        FORMATS["xsb"].decode(text.encode())
    assert words in str(problem.value)


@given(levels())
def test_numpy_reads_our_arrays_without_pickles(level: Level) -> None:
    with np.load(io.BytesIO(FORMATS["npz"].encode(level)), allow_pickle=False) as arrays:
        assert np.array_equal(arrays["tiles"], level.tiles)
        assert {
            str(name): tuple(cell)
            for name, cell in zip(arrays["place_names"], arrays["places"].tolist(), strict=True)
        } == dict(level.places)
        assert str(arrays["tileset"]) == level.tileset.name


def saved(**arrays: object) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


TILES = np.zeros((2, 2), np.uint8)


def test_arrays_of_ones_own_are_read() -> None:
    level = FORMATS["npz"].decode(
        saved(
            tiles=TILES.astype(bool),
            place_names=np.array(["exit"]),
            places=np.array([[1, 0]], np.int8),
        )
    )
    assert level == Level(TILES, {"exit": (1, 0)})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "expected arrays saved by NumPy"),
        (saved(), "expected an array called 'tiles', got none"),
        (saved(walls=TILES), "got walls"),
        (saved(tiles=np.zeros(4, np.uint8)), "1 dimensions"),
        (saved(tiles=TILES.astype(float)), "whole numbers"),
        (saved(tiles=np.array([[{}, {}], [{}, {}]])), "pickled objects"),
        (saved(tiles=TILES, tileset="wall"), "did you mean 'walls'"),
        (saved(tiles=TILES, place_names=np.array(["exit"])), "an array of names and one of (x, y)"),
        (
            saved(tiles=TILES, place_names=np.array(["door"]), places=[[0, 0]]),
            "unknown place 'door'",
        ),
        (saved(tiles=TILES, digest="0"), "digest: does not match"),
        (saved(tiles=np.zeros((2, 2), np.uint8))[:-40], "expected arrays saved by NumPy"),
    ],
)
def test_wrong_arrays_are_refused(content: bytes, words: str) -> None:
    with pytest.raises(InputError) as problem:
        FORMATS["npz"].decode(content)
    assert words in str(problem.value)


def test_an_array_that_promises_more_than_there_is_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (1000000, 1000000), }\n"
        archive.writestr(
            "tiles.npy",
            b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0\0\0\0",
        )
    with pytest.raises(
        InputError, match="expected a complete array, got 4 bytes instead of 1,000,000,000,000"
    ):
        FORMATS["npz"].decode(buffer.getvalue())


def painted(rows: list[str], mode: str = "RGB") -> bytes:
    """A picture as a person paints it: only pixels, nothing inside."""
    image = Image.fromarray(
        np.array([[COLOURS[sign] for sign in row] for row in rows], np.uint8)
    ).convert(mode, palette=Image.Palette.ADAPTIVE)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@given(levels())
def test_a_painted_picture_has_one_pixel_a_tile(level: Level) -> None:
    with Image.open(io.BytesIO(FORMATS["tiles.png"].encode(level))) as image:
        assert image.size == (level.width, level.height)
        pixels = np.asarray(image.convert("RGB"))
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) == len(
        set("".join(level.to_text().splitlines()[: level.height]))
    )


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_a_picture_that_a_person_painted_is_a_level(mode: str) -> None:
    assert FORMATS["tiles.png"].decode(painted(["S.#", "..1", "#.E"], mode)) == LEVEL
    assert FORMATS["tiles.png"].decode(painted(["A.B", "##C"], mode)).to_text() == "A.B\n##C"


def test_painting_over_our_picture_changes_the_level_and_keeps_places_that_no_pixel_shows() -> None:
    level = Level(
        LEVEL.tiles, {**LEVEL.places, "checkpoint 12": (1, 1), "checkpoint 2": (2, 0)}
    ).with_solution("rdrd")
    with Image.open(io.BytesIO(FORMATS["tiles.png"].encode(level))) as opened:
        image: Any = opened
        chunks = image.private_chunks
        image.putpixel((0, 2), WALLS.colours[0])
        information = __import__("PIL.PngImagePlugin", fromlist=["PngInfo"]).PngInfo()
        information.add(chunks[0][0], chunks[0][1])
        buffer = io.BytesIO()
        image.save(buffer, "PNG", pnginfo=information)
    again = FORMATS["tiles.png"].decode(buffer.getvalue())
    assert again.tiles[2, 0] == 0
    assert again.places == level.places
    assert (again.solution, again.origin) == (None, None)


@pytest.mark.parametrize(
    ("colour", "words"),
    [
        (
            (1, 2, 3, 255),
            (
                "pixel 1,0: expected one of levolve's colours, of which the wall #423c4a is "
                "nearest, got #010203"
            ),
        ),
        (
            (*WALLS.colours[0], 128),
            "pixel 1,0: expected an opaque colour, got one with opacity 128",
        ),
        ((*SIGN_COLOURS["S"], 255), "a second at 1,0"),
    ],
)
def test_a_picture_in_other_colours_is_refused(colour: tuple[int, ...], words: str) -> None:
    with Image.open(io.BytesIO(painted(["S.#", "..."], "RGBA"))) as image:
        image.putpixel((1, 0), colour)
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
    with pytest.raises(InputError) as problem:
        FORMATS["tiles.png"].decode(buffer.getvalue())
    assert words in str(problem.value)


@pytest.mark.parametrize(
    ("text", "size", "entrance"),
    [
        ("#####\n#@ .#\n#   #\n#####", (3, 2), (0, 0)),
        # One side is missing: the walls that there are belong to the level.
        ("####\n#@ .\n#   \n####".replace("   \n", "-- \n"), (4, 4), (1, 1)),
        ("####\n#@.-\n#---\n####", (4, 4), (1, 1)),
        ("####\n@-.#\n---#\n####", (4, 4), (0, 1)),
        ("#@-.#\n#---#\n#####", (5, 3), (1, 0)),
        ("#####\n#@-.#\n#---#", (5, 3), (1, 1)),
        # A short line that is open to the right, beside longer ones.
        ("#####\n#@ .\n#####", (5, 3), (1, 1)),
    ],
)
def test_a_frame_of_walls_is_taken_off_only_if_all_four_sides_are_complete(
    text: str, size: tuple[int, int], entrance: tuple[int, int]
) -> None:
    level = FORMATS["xsb"].decode(text.encode())
    assert ((level.width, level.height), level.entrance) == (size, entrance)
