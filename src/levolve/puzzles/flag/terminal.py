"""Rounds on the terminal, and their colours. Nothing here loads the library that draws."""

from levolve.formats.colours import PAPER, paint
from levolve.kernels.flag.field import NEVER
from levolve.levels.tileset import Colour
from levolve.puzzles.flag.rules import Play

UNFALLING: Colour = (150, 156, 168)
FLAG: Colour = (193, 55, 60)
PLAYER: Colour = (46, 104, 164)
# From light to dark with the visits that a tile still bears.
BEARS: tuple[Colour, ...] = ((244, 208, 99), (222, 158, 66), (196, 116, 52), (168, 84, 44), (140, 62, 40))


def colour_of(visits: int) -> Colour:
    """Return the colour of a tile that still bears a number of visits."""
    return UNFALLING if visits == NEVER else BEARS[min(visits, len(BEARS)) - 1]


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
                ground = FLAG if (x, y) == play.round.flag else PLAYER if sign == "@" else colour_of(visits)
                line += paint(f" {sign}", ground, PAPER)
        lines.append(line.rstrip() if not colour else line)
    return "\n".join(lines)
