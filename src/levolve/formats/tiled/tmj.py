"""TMJ: Tiled maps as JSON, the same model as TMX."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levolve.formats.format import Format
from levolve.formats.json import compact_json
from levolve.formats.look import Look
from levolve.formats.reading.budgets import check_amount
from levolve.formats.reading.data import Check, parse_json
from levolve.formats.reading.folder import Folder
from levolve.formats.tiled.documents import JsonDocument
from levolve.formats.tiled.keeping import kept_cells
from levolve.formats.tiled.merging import merge_level
from levolve.formats.tiled.model import Map, checked_map
from levolve.formats.tiled.ownership import foreign_parts
from levolve.formats.tiled.reading import level_of
from levolve.formats.tiled.tileset import picture_beside
from levolve.formats.tiled.writing import map_of
from levolve.levels.level import Level


def draw(level: Level, look: Look) -> bytes:
    """Encode a level as a map in a look."""
    return compact_json(map_of(level, look, embedded=True))


def encode(level: Level) -> bytes:
    """Encode a level as a map."""
    return draw(level, Look())


def decode(content: bytes, folder: Path | None = None) -> Level:
    """Decode a level from a map; external tilesets are read from the folder."""
    files = Folder(folder)
    return level_of(read_map(content, files.budget.take), files)


def read_map(content: bytes, check: Check = check_amount) -> Map:
    """Read a map, without its external tilesets."""
    return checked_map(parse_json(content, "TMJ", check), "TMJ")


def kept(content: bytes) -> NDArray[np.bool_] | None:
    """Return the cells that a layer called `keep` marks."""
    return kept_cells(read_map(content))


def foreign(content: bytes) -> list[str]:
    """Return the parts of a map that are not levolve's."""
    return foreign_parts(read_map(content))


def merge(original: bytes, written: bytes) -> bytes:
    """Return the original map with the level of a written one."""
    return merge_level(JsonDocument(original), read_map(original), read_map(written), parse_json(written, "TMJ"))


def grid(content: bytes) -> tuple[int, int]:
    """Return the width and the height of a map's tiles in pixels."""
    found = read_map(content)
    return found.tilewidth, found.tileheight


TMJ = Format(
    "a map for the Tiled editor and Phaser as JSON; its picture of the tiles is shared by all maps of a folder",
    encode,
    decode,
    edited=True,
    beside=picture_beside,
    decode_in=decode,
    draw=draw,
    foreign=foreign,
    merge=merge,
    kept=kept,
    grid=grid,
)
