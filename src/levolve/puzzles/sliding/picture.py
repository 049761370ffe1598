"""Boards as pictures, and on the terminal."""

from PIL import Image, ImageDraw

from levolve.formats.marks import INK, PAPER, font
from levolve.levels.tileset import Colour
from levolve.puzzles.animation import paint
from levolve.puzzles.sliding.rules import Board

TILE = 56
HOME: Colour = (88, 145, 110)
AWAY: Colour = (206, 142, 66)
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


def terminal(board: Board, *, colour: bool = True) -> str:
    """The board, one line per row; tiles at home are green."""
    lines = []
    for y, row in enumerate(board.rows()):
        line = ""
        for x, number in enumerate(row):
            text = f"{number or '_':>3} "
            home = board.goal[y * board.width + x] == number
            line += text if not colour else "    " if not number else paint(text, HOME if home else AWAY, PAPER)
        lines.append(line.rstrip() if not colour else line)
    return "\n".join(lines)
