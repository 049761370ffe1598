"""TMX: Tiled maps as XML, the same model as TMJ."""

import xml.etree.ElementTree as ET
from pathlib import Path

from levolve.formats.format import Format
from levolve.formats.tiled.model import checked_map
from levolve.formats.tiled.reading import level_of
from levolve.formats.tiled.tilesets import finder
from levolve.formats.tiled.writing import map_of
from levolve.formats.tiled.xml import map_data, map_element, parse_xml
from levolve.formats.tileset import tileset_picture
from levolve.levels.level import Level


def encode(level: Level) -> bytes:
    """Encode a level as a map."""
    element = map_element(map_of(level))
    ET.indent(element, " ")
    text: str = ET.tostring(element, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def decode(content: bytes, folder: Path | None = None) -> Level:
    """Decode a level from a map; external tilesets are read from the folder."""
    return level_of(checked_map(map_data(parse_xml(content, "TMX", "map")), "TMX"), finder(folder))


TMX = Format("a map for the Tiled editor, with a picture of the tiles in a second file", encode, decode, True, tileset_picture, decode)
