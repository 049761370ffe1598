"""Altered files: what a person, a program or a stranger may do to a level's file, and what is then
shown.

`ALTERATIONS[name](path, level, other, random)` changes the file of a level, and maybe the files
beside it. `SHOWN[name](path)` says what the program that owns the format shows: the kinds of tiles
and the places by cells; None if that is no level on a grid.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from levolve.levels.level import Level
from levolve.levels.solver import recertified

Cells = dict[tuple[int, int], str]
Shown = tuple[Cells, dict[str, tuple[int, int]]]
Alter = Callable[[Path, Level, Level, Random], str]

POSITIONS = (0, 16, -16, 32, 48, 8, 1, 0.25, 15.9, 1600)
SCALES = ((1, 1), (2, 2), (1, 2), (-1, 1), (0.5, 0.5), (1, -1), (1.1, 1.1))


def random_level(random: Random) -> Level:
    """A level that can be won, with a free last column and row, so that parts of it can be
    moved.
    """
    while True:
        width, height = random.randint(4, 7), random.randint(4, 6)
        tiles = np.array(
            [[random.random() < 0.25 for _ in range(width)] for _ in range(height)], np.uint8
        )
        tiles[-1], tiles[:, -1] = 0, 0
        free = [(x, y) for y in range(height) for x in range(width) if not tiles[y, x]]
        entrance, exit_, first = random.sample(free, 3)
        level = recertified(
            Level(tiles, {"entrance": entrance, "exit": exit_, "checkpoint 1": first})
        )
        if level.solution is not None:
            return level


def shown_of(level: Level) -> Shown:
    """The cells and places of a level, as `SHOWN` gives them."""
    names = level.tileset.names
    return {
        (x, y): names[level.tiles[y, x]] for y in range(level.height) for x in range(level.width)
    }, dict(level.places)


def pick(random: Random, *choices: str) -> str:
    """One of some texts."""
    return random.choice(choices)
