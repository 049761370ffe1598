"""PNG: the level as a picture. The level itself travels inside it, so that the picture can be loaded again."""

import io
import json
import warnings
import zlib

from PIL import Image, PngImagePlugin

from levolve.errors import InputError
from levolve.formats.drawing import draw_level
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data, parse_json
from levolve.levels.level import Level

# A chunk of our own, by PNG's rules: not critical, private, kept by editors that do not know it.
CHUNK = b"leVl"
MOST_BYTES = 1 << 30
# What Pillow raises for pictures that are none.
DAMAGED = (OSError, SyntaxError, ValueError, EOFError, zlib.error, Image.DecompressionBombError)


def encode(level: Level, tile: int | None = None, *, path: bool = True, ends: bool = False, legend: bool = False) -> bytes:
    """A picture of the level with `tile` pixels a tile; on wish with its solution, its culs-de-sac and a legend."""
    return picture_bytes(draw_level(level, tile, path=path, ends=ends, legend=legend), travelling(level))


def travelling(level: Level) -> PngImagePlugin.PngInfo:
    """The level, to be put into a picture."""
    information = PngImagePlugin.PngInfo()
    information.add(CHUNK, zlib.compress(json.dumps(level_to_data(level)).encode(), 9))
    return information


def picture_bytes(image: Image.Image, information: PngImagePlugin.PngInfo | None = None) -> bytes:
    """Any picture as PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", pnginfo=information, optimize=True)
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """The level inside a picture that `encode` made."""
    _, level = read_picture(content)
    if level is None:
        message = (
            "PNG: expected a picture written by levolve, with the level inside it, got another picture; one that is painted, a pixel a tile, "
            "has a name that ends in .tiles.png"
        )
        raise InputError(message)
    return level


def open_picture(content: bytes, form: str) -> Image.Image:
    """A picture, its pixels not yet read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            return Image.open(io.BytesIO(content), formats=[form])
    except DAMAGED as problem:
        message = f"{form}: expected a picture, got a file that is none, or a damaged one"
        raise InputError(message) from problem


def read_picture(content: bytes) -> tuple[Image.Image, Level | None]:
    """A picture, its pixels not yet read, and the level that travels inside it, if there is one."""
    image = open_picture(content, "PNG")
    chunks = {chunk[0]: chunk[1] for chunk in getattr(image, "private_chunks", [])}
    if CHUNK not in chunks:
        return image, None
    try:
        inside = zlib.decompressobj().decompress(chunks[CHUNK], MOST_BYTES)
    except zlib.error as problem:
        message = f"PNG: the level inside the picture is damaged: {problem}"
        raise InputError(message) from problem
    return image, level_from_data(parse_json(inside, "PNG"))


PNG = Format("a picture, with the level inside", encode, decode)
