"""TMX: Tiled maps as XML, the same model as TMJ.

TMJ: Tiled maps as JSON, the same model as TMX.
"""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levolve.formats.format import Format
from levolve.formats.json import compact_json
from levolve.formats.look import Look
from levolve.formats.reading.budgets import check_amount
from levolve.formats.reading.data import Check, parse_json
from levolve.formats.reading.folder import Folder
from levolve.formats.tiled.documents import JsonDocument, XmlDocument
from levolve.formats.tiled.merging import foreign_parts, kept_cells, merge_level
from levolve.formats.tiled.model import Map, checked_map
from levolve.formats.tiled.reading import level_of
from levolve.formats.tiled.writing import files_beside, map_of, picture_beside, serves
from levolve.formats.tiled.xml import map_data, map_element, parse_xml, xml_bytes
from levolve.levels.level import Level


def draw(level: Level, look: Look) -> bytes:
    """Encode a level as a map in a look."""
    element = map_element(map_of(level, look, embedded=False))
    ET.indent(element, " ")
    return xml_bytes(element)


def encode(level: Level) -> bytes:
    """Encode a level as a map."""
    return draw(level, Look())


def decode(content: bytes, folder: Path | None = None) -> Level:
    """Decode a level from a map; external tilesets are read from the folder."""
    files = Folder(folder)
    return level_of(read_map(content, files.budget.take), files)


def read_map(content: bytes, check: Check = check_amount) -> Map:
    """Read a map, without its external tilesets."""
    return checked_map(map_data(parse_xml(content, "TMX", "map", check=check)), "TMX")


def kept(content: bytes) -> NDArray[np.bool_] | None:
    """Return the cells that a layer called `keep` marks."""
    return kept_cells(read_map(content))


def foreign(content: bytes) -> list[str]:
    """Return the parts of a map that are not levolve's."""
    return foreign_parts(read_map(content))


def merge(original: bytes, written: bytes) -> bytes:
    """Return the original map with the level of a written one."""
    return merge_level(
        XmlDocument(original),
        read_map(original),
        read_map(written),
        map_data(parse_xml(written, "TMX", "map")),
    )


def grid(content: bytes) -> tuple[int, int]:
    """Return the width and the height of a map's tiles in pixels."""
    found = read_map(content)
    return found.tilewidth, found.tileheight


TMX = Format(
    "a map for the Tiled editor; its tileset and its picture are shared by all maps of a folder",
    encode,
    decode,
    edited=True,
    beside=files_beside,
    decode_in=decode,
    draw=draw,
    foreign=foreign,
    merge=merge,
    kept=kept,
    grid=grid,
    serves=serves,
)


def draw_tmj(level: Level, look: Look) -> bytes:
    """Encode a level as a map in a look."""
    return compact_json(map_of(level, look, embedded=True))


def encode_tmj(level: Level) -> bytes:
    """Encode a level as a map."""
    return draw_tmj(level, Look())


def decode_tmj(content: bytes, folder: Path | None = None) -> Level:
    """Decode a level from a map; external tilesets are read from the folder."""
    files = Folder(folder)
    return level_of(read_tmj(content, files.budget.take), files)


def read_tmj(content: bytes, check: Check = check_amount) -> Map:
    """Read a map, without its external tilesets."""
    return checked_map(parse_json(content, "TMJ", check), "TMJ")


def kept_tmj(content: bytes) -> NDArray[np.bool_] | None:
    """Return the cells that a layer called `keep` marks."""
    return kept_cells(read_tmj(content))


def foreign_tmj(content: bytes) -> list[str]:
    """Return the parts of a map that are not levolve's."""
    return foreign_parts(read_tmj(content))


def merge_tmj(original: bytes, written: bytes) -> bytes:
    """Return the original map with the level of a written one."""
    return merge_level(
        JsonDocument(original), read_tmj(original), read_tmj(written), parse_json(written, "TMJ")
    )


def grid_tmj(content: bytes) -> tuple[int, int]:
    """Return the width and the height of a map's tiles in pixels."""
    found = read_tmj(content)
    return found.tilewidth, found.tileheight


TMJ = Format(
    (
        "a map for the Tiled editor and Phaser as JSON; its picture of the tiles is shared by "
        "all maps of a folder"
    ),
    encode_tmj,
    decode_tmj,
    edited=True,
    beside=picture_beside,
    decode_in=decode_tmj,
    draw=draw_tmj,
    foreign=foreign_tmj,
    merge=merge_tmj,
    kept=kept_tmj,
    grid=grid_tmj,
)
