"""`Theme`: draws the tiles of any tileset.

The variant of a tile that a cell shows: a number drawn from its position, as the auto-layer rules
of LDtk draw it.

So LDtk chooses the same tiles when it applies our rules again, and a level looks the same in every
format. LDtk computes with the numbers of JavaScript: products are 64-bit floats, and shifts and
exclusive ors take their lowest 32 bits.

The theme `paper`: flat colours of the tileset, with thin lines between floor tiles, and discs for
places.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from levolve.core.errors import InputError
from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS, sign_of
from levolve.formats.pictures.colours import PAPER as BACKGROUND
from levolve.formats.pictures.marks import draw_disc
from levolve.levels.tileset import Colour, Tileset

if TYPE_CHECKING:
    from levolve.formats.themes.things import ThingLook

# (tile, tile, 4): red, green, blue and opacity of each pixel.
Pixels = NDArray[np.uint8]

# Tiles of less than `LEAST_TILE` pixels have one colour.
LEAST_TILE, MOST_TILE = 4, 256
DEFAULT_TILE = 16


class Theme(ABC):
    """The look of tiles. An author writes `floor`, `wall` and `place`; an `Atlas` puts the tiles of
    a tileset into one picture.

    `name` is part of file names: lower-case letters, digits, - and _. `variants` is the number of
    tiles per kind that is not the wall; the first is the most common one. `own_tile` is the tile
    size used by default, and `file` the file that the theme was read from, if any. `flat` says that
    all tiles of a kind have one colour, so that a dark page may show the dark colours of the
    tileset. `path` and `path_edge` are the colours of a solution between walls and of its outline;
    None for those of the tileset.
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
        """Draw a wall whose neighbours in `mask` (see `neighbours`) are walls too. Where it is
        transparent, the floor below is seen.
        """

    @abstractmethod
    def place(self, name: str, tile: int) -> Pixels:
        """Draw the mark of a place (entrance, exit, checkpoint N, A, B, C), transparent where the
        floor is seen.
        """

    def thing(self, look: "ThingLook", tile: int) -> Pixels:
        """Draw a thing, transparent where the floor is seen; by default as the theme `stone`, or
        without shades if the theme is flat.
        """
        from levolve.formats.themes.thing_signs import Fittings

        return Fittings(flat=self.flat).draw(look, tile)

    @abstractmethod
    def colour(self, tileset: Tileset, kind: int) -> Colour:
        """Return the main colour of a kind, for tiles too small to draw."""

    def check_tile(self, tile: int) -> None:
        """Raise `InputError` for a tile size that the theme does not have."""
        if not 1 <= tile <= MOST_TILE:
            raise InputError(f"tile: expected 1 to {MOST_TILE} pixels per tile, got {tile}")


# Of a hundred cells, about this many do not show the first variant.
VARIED = 16
# The random seed for kind 0; kind n has the seed SEED + n.
SEED = 1_000_000


def draws(
    rows: NDArray[np.int64], columns: NDArray[np.int64], seeds: NDArray[np.int64] | int
) -> NDArray[np.int64]:
    """Return a whole number from 0 to 2**31 - 1 per cell."""
    mixed = _lowest(seeds + columns * 374761393 + rows * 668265263)
    product = (mixed ^ (mixed >> 13)).astype(np.float64) * 1274126177.0
    mixed = _lowest(product.astype(np.int64))
    return mixed ^ (mixed >> 16)


def _lowest(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lowest 32 bits, as numbers with a sign."""
    return ((numbers + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)


def variants_of(kinds: NDArray[np.uint8], count: int) -> NDArray[np.int32]:
    """Return the variant, from 0 to `count` - 1, of each cell of `(height, width)` kinds. Editing a
    cell does not change the others.
    """
    if count == 1:
        return np.zeros(kinds.shape, np.int32)
    places: NDArray[np.int64] = np.indices(kinds.shape, np.int64)
    drawn = draws(places[0], places[1], SEED + kinds.astype(np.int64))
    return np.where(drawn % 100 < VARIED, 1 + drawn % (count - 1), 0).astype(np.int32)


# Between smaller tiles, lines would be noise.
LEAST_SEAM = 6


def disc(name: str, tile: int, colour: Colour) -> Pixels:
    """Draw a disc with the sign of a place."""
    faces = [
        Image.new("RGB", (tile, tile), background) for background in ((0, 0, 0), (255, 255, 255))
    ]
    for face in faces:
        draw_disc(face, (0, 0), tile, colour, sign=sign_of(name))
    dark, light = (np.asarray(face).astype(np.int64) for face in faces)
    # Drawn on black and on white: the difference is what shines through.
    opacity = 255 - (light - dark).max(axis=2)
    colours = np.where(
        opacity[..., None] > 0, dark * 255 // np.maximum(opacity, 1)[..., None], BACKGROUND
    )
    return np.dstack([np.minimum(colours, 255), opacity]).astype(np.uint8)


class PaperTheme(Theme):
    """Flat tiles."""

    name = "paper"
    meaning = "flat colours, as in a printed book"
    variants = 1
    flat = True

    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:
        """Draw a square of one colour, with lines at the top and at the left if it is the floor."""
        pixels = _flat(tileset.colours[kind], tile)
        if tile >= LEAST_SEAM and tileset.seam is not None and kind == tileset.open_kind:
            pixels[0, :, :3] = pixels[:, 0, :3] = tileset.seam
        return pixels

    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:
        """Draw a square of one colour."""
        return _flat(self.colour(tileset, tileset.wall or 0), tile)

    def place(self, name: str, tile: int) -> Pixels:
        """Draw a disc."""
        return disc(name, tile, PLACE_COLOURS.get(name, OTHER_PLACE))

    def colour(self, tileset: Tileset, kind: int) -> Colour:
        """Return the tileset's colour."""
        return tileset.colours[kind]


def _flat(colour: Colour, tile: int) -> Pixels:
    pixels = np.full((tile, tile, 4), 255, np.uint8)
    pixels[..., :3] = colour
    return pixels


PAPER = PaperTheme()
