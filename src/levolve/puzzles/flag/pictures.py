"""Rounds as pictures.

Rounds on the terminal, and their colours. Nothing here loads the library that draws.

Rounds of Reach the Flag as tiles for editors and engines: a kind per number of visits; the start is
the entrance, the flag the exit.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.pictures.colours import INK, PAPER, paint
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.levels.frame import SMALLEST
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.tileset import NEVER_FALLS, ROUND_TILES, Colour
from levolve.puzzles.flag.rules import GAP, Play, Round
from levolve.puzzles.tile_map import TileMap

if TYPE_CHECKING:
    from PIL import Image

UNFALLING: Colour = (150, 156, 168)
FLAG: Colour = (193, 55, 60)
PLAYER: Colour = (46, 104, 164)
# From light to dark with the visits that a tile still bears.
BEARS: tuple[Colour, ...] = (
    (244, 208, 99),
    (222, 158, 66),
    (196, 116, 52),
    (168, 84, 44),
    (140, 62, 40),
)


def colour_of(visits: int) -> Colour:
    """Return the colour of a tile that still bears a number of visits."""
    return UNFALLING if visits == NEVER else BEARS[min(visits, len(BEARS)) - 1]


def terminal(play: Play, *, colour: bool = True) -> str:
    """A state of play with two characters per tile: visits left, `*` never falls, `F` the flag, `@`
    the player.
    """
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
                ground = (
                    FLAG
                    if (x, y) == play.round.flag
                    else PLAYER
                    if sign == "@"
                    else colour_of(visits)
                )
                line += paint(f" {sign}", ground, PAPER)
        lines.append(line.rstrip() if not colour else line)
    return "\n".join(lines)


TILE = 40


def draw(play: Play, tile: int = TILE) -> "Image.Image":
    """A state of play: tiles with the visits they still bear, the flag, and the player."""
    from PIL import Image, ImageDraw

    from levolve.formats.pictures.marks import font

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
                pen.ellipse(
                    (middle[0] - 2, middle[1] - 2, middle[0] + 2, middle[1] + 2),
                    fill=(222, 216, 204),
                )
            if (x, y) == played.flag:
                pen.line(
                    (left + tile * 0.35, top + tile * 0.2, left + tile * 0.35, top + tile * 0.8),
                    fill=INK,
                    width=max(1, tile // 14),
                )
                corners = [
                    (left + tile * 0.35, top + tile * 0.2),
                    (left + tile * 0.75, top + tile * 0.35),
                    (left + tile * 0.35, top + tile * 0.5),
                ]
                pen.polygon(corners, fill=FLAG)
    x, y = play.place
    edge = tile * 0.27
    pen.ellipse(
        (x * tile + edge, y * tile + edge, (x + 1) * tile - edge, (y + 1) * tile - edge),
        fill=PLAYER,
        outline=PAPER,
        width=max(1, tile // 16),
    )
    return image


def level_of(position: Round) -> tuple[Level, dict[str, Any]]:
    """Return the tiles and places of a round; its solution is a walk over them. A round of one row
    or column gets a second one of gaps.
    """
    tiles = np.where(position.tiles == NEVER, NEVER_FALLS, position.tiles)
    height, width = tiles.shape
    padded = np.pad(
        tiles, ((0, max(SMALLEST - height, 0)), (0, max(SMALLEST - width, 0))), constant_values=GAP
    )
    rest = {} if padded.shape == tiles.shape else {"size": [width, height]}
    return Level(
        padded, {ENTRANCE: position.start, EXIT: position.flag}, ROUND_TILES, position.solution
    ), rest


def round_of(level: Level, rest: Mapping[str, Any]) -> Round:
    """Return the round that tiles and places show, without a row or column of gaps that was added
    to it.
    """
    for name, meaning in ((ENTRANCE, "start"), (EXIT, "flag")):
        if name not in level.places:
            raise InputError(f"{meaning}: expected a place called {name}, got none")
    others = [name for name in level.places if name not in {ENTRANCE, EXIT}]
    if others:
        raise InputError(
            "places: expected only an entrance (the start) and an exit (the flag) in a round of "
            f"Reach the Flag, got {others[0]}"
        )
    tiles = np.where(level.tiles == NEVER_FALLS, NEVER, level.tiles)
    for width, height in ((level.width, 1), (1, level.height), (1, 1)):
        if rest.get("size") == [width, height] and not (
            tiles[height:].any() or tiles[:, width:].any()
        ):
            tiles = tiles[:height, :width]
    return Round(tiles, level.places[ENTRANCE], level.places[EXIT])


MAP = TileMap(ROUND_TILES, level_of, round_of)
