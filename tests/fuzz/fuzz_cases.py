"""Files that once took minutes, gigabytes or a traceback to read: a name for each file, and its
bytes. The public functions read them.
"""

import io
import json
import struct
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from PIL import Image

from fuzz.thing_cases import thing_files
from levolve.formats.json import level_to_data
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
NESTED = b"[" * 100_000
NESTED_TABLES = b'{"a":' * 50_000
SCENE = (
    b'[gd_scene format=4]\n[node name="L"]\nmetadata/size = Vector2i(%d, %d)\nmetadata/tileset = '
    b'"walls"\n[node name="Tiles" type="TileMapLayer"]\n'
)
RECORD = "sMs[%s]g6n2w5l5neighbours[(0, 1)]\n"
HEADER = b"{'descr': '%s', 'fortran_order': False, 'shape': (2, 2), }\n"
HEADERS = (
    b"{'descr': '|u1', 'shape': (2,",
    b"(" * 5000,
    HEADER % b"|O",
    b"-" * 3000 + b"1",
    b"'" * 3,
    b"\0",
)
MAP = '<map width="%d" height="%d" tilewidth="8" tileheight="8">%s</map>'
TILES = (
    '<tileset firstgid="1" name="mine"><tile id="0" type="floor"/><tile id="1" '
    'type="wall"/></tileset>'
)


def chunk(name: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def picture(side: int, *more: bytes) -> bytes:
    """A grey picture whose pixels are all 0, with more chunks after its header."""
    packer = zlib.compressobj(9)
    rows = b"".join([packer.compress(bytes(side + 1)) for _ in range(side)] + [packer.flush()])
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", header, *more, chunk(b"IDAT", rows), chunk(b"IEND", b"")]
    )


def with_level(inside: bytes, times: int = 1) -> bytes:
    """A picture that contains these bytes as its level."""
    return picture(3, *[chunk(b"leVl", zlib.compress(inside))] * times)


def animation(comment: bytes) -> bytes:
    """An animation that contains these bytes as its level."""
    buffer = io.BytesIO()
    Image.new("L", (3, 3)).save(buffer, "GIF", comment=comment)
    return buffer.getvalue()


def zeros(count: int) -> bytes:
    """So many zeros, compressed."""
    packer = zlib.compressobj(9)
    return b"".join(
        [packer.compress(bytes(1 << 20)) for _ in range(count >> 20)] + [packer.flush()]
    )


def archive(packing: int = zipfile.ZIP_DEFLATED, **entries: bytes) -> bytes:
    """An NPZ file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", packing) as written:
        for name, data in entries.items():
            written.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def array(header: bytes, data: bytes = b"") -> bytes:
    """An array with any header."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def large_array() -> bytes:
    """Zeros for a level of 16384x16384."""
    header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (16384, 16384), }\n"
    return archive(tiles=array(header, bytes(1 << 28)))


def layer(width: int, height: int, data: str) -> str:
    """A layer of a map."""
    return f'<layer name="tiles" width="{width}" height="{height}">{data}</layer>'


