"""Spans: the range of a measure in which most designed levels lie. Illumination divides it into cells by default.

The bounds of a measure are the values that are possible at all. Taken together they are rarely met: a level that is nearly all wall has no long path.
"""

from levolve.levels.frame import Frame
from levolve.levels.tileset import Tileset
from levolve.measures.bounds import straight_steps
from levolve.measures.measure import Range


def of_walls(frame: Frame, tileset: Tileset) -> Range:  # noqa: ARG001 the same for all tilesets
    """Up to three fifths of the cells."""
    return 0, frame.width * frame.height * 3 // 5


def of_path(frame: Frame, tileset: Tileset) -> Range:  # noqa: ARG001 the same for all tilesets
    """From a straight path to half of the cells, which is a level full of winding corridors."""
    straight = straight_steps(frame)
    return straight, straight + max(frame.width * frame.height // 2 - straight, 0) // 2 * 2


def of_turns(frame: Frame, tileset: Tileset) -> Range:  # noqa: ARG001 the same for all tilesets
    """Up to a quarter of the cells."""
    return 0, frame.width * frame.height // 4
