"""Maps as pictures: PNG, and a GIF of all updates."""

import io
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw, PngImagePlugin

from levolve.errors import InputError
from levolve.fashion.legend import Legend, Palette
from levolve.fashion.rule import Map
from levolve.formats.colours import INK, PAPER
from levolve.formats.marks import font
from levolve.formats.picture_sizes import MOST_PIXELS
from levolve.formats.png import picture_bytes

MILLISECONDS = 100


def check_picture(width: int, height: int, pixels: int) -> None:
    """Refuse a picture of a map that is too large for one file."""
    if width * height * pixels * pixels > MOST_PIXELS:
        message = (
            f"a picture of {width * pixels}x{height * pixels} pixels is too large for one file; "
            "take fewer pixels per cell or a window, or write the map in tiles"
        )
        raise InputError(message)


def _image(tiles: Map, palette: Palette, pixels: int) -> Image.Image:
    check_picture(tiles.shape[1], tiles.shape[0], pixels)
    image = Image.fromarray(np.ascontiguousarray(tiles.repeat(pixels, axis=0).repeat(pixels, axis=1)), mode=None).convert("P")
    image.putpalette([part for colour in palette for part in colour])
    return image


def encode_picture(tiles: Map, palette: Palette, pixels: int = 1, notes: Mapping[str, str] | None = None, *, effort: int = 6) -> bytes:
    """A map as PNG with `pixels` pixels per cell, in as many colours as there are states. `notes` are written into it as text.

    `effort` is how well it is compressed, from 0, not at all, to 9.
    """
    information = PngImagePlugin.PngInfo()
    for key, text in (notes or {}).items():
        information.add_text(key, text)
    buffer = io.BytesIO()
    _image(tiles, palette, pixels).save(buffer, "PNG", pnginfo=information, optimize=False, compress_level=effort)
    return buffer.getvalue()


def encode_with_legend(tiles: Map, palette: Palette, legend: Legend, pixels: int = 1) -> bytes:
    """A map as PNG with a strip below it that says what the states in it mean."""
    picture = _image(tiles, palette, pixels).convert("RGB")
    swatch, gap, line = 16, 12, 26
    pen = ImageDraw.Draw(picture)
    present = [state for state in range(len(legend.names)) if (tiles == state).any()]
    needed = {state: swatch + 6 + int(pen.textlength(legend.names[state], font=font(13))) + gap for state in present}
    width = max(picture.width, gap + max(needed.values()))
    places: list[tuple[int, int, int]] = []
    left, row = gap, 0
    for state in present:
        if left + needed[state] > width and left > gap:
            left, row = gap, row + 1
        places.append((state, left, row))
        left += needed[state]
    sheet = Image.new("RGB", (width, picture.height + gap + line * (row + 1)), PAPER)
    sheet.paste(picture, ((width - picture.width) // 2, 0))
    pen = ImageDraw.Draw(sheet)
    for state, left, row in places:
        top = picture.height + gap // 2 + 4 + row * line
        pen.rectangle((left, top, left + swatch - 1, top + swatch - 1), fill=palette[state], outline=INK)
        pen.text((left + swatch + 6, top + swatch / 2), legend.names[state], fill=INK, font=font(13), anchor="lm")
    return picture_bytes(sheet)


def encode_animation(frames: Iterable[Map], palette: Palette, pixels: int = 1, notes: str = "") -> bytes:
    """Maps as a looping GIF that shows each for a tenth of a second."""
    pictures: Sequence[Image.Image] = [_image(tiles, palette, pixels) for tiles in frames]
    if not pictures:
        message = "GIF: expected at least one map to show, got none"
        raise InputError(message)
    buffer = io.BytesIO()
    # Equal maps in a row become one picture that is shown as long as all of them.
    pictures[0].save(
        buffer, "GIF", save_all=True, append_images=pictures[1:], duration=MILLISECONDS, loop=0, disposal=1, comment=notes.encode(), optimize=False
    )
    return buffer.getvalue()
