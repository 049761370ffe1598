"""Drawing levels: one look for PNG, GIF, contact sheets and the terminal."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from levolve.levels.frame import ENTRANCE, EXIT, Place
from levolve.levels.level import Level

Colour = tuple[int, int, int]

PAPER: Colour = (250, 248, 243)
INK: Colour = (58, 52, 64)
TILE_COLOURS: dict[str, tuple[Colour, ...]] = {
    "walls": ((236, 232, 223), (66, 60, 74)),
    "rainbow": ((214, 69, 65), (235, 151, 78), (244, 208, 63), (88, 175, 106), (68, 130, 200), (142, 84, 173)),
}
PATH: Colour = (226, 149, 60)
PLACE_COLOURS: dict[str, Colour] = {ENTRANCE: (46, 134, 88), EXIT: (193, 55, 60)}
OTHER_PLACE: Colour = (62, 104, 184)

DEFAULT_TILE = 16


def path_cells(level: Level) -> Iterator[Place]:
    """The cells that the solution goes through, from the entrance (or A) on."""
    start = level.places.get(ENTRANCE, level.places.get("A"))
    if level.solution is None or start is None:
        return
    x, y = start
    yield x, y
    for move in level.solution:
        x += (move == "r") - (move == "l")
        y += (move == "d") - (move == "u")
        yield x, y


def fitting_tile(level: Level, most: int = 2048) -> int:
    """The usual tile size, or less where the picture would be larger than `most` pixels."""
    return max(1, min(DEFAULT_TILE, most // max(level.width, level.height)))


def draw_level(level: Level, tile: int | None = None, *, path: bool = True) -> Image.Image:
    """A picture of the level with `tile` pixels a tile: tiles, the solution as a line, and the places."""
    tile = fitting_tile(level) if tile is None else tile
    colours = np.array(TILE_COLOURS[level.tileset.name], np.uint8)
    pixels: NDArray[np.uint8] = colours[level.tiles].repeat(tile, axis=0).repeat(tile, axis=1)
    if tile >= 6 and level.tileset.name == "walls":  # noqa: PLR2004 a line between floor tiles smaller than this is noise
        floor = (level.tiles == 0).repeat(tile, axis=0).repeat(tile, axis=1)
        seam = np.zeros(floor.shape, bool)
        seam[::tile, :] = True
        seam[:, ::tile] = True
        pixels[floor & seam] = (226, 221, 210)
    image = Image.fromarray(pixels)
    pen = ImageDraw.Draw(image)
    if path and level.solution:
        points = [((x + 0.5) * tile, (y + 0.5) * tile) for x, y in path_cells(level)]
        pen.line(points, fill=PATH, width=max(1, tile // 4), joint="curve")
    for name, (x, y) in level.places.items():
        _draw_place(pen, name, x, y, tile)
    return image


def _draw_place(pen: ImageDraw.ImageDraw, name: str, x: int, y: int, tile: int) -> None:
    colour = PLACE_COLOURS.get(name, OTHER_PLACE)
    edge = tile // 8
    box = (x * tile + edge, y * tile + edge, (x + 1) * tile - 1 - edge, (y + 1) * tile - 1 - edge)
    if tile < 4:  # noqa: PLR2004 too small for a shape
        pen.rectangle(box, fill=colour)
        return
    pen.ellipse(box, fill=colour)
    sign = {ENTRANCE: "S", EXIT: "E"}.get(name, name.removeprefix("checkpoint "))
    if tile >= 10:  # noqa: PLR2004 too small for a letter
        pen.text(((x + 0.5) * tile, (y + 0.5) * tile), sign, fill=(255, 255, 255), font=font(int(tile * 0.62)), anchor="mm")


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The letters that come with Pillow."""
    return ImageFont.load_default(size)


def contact_sheet(levels: Sequence[Level], captions: Sequence[str], columns: int | None = None) -> Image.Image:
    """All levels on one picture, each with a caption below it."""
    if columns is None:
        # Wider than high, and the last row as full as can be.
        least = ceil(sqrt(len(levels)))
        columns = min(range(least, least + 4), key=lambda count: -len(levels) % count)
    rows = ceil(len(levels) / columns)
    tile = max(1, min(DEFAULT_TILE, 240 // max(max(level.width, level.height) for level in levels)))
    width = max(level.width for level in levels) * tile
    height = max(level.height for level in levels) * tile
    gap, line = 24, 26
    sheet = Image.new("RGB", (gap + columns * (width + gap), gap + rows * (height + line + gap)), PAPER)
    pen = ImageDraw.Draw(sheet)
    for index, (level, caption) in enumerate(zip(levels, captions, strict=True)):
        left = gap + index % columns * (width + gap)
        top = gap + index // columns * (height + line + gap)
        sheet.paste(draw_level(level, tile), (left, top))
        pen.text((left, top + level.height * tile + 6), caption, fill=INK, font=font(14))
    return sheet
