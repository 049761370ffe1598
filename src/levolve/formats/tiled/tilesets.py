"""External tilesets of maps, in TSX or TSJ files of the map's folder.

A map from a stranger may name any file. Only files inside the map's folder are read, and errors say nothing about what is in them. The tiles of our
own tilesets are known without their files.
"""

from pathlib import Path, PureWindowsPath

from levolve.errors import InputError, shown
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_bytes
from levolve.formats.tiled.kinds import Finder
from levolve.formats.tiled.model import TiledTileset, checked_tileset
from levolve.formats.tiled.tileset import SUFFIX, own_classes
from levolve.formats.tiled.xml import parse_xml, tileset_data

JSON, XML = (".tsj", ".json"), (".tsx", ".xml")


def finder(folder: Path | None) -> Finder:
    """Return a function that reads tilesets from files of the map's folder."""

    def find(source: str) -> TiledTileset:
        what = f"tileset {shown(source)}"
        path = None if folder is None else _inside(folder, source)
        if path is None:
            own = own_classes(source.removesuffix(SUFFIX))
            if own is not None:
                return checked_tileset({"name": source, "tiles": [{"id": number, "type": kind} for number, kind in own.items()]}, what)
            message = f"{what}: expected this file in the map's folder; copy it there, or embed the tileset in Tiled (a button of the Tilesets view)"
            raise InputError(message)
        try:
            content = read_bytes(path)
            if source.lower().endswith(JSON):
                return checked_tileset(parse_json(content, what), what)
            return checked_tileset(tileset_data(parse_xml(content, what, "tileset")), what)
        except InputError:
            message = f"{what}: expected a tileset of Tiled (.tsx or .tsj), got another or a damaged file"
            # The error that explains it would quote the file, which may be any file of the folder.
            raise InputError(message) from None

    return find


def _inside(folder: Path, source: str) -> Path | None:
    """Return the path of a tileset inside the folder, after all symbolic links; None for any other, and for files of another kind."""
    relative = PureWindowsPath(source)
    if relative.drive or relative.root or ".." in relative.parts or not source.lower().endswith((*JSON, *XML)):
        return None
    try:
        found = (folder / Path(*relative.parts)).resolve(strict=True)
        return found if found.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):
        return None
