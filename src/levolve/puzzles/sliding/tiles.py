"""Boards of the sliding puzzle as tiles for editors and engines: a kind per number, and one for the blank."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.levels.goal import NONE_GOAL
from levolve.levels.level import Level
from levolve.levels.puzzle_tiles import BOARD_TILES
from levolve.puzzles.sliding.rules import Board, show_tiles
from levolve.puzzles.tile_map import TileMap


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
