"""Which kind each tile of an LDtk tileset shows: by its custom data, by the name of its picture,
and by the pixels of its picture, whatever its name is.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.ldtk.model import Project, TilesetDefinition
from levolve.formats.reading.folder import Folder
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import COLUMNS, Atlas
from levolve.formats.themes.recognition import TilePicture, known_atlas
from levolve.levels.tileset import TILESETS, Tileset


class TilesetKinds:
    """The kinds of the tiles of a tileset by their numbers. The pixels of a tile are compared when
    its kind is asked for.
    """

    def __init__(self, definition: TilesetDefinition, tileset: Tileset, files: Folder) -> None:
        """Find what is known; raise `InputError` for contradictions, and for a picture of ours that
        is cut into other tiles.
        """
        self._definition, self._tileset = definition, tileset
        self._known = {name: kind for kind, name in enumerate(tileset.names)}
        self._picture = picture_of(definition.picture, files)
        atlas = atlas_named(definition.picture)
        side = 0 if self._picture is None else own_side(self._picture)
        if atlas is not None or side:
            self._check_cut(side if atlas is None else atlas.tile)
        names = () if atlas is None else atlas.tileset.names
        self._kinds = {
            number: self._known[names[tile.kind]]
            for number, tile in enumerate(() if atlas is None else atlas.tiles)
            if tile.kind is not None and names[tile.kind] in self._known
        }
        for data in definition.data:
            if data.data in self._known:
                self._add(data.tile, self._known[data.data])

    def __bool__(self) -> bool:
        """Whether any tile may show a kind."""
        return bool(self._kinds) or self._picture is not None

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the kinds of tiles; -1 for those that show none."""
        kinds = {number: self._kind(number) for number in set(numbers.tolist())}
        return np.array([kinds[number] for number in numbers.tolist()], np.int64)

    def _kind(self, number: int) -> int:
        looks = self._looks(number)
        if number in self._kinds:
            self._add(number, self._kinds[number])
        elif len(looks) == 1:
            return self._known[next(iter(looks))]
        return self._kinds.get(number, -1)

    def _looks(self, number: int) -> frozenset[str]:
        """Return the kinds that the pixels of a tile show."""
        definition = self._definition
        side = definition.side or 0
        if self._picture is None or not side or number < 0:
            return frozenset()
        row, column = divmod(number, definition.columns or 1)
        left, top = (
            definition.padding + place * (side + definition.spacing) for place in (column, row)
        )
        return self._picture.shows(left, top, side) & self._known.keys()

    def _add(self, number: int, kind: int) -> None:
        """Set the kind of a tile, which must be what its picture shows."""
        name, looks = self._tileset.names[kind], self._looks(number)
        before = self._kinds.get(number, kind)
        if before != kind or (looks and name not in looks):
            seen = self._tileset.names[before] if before != kind else min(looks)
            raise InputError(
                f"tileset {self._definition.uid}: expected tile {number} to be {seen}, "
                f"which our picture shows, got {name}"
            )
        self._kinds[number] = kind

    def _check_cut(self, side: int) -> None:
        """Raise `InputError` for a picture of ours that is cut into other tiles."""
        cut = self._definition
        got = (cut.side, cut.columns, cut.spacing, cut.padding, cut.pixels)
        if got != (side, COLUMNS, 0, 0, COLUMNS * side):
            raise InputError(
                f"tileset {cut.uid}: expected tiles of {side} pixels in {COLUMNS} columns without "
                f"gaps in our picture, got {got[0]} pixels in {got[1]} columns of a picture "
                f"{got[4]} wide, spacing {got[2]} and padding {got[3]}"
            )


def kinds_of(project: Project, uid: int | None, tileset: Tileset) -> TilesetKinds | None:
    """Return the kinds of the tiles of a tileset; None if none of them shows a kind."""
    for definition in project.definitions.tilesets:
        if definition.uid == uid and uid is not None:
            return TilesetKinds(definition, tileset, project.files) or None
    return None


def atlas_named(picture: str | None) -> Atlas | None:
    """Return the atlas whose picture has the name of this one."""
    return known_atlas((picture or "").replace("\\", "/").rpartition("/")[2])


def is_ours(picture: str | None, files: Folder) -> bool:
    """Whether a picture is one of ours, by its name or by its pixels."""
    if atlas_named(picture) is not None:
        return True
    found = picture_of(picture, files)
    return found is not None and own_side(found) > 0


def picture_of(source: str | None, files: Folder) -> TilePicture | None:
    """Return a picture of the project's folder; None for one elsewhere, and for one that is no
    PNG.
    """
    path = files.find(source, (".png",)) if source else None
    if path is None:
        return None
    parse = partial(TilePicture, name=path.name, budget=files.budget)
    try:
        return files.read(path, "picture", parse)
    except InputError:
        raise InputError(
            f"picture {shown(path.name)}: expected a PNG picture, got "
            "another, too large or damaged file"
        ) from None


def own_side(picture: TilePicture) -> int:
    """Return the side of the tiles in a picture of ours, which may have another name; 0 for any
    other picture.
    """
    side, rest = divmod(picture.size[0], COLUMNS)
    sizes = {
        Atlas(THEMES[theme], TILESETS[tileset], side).rows * side
        for theme in THEMES
        for tileset in TILESETS
    }
    return side if not rest and picture.size[1] in sizes and picture.anywhere(side) else 0
