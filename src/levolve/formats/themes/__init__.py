"""Themes: how the tiles of a level look, the same in pictures, on pages and in the files of editors and engines."""

from levolve.formats.themes.theme import Theme
from levolve.registry import Registry

THEMES: Registry[Theme] = Registry("theme", {"paper": "levolve.formats.themes.paper:PAPER"}, "levolve.themes")
