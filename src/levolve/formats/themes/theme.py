"""`Theme`: draws the tiles of any tileset."""

from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.tileset import Colour, Tileset

# (tile, tile, 4): red, green, blue and opacity of each pixel.
Pixels = NDArray[np.uint8]

# Tiles of less than `LEAST_TILE` pixels have one colour.
LEAST_TILE, MOST_TILE = 4, 256
DEFAULT_TILE = 16


class Theme(ABC):
    """The look of tiles. An author writes `floor`, `wall` and `place`; an `Atlas` puts the tiles of a tileset into one picture.

    `name` is part of file names: lower-case letters, digits, - and _. `variants` is the number of tiles per kind that is not the wall; the first is
    the most common one. `own_tile` is the tile size used by default, and `file` the file that the theme was read from, if any.
    `flat` says that all tiles of a kind have one colour, so that a dark page may show the dark colours of the tileset.
    `path` and `path_edge` are the colours of a solution between walls and of its outline; None for those of the tileset.
    """

    name: str
    meaning: str
    variants: int = 4
    flat: bool = False
    own_tile: int = DEFAULT_TILE
    path: Colour | None = None
    path_edge: Colour | None = None
    file: Path | None = None

    @abstractmethod
    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:
        """Draw a tile of a kind that is not the tileset's wall, opaque."""

    @abstractmethod
    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:
        """Draw a wall whose neighbours in `mask` (see `neighbours`) are walls too. Where it is transparent, the floor below is seen."""

    @abstractmethod
    def place(self, name: str, tile: int) -> Pixels:
        """Draw the mark of a place (entrance, exit, checkpoint N, A, B, C), transparent where the floor is seen."""

    @abstractmethod
    def colour(self, tileset: Tileset, kind: int) -> Colour:
        """Return the main colour of a kind, for tiles too small to draw."""

    def check_tile(self, tile: int) -> None:
        """Raise `InputError` for a tile size that the theme does not have."""
        if not 1 <= tile <= MOST_TILE:
            message = f"tile: expected 1 to {MOST_TILE} pixels per tile, got {tile}"
            raise InputError(message)
