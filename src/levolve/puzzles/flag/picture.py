"""Rounds as pictures."""

from PIL import Image, ImageDraw

from levolve.formats.colours import INK, PAPER
from levolve.formats.marks import font
from levolve.kernels.flag.field import NEVER
from levolve.puzzles.flag.rules import Play
from levolve.puzzles.flag.terminal import FLAG, PLAYER, colour_of

TILE = 40


def draw(play: Play, tile: int = TILE) -> Image.Image:
    """A state of play: tiles with the visits they still bear, the flag, and the player."""
    played = play.round
    image = Image.new("RGB", (played.width * tile, played.height * tile), PAPER)
    pen = ImageDraw.Draw(image)
    for y, row in enumerate(play.left):
        for x, visits in enumerate(row):
            left, top = x * tile, y * tile
            middle = (left + tile / 2, top + tile / 2)
            if visits:
                box = (left + 2, top + 2, left + tile - 3, top + tile - 3)
                pen.rounded_rectangle(box, tile // 6, fill=colour_of(visits))
                if visits != NEVER and visits > 1:
                    pen.text(middle, str(visits), fill=PAPER, font=font(tile // 2), anchor="mm")
            elif played.tiles[y, x]:
                pen.ellipse((middle[0] - 2, middle[1] - 2, middle[0] + 2, middle[1] + 2), fill=(222, 216, 204))
            if (x, y) == played.flag:
                pen.line((left + tile * 0.35, top + tile * 0.2, left + tile * 0.35, top + tile * 0.8), fill=INK, width=max(1, tile // 14))
                corners = [(left + tile * 0.35, top + tile * 0.2), (left + tile * 0.75, top + tile * 0.35), (left + tile * 0.35, top + tile * 0.5)]
                pen.polygon(corners, fill=FLAG)
    x, y = play.place
    edge = tile * 0.27
    pen.ellipse(
        (x * tile + edge, y * tile + edge, (x + 1) * tile - edge, (y + 1) * tile - edge), fill=PLAYER, outline=PAPER, width=max(1, tile // 16)
    )
    return image
