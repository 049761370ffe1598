"""A picture that contains a level must show that level; hand-drawn texts are certified like other
edited files.
"""

import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import levolve
from fuzz.fuzz_cases import chunk
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.json import level_to_data
from levolve.formats.look import look_of
from levolve.formats.pictures.gif import encode_frames
from levolve.formats.pictures.png import encode, encode_field
from levolve.formats.reading.pictures import png_chunks, png_pixels
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
OTHER = Level.from_text("S..\n#.1\n#.E").with_solution("rrdd")
CHANGED = "that show the level stored inside, got others"


def repacked(content: bytes, pixels: bytes, *, named: bool = True) -> bytes:
    """The pixels of one picture with the level of another, as an editor that keeps unknown chunks
    writes them.
    """
    (data,) = (data for name, data in png_chunks(content) if name == b"leVl")
    if not named:
        stored = json.loads(zlib.decompress(data))
        del stored["pixels"]
        data = zlib.compress(json.dumps(stored).encode())
    buffer = io.BytesIO()
    png_pixels(png_chunks(pixels), "RGBA").save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()[:33] + chunk(b"leVl", data) + buffer.getvalue()[33:]


def dotted(content: bytes, *, opacity: int = 255) -> bytes:
    """A picture of which one pixel was changed."""
    image = png_pixels(png_chunks(content), "RGBA")
    image.putpixel(
        (20, 20),
        (*image.getpixel((20, 20))[:3], opacity) if opacity < 255 else (1, 2, 3, 255),  # type: ignore[index]
    )
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


