"""The tiles of a map by their numbers: which tileset they belong to, their classes, and what they
show and where.
"""

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath

from levolve.core.errors import InputError, shown
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.recognition import TilePicture, known_atlas
from levolve.formats.themes.thing_atlas import known_thing_atlas
from levolve.formats.themes.things import BUILT_IN
from levolve.formats.tiled.layers import FLIPS
from levolve.formats.tiled.model import Map, Property, Tile, TiledTileset
from levolve.formats.tiled.tileset_files import MissingTilesetError, read_tileset


@dataclass(frozen=True)
class Drawn:
    """What a tile shows: the names of kinds and places that its class, its animation or its picture
    say, and its size in pixels, 0 if not known.

    `signs` are the names of things of which it shows our sign, whatever its class says. `left` and
    `top` are the drawing offset of its tileset; `filled` says that it is drawn as large
    as the cells of the map.
    """

    names: frozenset[str]
    width: int
    height: int
    left: float
    top: float
    filled: bool
    signs: frozenset[str] = frozenset()


class TileKinds:
    """The classes of tiles by their numbers. A tileset is looked up by bisection, and a tile in a
    table of its tileset.
    """

    def __init__(self, found: Map, files: Folder) -> None:
        """Prepare the look-up. `files` reads tilesets of the map's folder and their pictures."""
        double = next(
            (
                first
                for first, count in Counter(tileset.firstgid for tileset in found.tilesets).items()
                if count > 1
            ),
            None,
        )
        if double is not None:
            raise InputError(
                "map: expected tilesets with different first numbers, got two with firstgid "
                f"{double}"
            )
        self._tilesets = sorted(found.tilesets, key=lambda tileset: tileset.firstgid)
        self._first = [tileset.firstgid for tileset in self._tilesets]
        self._files = files
        self._grid = found.tilewidth, found.tileheight
        self._drawn: dict[int, Drawn] = {}
        self._sheets: dict[int, _Sheet] = {}
        self._tables: dict[int, _Sheet] = {}

    def class_of(self, number: int) -> str:
        """Return the class of the tile with a number, which shows nothing else; empty for an empty
        cell.
        """
        if number == 0:
            return ""
        sheet, inside = self._owner(number)
        if not sheet.checked:
            sheet.check(self._grid)
        tile = sheet.tiles.get(inside)
        if tile is None or not tile.kind:
            raise InputError(
                f"{sheet.what}: expected tiles with a class such as floor or wall, got tile "
                f"{inside} without one; "
                "select it in Tiled's tileset editor and set its Class"
            )
        sheet.check_tile(tile, self._grid)
        return tile.kind

    def drawn(self, number: int) -> Drawn:
        """Return what the tile with a number draws, wherever it is used. A tileset that is not
        there draws nothing.
        """
        if number not in self._drawn:
            self._drawn[number] = self._draw(number)
        return self._drawn[number]

    def inherited(self, number: int) -> tuple[str, list[Property]]:
        """Return the class and the properties that objects have from the tile which they show."""
        if not number:
            return "", []
        try:
            sheet, inside = self._owner(number)
        except MissingTilesetError:
            return "", []
        tile = sheet.tiles.get(inside)
        return ("", []) if tile is None else (tile.kind, tile.properties)

    def _draw(self, number: int) -> Drawn:
        try:
            sheet, inside = self._owner(number)
        except MissingTilesetError:
            if self._files.leads_out(
                self._tilesets[bisect_right(self._first, number) - 1].source or ""
            ):
                raise
            return Drawn(frozenset(), 0, 0, 0, 0, filled=False)
        whole, tile = sheet.whole, sheet.tiles.get(inside)
        width, height = sheet.size_of(tile)
        numbers = (inside, *sheet.frames(tile))
        names = frozenset().union(*(sheet.names(each) for each in numbers))
        signs = frozenset().union(*(sheet.signs(each) for each in numbers))
        return Drawn(
            names,
            width,
            height,
            whole.tileoffset.x,
            whole.tileoffset.y,
            whole.tilerendersize == "grid",
            signs & BUILT_IN,
        )

    def alignment_of(self, number: int) -> str:
        """Return how the tileset of a tile aligns objects that show it."""
        number &= ~int(FLIPS)
        return self._owner(number)[0].whole.objectalignment if number else "unspecified"

    def _owner(self, number: int) -> tuple["_Sheet", int]:
        index = bisect_right(self._first, number) - 1
        if index < 0:
            raise InputError(f"layer data: expected numbers of tiles in a tileset, got {number}")
        if index not in self._sheets:
            owner = self._tilesets[index]
            whole, folder = (
                (owner, None) if owner.source is None else read_tileset(owner.source, self._files)
            )
            # A file that several tilesets name is one object, and needs one table.
            if id(whole) not in self._tables:
                self._tables[id(whole)] = _Sheet(owner, whole, folder, self._files)
            self._sheets[index] = self._tables[id(whole)]
        return self._sheets[index], number - self._first[index]


