"""Marks on pictures and what explains them: discs, diamonds, letters, and the legend below a
picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from levolve.formats.pictures.colours import INK, PAPER
from levolve.levels.places import Place
from levolve.levels.tileset import Colour

SEAM: Colour = (226, 221, 210)
RIM = 0.05  # of a tile: the light edge of discs, which sets them off from tiles of their own colour
WHITE: Colour = (255, 255, 255)

SWATCH, GAP, LINE = 16, 12, 26
LEAST_WIDTH = 260


@lru_cache(maxsize=16)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The letters that come with Pillow."""
    return ImageFont.load_default(size)


def draw_disc(
    image: Image.Image,
    cell: Place,
    tile: int,
    colour: Colour,
    *,
    share: float = 0.9,
    sign: str = "",
) -> None:
    """A disc on a tile, drawn four times as large and scaled down, so that its edge is smooth."""
    x, y = cell
    if tile < 4:  # too small for a shape
        image.paste(colour, (x * tile, y * tile, (x + 1) * tile, (y + 1) * tile))
        return
    large = tile * 4
    edge = large * (1 - share) / 2
    shape = Image.new("L", (large, large), 0)
    ImageDraw.Draw(shape).ellipse((edge, edge, large - 1 - edge, large - 1 - edge), fill=255)
    face = Image.new("RGB", (large, large), PAPER)
    rim = edge + large * RIM
    ImageDraw.Draw(face).ellipse((rim, rim, large - 1 - rim, large - 1 - rim), fill=colour)
    if sign and tile >= 8:  # too small for a letter
        size = int(large * (0.62 if len(sign) == 1 else 0.5))
        ImageDraw.Draw(face).text(
            (large / 2, large / 2), sign, fill=WHITE, font=font(size), anchor="mm"
        )
    _paste(image, face, shape, (x * tile, y * tile), tile)


def draw_diamond(image: Image.Image, corner: tuple[int, int], side: int, *, filled: bool) -> None:
    """A dark diamond in a square of `side` pixels, given by its upper left corner; filled, or with
    a light inside.
    """
    if side < 4:  # too small for a shape
        image.paste(INK, (*corner, corner[0] + side, corner[1] + side))
        return
    large = side * 4
    shape, face = Image.new("L", (large, large), 0), Image.new("RGB", (large, large), PAPER)
    ImageDraw.Draw(shape).polygon(_diamond(large, 0.0), fill=255)
    ImageDraw.Draw(face).polygon(_diamond(large, 0.1), fill=INK)
    if not filled:
        ImageDraw.Draw(face).polygon(_diamond(large, 0.24), fill=PAPER)
    _paste(image, face, shape, corner, side)


def _diamond(side: int, edge: float) -> list[tuple[float, float]]:
    middle, low, high = side / 2, side * edge, side * (1 - edge) - 1
    return [(middle, low), (high, middle), (middle, high), (low, middle)]


def _paste(
    image: Image.Image, face: Image.Image, shape: Image.Image, corner: tuple[int, int], side: int
) -> None:
    small = (side, side)
    image.paste(
        face.resize(small, Image.Resampling.LANCZOS),
        corner,
        shape.resize(small, Image.Resampling.LANCZOS),
    )


@dataclass(frozen=True)
class LegendEntry:
    """A small picture and what it stands for."""

    mark: Image.Image
    text: str


def _blank(width: int = SWATCH) -> Image.Image:
    return Image.new("RGB", (width, SWATCH), PAPER)


def tile_entry(colour: Colour, text: str) -> LegendEntry:
    """A square of one colour."""
    mark = Image.new("RGB", (SWATCH, SWATCH), colour)
    ImageDraw.Draw(mark).rectangle((0, 0, SWATCH - 1, SWATCH - 1), outline=SEAM)
    return LegendEntry(mark, text)


def picture_entry(ground: Image.Image, picture: Image.Image, text: str) -> LegendEntry:
    """A picture with transparent parts on another one, both of the size of a swatch."""
    mark = ground.convert("RGB")
    mark.paste(picture, (0, 0), picture)
    return LegendEntry(mark, text)


def ramp_entry(colours: Sequence[Colour], text: str) -> LegendEntry:
    """A bar of colours from left to right."""
    mark = _blank(len(colours))
    for x, colour in enumerate(colours):
        mark.paste(colour, (x, 0, x + 1, SWATCH))
    return LegendEntry(mark, text)


def disc_entry(colour: Colour, text: str, *, sign: str = "", share: float = 0.9) -> LegendEntry:
    """A disc, perhaps with a sign on it."""
    mark = _blank()
    draw_disc(mark, (0, 0), SWATCH, colour, share=share, sign=sign)
    return LegendEntry(mark, text)


def diamond_entry(text: str, *, filled: bool) -> LegendEntry:
    """A diamond."""
    mark = _blank()
    draw_diamond(mark, (0, 0), SWATCH, filled=filled)
    return LegendEntry(mark, text)


def line_entry(colour: Colour, edge: Colour | None, text: str, width: int = 4) -> LegendEntry:
    """A line, perhaps with an edge."""
    mark = _blank()
    pen = ImageDraw.Draw(mark)
    if edge is not None:
        pen.line((0, SWATCH / 2, SWATCH, SWATCH / 2), fill=edge, width=width + 3)
    pen.line((0, SWATCH / 2, SWATCH, SWATCH / 2), fill=colour, width=width)
    return LegendEntry(mark, text)


def with_legend(picture: Image.Image, entries: Sequence[LegendEntry]) -> Image.Image:
    """The picture with a strip below it that explains its marks and colours."""
    measure = ImageDraw.Draw(picture)
    width = max(picture.width, LEAST_WIDTH)
    rows: list[list[tuple[LegendEntry, int]]] = [[]]
    used = GAP
    for entry in entries:
        needed = entry.mark.width + 6 + int(measure.textlength(entry.text, font=font(13))) + GAP
        if used + needed > width and rows[-1]:
            rows.append([])
            used = GAP
        rows[-1].append((entry, used))
        used += needed
    sheet = Image.new("RGB", (width, picture.height + GAP + LINE * len(rows)), PAPER)
    sheet.paste(picture, ((width - picture.width) // 2, 0))
    pen = ImageDraw.Draw(sheet)
    for number, row in enumerate(rows):
        top = picture.height + GAP // 2 + number * LINE
        for entry, left in row:
            sheet.paste(entry.mark, (left, top + 4))
            pen.text(
                (left + entry.mark.width + 6, top + 4 + SWATCH / 2),
                entry.text,
                fill=INK,
                font=font(13),
                anchor="lm",
            )
    return sheet


def with_caption(picture: Image.Image, text: str) -> Image.Image:
    """The picture with a line of text below it."""
    if not text:
        return picture
    letters = font(14)
    sheet = Image.new(
        "RGB",
        (max(picture.width, int(letters.getlength(text)) + GAP), picture.height + LINE),
        PAPER,
    )
    sheet.paste(picture, (0, 0))
    ImageDraw.Draw(sheet).text(
        (GAP // 2, picture.height + LINE // 2), text, fill=INK, font=letters, anchor="lm"
    )
    return sheet
