"""The kinds of tiles of a TileSet: inside a scene, in a `.tres` file of its folder, or known by the
name of one of our atlases.

A scene from a stranger may name any file. Only files inside the scene's folder are read, and errors
do not quote them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from levolve.core.errors import InputError, shown
from levolve.formats.godot.scene import KIND
from levolve.formats.godot.text import Section, parse_sections, read_text, read_whole, reference
from levolve.formats.reading.budgets import MOST_MARKS, BudgetError, check_amount
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.atlas import COLUMNS, Atlas
from levolve.formats.themes.recognition import ATLAS_NAME, TilePicture, differing_kinds, known_atlas
from levolve.formats.themes.theme import MOST_TILE

# source, column, row, alternative
TileId = tuple[int, int, int, int]
_TILE = re.compile(r"([0-9]{1,5}):([0-9]{1,5})/([0-9]{1,5})(?:/(.*))?")
_TILE_OPTION = re.compile(r"([0-9]{1,5}):([0-9]{1,5})/([a-z_]\w*)(?:/.*)?")
# What a tile may have without being shown elsewhere, larger or not at all.
_HARMLESS = (
    "custom_data_",
    "physics_layer_",
    "terrain",
    "navigation_layer_",
    "occlusion_layer_",
    "probability",
    "flip_",
    "transpose",
    "material",
)
_ADVICE = (
    "use the TileSet that levolve wrote, or give each tile its kind, such as floor or wall, as a "
    "text in a custom data layer called kind"
)


@dataclass(frozen=True)
class SceneKinds:
    """The kinds of the tiles of a TileSet by their ids, and the size of its cells in pixels."""

    tile: tuple[int, int]
    kinds: dict[TileId, str] = field(default_factory=dict)
    moved: dict[TileId, str] = field(default_factory=dict)

    def kind(self, tile: TileId, where: str) -> str:
        """Return the kind of a tile; raise `InputError` for a tile without one, or that is not
        drawn in its cell.
        """
        # The bits that flip a tile.
        source, column, row, alternative = tile
        found = self.kinds.get((source, column, row, alternative & 0x0FFF))
        if found is None:
            raise InputError(
                f"{where}: expected tiles of the tileset in the scene that have a kind, got "
                f"{column}:{row} of source {source}; {_ADVICE}"
            )
        option = self.moved.get((source, column, row, alternative & 0x0FFF))
        if option is not None:
            raise InputError(
                f"{where}: expected a tile that fills its cell, got {shown(option)} for tile "
                f"{column}:{row} in the TileSet"
            )
        return found


class TileSets:
    """The TileSets that the layers of a scene use."""

    def __init__(self, sections: Sequence[Section], files: Folder) -> None:
        """Find the resources of a scene; those in other files are looked for in its folder, or
        known by their names only.
        """
        self._inside = {
            section.attribute("id"): section
            for section in sections
            if section.name == "sub_resource"
        }
        self._outside = {
            section.attribute("id"): section
            for section in sections
            if section.name == "ext_resource"
        }
        self._folder = files
        self._found: dict[str, SceneKinds] = {}

    def kinds(self, value: str, where: str) -> SceneKinds:
        """Return the kinds of the tiles of the TileSet that `value` refers to."""
        if value not in self._found:
            self._found[value] = self._find(value, where)
        return self._found[value]

    def tile(self, value: str, where: str) -> tuple[int, int]:
        """Return the size of the cells of a TileSet, which may have no kinds."""
        origin, name = reference(value)
        if origin == "Sub" and name in self._inside:
            return cell_size(self._inside[name].values, where)
        named = (
            ATLAS_NAME.fullmatch(
                _file_name(self._outside[name].attribute("path")).removesuffix(".tres")
            )
            if name in self._outside
            else None
        )
        return (
            (int(named[2]), int(named[2]))
            if named is not None and self._folder.unknown
            else self.kinds(value, where).tile
        )

    def atlas(self, value: str) -> Atlas | None:
        """Return the atlas whose picture `value` refers to; None for any other picture."""
        return known_atlas(self.file_name(value))

    def file_name(self, value: str) -> str:
        """Return the name of the file that `value` refers to; empty for any other value."""
        origin, name = reference(value)
        outside = origin == "Ext" and name in self._outside
        return _file_name(self._outside[name].attribute("path")) if outside else ""

    def ours(self, value: str) -> bool:
        """Whether a value refers to a file that levolve wrote, by its name."""
        return self.file_name(value).startswith("levolve-")

    def _find(self, value: str, where: str) -> SceneKinds:
        origin, name = reference(value)
        if (
            origin == "Sub"
            and name in self._inside
            and self._inside[name].attribute("type") == "TileSet"
        ):
            return _read_tileset(
                self._inside[name].values, self._inside, self._outside, _Place(self._folder), where
            )
        if (
            origin == "Ext"
            and name in self._outside
            and self._outside[name].attribute("type") == "TileSet"
        ):
            return self._read_file(self._outside[name].attribute("path"))
        raise InputError(
            f"{where}: expected a TileSet of this scene or of a .tres file, got "
            f"{shown(value or 'none')}; {_ADVICE}"
        )

    def _read_file(self, source: str) -> SceneKinds:
        what = f"TileSet {shown(source)}"
        path = inside(self._folder, source, ".tres")
        if path is None:
            atlas = known_atlas(_file_name(source))
            if atlas is not None:
                return _atlas_kinds(atlas)
            raise InputError(
                f"{what}: expected this file in the scene's folder; copy it there, or {_ADVICE}"
            )
        return self._folder.read(
            path, "TileSet", lambda content: self._parsed(content, path.parent, what)
        )

    def _parsed(self, content: bytes, folder: Path, what: str) -> SceneKinds:
        try:
            sections = parse_sections(content, "tres", "gd_resource", self._folder.budget.take)
            values = next(
                (section.values for section in sections if section.name == "resource"), {}
            )
            by_name = {
                name: {each.attribute("id"): each for each in sections if each.name == name}
                for name in ("sub_resource", "ext_resource")
            }
            opening = sections[0].attribute("type")
        except InputError:
            # The error that explains it would quote the file, which may be any file of the folder.
            opening, values, by_name = "", {}, {}
        if opening != "TileSet":
            raise InputError(f"{what}: expected a TileSet of Godot, got another or a damaged file")
        return _read_tileset(
            values,
            by_name["sub_resource"],
            by_name["ext_resource"],
            _Place(self._folder, folder),
            what,
        )


@dataclass(frozen=True)
class _Place:
    """The folder of a load, and that of the file in it which names others; None for the first
    file.
    """

    files: Folder
    folder: Path | None = None


def _read_tileset(
    values: dict[str, str],
    inner: dict[str, Section],
    outer: dict[str, Section],
    folder: _Place,
    where: str,
) -> SceneKinds:
    """Return the kinds of the tiles of a TileSet, given its values and the resources it may refer
    to.
    """
    tile = cell_size(values, where)
    layer = next(
        (
            name.split("/")[0].removeprefix("custom_data_layer_")
            for name in values
            if values[name] == f'"{KIND}"' and _names_layer(name)
        ),
        None,
    )
    if layer is None:
        raise InputError(f"{where}: expected a TileSet with kinds; {_ADVICE}")
    found = SceneKinds(tile)
    for name, value in values.items():
        number = name.removeprefix("sources/")
        if number == name or not number.isdecimal() or int(number) >= 0xFFFF:  # two bytes
            continue
        origin, source = reference(value)
        if (
            origin == "Sub"
            and source in inner
            and inner[source].attribute("type") == "TileSetAtlasSource"
        ):
            _read_source(int(number), inner[source], f"custom_data_{layer}", found, where)
            _check_picture(int(number), inner[source], outer, folder, found, where)
    return found


def cell_size(values: dict[str, str], where: str) -> tuple[int, int]:
    """Return the size of a TileSet's cells in pixels."""
    width, height = read_whole(
        values.get("tile_size", "Vector2i(16, 16)"), 2, f"{where}: tile_size"
    )
    if values.get("tile_shape", "0") != "0" or not (
        1 <= width <= MOST_TILE and 1 <= height <= MOST_TILE
    ):
        raise InputError(
            f"{where}: expected square tiles of 1 to {MOST_TILE} pixels per side, got "
            f"{width}x{height} and shape {values.get('tile_shape', '0')[:9]}"
        )
    return width, height