class _Sheet:
    """A tileset with its tiles and its picture."""

    def __init__(
        self, owner: TiledTileset, whole: TiledTileset, folder: Path | None, files: Folder
    ) -> None:
        self.whole = whole
        self.what = f"tileset {shown(owner.source or owner.name)}"
        self.checked = False
        self._folder, self._files = folder, files
        self.tiles = {tile.id: tile for tile in whole.tiles}
        if len(self.tiles) < len(whole.tiles):
            double = next(
                number
                for number, count in Counter(tile.id for tile in whole.tiles).items()
                if count > 1
            )
            raise InputError(
                f"{self.what}: expected each tile once, got tile {double} twice; remove one of "
                "the two"
            )
        own = next((tile.id for tile in whole.tiles if tile.image), None)
        if own is not None and whole.image:
            raise InputError(
                f"{self.what}: expected one picture, or one per tile, got both, for example for "
                f"tile {own}; save the tileset in Tiled"
            )
        # The picture of a tileset inside a map may be somewhere else: then its tiles are known by
        # their numbers.
        self.atlas = None if not whole.image else known_atlas(_file_name(whole.image))
        self.picture = self._picture(whole.image)
        self._check_cut()

    def _picture(self, image: str) -> TilePicture | None:
        """Return a picture of the map's folder; None for one elsewhere, and for one that is no PNG
        and does not have the name of ours.
        """
        path = self._files.find(image, (".png",), self._folder) if image else None
        if path is None:
            return None
        try:
            return self._files.read(
                path,
                "picture",
                partial(TilePicture, name=path.name, budget=self._files.budget),
            )
        except InputError:
            raise InputError(
                f"{self.what}: expected {shown(path.name)} to be a PNG picture, got another, too "
                "large or damaged file"
            ) from None

    def _check_cut(self) -> None:
        """Raise `InputError` for a picture of ours that is cut into other tiles, and for columns
        that are not those of the picture.
        """
        whole = self.whole
        size, atlas = (whole.tilewidth, whole.tileheight), self.atlas
        if atlas is not None and (
            size != (atlas.tile, atlas.tile) or whole.margin or whole.spacing
        ):
            got = f"{size[0]}x{size[1]}, margin {whole.margin} and spacing {whole.spacing}"
            raise InputError(
                f"{self.what}: expected tiles of {atlas.tile}x{atlas.tile} pixels without gaps "
                f"in our picture, got {got}"
            )
        width = whole.imagewidth if self.picture is None else self.picture.size[0]
        if atlas is not None and not width:
            width = COLUMNS * atlas.tile
        fitting = (
            max((width - whole.margin + whole.spacing) // (whole.tilewidth + whole.spacing), 0)
            if width and whole.tilewidth
            else whole.columns
        )
        if whole.columns not in {0, fitting}:
            raise InputError(
                f"{self.what}: expected {fitting} columns of tiles as in its picture, got "
                f"{whole.columns}; save the tileset in Tiled"
            )
        self._columns = fitting or COLUMNS

    def check(self, grid: tuple[int, int]) -> None:
        """Raise `InputError` if the tiles do not fill cells, or if one shows another kind than its
        class.
        """
        whole = self.whole
        if (whole.tileoffset.x, whole.tileoffset.y) != (0, 0):
            raise InputError(
                f"{self.what}: expected tiles drawn in their cells, got a drawing offset; set it "
                "to 0 in Tiled (tileset properties)"
            )
        size = whole.tilewidth, whole.tileheight
        if all(size) and size != grid:
            raise InputError(
                f"{self.what}: expected tiles of {grid[0]}x{grid[1]} pixels as the map's grid, "
                f"got {size[0]}x{size[1]}"
            )
        if (
            self.picture is None
            and self.atlas is not None
            and PurePosixPath(whole.image).stem == self.atlas.name
        ):
            wrong = next(
                (
                    tile
                    for tile in whole.tiles
                    if tile.kind and self._by_name(tile.id) not in {"", tile.kind}
                ),
                None,
            )
            if wrong is not None:
                raise InputError(
                    f"{self.what}: expected the class {self._by_name(wrong.id)}, which our "
                    f"picture shows as tile {wrong.id}, got {shown(wrong.kind)}"
                )
        for tile in whole.tiles if self.picture is not None else ():
            looks = self._looks(tile.id)
            if tile.kind and looks and tile.kind not in looks:
                name = shown(PurePosixPath(whole.image).name)
                raise InputError(
                    f"{self.what}: expected {name} to show {shown(tile.kind)} as tile {tile.id}, "
                    f"as its class says, got {min(looks)}"
                )
        self.checked = True

    def check_tile(self, tile: Tile, grid: tuple[int, int]) -> None:
        """Raise `InputError` for a tile of the level that is shown elsewhere or as something else
        than its class.
        """
        if 0 < self.whole.tilecount <= tile.id and not tile.image and self.whole.columns:
            raise InputError(
                f"{self.what}: expected tiles 0 to {self.whole.tilecount - 1}, as its tilecount "
                f"says, got tile {tile.id}"
            )
        shown_as = frozenset().union(*(self.names(each) for each in (tile.id, *self.frames(tile))))
        other = min(shown_as - {tile.kind}, default=None)
        if other is not None:
            raise InputError(
                f"{self.what}: expected tile {tile.id} to show {shown(tile.kind)} only, as "
                f"its class says, got {shown(other)} in its "
                "animation or picture"
            )
        size = self.size_of(tile)
        if all(size) and size != grid:
            raise InputError(
                f"{self.what}: expected tiles of {grid[0]}x{grid[1]} pixels as the map's grid, "
                f"got {size[0]}x{size[1]} for tile {tile.id}"
            )

    def frames(self, tile: Tile | None) -> list[int]:
        """Return the tiles that an animation shows."""
        return [] if tile is None else list(dict.fromkeys(frame.tileid for frame in tile.animation))

    def names(self, number: int) -> frozenset[str]:
        """Return the names of what a tile shows, by its class and by its picture."""
        tile = self.tiles.get(number)
        if (
            tile is not None
            and not tile.image
            and (tile.x, tile.y, tile.width, tile.height) != (None, None, None, None)
        ):
            raise InputError(
                f"{self.what}: expected tiles cut from the picture in order, got a rectangle for "
                f"tile {number}; remove it in Tiled"
            )
        looks = self._looks(number) if tile is None or not tile.image else self._own_look(tile)
        by_name = (
            self._by_name(number)
            if not looks and self.picture is None and (tile is None or not tile.kind)
            else ""
        )
        return (
            looks
            | ({tile.kind} if tile is not None and tile.kind else set())
            | ({by_name} if by_name else set())
        )

    def signs(self, number: int) -> frozenset[str]:
        """Return the names of what a tile shows by its picture; also by its class, in a tileset of
        our signs.
        """
        if known_thing_atlas(_file_name(self.whole.image or self.whole.name)) is not None:
            return self.names(number)
        tile = self.tiles.get(number)
        return self._looks(number) if tile is None or not tile.image else self._own_look(tile)

    def size_of(self, tile: Tile | None) -> tuple[int, int]:
        """Return the size of a tile in pixels; 0 if it is not known."""
        if tile is None or not tile.image:
            return self.whole.tilewidth, self.whole.tileheight
        picture = self._picture(tile.image)
        size = (tile.imagewidth, tile.imageheight) if picture is None else picture.size
        return int(tile.width or size[0]), int(tile.height or size[1])

    def _looks(self, number: int) -> frozenset[str]:
        """Return what a tile of the tileset's picture looks like."""
        whole = self.whole
        if self.picture is None or whole.tilewidth != whole.tileheight:
            return frozenset()
        step = whole.tilewidth + whole.spacing
        return self.picture.shows(
            whole.margin + number % self._columns * step,
            whole.margin + number // self._columns * step,
            whole.tilewidth,
        )

    def _own_look(self, tile: Tile) -> frozenset[str]:
        """Return what a tile with its own picture looks like."""
        if known_atlas(_file_name(tile.image)) is not None:
            raise InputError(
                f"{self.what}: expected our picture to be that of a whole tileset, got it as the "
                f"picture of tile {tile.id}"
            )
        picture, (width, height) = self._picture(tile.image), self.size_of(tile)
        return (
            frozenset()
            if picture is None or width != height
            else picture.shows(int(tile.x or 0), int(tile.y or 0), width)
        )

    def _by_name(self, number: int) -> str:
        """Return what a tile shows in a picture of ours, given the name of the picture."""
        names = () if self.atlas is None else self.atlas.names
        return names[number] if number < len(names) else ""


def _file_name(image: str) -> str:
    return PureWindowsPath(image).name