def many_tilesets(count: int) -> bytes:
    """A map with a tileset for each tile."""
    tilesets = "".join(
        f'<tileset firstgid="{number}" name="t{number}"><tile id="0" type="floor"/></tileset>'
        for number in range(1, count + 1)
    )
    numbers = ",".join(map(str, range(1, count + 1)))
    return (
        MAP
        % (count // 2, 2, tilesets + layer(count // 2, 2, f'<data encoding="csv">{numbers}</data>'))
    ).encode()


def many_tiles(count: int) -> bytes:
    """A map with a tileset of many tiles, all of which are used."""
    tiles = "".join(f'<tile id="{number}" type="floor"/>' for number in range(count))
    numbers = ",".join(map(str, range(1, count + 1)))
    tileset = f'<tileset firstgid="1" name="mine">{tiles}</tileset>'
    return (
        MAP
        % (count // 2, 2, tileset + layer(count // 2, 2, f'<data encoding="csv">{numbers}</data>'))
    ).encode()


def packed_layer(side: int, count: int) -> bytes:
    """A map whose layer unpacks to so many bytes."""
    data = f'<data encoding="base64" compression="zlib">{b64encode(zeros(count)).decode()}</data>'
    return (MAP % (side, side, TILES + layer(side, side, data))).encode()


def ragged(first: bytes, cell: bytes) -> bytes:
    """One long line, and as many lines of one cell as would make a board of 900 million cells."""
    return first * 30_000 + b"\n" + (cell + b"\n") * 30_000


def changed(**changes: object) -> bytes:
    """A level in JSON with some keys changed."""
    return json.dumps({**level_to_data(LEVEL), **changes}).encode()


def level_files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Levels and positions, read by `levolve.load`."""
    yield "attributes.tscn", lambda: b"[gd_scene format=4]\n[node " + b"a" * 50_000 + b"]\n"
    yield "quotes.tscn", lambda: b'[gd_scene format=4]\na = "' + b'\\"' * 50_000
    yield "size.tscn", lambda: SCENE % (8192, 8192)
    yield (
        "bytes.tscn",
        lambda: SCENE % (3, 3) + b"tile_map_data = PackedByteArray(" + b"1, " * 4_300_000 + b"1)\n",
    )
    yield "tilesets.tmx", lambda: many_tilesets(20_000)
    yield "tiles.tmx", lambda: many_tiles(40_000)
    yield "packed.tmx", lambda: packed_layer(8192, 1 << 28)
    yield "small.tmx", lambda: packed_layer(3, 1 << 26)
    yield (
        "entities.tmx",
        lambda: (
            b'<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b '
            b'"&a;&a;&a;&a;&a;&a;&a;&a;">]><map name="&b;"/>'
        ),
    )
    yield "elements.tmx", lambda: b"<map>" + b"<a/>" * 600_000 + b"</map>"
    yield "square.tiles.png", lambda: picture(8192)
    yield "text.tiles.png", lambda: picture(3, chunk(b"zTXt", b"a\0\0" + zeros(1 << 28)))
    yield "long_text.png", lambda: picture(3, chunk(b"tEXt", b"a\0" + b"a" * (1 << 22)))
    yield "profile.tiles.png", lambda: picture(3, chunk(b"iCCP", b""))
    yield "level.png", lambda: with_level(b"[" + b" " * (1 << 25))
    yield "zeros.npz", large_array
    yield "cut_lzma.npz", lambda: archive(zipfile.ZIP_LZMA, tiles=array(b"{}"))[:-30]
    yield "lzma.npz", lambda: archive(zipfile.ZIP_LZMA, tiles=array(HEADER % b"|u1", bytes(4)))
    for number, header in enumerate(HEADERS):
        yield f"header{number}.npz", partial(archive, tiles=array(header, bytes(4)))
    yield (
        "characters.npz",
        lambda: archive(
            tiles=array(HEADER % b"<U1", b"\xff" * 16), tileset=array(HEADER % b"<U1", b"\xff" * 16)
        ),
    )
    yield "ragged.xsb", lambda: ragged(b"#", b"#")
    yield "ragged.txt", lambda: ragged(b".", b".")
    yield "ragged_round.txt", lambda: b"F" + ragged(b"1", b"1")
    yield "lines.txt", lambda: b"\n.:" * 500_000
    yield "wide.csv", lambda: b"0," * 5_000_000
    for suffix in ("json", "tmj", "ldtk"):
        yield f"nested.{suffix}", lambda: NESTED
        yield f"nested_tables.{suffix}", lambda: NESTED_TABLES
        yield f"values.{suffix}", lambda: b"[" + b"[]," * 3_000_000 + b"1]"
    yield "nested.png", lambda: with_level(NESTED)
    yield "nested.tiles.png", lambda: with_level(NESTED)
    yield "nested.gif", lambda: animation(NESTED)
    yield "nested_recipe.json", lambda: changed(recipe=json.loads("[" * 900 + "]" * 900))
    yield "nested_origin.txt", lambda: b"S.\n.E\norigin: " + NESTED
    yield "blocks.gif", lambda: b"GIF89a\x01\0\x01\0\0\0\0!\xfe" + b"\x01a" * 1_000_000
    yield (
        "places.json",
        lambda: changed(
            places={f"checkpoint {number}": [0, 0] for number in range(1, 50_000)}, digest=None
        ),
    )
    yield "name.json", lambda: changed(tileset="walls" * 200_000)
    yield (
        "digits.json",
        lambda: b'{"rows": [[1]], "start": [0, 0], "tiles": {"' + b"1" * 5000 + b'": 1}}',
    )
    yield "rows.json", lambda: b'{"rows": [[' + b"1" * 4000 + b']], "start": [0, 0]}'
    yield "surrogate.json", lambda: b'{"rows": [[1]], "start": [0, 0], "facts": {"\\ud800": 1}}'
    yield (
        "surrogate_level.json",
        lambda: b'{"tiles": ["..", ".."], "\\ud800": 1, "places": {"\\udfff": [0, 0]}}',
    )
    yield "infinite.json", lambda: b'{"rows": [[5, 1]], "start": [1e9999, 0]}'
    yield "board.json", lambda: b'{"format": "levolve board", "board": [[1], [2, 3]]}'
    yield (
        "long_board.json",
        lambda: b'{"format": "levolve board", "board": ["' + b"1" * 5000 + b'"]}',
    )
    yield (
        "moves.json",
        lambda: b'{"rows": [[5, 1]], "start": [1, 0], "solution": "' + b"l" * 900_000 + b'"}',
    )
    yield "backslashes.json", lambda: b'"' + b"\\" * 1_000_001 + b'"'


def design_files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Fashion rules and records, read by `levolve.fashion.find_designs`."""
    yield "letters.txt", lambda: b"sMs[0]g" + b"n" * 303 + b"w" * 303 + b"l" * 303 + b"\n"
    yield "digits.txt", (RECORD % ("1" * 40_000 + "x")).encode
    yield "many_digits.txt", (RECORD % ", ".join(["1" * 40_000] * 4)).encode
    yield "infinite.txt", (RECORD % "0, 1e9999, 0, 0").encode
    yield "large.txt", (RECORD % "0, 1e999, 0, 0").encode
    yield "note.txt", lambda: (RECORD % "0, 1, 0, 0").encode() + b"#" + b" " * 20_000 + b"x\n"
    yield "scores.txt", (RECORD % ("0," * 1_000_000)).encode
    yield "neighbours.txt", lambda: b"sMs[0]g6n1w5l5neighbours[" + b"(0, 1)," * 200_000 + b"]\n"
    yield "infinite.toml", lambda: b"scores = [[1e9999, 0], [0, inf]]"
    yield "infinite.json", lambda: b'{"scores": [[1e9999, 0], [0, 1]]}'
    yield "digits.json", lambda: b'{"scores": [[' + b"1" * 400 + b", 0], [0, 1]]}"
    yield "nested.json", lambda: b'{"scores": ' + NESTED
    yield "nested.toml", lambda: b"scores = " + NESTED
    yield "key.toml", lambda: b"a." * 500_000 + b"a = 1"
    yield (
        "tables.toml",
        lambda: b"".join(b"[a%d." % number + b"b." * 30 + b"c]\n" for number in range(30_000)),
    )


def recipe_files() -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Recipes, read by `Recipe.read`."""
    yield "nested.json", lambda: b'{"name": ' + NESTED
    yield "nested.toml", lambda: b"name = " + NESTED
    yield "digits.toml", lambda: b"generations = " + b"1" * 400
    yield (
        "kind.json",
        lambda: (
            b'{"name": "a", "genotype": {"kind": []}, "objective": {"kind": {}}, "strategy": []}'
        ),
    )


def read_case(group: str, path: Path, _: bytes = b"") -> object:
    """Read a file of a group as a user would."""
    import levolve
    from levolve.recipes.recipe import Recipe
    from levolve.worlds.shipped import find_designs

    if group == "design":
        return find_designs(path)
    return Recipe.read(path) if group == "recipe" else levolve.load(path)


GROUPS = {
    "level": level_files,
    "things": thing_files,
    "design": design_files,
    "recipe": recipe_files,
}
NAMES = [f"{group}/{name}" for group, files in GROUPS.items() for name, _ in files()]
assert len(set(NAMES)) == len(NAMES)
