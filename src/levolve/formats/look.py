"""`Look`: the theme and the tile size of the files of a level."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats import FORMATS
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import Atlas, atlas_of
from levolve.formats.themes.theme import Theme
from levolve.formats.themes.thing_atlas import ThingAtlas, thing_atlas
from levolve.levels.level import Level
from levolve.levels.things.kinds import NAME
from levolve.levels.tileset import Tileset

DEFAULT_THEME = "stone"
THEME_FILE = ".toml"


@dataclass(frozen=True)
class Look:
    """How tiles are drawn in the files of a level.

    Attributes
    ----------
    theme
        The theme that draws the tiles.
    tile
        Pixels per tile; None for the theme's own size, which is 16 in all built-in themes, and for
        less in pictures of large levels.
    scenes
        Kinds of things, and the paths of the scenes that Godot shows instead of their signs.
    """

    theme: Theme = field(default_factory=lambda: THEMES[DEFAULT_THEME])
    tile: int | None = None
    scenes: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Check the size of tiles."""
        if self.tile is not None:
            self.theme.check_tile(self.tile)

    @property
    def tile_size(self) -> int:
        """Pixels per tile in files of editors and engines."""
        return self.tile or self.theme.own_tile

    def atlas(self, tileset: Tileset) -> Atlas:
        """Return the tiles of a tileset for editors and engines."""
        return atlas_of(self.theme, tileset, self.tile_size)

    def thing_atlas(self, level: Level) -> ThingAtlas:
        """Return the signs of a level's things for editors and engines."""
        return thing_atlas(self.theme, self.tile_size, level.things, level.kinds)

    def to_data(self) -> dict[str, Any]:
        """Return the name or the file of the theme, and the tile size, as plain data."""
        return {"theme": str(self.theme.file or self.theme.name), "tile": self.tile}

    @classmethod
    def from_data(cls, data: Mapping[str, Any] | None) -> "Look":
        """Return the look of `to_data`; the default one for None."""
        return cls() if data is None else look_of(data["theme"], data["tile"])


def theme_of(theme: str | Path | Theme | None) -> Theme:
    """Return a theme: by its name, from a TOML file that describes a picture of tiles, or the
    default one for None.
    """
    if isinstance(theme, Theme):
        return theme
    if theme is None:
        return THEMES[DEFAULT_THEME]
    if Path(theme).suffix.lower() != THEME_FILE:
        return THEMES[str(theme)]
    from levolve.formats.themes.picture import read_theme

    return read_theme(Path(theme))


def look_of(theme: str | Path | Theme | None = None, tile: int | None = None) -> Look:
    """Return a look: a theme by name or file (see `theme_of`), and a tile size."""
    return Look(theme_of(theme), tile)


def with_scenes(look: Look | None, given: Iterable[str], target: str | Path) -> Look:
    """Return a look in which Godot shows things as scenes, given as KIND=PATH."""
    wanted = "expected KIND=PATH, such as key=res://key.tscn, for a .tscn file, got"
    if Path(target).suffix.lower() != ".tscn":
        raise InputError(f"--godot-scene: {wanted} {target}")
    found: dict[str, str] = {}
    for each in given:
        kind, equals, path = each.partition("=")
        plain = path.isprintable() and not set(path) & set('"\\')
        if (
            not equals
            or re.fullmatch(NAME, kind) is None
            or not path.endswith(".tscn")
            or not plain
        ):
            raise InputError(f"--godot-scene: {wanted} {shown(each)}")
        if kind in found:
            raise InputError(f"--godot-scene: expected one scene for {kind}, got a second")
        found[kind] = path
    return replace(look or Look(), scenes=tuple(found.items()))


def look_for(paths: Iterable[str | Path], theme: str | Path | None, tile: int | None) -> Look:
    """Return the look of files that are to be written. A theme or tile size that none of them would
    show raises `InputError`.
    """
    from levolve.formats.level_files import suffix_of

    names = [str(path) for path in paths]
    if (theme is not None or tile is not None) and not any(
        _shows_tiles(suffix_of(name)) for name in names
    ):
        given = "--theme" if tile is None else "--tile" if theme is None else "--theme and --tile"
        raise InputError(
            f"{given}: expected a file that shows tiles as well, such as FILE.png or FILE.tmx, "
            f"got {', '.join(names) or 'none'}"
        )
    return look_of(theme, tile)


def _shows_tiles(suffix: str) -> bool:
    return suffix in FORMATS and FORMATS[suffix].shows_tiles
