"""What holds for all formats alike, on levels of all kinds."""

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from PIL import Image

import levolve
from levels.inputs import levels
from levolve import testing
from levolve.cli.app import run
from levolve.core.errors import InputError, OutputError, UnknownNameError
from levolve.formats import FORMATS
from levolve.formats.level_files import encode_all, suffix_of
from levolve.formats.pictures.png import picture_bytes
from levolve.levels.level import Level, Origin
from levolve.recipes.recipe import find_recipe

LEVEL = (
    Level.from_text("S.#\n..1\n#.E")
    .with_solution("rdrd")
    .with_origin(Origin.of(find_recipe("maze").to_data(), 2**64 - 1, 3, "0.1.0"))
)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30)
@given(level=levels())
def test_every_level_survives_every_format(name: str, level: Level) -> None:
    testing.check_format(FORMATS[name], level)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(FORMATS, FORMATS)))
def test_a_level_survives_being_converted_from_any_format_to_any_other(
    first: str, second: str, tmp_path: Path
) -> None:
    one = levolve.load(levolve.save(LEVEL, tmp_path / f"one.{first}"))
    two = levolve.load(levolve.save(one, tmp_path / f"two.{second}"))
    assert (two, two.solution, two.origin) == (LEVEL, LEVEL.solution, LEVEL.origin)


@pytest.mark.parametrize("name", ["tmx", "tmj", "tscn"])
def test_a_picture_of_the_tiles_is_written_with_a_map_but_never_replaces_another_file(
    name: str, tmp_path: Path
) -> None:
    path = tmp_path / f"level.{name}"
    written = list(encode_all(LEVEL, path))
    picture = next(other for other in written if other.suffix == ".png")
    assert written[0] == path
    assert all(other.name.startswith("levolve-") for other in written[1:])
    assert list(tmp_path.iterdir()) == []
    levolve.save(LEVEL, path)
    before = picture.read_bytes()
    # The same picture in other bytes is the same picture.
    with Image.open(picture) as image:
        image.convert("RGBA").save(picture, compress_level=0)
    levolve.save(LEVEL, path)
    assert picture.read_bytes() == before
    path.unlink()
    for other in (b"not a picture", picture_bytes(Image.new("RGB", (32, 16)))):
        picture.write_bytes(other)
        with pytest.raises(OutputError, match="but another file has it"):
            levolve.save(LEVEL, path)
        assert picture.read_bytes() == other
        assert not path.exists()


@pytest.mark.parametrize("name", FORMATS)
def test_every_command_takes_every_format(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"level.{name}"
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "8x8",
                "--seed",
                "5",
                "--generations",
                "9",
                "-q",
                "-o",
                str(path),
            ]
        )
        == 0
    )
    assert run(["replay", str(path)]) == 0
    assert "the same bytes" in capsys.readouterr().out
    assert run(["check", str(path)]) == 0
    assert run(["show", str(path)]) == 0
    assert "recipe maze, seed 5" in capsys.readouterr().out
    assert run(["convert", str(path), str(tmp_path / "other.json")]) == 0
    assert levolve.load(tmp_path / "other.json") == levolve.load(path)
    assert (
        run(
            [
                "evolve",
                "maze",
                "--from",
                str(path),
                "--keep",
                "walls",
                "--seed",
                "1",
                "--generations",
                "2",
            ]
        )
        == 0
    )


def test_suffixes_of_two_parts_are_found_and_misspelt_ones_get_a_hint() -> None:
    assert [
        suffix_of(name) for name in ("a.tiles.png", "A.TILES.PNG", "tiles.png", "a.b.png", "a.tmx")
    ] == [
        "tiles.png",
        "tiles.png",
        "png",
        "png",
        "tmx",
    ]
    for wrong, hint in (
        ("tmxx", "tmx"),
        ("ldtx", "ldtk"),
        ("tscnn", "tscn"),
        ("npzz", "npz"),
        ("xbs", "xsb"),
    ):
        with pytest.raises(
            UnknownNameError, match=f"unknown format '{wrong}': did you mean '{hint}'"
        ):
            levolve.save(LEVEL, f"a.{wrong}")


def test_what_a_format_cannot_hold_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="xsb: expected a level of walls and floor, got rainbow"):
        levolve.save(Level.from_text("RO\nYG"), tmp_path / "a.xsb")
    assert list(tmp_path.iterdir()) == []


def test_files_are_the_same_bytes_wherever_they_are_written() -> None:
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        for name in FORMATS:
            first = {
                path.name: content
                for path, content in encode_all(LEVEL, Path(one) / f"a.{name}").items()
            }
            assert first == {
                path.name: content
                for path, content in encode_all(LEVEL, Path(other) / f"a.{name}").items()
            }
