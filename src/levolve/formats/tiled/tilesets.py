"""External tilesets of maps, in TSX or TSJ files of the map's folder.

A map from a stranger may name any file. Only files inside the map's folder are read, and errors say nothing about what is in them. The tiles of our
own tilesets are known without their files.
"""

from pathlib import Path

from levolve.errors import InputError, shown
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import inside_folder, read_bytes
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.recognition import differing_kinds, known_atlas
from levolve.formats.tiled.kinds import Finder
from levolve.formats.tiled.model import TiledTileset, checked_tileset
from levolve.formats.tiled.tileset import SUFFIX, own_classes
from levolve.formats.tiled.xml import parse_xml, tileset_data

JSON, XML = (".tsj", ".json"), (".tsx", ".xml")


def finder(folder: Path | None) -> Finder:
    """Return a function that reads tilesets from files of the map's folder."""

    def find(source: str) -> TiledTileset:
        what = f"tileset {shown(source)}"
        path = inside_folder(folder, source, (*JSON, *XML))
        if path is None:
            own = own_classes(source.removesuffix(SUFFIX))
            if own is not None:
                return checked_tileset({"name": source, "tiles": [{"id": number, "type": kind} for number, kind in own.items()]}, what)
            message = f"{what}: expected this file in the map's folder; copy it there, or embed the tileset in Tiled (a button of the Tilesets view)"
            raise InputError(message)
        try:
            content = read_bytes(path)
            json = source.lower().endswith(JSON)
            found = checked_tileset(parse_json(content, what) if json else tileset_data(parse_xml(content, what, "tileset")), what)
        except InputError:
            message = f"{what}: expected a tileset of Tiled (.tsx or .tsj), got another or a damaged file"
            # The error that explains it would quote the file, which may be any file of the folder.
            raise InputError(message) from None
        _check_picture(found, path.parent, what)
        return found

    return find


def _check_picture(found: TiledTileset, folder: Path, what: str) -> None:
    """Raise `InputError` if a tile of our picture looks like another kind than its class."""
    atlas = known_atlas(Path(found.image).name)
    path = inside_folder(folder, found.image, (".png",))
    if atlas is None or path is None:
        return
    columns = found.columns or COLUMNS
    given = {(tile.id % columns, tile.id // columns): tile.kind for tile in found.tiles if tile.kind}
    wrong = differing_kinds(atlas, read_bytes(path), given)
    if wrong is not None:
        (column, row), kind = wrong
        message = f"{what}: expected {path.name} to show {given[column, row]} as tile {row * columns + column}, as its class says, got {kind}"
        raise InputError(message)
