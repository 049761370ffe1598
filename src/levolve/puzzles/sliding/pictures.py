"""Boards as pictures.

Boards on the terminal, and their colours. Nothing here loads the library that draws.

Boards of the sliding puzzle as tiles for editors and engines: a kind per number, and one for the
blank.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.pictures.colours import INK, PAPER, paint
from levolve.levels.goal import NONE_GOAL
from levolve.levels.level import Level
from levolve.levels.tileset import BOARD_TILES, Colour
from levolve.puzzles.sliding.rules import Board, show_tiles
from levolve.puzzles.tile_map import TileMap

if TYPE_CHECKING:
    from PIL import Image

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
            line += (
                text
                if not colour
                else "    "
                if not number
                else paint(text, HOME if home else AWAY, PAPER)
            )
        lines.append(line.rstrip() if not colour else line)
    return "\n".join(lines)


TILE = 56
FRAME: Colour = (222, 216, 204)


def draw(board: Board, tile: int = TILE) -> "Image.Image":
    """The board; tiles that stand where the goal has them are green."""
    from PIL import Image, ImageDraw

    from levolve.formats.pictures.marks import font

    image = Image.new("RGB", (board.width * tile, board.height * tile), FRAME)
    pen = ImageDraw.Draw(image)
    for cell, number in enumerate(board.tiles):
        if number:
            left, top = cell % board.width * tile, cell // board.width * tile
            box = (left + 2, top + 2, left + tile - 3, top + tile - 3)
            pen.rounded_rectangle(
                box, tile // 8, fill=HOME if board.goal[cell] == number else AWAY, outline=INK
            )
            pen.text(
                (left + tile / 2, top + tile / 2),
                str(number),
                fill=PAPER,
                font=font(tile // 2),
                anchor="mm",
            )
    return image


def level_of(position: Board) -> tuple[Level, dict[str, Any]]:
    """Return the tiles of a board, and its goal if that is not the usual one."""
    rest = {} if position.plain_goal else {"goal": show_tiles(position.goal)}
    return Level(np.array(position.rows(), np.uint8), tileset=BOARD_TILES, goal=NONE_GOAL), rest


def board_of(level: Level, rest: Mapping[str, Any]) -> Board:
    """Return the board that tiles show."""
    if level.places:
        raise InputError(
            "places: expected none on a board of the sliding puzzle, got "
            f"{next(iter(level.places))}"
        )
    return Board.read(level.tiles.tolist(), rest.get("goal"), (level.width, level.height))


MAP = TileMap(BOARD_TILES, level_of, board_of)
