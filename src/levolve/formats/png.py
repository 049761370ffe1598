"""PNG: a picture of the level. The file also contains the level itself, so that it can be loaded again."""

import io
import json
import zlib

from PIL import Image, PngImagePlugin

from levolve.errors import InputError
from levolve.formats.drawing import draw_level
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data
from levolve.formats.look import Look
from levolve.formats.marks import with_caption
from levolve.formats.metadata import YOURS
from levolve.formats.reading.budgets import MOST_UNPACKED
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.inflate import inflate
from levolve.formats.reading.pictures import Chunk, png_chunks
from levolve.levels.level import Level

# A private, ancillary chunk, safe to copy: editors that do not know it keep it.
CHUNK = b"leVl"


def encode(  # noqa: PLR0913 a picture has as many parts
    level: Level, look: Look | None = None, *, path: bool = True, ends: bool = False, legend: bool = False, caption: str = ""
) -> bytes:
    """Encode a picture of the level in a look; optionally with its solution, its culs-de-sac, a legend and a caption."""
    look = look or Look()
    drawn = draw_level(level, look.tile, path=path, ends=ends, legend=legend, theme=look.theme)
    return picture_bytes(with_caption(drawn, caption), travelling(level))


def encode_field(level: Level, kind: str, tile: int | None = None, *, ends: bool = False, caption: str = "") -> bytes:
    """Encode a picture of the level's field, "distances" or "members", with a legend; optionally with its culs-de-sac and a caption."""
    from levolve.formats.fields import draw_field  # noqa: PLC0415 only a field needs the kernels

    return picture_bytes(with_caption(draw_field(level, kind, tile, ends=ends), caption), travelling(level))


def travelling(level: Level) -> PngImagePlugin.PngInfo:
    """Return the metadata chunks: one contains the level, and a comment says whose it is."""
    information = commented()
    information.add(CHUNK, zlib.compress(json.dumps(level_to_data(level)).encode(), 9))
    return information


def commented() -> PngImagePlugin.PngInfo:
    """Return a comment that says whose the level or the puzzle in a picture is."""
    information = PngImagePlugin.PngInfo()
    information.add_text("Comment", YOURS)
    return information


def picture_bytes(image: Image.Image, information: PngImagePlugin.PngInfo | None = None) -> bytes:
    """Encode any picture as PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", pnginfo=information, optimize=True)
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """Return the level in a picture written by `encode`."""
    chunks = png_chunks(content)
    level = level_in(chunks)
    if level is None:
        got = "several levels, of which none is trusted" if any(name == CHUNK for name, _ in chunks) else "another picture"
        message = (
            f"PNG: expected a picture written by levolve, which contains the level, got {got}; a picture with one pixel per tile "
            "must have a name that ends in .tiles.png"
        )
        raise InputError(message)
    return level


def level_in(chunks: list[Chunk]) -> Level | None:
    """Return the level in the chunks of a picture; None if there is none. Of several, none is trusted."""
    found = [data for name, data in chunks if name == CHUNK]
    if len(found) != 1:
        return None
    return level_from_data(parse_json(inflate(found[0], MOST_UNPACKED, "PNG: the level in the picture"), "PNG"))


PNG = Format("a picture that also contains the level", encode, decode, draw=encode)
