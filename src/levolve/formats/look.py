"""`Look`: the theme and the tile size of the files of a level."""

from dataclasses import dataclass, field

from levolve.errors import InputError
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import Atlas, atlas_of
from levolve.formats.themes.theme import MOST_TILE, Theme
from levolve.levels.tileset import Tileset

DEFAULT_THEME = "paper"
DEFAULT_TILE = 16


@dataclass(frozen=True)
class Look:
    """How tiles are drawn in the files of a level.

    Attributes
    ----------
    theme
        The theme that draws the tiles.
    tile
        Pixels per tile; None for 16, and for less in pictures of large levels.
    """

    theme: Theme = field(default_factory=lambda: THEMES[DEFAULT_THEME])
    tile: int | None = None

    def __post_init__(self) -> None:
        """Check the size of tiles."""
        if self.tile is not None and not 1 <= self.tile <= MOST_TILE:
            message = f"tile: expected 1 to {MOST_TILE} pixels per tile, got {self.tile}"
            raise InputError(message)

    @property
    def tile_size(self) -> int:
        """Pixels per tile in files of editors and engines."""
        return self.tile or DEFAULT_TILE

    def atlas(self, tileset: Tileset) -> Atlas:
        """Return the tiles of a tileset for editors and engines."""
        return atlas_of(self.theme, tileset, self.tile_size)
