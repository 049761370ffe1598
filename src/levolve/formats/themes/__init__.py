"""Themes: how the tiles of a level look, the same in pictures, on pages and in the files of editors and engines."""

from levolve.formats.themes.theme import Theme
from levolve.registry import Registry

_PAINTED = ("stone", "cave", "hedge", "ice", "dusk", "sand", "wood", "circuit")

THEMES: Registry[Theme] = Registry(
    "theme",
    {name: f"levolve.formats.themes.{name}:{name.upper()}" for name in (*_PAINTED, "paper")},
    "levolve.themes",
    kinds=("levolve.formats.themes.theme:Theme",),
)
