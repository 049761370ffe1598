"""TMX and TMJ: maps of the Tiled editor, two encodings of the same model."""

import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.formats.format import Format
from levolve.formats.json import compact_json
from levolve.formats.look import Look
from levolve.formats.reading.budgets import check_amount
from levolve.formats.reading.data import Check, parse_json
from levolve.formats.reading.folder import Folder
from levolve.formats.tiled.documents import Document, JsonDocument, XmlDocument
from levolve.formats.tiled.merging import merge_level
from levolve.formats.tiled.model import Map, checked_map
from levolve.formats.tiled.ownership import foreign_parts, kept_cells
from levolve.formats.tiled.reading import level_of
from levolve.formats.tiled.writing import files_beside, map_of, picture_beside, serves
from levolve.formats.tiled.xml import map_data, parse_xml
from levolve.formats.tiled.xml_writing import map_element, xml_bytes
from levolve.levels.level import Level


@dataclass(frozen=True)
class _Encoding:
    """What reads and changes maps: `parse` returns the structure of TMJ."""

    name: str
    parse: Callable[[bytes, Check], Any]
    document: Callable[[bytes], Document]

    def read(self, content: bytes, check: Check = check_amount) -> Map:
        """Read a map, without its external tilesets."""
        return checked_map(self.parse(content, check), self.name)

    def decode(self, content: bytes, folder: Path | None = None) -> Level:
        """Decode a level from a map; external tilesets are read from the folder."""
        files = Folder(folder)
        return level_of(self.read(content, files.budget.take), files)

    def kept(self, content: bytes) -> NDArray[np.bool_] | None:
        """Return the cells that a layer called `keep` marks."""
        return kept_cells(self.read(content))

    def foreign(self, content: bytes) -> list[str]:
        """Return the parts of a map that are not levolve's."""
        return foreign_parts(self.read(content))

    def merge(self, original: bytes, written: bytes) -> bytes:
        """Return the original map with the level of a written one."""
        data = self.parse(written, check_amount)
        document, before = self.document(original), self.read(original)
        return merge_level(document, before, self.read(written), data)

    def grid(self, content: bytes) -> tuple[int, int]:
        """Return the width and the height of a map's tiles in pixels."""
        found = self.read(content)
        return found.tilewidth, found.tileheight

    def format(self, meaning: str, draw: Callable[[Level, Look], bytes], **others: Any) -> Format:
        """Return the format of maps in this encoding."""
        return Format(
            meaning,
            lambda level: draw(level, Look()),
            self.decode,
            edited=True,
            decode_in=self.decode,
            draw=draw,
            foreign=self.foreign,
            merge=self.merge,
            kept=self.kept,
            grid=self.grid,
            **others,
        )


def draw_tmx(level: Level, look: Look) -> bytes:
    """Encode a level as a TMX map in a look."""
    element = map_element(map_of(level, look, embedded=False))
    ET.indent(element, " ")
    return xml_bytes(element)


def draw_tmj(level: Level, look: Look) -> bytes:
    """Encode a level as a TMJ map in a look."""
    return compact_json(map_of(level, look, embedded=True))


def _parse_tmx(content: bytes, check: Check) -> dict[str, Any]:
    return map_data(parse_xml(content, "TMX", "map", check=check))


def _parse_tmj(content: bytes, check: Check) -> Any:
    return parse_json(content, "TMJ", check)


TMX = _Encoding("TMX", _parse_tmx, XmlDocument).format(
    "a map for the Tiled editor; its tileset and its picture are shared by all maps of a folder",
    draw_tmx,
    beside=files_beside,
    serves=serves,
)
TMJ = _Encoding("TMJ", _parse_tmj, JsonDocument).format(
    (
        "a map for the Tiled editor and Phaser as JSON; its picture of the tiles is shared by "
        "all maps of a folder"
    ),
    draw_tmj,
    beside=picture_beside,
)
