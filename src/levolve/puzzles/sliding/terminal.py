"""Boards on the terminal, and their colours. Nothing here loads the library that draws."""

from levolve.formats.colours import PAPER, paint
from levolve.levels.tileset import Colour
from levolve.puzzles.sliding.rules import Board

HOME: Colour = (88, 145, 110)
AWAY: Colour = (206, 142, 66)


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
