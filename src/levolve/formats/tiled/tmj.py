"""TMJ: Tiled maps as JSON, the same model as TMX."""

from pathlib import Path

from levolve.formats.format import Format
from levolve.formats.json import compact_json
from levolve.formats.reading.data import parse_json
from levolve.formats.tiled.model import checked_map
from levolve.formats.tiled.reading import level_of
from levolve.formats.tiled.tilesets import finder
from levolve.formats.tiled.writing import map_of
from levolve.formats.tileset import tileset_picture
from levolve.levels.level import Level


def encode(level: Level) -> bytes:
    """Encode a level as a map."""
    return compact_json(map_of(level))


def decode(content: bytes, folder: Path | None = None) -> Level:
    """Decode a level from a map; external tilesets are read from the folder."""
    return level_of(checked_map(parse_json(content, "TMJ"), "TMJ"), finder(folder))


TMJ = Format("a map for the Tiled editor as JSON, with a picture of the tiles in a second file", encode, decode, True, tileset_picture, decode)
