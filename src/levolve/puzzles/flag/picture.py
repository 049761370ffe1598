"""Rounds as pictures, and on the terminal."""

from PIL import Image, ImageDraw

from levolve.formats.marks import INK, PAPER, font
from levolve.kernels.flag.field import NEVER
from levolve.levels.tileset import Colour
from levolve.puzzles.animation import paint
from levolve.puzzles.flag.rules import Play

TILE = 40
UNFALLING: Colour = (150, 156, 168)
FLAG: Colour = (193, 55, 60)
PLAYER: Colour = (46, 104, 164)
# From light to dark with the visits that a tile still bears.
BEARS: tuple[Colour, ...] = ((244, 208, 99), (222, 158, 66), (196, 116, 52), (168, 84, 44), (140, 62, 40))


def _colour(visits: int) -> Colour:
    return UNFALLING if visits == NEVER else BEARS[min(visits, len(BEARS)) - 1]


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
                pen.rounded_rectangle(box, tile // 6, fill=_colour(visits))
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


def terminal(play: Play, *, colour: bool = True) -> str:
    """A state of play with two characters per tile: visits left, `*` never falls, `F` the flag, `@` the player."""
    lines = []
    for y, row in enumerate(play.left):
        line = ""
        for x, visits in enumerate(row):
            sign = "." if visits == 0 else "*" if visits == NEVER else str(visits)
            if (x, y) == play.round.flag:
                sign = "F"
            if (x, y) == play.place:
                sign = "@"
            if not colour:
                line += f"{sign} "
            elif visits == 0 and sign == ".":
                line += "  "
            else:
                ground = FLAG if (x, y) == play.round.flag else PLAYER if sign == "@" else _colour(visits)
                line += paint(f" {sign}", ground, PAPER)
        lines.append(line.rstrip() if not colour else line)
    return "\n".join(lines)
