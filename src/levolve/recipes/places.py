"""The places of a recipe: numbers that count from the far side, and whether walls to keep leave a way between them."""

import numpy as np

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, Frame, Place
from levolve.levels.level import Level
from levolve.levels.recertify import explain_unwinnable, recertified
from levolve.levels.tileset import WALLS


def from_the_far_side(place: Place, width: int, height: int) -> Place:
    """Resolve negative numbers, which count from the right and the bottom: -1 is the last column or row. Places outside stay outside."""
    x, y = place
    return (x + width if -width <= x < 0 else x), (y + height if -height <= y < 0 else y)


def check_way(frame: Frame) -> None:
    """Raise `InputError` if the walls to keep make every level unwinnable."""
    wall = WALLS.characters[1]
    tiles = np.array([[character == wall for character in row] for row in frame.kept], np.uint8)
    if ENTRANCE in frame.places and EXIT in frame.places and recertified(open_level := Level(tiles, frame.places)).solution is None:
        message = f"keep: {explain_unwinnable(open_level)}, because of the walls to keep; open one, or keep less"
        raise InputError(message)
