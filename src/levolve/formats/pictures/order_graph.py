"""The order of keys as a picture: an arrow from each thing to those that come after it, which stand
to the right of it.
"""

from math import atan2, cos, pi, sin

from PIL import Image, ImageDraw

from levolve.core.errors import InputError
from levolve.formats.pictures.colours import INK, PAPER, PLACE_COLOURS
from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import commented, picture_bytes
from levolve.formats.themes.theme import Theme
from levolve.formats.themes.things import looks_of
from levolve.levels.level import Level
from levolve.levels.measures.key_order import KeyOrder, key_order
from levolve.levels.places import EXIT
from levolve.levels.tileset import Colour

TILE = 32
COLUMN, ROW, MARGIN = 150, 96, 28
FADED: Colour = (150, 145, 135)
LINE: Colour = (120, 114, 104)
MOST = 200
END = "end"

Spot = tuple[float, float]


def encode_order(level: Level, theme: Theme) -> bytes:
    """Encode a picture of the order of a level's things, as PNG."""
    return picture_bytes(draw_order(level, theme), commented())


def draw_order(level: Level, theme: Theme) -> Image.Image:
    """Draw the order of a level's things. What every play that wins enters has a frame."""
    found = key_order(level)
    shown = [index for index, sphere in enumerate(found.spheres) if sphere]
    if not shown:
        raise InputError(
            "--order: expected a level with things that act and can be reached, got none"
        )
    if len(shown) > MOST:
        raise InputError(f"--order: expected at most {MOST} things, got {len(shown)}")
    spots, size = _spots(found, shown)
    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    names = font(12)
    end = size[0] - MARGIN - COLUMN / 2, size[1] / 2
    pen.text((end[0], end[1] + TILE // 2 + 18), END, fill=INK, font=names, anchor="mm")
    for one, other in found.edges:
        if one in spots and other in spots:
            _arrow(pen, spots[one], spots[other])
    for one in found.last:
        _arrow(pen, spots[one], end)
    looks = looks_of(found.things, level.kinds)
    for index in shown:
        x, y = spots[index]
        half = TILE // 2
        box = (round(x) - half - 5, round(y) - half - 5, round(x) + half + 4, round(y) + half + 4)
        pen.rounded_rectangle(
            box, 6, fill=PAPER, outline=INK if found.required[index] else None, width=2
        )
        mark = Image.fromarray(theme.thing(looks[index], TILE))
        image.paste(mark, (round(x) - half, round(y) - half), mark)
        below = f"sphere {found.spheres[index]}"
        for line, text, colour in ((14, found.labels[index], INK), (28, below, FADED)):
            # A rim of paper, so that arrows do not cross the letters.
            pen.text(
                (x, y + half + line),
                text,
                fill=colour,
                font=names,
                anchor="mm",
                stroke_width=3,
                stroke_fill=PAPER,
            )
    mark = Image.fromarray(theme.place(EXIT, TILE))
    pen.ellipse(_around(end), fill=PAPER, outline=PLACE_COLOURS[EXIT], width=2)
    image.paste(mark, (round(end[0]) - TILE // 2, round(end[1]) - TILE // 2), mark)
    return image


def _around(spot: Spot) -> tuple[float, float, float, float]:
    half = TILE // 2 + 6
    return spot[0] - half, spot[1] - half, spot[0] + half, spot[1] + half


def _spots(found: KeyOrder, shown: list[int]) -> tuple[dict[int, Spot], tuple[int, int]]:
    """Return where the centres of things are, and the size of the picture.

    The column of a thing is the length of the longest chain of things before it. In each column,
    things are sorted by the height of those before them.
    """
    earlier: dict[int, list[int]] = {index: [] for index in shown}
    for one, other in found.edges:
        if one in earlier and other in earlier:
            earlier[other].append(one)
    depth: dict[int, int] = {}
    left = list(shown)
    while left:
        # What comes before is placed before: the order has no cycles.
        ready = [index for index in left if all(one in depth for one in earlier[index])]
        for index in ready:
            depth[index] = 1 + max((depth[one] for one in earlier[index]), default=-1)
        left = [index for index in left if index not in depth]
    columns = [
        [index for index in shown if depth[index] == number]
        for number in range(max(depth.values()) + 1)
    ]
    height = 2 * MARGIN + max(map(len, columns)) * ROW
    spots: dict[int, Spot] = {}
    for number, column in enumerate(columns):
        mean = {
            index: sum(spots[one][1] for one in earlier[index]) / max(len(earlier[index]), 1)
            for index in column
        }
        column.sort(key=lambda index: mean[index])
        step = (height - 2 * MARGIN) / len(column)
        for place, index in enumerate(column):
            spots[index] = MARGIN + (number + 0.5) * COLUMN, MARGIN + (place + 0.4) * step
    return spots, (2 * MARGIN + (len(columns) + 1) * COLUMN, height)


def _arrow(pen: ImageDraw.ImageDraw, start: Spot, end: Spot) -> None:
    """Draw an arrow between the borders of two things."""
    angle = atan2(end[1] - start[1], end[0] - start[0])
    away = TILE / 2 + 10
    tail = start[0] + away * cos(angle), start[1] + away * sin(angle)
    head = end[0] - away * cos(angle), end[1] - away * sin(angle)
    pen.line([tail, head], fill=LINE, width=2)
    wings = [
        (head[0] - 9 * cos(angle + turn), head[1] - 9 * sin(angle + turn))
        for turn in (-pi / 7, pi / 7)
    ]
    pen.polygon([head, *wings], fill=LINE)
