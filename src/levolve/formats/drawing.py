"""Drawing levels: one look for PNG, GIF, contact sheets and the terminal."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from levolve.errors import InputError
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

END: Colour = (120, 88, 160)
SEAM: Colour = (226, 221, 210)

DEFAULT_TILE = 16
MOST_PIXELS = 64_000_000
RIM = 0.05  # of a tile: the light edge of discs, which sets them off from tiles of their own colour


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


def draw_level(level: Level, tile: int | None = None, *, path: bool = True, ends: bool = False, legend: bool = False) -> Image.Image:
    """A picture of the level with `tile` pixels a tile: tiles and places, and on wish the solution, the culs-de-sac and a legend below."""
    tile = fitting_tile(level) if tile is None else tile
    if level.width * level.height * tile * tile > MOST_PIXELS:
        message = f"tile: {tile} pixels a tile make a picture of {level.width * tile}x{level.height * tile}, too large to draw; choose fewer"
        raise InputError(message)
    colours = np.array(TILE_COLOURS[level.tileset.name], np.uint8)
    pixels: NDArray[np.uint8] = colours[level.tiles].repeat(tile, axis=0).repeat(tile, axis=1)
    if tile >= 6 and level.tileset.name == "walls":  # noqa: PLR2004 a line between floor tiles smaller than this is noise
        floor = (level.tiles == 0).repeat(tile, axis=0).repeat(tile, axis=1)
        seam = np.zeros(floor.shape, bool)
        seam[::tile, :] = True
        seam[:, ::tile] = True
        pixels[floor & seam] = SEAM
    image = Image.fromarray(pixels)
    pen = ImageDraw.Draw(image)
    if path and level.solution:
        points = [((x + 0.5) * tile, (y + 0.5) * tile) for x, y in path_cells(level)]
        if level.tileset.name != "walls":
            pen.line(points, fill=INK, width=max(1, tile // 4 + 3), joint="curve")
        pen.line(points, fill=PATH if level.tileset.name == "walls" else PAPER, width=max(1, tile // 4), joint="curve")
    if ends:
        for cell in end_cells(level):
            _draw_disc(image, cell, tile, END, share=0.45)
    for name, cell in level.places.items():
        _draw_disc(image, cell, tile, PLACE_COLOURS.get(name, OTHER_PLACE), sign=sign_of(name))
    return _with_legend(image, level, path=path and bool(level.solution), ends=ends) if legend else image


def end_cells(level: Level) -> list[Place]:
    """The culs-de-sac: cells that can be reached and from which no step leads farther from the entrance."""
    from levolve.levels.batch import Batch  # noqa: PLC0415 only pictures that show them need the kernels

    if level.entrance is None:
        return []
    distances = Batch(level.frame, tiles=level.tiles[np.newaxis], tileset=level.tileset).distances[0].tolist()
    steps, kinds = level.tileset.steps, level.tiles.tolist()
    found = []
    for y, row in enumerate(distances):
        for x, here in enumerate(row):
            near = [(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]
            ways = [(u, v) for u, v in near if 0 <= u < level.width and 0 <= v < level.height and steps[kinds[y][x]][kinds[v][u]]]
            if here >= 0 and all(distances[v][u] <= here for u, v in ways):
                found.append((x, y))
    return found


def sign_of(name: str) -> str:
    """The sign of a place in pictures: S, E, a checkpoint's number, or the letter of a tour."""
    return {ENTRANCE: "S", EXIT: "E"}.get(name, name.removeprefix("checkpoint "))


def _draw_disc(image: Image.Image, cell: Place, tile: int, colour: Colour, *, share: float = 0.9, sign: str = "") -> None:  # noqa: PLR0913 where, how large, how it looks
    """A disc on a tile, drawn four times as large and scaled down, so that its edge is smooth."""
    x, y = cell
    if tile < 4:  # noqa: PLR2004 too small for a shape
        image.paste(colour, (x * tile, y * tile, (x + 1) * tile, (y + 1) * tile))
        return
    large = tile * 4
    edge = large * (1 - share) / 2
    shape = Image.new("L", (large, large), 0)
    ImageDraw.Draw(shape).ellipse((edge, edge, large - 1 - edge, large - 1 - edge), fill=255)
    face = Image.new("RGB", (large, large), PAPER)
    rim = edge + large * RIM
    ImageDraw.Draw(face).ellipse((rim, rim, large - 1 - rim, large - 1 - rim), fill=colour)
    if sign and tile >= 8:  # noqa: PLR2004 too small for a letter
        size = int(large * (0.62 if len(sign) == 1 else 0.5))
        ImageDraw.Draw(face).text((large / 2, large / 2), sign, fill=(255, 255, 255), font=font(size), anchor="mm")
    small = (tile, tile)
    image.paste(face.resize(small, Image.Resampling.LANCZOS), (x * tile, y * tile), shape.resize(small, Image.Resampling.LANCZOS))


