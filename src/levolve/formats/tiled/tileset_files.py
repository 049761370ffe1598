"""External tilesets of maps, in TSX or TSJ files of the map's folder.

A map from a stranger may name any file. Only files inside the map's folder are read, and errors say
nothing about what is in them. The tiles of our own tilesets are known without their files.
"""

from pathlib import Path

from levolve.core.errors import InputError, shown
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.recognition import known_atlas
from levolve.formats.themes.thing_atlas import known_thing_atlas
from levolve.formats.tiled.model import TiledTileset, checked_tileset
from levolve.formats.tiled.writing import SUFFIX, tileset_of_things
from levolve.formats.tiled.xml import parse_xml, tileset_data


class MissingTilesetError(InputError):
    """A tileset is in a file that is not in the map's folder."""


JSON, XML = (".tsj", ".json"), (".tsx", ".xml")


def read_tileset(source: str, files: Folder) -> tuple[TiledTileset, Path | None]:
    """Return the tileset in a file of the map's folder, and the folder of that file. Ours are known
    without their files.
    """
    what = f"tileset {shown(source)}"
    path = files.find(source, (*JSON, *XML))
    if path is not None:
        return files.read(
            path, "tileset", lambda content: _parsed(content, path, files, what)
        ), path.parent
    atlas = known_atlas(source) if source.endswith(SUFFIX) else None
    things = known_thing_atlas(source) if source.endswith(SUFFIX) else None
    if things is not None:
        return checked_tileset(tileset_of_things(things), what), None
    if atlas is None:
        raise MissingTilesetError(
            f"{what}: expected this file in the map's folder; copy it there, or embed the tileset "
            "in Tiled (a button of the Tilesets view)"
        )
    tiles = [{"id": number, "type": name} for number, name in enumerate(atlas.names)]
    data = {"name": source, "tilewidth": atlas.tile, "tileheight": atlas.tile, "tiles": tiles}
    return checked_tileset(data, what), None


def _parsed(content: bytes, path: Path, files: Folder, what: str) -> TiledTileset:
    check = files.budget.take
    try:
        if path.name.lower().endswith(JSON):
            return checked_tileset(parse_json(content, what, check), what)
        return checked_tileset(tileset_data(parse_xml(content, what, "tileset", check=check)), what)
    except InputError:
        # The error that explains it would quote the file, which may be any file of the folder.
        raise InputError(
            f"{what}: expected a tileset of Tiled (.tsx or .tsj), got another, too large or "
            "damaged file"
        ) from None