def _names_layer(name: str) -> bool:
    return re.fullmatch(r"custom_data_layer_[0-9]{1,3}/name", name) is not None


def _read_source(number: int, section: Section, data: str, found: SceneKinds, where: str) -> None:
    """Add the tiles of an atlas source."""
    options: dict[tuple[int, int], str] = {}
    defined: set[TileId] = set()
    kinds: dict[TileId, str] = {}
    for key, value in section.values.items():
        tile = _TILE.fullmatch(key)
        option = _TILE_OPTION.fullmatch(key) if tile is None else None
        if option is not None and option[3] != "next_alternative_id":
            options[int(option[1]), int(option[2])] = f"{option[3]} = {value}"
        if tile is None:
            continue
        identity = (number, int(tile[1]), int(tile[2]), int(tile[3]))
        if tile[4] is None:
            defined.add(identity)
        elif tile[4] == data:
            kinds[identity] = read_text(value, f"{where}: {data}")
        elif not tile[4].startswith(_HARMLESS):
            found.moved[identity] = f"{tile[4]} = {value}"
    check_amount(len(defined), MOST_MARKS, "tiles", where)
    found.kinds.update({identity: kind for identity, kind in kinds.items() if identity in defined})
    found.moved.update(
        {identity: options[identity[1:3]] for identity in defined if identity[1:3] in options}
    )


