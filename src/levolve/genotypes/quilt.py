"""Levels made of windows of examples, the start of a run that should give levels like them."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.streams import QUILT
from levolve.kernels.windows import quilt_levels
from levolve.levels.frame import Frame
from levolve.levels.style import Style, style_of
from levolve.levels.tileset import Tileset

# The side of the windows, and how many are compared for each place.
SIDE = 5
TRIES = 16


def style_for(frame: Frame, tileset: Tileset) -> Style | None:
    """Return the style of a frame's examples; None if it has none."""
    return style_of(frame.like, tileset) if frame.like else None


def quilted(frame: Frame, style: Style, seed: int, generation: int, count: int) -> NDArray[np.uint8]:
    """Return `count` levels, `(count, height, width)` tiles, laid with windows of the examples that fit together."""
    tiles = np.empty((count, frame.height, frame.width), np.uint8)
    side = min(SIDE, style.smallest, frame.width, frame.height)
    quilt_levels(np.uint64(seed), QUILT, generation, style.padded, style.layout, style.outside, side, TRIES, tiles)
    return tiles
