"""PNG: a picture of the level. The file also contains the level itself, so that it can be loaded
again.

Contact sheets: many levels in one picture.
"""

import io
import itertools
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PIL import Image, PngImagePlugin

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data
from levolve.formats.look import Look
from levolve.formats.metadata import YOURS
from levolve.formats.pictures.drawing import contact_sheet, draw_level, fitting_tile
from levolve.formats.pictures.marks import LEAST_WIDTH, with_caption
from levolve.formats.reading.budgets import MOST_PIXELS, MOST_UNPACKED
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import inflate
from levolve.formats.reading.pictures import Chunk, pixels_digest, png_chunks, png_pixels
from levolve.formats.themes.theme import PAPER
from levolve.levels.level import Level

# A private, ancillary chunk, safe to copy: editors that do not know it keep it.
CHUNK = b"leVl"
# The digest of the pixels, in the data of the level.
PIXELS = "pixels"
# The difference of colours between pictures of this version and of earlier ones, which blended the
# edges of discs in another order.
ROUNDED = 2
# Twice the pixels of the largest picture that earlier versions drew by default.
MOST_REDRAWN = 1 << 23
CHANGED = (
    "{}: expected {} that show the level stored inside, got others: the file was changed "
    "after it was written, so that nothing shows which level is "
    "meant; convert another file of the level, or replay it"
)


def encode(
    level: Level,
    look: Look | None = None,
    *,
    path: bool = True,
    ends: bool = False,
    legend: bool = False,
    caption: str = "",
) -> bytes:
    """Encode a picture of the level in a look; optionally with its solution, its culs-de-sac, a
    legend and a caption.
    """
    look = look or Look()
    drawn = draw_level(level, look.tile, path=path, ends=ends, legend=legend, theme=look.theme)
    return _with_level(with_caption(drawn, caption), level)


def encode_field(
    level: Level, kind: str, tile: int | None = None, *, ends: bool = False, caption: str = ""
) -> bytes:
    """Encode a picture of the level's field, "distances" or "members", with a legend; optionally
    with its culs-de-sac and a caption.
    """
    from levolve.formats.pictures.level_field import draw_field

    return _with_level(with_caption(draw_field(level, kind, tile, ends=ends), caption), level)


def _with_level(image: Image.Image, level: Level) -> bytes:
    """Encode a picture of a level, with the level and the digest of the pixels that show it."""
    return picture_bytes(image, travelling(level, {PIXELS: pixels_digest(image)}))


def travelling(level: Level, more: Mapping[str, str] | None = None) -> PngImagePlugin.PngInfo:
    """Return the metadata chunks: one contains the level and more values, and a comment says whose
    it is.
    """
    information = commented()
    information.add(
        CHUNK, zlib.compress(json.dumps({**level_to_data(level), **(more or {})}).encode(), 9)
    )
    return information


def commented() -> PngImagePlugin.PngInfo:
    """Return a comment that says whose the level or the puzzle in a picture is."""
    information = PngImagePlugin.PngInfo()
    information.add_text("Comment", YOURS)
    return information


def picture_bytes(image: Image.Image, information: PngImagePlugin.PngInfo | None = None) -> bytes:
    """Encode any picture as PNG."""
    buffer = io.BytesIO()
    # The highest effort, which `optimize=True` sets, takes five times as long for files that are
    # smaller by 5 to 15 %.
    image.save(buffer, "PNG", pnginfo=information, compress_level=6)
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """Return the level in a picture written by `encode`, if that is the level which its pixels
    show.
    """
    chunks = png_chunks(content)
    data = _data_in(chunks)
    if data is None:
        got = (
            "several levels, of which none is trusted"
            if any(name == CHUNK for name, _ in chunks)
            else "another picture"
        )
        raise InputError(
            "PNG: expected a picture written by levolve, which contains the level, got "
            f"{got}; a picture with one pixel per tile "
            "must have a name that ends in .tiles.png"
        )
    level = level_from_data(data)
    image = png_pixels(chunks, None, MOST_PIXELS)
    claimed = data.get(PIXELS)
    if pixels_digest(image) != claimed if claimed is not None else not _drawn_before(level, image):
        raise InputError(CHANGED.format("PNG", "pixels"))
    return level


def _drawn_before(level: Level, image: Image.Image) -> bool:
    """Whether a picture of an earlier version, which has no digest of its pixels, shows the level:
    it is drawn again in all ways of that version.
    """
    from levolve.formats.pictures.level_field import FIELDS, draw_field

    if image.width * image.height > MOST_REDRAWN:
        return False
    for tile in dict.fromkeys((fitting_tile(level), image.width // level.width)):
        if not 0 < tile <= image.width // level.width or tile > image.height // level.height:
            continue
        for path, ends in itertools.product((True, False), (False, True)):
            if shows(image, draw_level(level, tile, path=path, ends=ends, theme=PAPER)):
                return True
        kinds = (
            []
            if level.entrance is None
            else [kind for kind in FIELDS if kind != "members" or level.checkpoints]
        )
        if any(
            shows(image, draw_field(level, kind, tile, ends=ends, legend=False))
            for kind in kinds
            for ends in (False, True)
        ):
            return True
    return False


def shows(image: Image.Image, drawn: Image.Image, most: int = ROUNDED) -> bool:
    """Whether a picture contains another at the top left, or above a legend, apart from differences
    of `most` of 255 in a colour.
    """
    expected = np.asarray(drawn, np.int16)
    for left in {0, (max(drawn.width, LEAST_WIDTH) - drawn.width) // 2}:
        part = np.asarray(
            image.crop((left, 0, left + drawn.width, drawn.height)).convert("RGB"), np.int16
        )
        if np.abs(part - expected).max() <= most:
            return True
    return False


def level_in(chunks: list[Chunk]) -> Level | None:
    """Return the level in the chunks of a picture; None if there is none. Of several, none is
    trusted.
    """
    data = _data_in(chunks)
    return None if data is None else level_from_data(data)


def _data_in(chunks: list[Chunk]) -> dict[str, Any] | None:
    found = [data for name, data in chunks if name == CHUNK]
    if len(found) != 1:
        return None
    data = parse_json(inflate(found[0], MOST_UNPACKED, "PNG: the level in the picture"), "PNG")
    if not isinstance(data, dict):
        raise InputError("PNG: expected a level in the picture, got something else")
    return data


PNG = Format("a picture that also contains the level", encode, decode, draw=encode)


def sheet_picture(
    levels: Sequence[Level | Image.Image], captions: Sequence[str], look: Look | None = None
) -> bytes:
    """Encode a contact sheet of all levels, and of pictures beside them, as PNG."""
    return picture_bytes(contact_sheet(levels, captions, theme=(look or Look()).theme))
