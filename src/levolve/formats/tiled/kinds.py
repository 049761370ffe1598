"""The tiles of a map by their numbers: which tileset they belong to, and their classes."""

from bisect import bisect_right
from collections.abc import Callable
from pathlib import PurePosixPath

from levolve.errors import InputError, shown
from levolve.formats.themes.recognition import known_atlas
from levolve.formats.tiled.data import FLIPS
from levolve.formats.tiled.model import Map, TiledTileset

# Returns the tileset in a file of the map's folder.
Finder = Callable[[str], TiledTileset]


class TileKinds:
    """The classes of tiles by their numbers. A tileset is looked up by bisection, and a tile in a table of its tileset."""

    def __init__(self, found: Map, find: Finder) -> None:
        """Prepare the look-up."""
        # Of tilesets that begin at the same number, the first one counts.
        self._tilesets = sorted({tileset.firstgid: tileset for tileset in reversed(found.tilesets)}.values(), key=lambda tileset: tileset.firstgid)
        self._first = [tileset.firstgid for tileset in self._tilesets]
        self._find = find
        self._grid = found.tilewidth, found.tileheight
        self._read: dict[str, TiledTileset] = {}
        self._tables: dict[int | str, dict[int, str]] = {}

    def class_of(self, number: int) -> str:
        """Return the class of the tile with a number; empty for an empty cell."""
        if number == 0:
            return ""
        owner, inside = self._owner(number)
        kind = self._table(owner).get(inside, "")
        if not kind:
            message = (
                f"tileset {_name(owner)}: expected tiles with a class such as floor or wall, got tile {inside} without one; "
                "select it in Tiled's tileset editor and set its Class"
            )
            raise InputError(message)
        return kind

    def alignment_of(self, number: int) -> str:
        """Return how the tileset of a tile aligns objects that show it."""
        number &= ~int(FLIPS)
        return self._whole(self._owner(number)[0]).objectalignment if number else "unspecified"

    def _owner(self, number: int) -> tuple[TiledTileset, int]:
        index = bisect_right(self._first, number) - 1
        if index < 0:
            message = f"layer data: expected numbers of tiles in a tileset, got {number}"
            raise InputError(message)
        owner = self._tilesets[index]
        return owner, number - owner.firstgid

    def _whole(self, owner: TiledTileset) -> TiledTileset:
        """Return a tileset with its tiles. A file is read once, even if several tilesets name it."""
        if owner.source is None:
            return owner
        if owner.source not in self._read:
            self._read[owner.source] = self._find(owner.source)
        return self._read[owner.source]

    def _table(self, owner: TiledTileset) -> dict[int, str]:
        key = owner.firstgid if owner.source is None else owner.source
        if key not in self._tables:
            whole = self._whole(owner)
            if (whole.tileoffset.x, whole.tileoffset.y) != (0, 0):
                message = (
                    f"tileset {_name(owner)}: expected tiles drawn in their cells, got a drawing offset; set it to 0 in Tiled (tileset properties)"
                )
                raise InputError(message)
            self._check_size(whole, owner)
            self._tables[key] = {tile.id: tile.kind for tile in reversed(whole.tiles)}
        return self._tables[key]

    def _check_size(self, whole: TiledTileset, owner: TiledTileset) -> None:
        """Raise `InputError` for tiles that do not fill the cells of the map, and for a picture of ours that is cut into other tiles."""
        size = whole.tilewidth, whole.tileheight
        if all(size) and size != self._grid:
            message = f"tileset {_name(owner)}: expected tiles of {self._grid[0]}x{self._grid[1]} pixels as the map's grid, got {size[0]}x{size[1]}"
            raise InputError(message)
        atlas = known_atlas(PurePosixPath(whole.image).name)
        if atlas is not None and (size != (atlas.tile, atlas.tile) or whole.margin or whole.spacing):
            got = f"{size[0]}x{size[1]}, margin {whole.margin} and spacing {whole.spacing}"
            message = f"tileset {_name(owner)}: expected tiles of {atlas.tile}x{atlas.tile} pixels without gaps in our picture, got {got}"
            raise InputError(message)
        if atlas is None or owner.source is not None or PurePosixPath(whole.image).stem != atlas.name:
            return
        # The picture of a tileset inside a map is not looked at: its tiles are known by their numbers.
        names = [tile.place if tile.kind is None else atlas.tileset.names[tile.kind] for tile in atlas.tiles]
        wrong = next((tile for tile in whole.tiles if tile.kind and tile.id < len(names) and tile.kind != names[tile.id]), None)
        if wrong is not None:
            message = (
                f"tileset {_name(owner)}: expected the class {names[wrong.id]}, which our picture shows as tile {wrong.id}, got {shown(wrong.kind)}"
            )
            raise InputError(message)


def _name(owner: TiledTileset) -> str:
    return shown(owner.source or owner.name)
