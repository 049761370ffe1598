"""Themes: how the tiles of a level look, the same in pictures, on pages and in the files of editors and engines."""

from levolve.formats.themes.theme import Theme
from levolve.registry import Registry

THEMES: Registry[Theme] = Registry(
    "theme",
    {
        "stone": "levolve.formats.themes.stone:STONE",
        "cave": "levolve.formats.themes.cave:CAVE",
        "hedge": "levolve.formats.themes.hedge:HEDGE",
        "ice": "levolve.formats.themes.ice:ICE",
        "dusk": "levolve.formats.themes.dusk:DUSK",
        "sand": "levolve.formats.themes.sand:SAND",
        "wood": "levolve.formats.themes.wood:WOOD",
        "circuit": "levolve.formats.themes.circuit:CIRCUIT",
        "paper": "levolve.formats.themes.paper:PAPER",
    },
    "levolve.themes",
    kinds=("levolve.formats.themes.theme:Theme",),
)
