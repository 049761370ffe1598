"""Themes: how the tiles of a level look, the same in pictures, on pages and in the files of editors
and engines.
"""

from levolve.core.registry import Registry
from levolve.formats.themes.theme import Theme

THEMES: Registry[Theme] = Registry(
    "theme",
    {
        "stone": "levolve.formats.themes.shipped:STONE",
        "cave": "levolve.formats.themes.shipped:CAVE",
        "hedge": "levolve.formats.themes.shipped:HEDGE",
        "ice": "levolve.formats.themes.shipped:ICE",
        "dusk": "levolve.formats.themes.shipped:DUSK",
        "sand": "levolve.formats.themes.shipped:SAND",
        "wood": "levolve.formats.themes.shipped:WOOD",
        "circuit": "levolve.formats.themes.shipped:CIRCUIT",
        "paper": "levolve.formats.themes.theme:PAPER",
    },
    "levolve.themes",
    kinds=("levolve.formats.themes.theme:Theme",),
)
