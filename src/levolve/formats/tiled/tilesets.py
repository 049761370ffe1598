"""Tilesets in files of their own, TSX or TSJ, as maps name them."""

from pathlib import Path

from levolve.errors import InputError
from levolve.formats.json import parse_json
from levolve.formats.tiled.model import Tileset, checked_tileset
from levolve.formats.tiled.reading import Finder
from levolve.formats.tiled.xml import parse_xml, tileset_data

MOST_BYTES = 1 << 26


def finder(folder: Path | None) -> Finder:
    """Reads tilesets from files named relative to the folder of the map."""

    def find(source: str) -> Tileset:
        what = f"tileset {source!r}"
        content = None if folder is None else _content(folder / source)
        if content is None:
            message = f"{what}: expected the file beside the map; put it there, or embed the tileset in Tiled (a button of the Tilesets view)"
            raise InputError(message)
        if source.lower().endswith((".tsj", ".json")):
            return checked_tileset(parse_json(content, what), what)
        return checked_tileset(tileset_data(parse_xml(content, what, "tileset")), what)

    return find


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size <= MOST_BYTES else None
    except (OSError, ValueError):
        return None
