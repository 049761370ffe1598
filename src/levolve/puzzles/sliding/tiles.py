"""Boards of the sliding puzzle as tiles for editors and engines: a kind per number, and one for the blank."""

from collections.abc import Mapping
from colorsys import hls_to_rgb
from string import ascii_lowercase
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.levels.goal import NONE_GOAL
from levolve.levels.level import Level
from levolve.levels.tileset import Colour, Tileset
from levolve.puzzles.sliding.rules import MOST_SIDE, NINE, Board, show_tiles
from levolve.puzzles.tile_map import TileMap

KINDS = MOST_SIDE**2
BLANK: Colour = (222, 216, 204)


def _colours() -> tuple[Colour, ...]:
    """Return colours from orange by green to blue, so that a board in order is a smooth ramp."""
    ramp = [hls_to_rgb(0.07 + 0.5 * number / (KINDS - 2), 0.47, 0.48) for number in range(KINDS - 1)]
    return (BLANK, *((round(255 * red), round(255 * green), round(255 * blue)) for red, green, blue in ramp))


# Nobody walks on a board: every kind is open, so that it is one layer of tiles.
BOARD_TILES = Tileset(
    "sliding",
    "_" + "".join(map(str, range(1, NINE + 1))) + ascii_lowercase[: KINDS - NINE - 1],
    ("blank", *(f"tile_{number}" for number in range(1, KINDS))),
    ((True,) * KINDS,) * KINDS,
    colours=_colours(),
    labels=("", *map(str, range(1, KINDS))),
)


def level_of(position: Board) -> tuple[Level, dict[str, Any]]:
    """Return the tiles of a board, and its goal if that is not the usual one."""
    rest = {} if position.plain_goal else {"goal": show_tiles(position.goal)}
    return Level(np.array(position.rows(), np.uint8), tileset=BOARD_TILES, goal=NONE_GOAL), rest


def board_of(level: Level, rest: Mapping[str, Any]) -> Board:
    """Return the board that tiles show."""
    if level.places:
        message = f"places: expected none on a board of the sliding puzzle, got {next(iter(level.places))}"
        raise InputError(message)
    return Board.read(level.tiles.tolist(), rest.get("goal"), (level.width, level.height))


MAP = TileMap(BOARD_TILES, level_of, board_of)
