"""Formats: writing and reading levels by file suffix, such as `.json` or `.tiles.png`. A new format
is one file and one line here.

Every file contains the recipe, the seed and the version, so that its level can be regenerated.
"""

from levolve.core.registry import Registry
from levolve.formats.format import Format

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "txt": "levolve.formats.text_file:TEXT",
        "json": "levolve.formats.json:JSON",
        "png": "levolve.formats.pictures.png:PNG",
        "gif": "levolve.formats.pictures.gif:GIF",
        "tiles.png": "levolve.formats.pictures.pixels:PIXELS",
        "csv": "levolve.formats.csv:CSV",
        "npz": "levolve.formats.npz:NPZ",
        "tmx": "levolve.formats.tiled.tmx_tmj:TMX",
        "tmj": "levolve.formats.tiled.tmx_tmj:TMJ",
        "ldtk": "levolve.formats.ldtk.project:LDTK",
        "tscn": "levolve.formats.godot.tscn:TSCN",
        "xsb": "levolve.formats.xsb:XSB",
    },
    "levolve.formats",
    kinds=("levolve.formats.format:Format",),
)
