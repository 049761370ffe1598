"""Boards as pictures."""

from PIL import Image, ImageDraw

from levolve.formats.colours import INK, PAPER
from levolve.formats.marks import font
from levolve.levels.tileset import Colour
from levolve.puzzles.sliding.rules import Board
from levolve.puzzles.sliding.terminal import AWAY, HOME

TILE = 56
FRAME: Colour = (222, 216, 204)


def draw(board: Board, tile: int = TILE) -> Image.Image:
    """The board; tiles that stand where the goal has them are green."""
    image = Image.new("RGB", (board.width * tile, board.height * tile), FRAME)
    pen = ImageDraw.Draw(image)
    for cell, number in enumerate(board.tiles):
        if number:
            left, top = cell % board.width * tile, cell // board.width * tile
            box = (left + 2, top + 2, left + tile - 3, top + tile - 3)
            pen.rounded_rectangle(box, tile // 8, fill=HOME if board.goal[cell] == number else AWAY, outline=INK)
            pen.text((left + tile / 2, top + tile / 2), str(number), fill=PAPER, font=font(tile // 2), anchor="mm")
    return image
