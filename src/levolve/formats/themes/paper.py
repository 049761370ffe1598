"""The theme `paper`: flat colours of the tileset, with thin lines between floor tiles, and discs for places."""

import numpy as np
from PIL import Image

from levolve.formats.colours import OTHER_PLACE, PLACE_COLOURS, sign_of
from levolve.formats.colours import PAPER as BACKGROUND
from levolve.formats.marks import draw_disc
from levolve.formats.themes.theme import Pixels, Theme
from levolve.levels.tileset import Colour, Tileset

# Between smaller tiles, lines would be noise.
LEAST_SEAM = 6


def disc(name: str, tile: int, colour: Colour) -> Pixels:
    """Draw a disc with the sign of a place."""
    faces = [Image.new("RGB", (tile, tile), background) for background in ((0, 0, 0), (255, 255, 255))]
    for face in faces:
        draw_disc(face, (0, 0), tile, colour, sign=sign_of(name))
    dark, light = (np.asarray(face).astype(np.int64) for face in faces)
    # Drawn on black and on white: the difference is what shines through.
    opacity = 255 - (light - dark).max(axis=2)
    colours = np.where(opacity[..., None] > 0, dark * 255 // np.maximum(opacity, 1)[..., None], BACKGROUND)
    return np.dstack([np.minimum(colours, 255), opacity]).astype(np.uint8)


class PaperTheme(Theme):
    """Flat tiles."""

    name = "paper"
    meaning = "flat colours, as in a printed book"
    variants = 1
    flat = True

    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:  # noqa: ARG002 there is one variant
        """Draw a square of one colour, with lines at the top and at the left if it is the floor."""
        pixels = _flat(tileset.colours[kind], tile)
        if tile >= LEAST_SEAM and tileset.seam is not None and kind == tileset.open_kind:
            pixels[0, :, :3] = pixels[:, 0, :3] = tileset.seam
        return pixels

    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:  # noqa: ARG002 all walls look the same
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
