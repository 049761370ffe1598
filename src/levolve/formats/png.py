"""PNG: a picture of the level. The file also contains the level itself, so that it can be loaded again."""

import io
import json
import warnings
import zlib

from PIL import Image, PngImagePlugin

from levolve.errors import InputError
from levolve.formats.drawing import draw_level
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data, parse_json
from levolve.formats.marks import with_caption
from levolve.levels.level import Level

# A private, ancillary chunk, safe to copy: editors that do not know it keep it.
CHUNK = b"leVl"
MOST_BYTES = 1 << 30
# Raised by Pillow for invalid pictures.
DAMAGED = (OSError, SyntaxError, ValueError, EOFError, zlib.error, Image.DecompressionBombError)


def encode(  # noqa: PLR0913 a picture has as many parts
    level: Level, tile: int | None = None, *, path: bool = True, ends: bool = False, legend: bool = False, caption: str = ""
) -> bytes:
    """Encode a picture of the level with `tile` pixels per tile; optionally with its solution, its culs-de-sac, a legend and a caption."""
    return picture_bytes(with_caption(draw_level(level, tile, path=path, ends=ends, legend=legend), caption), travelling(level))


def encode_field(level: Level, kind: str, tile: int | None = None, *, ends: bool = False, caption: str = "") -> bytes:
    """Encode a picture of the level's field, "distances" or "members", with a legend; optionally with its culs-de-sac and a caption."""
    from levolve.formats.fields import draw_field  # noqa: PLC0415 only a field needs the kernels

    return picture_bytes(with_caption(draw_field(level, kind, tile, ends=ends), caption), travelling(level))


def travelling(level: Level) -> PngImagePlugin.PngInfo:
    """Return the metadata chunk that contains the level."""
    information = PngImagePlugin.PngInfo()
    information.add(CHUNK, zlib.compress(json.dumps(level_to_data(level)).encode(), 9))
    return information


def picture_bytes(image: Image.Image, information: PngImagePlugin.PngInfo | None = None) -> bytes:
    """Encode any picture as PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", pnginfo=information, optimize=True)
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """Return the level in a picture written by `encode`."""
    _, level = read_picture(content)
    if level is None:
        message = (
            "PNG: expected a picture written by levolve, which contains the level, got another picture; a picture with one pixel per tile "
            "must have a name that ends in .tiles.png"
        )
        raise InputError(message)
    return level


def open_picture(content: bytes, form: str) -> Image.Image:
    """Open a picture without reading its pixels."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            return Image.open(io.BytesIO(content), formats=[form])
    except DAMAGED as problem:
        message = f"{form}: expected a picture, got another or a damaged file"
        raise InputError(message) from problem


def read_picture(content: bytes) -> tuple[Image.Image, Level | None]:
    """Open a picture without reading its pixels, and return it with the level in it, or None."""
    image = open_picture(content, "PNG")
    chunks = {chunk[0]: chunk[1] for chunk in getattr(image, "private_chunks", [])}
    if CHUNK not in chunks:
        return image, None
    try:
        inside = zlib.decompressobj().decompress(chunks[CHUNK], MOST_BYTES)
    except zlib.error as problem:
        message = f"PNG: the level in the picture is damaged: {problem}"
        raise InputError(message) from problem
    return image, level_from_data(parse_json(inside, "PNG"))


PNG = Format("a picture that also contains the level", encode, decode)
