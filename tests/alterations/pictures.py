"""Alterations of PNG, GIF and one pixel per tile."""

import io
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from PIL import Image

from alterations.alteration import Cells, Shown
from fuzz.fuzz_cases import chunk
from levolve.formats import FORMATS
from levolve.formats.look import look_of
from levolve.formats.pictures.colours import PLACE_COLOURS
from levolve.formats.pictures.pixels import SIGN_COLOURS
from levolve.formats.reading.pictures import png_chunks
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS


def alter_png(path: Path, level: Level, other: Level, random: Random) -> str:
    """Change pixels, and keep the level inside."""
    (inside,) = (data for name, data in png_chunks(path.read_bytes()) if name == b"leVl")
    way = random.choice(
        ("same", "other", "theme", "cells", "pixel", "moved", "flipped", "crop", "animated")
    )
    with Image.open(path) as image:
        pixels = image.convert("RGB")
    side = pixels.width // level.width
    if way == "other":
        pixels = Image.open(io.BytesIO(FORMATS["png"].encode(other))).convert("RGB")
    elif way == "theme":
        pixels = Image.open(io.BytesIO(FORMATS["png"].write(level, look_of("ice")))).convert("RGB")
    elif way == "cells":
        (a, b), (c, d) = (
            (random.randrange(level.width) * side, random.randrange(level.height) * side)
            for _ in range(2)
        )
        pixels.paste(pixels.crop((a, b, a + side, b + side)), (c, d))
    elif way == "pixel":
        pixels.putpixel(
            (random.randrange(pixels.width), random.randrange(pixels.height)), (255, 0, 255)
        )
    elif way == "moved":
        pixels.paste(pixels.copy(), (side, 0))
    elif way == "flipped":
        pixels = pixels.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    elif way == "crop":
        pixels = pixels.crop((0, 0, pixels.width, pixels.height - side))
    buffer = io.BytesIO()
    pixels.save(buffer, "PNG", compress_level=random.randint(0, 9))
    content = buffer.getvalue()
    path.write_bytes(
        content[:33]
        + (chunk(b"acTL", bytes(8)) if way == "animated" else b"")
        + chunk(b"leVl", inside)
        + content[33:]
    )
    return way


def shown_png(path: Path, certified: Level) -> bool:
    """Whether a picture has the pixels that show a level, in the default theme."""
    content = path.read_bytes()
    with (
        Image.open(path) as image,
        Image.open(io.BytesIO(FORMATS["png"].encode(certified))) as drawn,
    ):
        return (
            image.size == drawn.size
            and image.convert("RGBA").tobytes() == drawn.convert("RGBA").tobytes()
            and b"acTL" not in content
        )


def alter_gif(path: Path, level: Level, other: Level, random: Random) -> str:
    """Show the frames of another level, or change a byte of the frames."""
    del level
    content, frames = path.read_bytes(), FORMATS["gif"].encode(other)
    (begin, end), (first, last) = _comment(content), _comment(frames)
    if random.random() < 0.5:
        path.write_bytes(frames[:first] + content[begin:end] + frames[last:])
        return "other frames"
    changed = bytearray(content)
    changed[random.randrange(end, len(content) - 1)] ^= 1 << random.randrange(8)
    path.write_bytes(changed)
    return "another byte"


def shown_gif(path: Path, certified: Level) -> bool:
    """Whether an animation has the frames of a level, in the default theme."""
    content, frames = path.read_bytes(), FORMATS["gif"].encode(certified)
    (begin, end), (first, last) = _comment(content), _comment(frames)
    return content[:begin] + content[end:] == frames[:first] + frames[last:]


def _comment(content: bytes) -> tuple[int, int]:
    begin = end = content.index(b"!\xfe")
    end += 2
    while content[end]:
        end += content[end] + 1
    return begin, end + 1


def alter_pixels(path: Path, level: Level, other: Level, random: Random) -> str:
    """Paint, swap, move and mirror pixels, and keep the level inside."""
    del other
    (inside,) = (data for name, data in png_chunks(path.read_bytes()) if name == b"leVl")
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB")).copy()
    way = random.choice(("paint", "swap", "roll", "mirror", "turn", "unknown", "faint"))
    x, y = random.randrange(level.width), random.randrange(level.height)
    if way == "paint":
        pixels[y, x] = random.choice(level.tileset.colours)
    elif way == "swap":
        pixels[y, x], pixels[0, 0] = pixels[0, 0].copy(), pixels[y, x].copy()
    elif way == "roll":
        pixels = np.roll(pixels, random.choice((-1, 1)), axis=random.choice((0, 1)))
    elif way == "mirror":
        pixels = pixels[:, ::-1]
    elif way == "turn":
        pixels = pixels.swapaxes(0, 1)
    elif way == "unknown":
        pixels[y, x] = (1, 2, 3)
    painted = Image.fromarray(np.ascontiguousarray(pixels))
    if way == "faint":
        painted.putalpha(128)
    buffer = io.BytesIO()
    painted.save(buffer, "PNG")
    path.write_bytes(buffer.getvalue()[:33] + chunk(b"leVl", inside) + buffer.getvalue()[33:])
    return way


def shown_pixels(path: Path) -> Shown | None:
    """What the colours of the pixels mean."""
    walls = TILESETS["walls"]
    kinds = dict(zip(walls.colours, walls.names, strict=True))
    places = {
        SIGN_COLOURS["1"]: "checkpoint 1",
        PLACE_COLOURS["entrance"]: "entrance",
        PLACE_COLOURS["exit"]: "exit",
    }
    cells: Cells = {}
    found: dict[str, tuple[int, int]] = {}
    with Image.open(path) as image:
        pixels: Any = image.convert("RGBA")
    for y in range(pixels.height):
        for x in range(pixels.width):
            red, green, blue, opacity = pixels.getpixel((x, y))
            colour = (red, green, blue)
            if opacity != 255 or colour not in {*kinds, *places}:
                return None
            cells[x, y] = kinds.get(colour, "floor")
            if colour in places:
                found[places[colour]] = (x, y)
    return cells, found
