"""External tilesets of maps, in TSX or TSJ files."""

from pathlib import Path

from levolve.errors import InputError
from levolve.formats.json import parse_json
from levolve.formats.tiled.model import TiledTileset, checked_tileset
from levolve.formats.tiled.reading import Finder
from levolve.formats.tiled.xml import parse_xml, tileset_data

MOST_BYTES = 1 << 26


def finder(folder: Path | None) -> Finder:
    """Return a function that reads tilesets from files relative to the map's folder."""

    def find(source: str) -> TiledTileset:
        what = f"tileset {source!r}"
        content = None if folder is None else _content(folder / source)
        if content is None:
            message = f"{what}: expected this file in the map's folder; copy it there, or embed the tileset in Tiled (a button of the Tilesets view)"
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
