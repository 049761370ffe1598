"""External tilesets of maps, in TSX or TSJ files of the map's folder.

A map from a stranger may name any file. Only files inside the map's folder are read, and errors say nothing about what is in them. The tiles of our
own tilesets are known without their files.
"""

from pathlib import Path

from levolve.errors import InputError, shown
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.recognition import known_atlas
from levolve.formats.tiled.kinds import Finder
from levolve.formats.tiled.model import TiledTileset, checked_tileset
from levolve.formats.tiled.tileset import SUFFIX, own_classes
from levolve.formats.tiled.xml import parse_xml, tileset_data

JSON, XML = (".tsj", ".json"), (".tsx", ".xml")


def finder(files: Folder) -> Finder:
    """Return a function that reads tilesets from files of the map's folder, each once, and says in which folder they are; None for other files."""

    def find(source: str) -> tuple[TiledTileset, Path | None] | None:
        what = f"tileset {shown(source)}"
        path = files.find(source, (*JSON, *XML))
        if path is None:
            own = own_classes(source.removesuffix(SUFFIX)) or {}
            if not own:
                return None
            atlas = known_atlas(source)
            size = {} if atlas is None else {"tilewidth": atlas.tile, "tileheight": atlas.tile}
            return checked_tileset({"name": source, **size, "tiles": [{"id": number, "type": kind} for number, kind in own.items()]}, what), None
        return files.read(path, "tileset", lambda content: _parsed(content, path, files, what)), path.parent

    return find


def _parsed(content: bytes, path: Path, files: Folder, what: str) -> TiledTileset:
    check = files.budget.take
    try:
        if path.name.lower().endswith(JSON):
            return checked_tileset(parse_json(content, what, check), what)
        return checked_tileset(tileset_data(parse_xml(content, what, "tileset", check=check)), what)
    except InputError:
        message = f"{what}: expected a tileset of Tiled (.tsx or .tsj), got another, too large or damaged file"
        # The error that explains it would quote the file, which may be any file of the folder.
        raise InputError(message) from None
