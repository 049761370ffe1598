"""Formats: a level to and from files, by the file's suffix. A new format is one file and one line here.

Every file carries what is needed to grow its level again: recipe, seed and version.
"""

from levolve.formats.format import Format
from levolve.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "txt": "levolve.formats.text:TEXT",
        "json": "levolve.formats.json:JSON",
        "png": "levolve.formats.png:PNG",
        "gif": "levolve.formats.gif:GIF",
    },
)
