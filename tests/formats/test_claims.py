"""What a file claims is checked or dropped: origins need a digest, several levels in a picture are
not trusted, tilesets stay in the map's folder.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from fuzz.fuzz_cases import animation, chunk
from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.json import level_to_data
from levolve.formats.reading.pictures import (
    gif_frames_digest,
    pixels_digest,
    png_chunks,
    png_pixels,
)
from levolve.levels.level import Level, Origin
from levolve.recipes.recipe import find_recipe

ORIGIN = Origin.of(find_recipe("maze").to_data(), 5, 0, "0.1.0")
LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd").with_origin(ORIGIN)
OTHER = Level.from_text("S..\n..1\n..E").with_solution("rrdd").with_origin(ORIGIN)
TMX = (
    '<map width="2" height="2" tilewidth="8" tileheight="8"><tileset firstgid="1" '
    'source="%s"/>%s</map>'
)
LAYER = '<layer name="tiles" width="2" height="2"><data encoding="csv">1,1,1,1</data></layer>'
TSX = '<tileset name="mine"><tile id="0" type="floor"/></tileset>'


def without_lines(mark: bytes) -> Callable[[bytes], bytes]:
    return lambda content: b"".join(
        line for line in content.splitlines(keepends=True) if mark not in line
    )


def without_key(content: bytes) -> bytes:
    data = json.loads(content)
    del data["digest"]
    return json.dumps(data).encode()


def without_array(content: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(buffer, "w") as after:
        for name in before.namelist():
            if name != "digest.npy":
                after.writestr(name, before.read(name))
    return buffer.getvalue()


def without_property(content: bytes) -> bytes:
    data = json.loads(content)
    data["properties"] = [
        entry for entry in data["properties"] if entry["name"] != "levolve_digest"
    ]
    return json.dumps(data).encode()


def without_field(content: bytes) -> bytes:
    data = json.loads(content)
    level = data["levels"][0]
    level["fieldInstances"] = [
        field for field in level["fieldInstances"] if field["__identifier"] != "digest"
    ]
    return json.dumps(data).encode()


def inside_png(content: bytes) -> bytes:
    data = {key: value for key, value in level_to_data(LEVEL).items() if key != "digest"}
    data["pixels"] = pixels_digest(png_pixels(png_chunks(content), "RGBA"))
    place = content.index(b"leVl") - 4
    length = int.from_bytes(content[place : place + 4], "big")
    return (
        content[:place]
        + chunk(b"leVl", zlib.compress(json.dumps(data).encode()))
        + content[place + 12 + length :]
    )


def inside_gif(_: bytes) -> bytes:
    data = {key: value for key, value in level_to_data(LEVEL).items() if key != "digest"}
    return animation(json.dumps({"frames": gif_frames_digest(animation(b"a")), **data}).encode())


WITHOUT = {
    "txt": without_lines(b"digest:"),
    "csv": without_lines(b"digest:"),
    "xsb": without_lines(b"digest:"),
    "tscn": without_lines(b"metadata/digest"),
    "tmx": without_lines(b'name="levolve_digest"'),
    "tmj": without_property,
    "ldtk": without_field,
    "json": without_key,
    "npz": without_array,
    "png": inside_png,
    "tiles.png": inside_png,
    "gif": inside_gif,
}


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_file_without_digest_does_not_keep_its_origin(name: str, tmp_path: Path) -> None:
    path = levolve.save(LEVEL, tmp_path / f"level.{name}")
    assert levolve.load(path).origin == ORIGIN
    content = WITHOUT[name](path.read_bytes())
    assert content != path.read_bytes()
    path.write_bytes(content)
    level = levolve.load(path)
    assert level == LEVEL
    assert level.origin is None
    assert level.solution == LEVEL.solution


def test_a_text_file_with_another_digest_does_not_keep_its_origin(tmp_path: Path) -> None:
    path = levolve.save(LEVEL, tmp_path / "level.txt")
    path.write_text(path.read_text().replace("#.E", "..E"))
    level = levolve.load(path)
    assert level.origin is None
    assert level.solution == "rdrd"


def twice(name: str) -> bytes:
    """A picture with the levels of two."""
    one, other = FORMATS[name].encode(LEVEL), FORMATS[name].encode(OTHER)
    begin = other.index(b"leVl") - 4
    end = begin + 12 + int.from_bytes(other[begin : begin + 4], "big")
    place = one.index(b"leVl") - 4
    return one[:place] + other[begin:end] + one[place:]


def test_of_two_levels_in_a_picture_none_is_trusted(tmp_path: Path) -> None:
    path = tmp_path / "level.png"
    path.write_bytes(twice("png"))
    with pytest.raises(InputError, match="got several levels, of which none is trusted"):
        levolve.load(path)
    path = tmp_path / "level.tiles.png"
    path.write_bytes(twice("tiles.png"))
    level = levolve.load(path)
    assert level == LEVEL, "the pixels count"
    assert level.origin is None


def test_of_two_comments_in_an_animation_none_is_trusted(tmp_path: Path) -> None:
    content = animation(json.dumps(level_to_data(LEVEL)).encode())
    place = content.index(b"!\xfe")
    end = content.index(b"\0", place) + 1
    path = tmp_path / "level.gif"
    path.write_bytes(content[:end] + content[place:end] + content[end:])
    with pytest.raises(InputError, match="got 2 comments, of which none is trusted"):
        levolve.load(path)


@pytest.mark.parametrize(
    "source", ["mine.tsx", "tiles/mine.tsx", "tiles\\mine.tsx", "./mine.tsx", "link.tsx"]
)
def test_tilesets_in_the_folder_of_the_map_are_read(source: str, tmp_path: Path) -> None:
    (tmp_path / "tiles").mkdir()
    for path in (tmp_path / "mine.tsx", tmp_path / "tiles" / "mine.tsx"):
        path.write_text(TSX)
    (tmp_path / "link.tsx").symlink_to("mine.tsx")
    (tmp_path / "map.tmx").write_text(TMX % (source, LAYER))
    assert levolve.load(tmp_path / "map.tmx") == Level(np.zeros((2, 2), np.uint8))


@pytest.mark.parametrize("kind", ["up", "absolute", "link", "folder", "file", "drive", "pipe"])
def test_tilesets_outside_the_folder_of_the_map_are_not_read(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    outside = tmp_path / "outside.tsx"
    outside.write_text(TSX)
    (folder / "link.tsx").symlink_to(outside)
    (folder / "folder").symlink_to(tmp_path)
    sources = {
        "up": "../outside.tsx",
        "absolute": str(outside),
        "link": "link.tsx",
        "folder": "folder/outside.tsx",
        "file": f"file://{outside}",
        "drive": "C:\\outside.tsx",
        "pipe": "..\\outside.tsx",
    }
    (folder / "map.tmx").write_text(TMX % (sources[kind], LAYER))
    with pytest.raises(InputError, match="expected this file in the map's folder"):
        levolve.load(folder / "map.tmx")


@pytest.mark.parametrize(
    "content",
    [
        "root:secret:0:0",
        "<secret/>",
        '<tileset><tile id="secret"/></tileset>',
        '{"tiles": "secret"}',
    ],
)
@pytest.mark.parametrize("name", ["mine.tsx", "mine.tsj"])
def test_an_error_does_not_quote_another_file(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    (tmp_path / "map.tmx").write_text(TMX % (name, LAYER))
    with pytest.raises(InputError, match="expected a tileset of Tiled") as problem:
        levolve.load(tmp_path / "map.tmx")
    assert "secret" not in str(problem.value)
    assert problem.value.__cause__ is None or "secret" not in str(problem.value.__cause__)


def test_a_file_of_another_kind_is_not_read_as_a_tileset(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(TSX)
    (tmp_path / "map.tmx").write_text(TMX % ("secret.txt", LAYER))
    with pytest.raises(InputError, match="expected this file in the map's folder"):
        levolve.load(tmp_path / "map.tmx")


def test_a_picture_with_profiles_and_texts_is_read_by_its_pixels(tmp_path: Path) -> None:
    content = FORMATS["tiles.png"].encode(LEVEL)
    path = tmp_path / "level.tiles.png"
    path.write_bytes(
        content[:33]
        + chunk(b"iCCP", b"")
        + chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(1 << 20)))
        + content[33:]
    )
    assert levolve.load(path) == LEVEL
    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (3, 3)