PICTURES: dict[str, Callable[[], bytes]] = {
    "plain": lambda: encode(LEVEL),
    "paper": lambda: encode(LEVEL, look_of("paper")),
    "large": lambda: encode(LEVEL, look_of("ice", 32)),
    "captioned": lambda: encode(LEVEL, path=False, ends=True, legend=True, caption="a caption"),
    "distances": lambda: encode_field(LEVEL, "distances"),
    "members": lambda: encode_field(LEVEL, "members", ends=True, caption="a caption"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_read_whatever_it_shows_besides_and_however_its_pixels_are_stored(
    name: str,
) -> None:
    content = PICTURES[name]()
    assert (
        FORMATS["png"].decode(content) == FORMATS["png"].decode(repacked(content, content)) == LEVEL
    )
    with pytest.raises(InputError, match=CHANGED):
        FORMATS["png"].decode(repacked(content, dotted(content)))
    with pytest.raises(InputError, match=CHANGED):
        FORMATS["png"].decode(repacked(content, dotted(content, opacity=0)))


def test_a_picture_of_another_level_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(repacked(encode(LEVEL), encode(OTHER)))
    assert run(["check", str(path)]) == 1
    assert "PNG: expected pixels that show the level stored inside" in " ".join(
        capsys.readouterr().err.split()
    )


@pytest.mark.parametrize("name", ["paper", "captioned"])
def test_a_picture_of_an_earlier_version_is_drawn_again_and_compared(name: str) -> None:
    earlier = (
        encode(LEVEL, look_of("paper"), path=False, ends=True, legend=True, caption="x" * 90)
        if name == "captioned"
        else PICTURES[name]()
    )
    assert FORMATS["png"].decode(repacked(earlier, earlier, named=False)) == LEVEL
    for other in (
        encode(OTHER, look_of("paper")),
        encode(Level.from_text("S.#\n1..\n#.E"), look_of("paper")),
        encode(LEVEL),
    ):
        with pytest.raises(InputError, match=CHANGED):
            FORMATS["png"].decode(repacked(earlier, other, named=False))


def test_an_animated_png_is_refused() -> None:
    content = encode(LEVEL)
    with pytest.raises(InputError, match="expected one picture, got an animation"):
        FORMATS["png"].decode(content[:33] + chunk(b"acTL", bytes(8)) + content[33:])


def comment_of(content: bytes) -> tuple[int, int]:
    begin = content.index(b"!\xfe")
    end = begin + 2
    while content[end]:
        end += content[end] + 1
    return begin, end + 1


def swapped(frames: bytes, level: bytes) -> bytes:
    """The frames of one animation with the comment of another."""
    (begin, end), (first, last) = comment_of(frames), comment_of(level)
    return frames[:begin] + level[first:last] + frames[end:]


def earlier_animation(level: Level, stored: Level) -> bytes:
    """An animation as earlier versions wrote it: in paper, without a digest."""
    with Image.open(io.BytesIO(FORMATS["gif"].write(level, look_of("paper")))) as image:
        frames = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(image.convert("RGB"))
    buffer = io.BytesIO()
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        comment=json.dumps(level_to_data(stored)).encode(),
    )
    return buffer.getvalue()


def test_an_animation_of_another_level_is_reported() -> None:
    decode = FORMATS["gif"].decode
    one, other = FORMATS["gif"].encode(LEVEL), FORMATS["gif"].encode(OTHER)
    assert decode(one) == decode(encode_frames([("first", OTHER), ("last", LEVEL)])) == LEVEL
    with pytest.raises(InputError, match="GIF: expected frames that show the level stored inside"):
        decode(swapped(other, one))
    assert decode(earlier_animation(LEVEL, LEVEL)) == LEVEL
    for shown in (
        OTHER,
        Level.from_text("S.#\n.1.\n#.E"),
        Level.from_text("S.#\n..2\n#.E"),
        Level.from_text("S.\n.E"),
    ):
        with pytest.raises(InputError, match="GIF: expected frames"):
            decode(earlier_animation(shown, LEVEL))


def test_a_hand_drawn_text_is_certified_when_it_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("S.#\n..1\n#.E\n")
    level = levolve.load(path)
    level.check()
    assert len(level.solution or "") == 4
    path.write_text("S.#\n#.1\n#.E\nsolution: dddd\n")
    assert levolve.load(path).solution in {"rddr", "rdrd"}
    path.write_text("S#.\n##.\n..E\n")
    assert levolve.load(path).solution is None
    assert run(["check", str(path)]) == 1
    assert "there is no path from the entrance" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('type="wall"', 'type="floor"', "to show 'floor' as tile"),
        (
            'margin="0"',
            'margin="16"',
            "without gaps in our picture, got 16x16, margin 16 and spacing 0",
        ),
        (
            'tilewidth="16"',
            'tilewidth="32"',
            "without gaps in our picture, got 32x16, margin 0 and spacing 0",
        ),
    ],
)
def test_a_tileset_of_tiled_that_shows_something_else_is_refused(
    before: str, after: str, words: str, tmp_path: Path
) -> None:
    path = levolve.save(LEVEL, tmp_path / "a.tmx")
    (tileset,) = tmp_path.glob("*.tsx")
    text = tileset.read_text()
    assert before in text
    tileset.write_text(text.replace(before, after))
    with pytest.raises(InputError) as problem:
        levolve.load(path)
    assert words in str(problem.value)


@pytest.mark.parametrize(("key", "value"), [("src", [64, 64]), ("px", [1, 0]), ("a", 0.1)])
def test_drawn_tiles_of_ldtk_that_show_something_else_are_refused(key: str, value: object) -> None:
    project = json.loads(FORMATS["ldtk"].encode(LEVEL))
    layers = project["levels"][0]["layerInstances"]
    assert FORMATS["ldtk"].decode(json.dumps(project).encode()) == LEVEL
    layers[1]["autoLayerTiles"][0][key] = value
    with pytest.raises(InputError, match="expected drawn tiles of 16 pixels that fill cells"):
        FORMATS["ldtk"].decode(json.dumps(project).encode())


def test_our_floor_drawn_above_the_walls_of_an_ldtk_project_is_refused() -> None:
    project = json.loads(FORMATS["ldtk"].encode(LEVEL))
    project["levels"][0]["layerInstances"].reverse()
    with pytest.raises(
        InputError,
        match="layer Floor: expected drawn tiles as in its IntGrid values, got floor drawn",
    ):
        FORMATS["ldtk"].decode(json.dumps(project).encode())
