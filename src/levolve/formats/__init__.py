"""Formats: a level to and from files, by the file's suffix, of which some have two parts. A new format is one file and one line here.

Every file carries what is needed to grow its level again: recipe, seed and version.
"""

from levolve.formats.format import Format
from levolve.formats.record import Record
from levolve.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "txt": "levolve.formats.text:TEXT",
        "json": "levolve.formats.json:JSON",
        "png": "levolve.formats.png:PNG",
        "gif": "levolve.formats.gif:GIF",
        "tiles.png": "levolve.formats.pixels:PIXELS",
        "csv": "levolve.formats.csv:CSV",
        "npz": "levolve.formats.npz:NPZ",
        "tmx": "levolve.formats.tiled.tmx:TMX",
        "tmj": "levolve.formats.tiled.tmj:TMJ",
        "ldtk": "levolve.formats.ldtk.project:LDTK",
        "tscn": "levolve.formats.godot.scene:TSCN",
        "xsb": "levolve.formats.xsb:XSB",
    },
)

# What else than a level `save` writes and a .json or .txt file may hold. Those who own such a form live on higher floors, and are loaded when a
# file is read.
RECORDS: Registry[Record] = Registry("record", {"flag round": "levolve.puzzles.flag.files:ROUND"})