def _check_picture(
    number: int,
    section: Section,
    outer: dict[str, Section],
    folder: _Place,
    found: SceneKinds,
    where: str,
) -> None:
    """Raise `InputError` if a picture of ours is cut into other tiles, or if a tile shows another
    kind than the TileSet gives it.
    """
    values = section.values
    texture = outer.get(reference(values.get("texture", ""))[1])
    name = "" if texture is None else _file_name(texture.attribute("path"))
    atlas = known_atlas(name)
    if atlas is None or texture is None:
        return
    region = read_whole(
        values.get("texture_region_size", "Vector2i(16, 16)"), 2, f"{where}: texture_region_size"
    )
    gaps = [
        read_whole(values.get(key, "Vector2i(0, 0)"), 2, f"{where}: {key}")
        for key in ("margins", "separation")
    ]
    side = [atlas.tile, atlas.tile]
    if region != side or [*found.tile] != side or any(any(gap) for gap in gaps):
        got = f"{region[0]}x{region[1]} in cells of {found.tile[0]}x{found.tile[1]}, or gaps"
        raise InputError(
            f"{where}: expected tiles of {atlas.tile}x{atlas.tile} pixels without gaps in "
            f"{name}, got {got}; {_ADVICE}"
        )
    path = inside(folder.files, texture.attribute("path"), ".png", folder.folder)
    if path is None:
        return
    files = folder.files
    try:
        picture = files.read(
            path, "picture", lambda content: TilePicture(content, path.name, files.budget)
        )
    except BudgetError:
        raise
    except InputError:
        # Godot shows nothing of a picture that it cannot read.
        return
    given = {
        (column, row): kind
        for (source, column, row, _), kind in found.kinds.items()
        if source == number
    }
    wrong = differing_kinds(picture, atlas.tile, given)
    if wrong is not None:
        (column, row), kind = wrong
        raise InputError(
            f"{where}: expected {name} to show {given[column, row]} as tile {column}:{row}, as "
            f"its kind says, got {kind}; {_ADVICE}"
        )


def _atlas_kinds(atlas: Atlas) -> SceneKinds:
    kinds = {(0, n % COLUMNS, n // COLUMNS, 0): name for n, name in enumerate(atlas.names)}
    return SceneKinds((atlas.tile, atlas.tile), kinds)


def _file_name(source: str) -> str:
    return PurePosixPath(source.partition("://")[2] or source).name


def inside(files: Folder, source: str, suffix: str, folder: Path | None = None) -> Path | None:
    """Return the path of a resource inside the folder; None for any other.

    Godot writes paths from the root of a project, which is not known here: then the file of that
    name in the folder is meant.
    """
    return files.find(
        _file_name(source) if source.startswith("res://") else source, (suffix,), folder
    )
