"""PNG: the level as a picture. The level itself travels inside it, so that the picture can be loaded again."""

import io
import json

from PIL import Image, PngImagePlugin, UnidentifiedImageError

from levolve.errors import InputError
from levolve.formats.drawing import draw_level
from levolve.formats.format import Format
from levolve.formats.json import level_from_data, level_to_data
from levolve.levels.level import Level

KEY = "levolve"


def encode(level: Level, tile: int | None = None, *, path: bool = True) -> bytes:
    """A picture of the level with `tile` pixels a tile, its solution drawn as a line unless `path` is off."""
    information = PngImagePlugin.PngInfo()
    information.add_text(KEY, json.dumps(level_to_data(level)), zip=True)
    buffer = io.BytesIO()
    draw_level(level, tile, path=path).save(buffer, "PNG", pnginfo=information, optimize=True)
    return buffer.getvalue()


def picture_bytes(image: Image.Image) -> bytes:
    """Any picture as PNG."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """The level inside a picture that `encode` made."""
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            image.load()
            inside = image.info.get(KEY)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as problem:
        message = f"PNG: expected a picture, got something else: {problem}"
        raise InputError(message) from problem
    if inside is None:
        message = "PNG: expected a picture written by levolve, with the level inside it, got another picture"
        raise InputError(message)
    try:
        return level_from_data(json.loads(inside))
    except json.JSONDecodeError as problem:
        message = f"PNG: the level inside the picture is damaged: {problem}"
        raise InputError(message) from problem


PNG = Format("a picture, with the level inside", encode, decode)
