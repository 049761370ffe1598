"""Rounds of Reach the Flag as tiles for editors and engines: a kind per number of visits; the start is the entrance, the flag the exit."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.kernels.flag.field import NEVER
from levolve.levels.frame import SMALLEST
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.puzzle_tiles import NEVER_FALLS, ROUND_TILES
from levolve.puzzles.flag.rules import GAP, Round
from levolve.puzzles.tile_map import TileMap


def level_of(position: Round) -> tuple[Level, dict[str, Any]]:
    """Return the tiles and places of a round; its solution is a walk over them. A round of one row or column gets a second one of gaps."""
    tiles = np.where(position.tiles == NEVER, NEVER_FALLS, position.tiles)
    height, width = tiles.shape
    padded = np.pad(tiles, ((0, max(SMALLEST - height, 0)), (0, max(SMALLEST - width, 0))), constant_values=GAP)
    rest = {} if padded.shape == tiles.shape else {"size": [width, height]}
    return Level(padded, {ENTRANCE: position.start, EXIT: position.flag}, ROUND_TILES, position.solution), rest


def round_of(level: Level, rest: Mapping[str, Any]) -> Round:
    """Return the round that tiles and places show, without a row or column of gaps that was added to it."""
    for name, meaning in ((ENTRANCE, "start"), (EXIT, "flag")):
        if name not in level.places:
            message = f"{meaning}: expected a place called {name}, got none"
            raise InputError(message)
    others = [name for name in level.places if name not in {ENTRANCE, EXIT}]
    if others:
        message = f"places: expected only an entrance (the start) and an exit (the flag) in a round of Reach the Flag, got {others[0]}"
        raise InputError(message)
    tiles = np.where(level.tiles == NEVER_FALLS, NEVER, level.tiles)
    for width, height in ((level.width, 1), (1, level.height), (1, 1)):
        if rest.get("size") == [width, height] and not (tiles[height:].any() or tiles[:, width:].any()):
            tiles = tiles[:height, :width]
    return Round(tiles, level.places[ENTRANCE], level.places[EXIT])


MAP = TileMap(ROUND_TILES, level_of, round_of)