def _with_legend(picture: Image.Image, level: Level, *, path: bool, ends: bool) -> Image.Image:
    """The picture with a strip below it that says what is what."""
    tileset = level.tileset
    way = PATH if tileset.name == "walls" else PAPER
    entries = [("tile", colour, name) for colour, name in zip(TILE_COLOURS[tileset.name], tileset.names, strict=True)]
    entries += [(sign_of(name), PLACE_COLOURS[name], name) for name in (ENTRANCE, EXIT) if name in level.places]
    entries += [("1", OTHER_PLACE, "checkpoint")] * bool(level.checkpoints)
    entries += [("line", way, "shortest way")] * path + [("end", END, "cul-de-sac")] * ends
    swatch, gap, line = 16, 12, 26
    measure = ImageDraw.Draw(picture)
    rows: list[list[tuple[str, Colour, str, int]]] = [[]]
    used = gap
    width = max(picture.width, 260)
    for kind, colour, text in entries:
        needed = swatch + 6 + int(measure.textlength(text, font=font(13))) + gap
        if used + needed > width and rows[-1]:
            rows.append([])
            used = gap
        rows[-1].append((kind, colour, text, used))
        used += needed
    sheet = Image.new("RGB", (width, picture.height + gap + line * len(rows)), PAPER)
    sheet.paste(picture, ((width - picture.width) // 2, 0))
    pen = ImageDraw.Draw(sheet)
    for number, row in enumerate(rows):
        top = picture.height + gap // 2 + number * line
        for kind, colour, text, left in row:
            mark = Image.new("RGB", (swatch, swatch), PAPER)
            if kind == "tile":
                mark.paste(colour, (0, 0, swatch, swatch))
                ImageDraw.Draw(mark).rectangle((0, 0, swatch - 1, swatch - 1), outline=SEAM)
            elif kind == "line":
                marker = ImageDraw.Draw(mark)
                marker.line((0, swatch / 2, swatch, swatch / 2), fill=INK, width=7 if colour == PAPER else 0)
                marker.line((0, swatch / 2, swatch, swatch / 2), fill=colour, width=4)
            else:
                _draw_disc(mark, (0, 0), swatch, colour, share=0.45 if kind == "end" else 0.9, sign="" if kind == "end" else kind)
            sheet.paste(mark, (left, top + 4))
            pen.text((left + swatch + 6, top + 4 + swatch / 2), text, fill=INK, font=font(13), anchor="lm")
    return sheet


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The letters that come with Pillow."""
    return ImageFont.load_default(size)


def contact_sheet(levels: Sequence[Level], captions: Sequence[str], columns: int | None = None) -> Image.Image:
    """All levels on one picture, each with a caption below it; a column is as wide as its widest level or caption."""
    if columns is None:
        # Wider than high, and the last row as full as can be.
        least = ceil(sqrt(len(levels)))
        columns = min(range(least, least + 4), key=lambda count: -len(levels) % count)
    rows = ceil(len(levels) / columns)
    tile = max(1, min(DEFAULT_TILE, 240 // max(max(level.width, level.height) for level in levels)))
    letters = font(14)
    width = max(*(level.width * tile for level in levels), *(ceil(letters.getlength(caption)) for caption in captions))
    height = max(level.height for level in levels) * tile
    gap, line = 24, 26
    sheet = Image.new("RGB", (gap + columns * (width + gap), gap + rows * (height + line + gap)), PAPER)
    pen = ImageDraw.Draw(sheet)
    for index, (level, caption) in enumerate(zip(levels, captions, strict=True)):
        left = gap + index % columns * (width + gap)
        top = gap + index // columns * (height + line + gap)
        sheet.paste(draw_level(level, tile), (left, top))
        pen.text((left, top + level.height * tile + 6), caption, fill=INK, font=letters)
    return sheet
