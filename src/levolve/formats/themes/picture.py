"""`PictureTheme`: a theme made of a user's own picture of tiles, and the TOML file that says which
tile is which. See `docs/themes.md`.

Recognition of tiles in the picture of an atlas that may have been changed.

The picture of a tileset for editors and engines, with all tiles in one row, and tilesets by the
names of their tiles.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from levolve.core.errors import InputError, UnknownNameError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.look import Look
from levolve.formats.pictures.drawing import draw_level
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.reading.budgets import MOST_COMPARED_TILE, MOST_NAMED_PIXELS
from levolve.formats.reading.data import parse_toml
from levolve.formats.reading.files import naming, read_bytes, read_text
from levolve.formats.reading.folder import LoadBudget
from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import COLUMNS, Atlas, atlas_of
from levolve.formats.themes.signs import Marks
from levolve.formats.themes.textures import canvas_of
from levolve.formats.themes.theme import DEFAULT_TILE, LEAST_TILE, MOST_TILE, PAPER, Pixels, Theme
from levolve.formats.themes.wall_shapes import MASKS, NAMES, reduced
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR, is_checkpoint, known_place
from levolve.levels.tileset import TILESETS, Colour, Tileset

Cell = tuple[int, int]

FLOOR, WALL, PLACES, KINDS = "floor", "wall", "places", "kinds"
KEYS = ("name", "image", "tile", FLOOR, WALL, PLACES, KINDS)
PLAIN, SEVERAL = "tile", "tiles"
# The tile of checkpoints that have none of their own.
CHECKPOINT = "checkpoint"
MOST_VARIANTS = 16
SIDES = NAMES[::2]


class PictureTheme(Theme):
    """A theme whose tiles are parts of a picture."""

    def __init__(
        self, data: Mapping[str, Any], picture: Image.Image, name: str, file: Path
    ) -> None:
        """Check that the data names all tiles, and that they are in the picture."""
        for key in data:
            if key not in KEYS:
                message = f"unknown key {shown(key)}: {did_you_mean(key, list(KEYS))}"
                raise InputError(message)
        self.file = file
        self.name = _name(data.get("name", name))
        self.meaning = f"the tiles of {file.name}"
        self.own_tile = _size(data.get("tile"))
        self._picture = picture
        if picture.width % self.own_tile or picture.height % self.own_tile:
            message = (
                f"image: expected a width and a height that are multiples of {self.own_tile}, "
                f"the tile size, got {picture.width}x{picture.height}"
            )
            raise InputError(message)
        self.kinds = {FLOOR: self._floor(_table(data, FLOOR))}
        self.kinds |= {
            kind: self._cells(tiles, f"{KINDS}.{kind}")
            for kind, tiles in _table(data, KINDS).items()
        }
        self.variants = len(self.kinds[FLOOR])
        self.walls = self._walls(_table(data, WALL))
        self.places = {
            _place(place): self._cell(cell, f"{PLACES}.{place}")
            for place, cell in _table(data, PLACES).items()
        }

    def _floor(self, table: Mapping[str, Any]) -> list[Cell]:
        for key in table:
            if key not in {PLAIN, SEVERAL}:
                message = f"{FLOOR}: expected {SEVERAL} = [[column, row], …], got {shown(key)}"
                raise InputError(message)
        return self._cells(table.get(SEVERAL, table.get(PLAIN)), f"{FLOOR}.{SEVERAL}")

    def _cells(self, value: Any, where: str) -> list[Cell]:
        """Return tiles: `[[0, 0], [1, 0]]`, or one, `[0, 0]`."""
        listed = (
            [value]
            if isinstance(value, list) and value and not isinstance(value[0], list)
            else value
        )
        if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_VARIANTS:
            message = (
                f"{where}: expected 1 to {MOST_VARIANTS} tiles such as [[0, 0], [1, 0]], got "
                f"{'nothing' if value is None else shown(value)}"
            )
            raise InputError(message)
        return [self._cell(cell, where) for cell in listed]

    def _cell(self, value: Any, where: str) -> Cell:
        columns, rows = self._picture.width // self.own_tile, self._picture.height // self.own_tile
        numbers = isinstance(value, list) and [type(part) for part in value] == [int, int]
        if not numbers or not (0 <= value[0] < columns and 0 <= value[1] < rows):
            message = (
                f"{where}: expected the column and the row of a tile of the picture, from "
                f"[0, 0] to [{columns - 1}, {rows - 1}], "
                f"got {'nothing' if value is None else shown(value)}"
            )
            raise InputError(message)
        return value[0], value[1]

    def _walls(self, table: Mapping[str, Any]) -> dict[int, Cell]:
        """Return the tile of every neighbourhood: its own, or that of the same sides without
        corners, or the plain one.
        """
        plain = self._cell(table[PLAIN], f"{WALL}.{PLAIN}") if PLAIN in table else None
        given = {
            _mask(words): self._cell(cell, f'{WALL}."{words}"')
            for words, cell in table.items()
            if words != PLAIN
        }
        found: dict[int, Cell] = {}
        missing: list[str] = []
        for mask in MASKS:
            cell = given.get(mask, given.get(mask & _mask(" ".join(SIDES)), plain))
            if cell is None:
                missing.append(f'"{words_of(mask)}"')
            else:
                found[mask] = cell
        if missing:
            some = ", ".join(missing[:6])
            more = f" and {len(missing) - 6} more" if len(missing) > 6 else ""  # noqa: PLR2004 as many as fit a line
            message = (
                f"{WALL}: expected {PLAIN} = [column, row] for walls without a tile of their "
                f"own, or tiles for these neighbours too: {some}{more}"
            )
            raise InputError(message)
        return found

    def check_tile(self, tile: int) -> None:
        """Raise `InputError` for a size to which the picture cannot be scaled exactly."""
        super().check_tile(tile)
        if tile % self.own_tile and self.own_tile % tile:
            sizes = ", ".join(
                str(self.own_tile * factor)
                for factor in range(1, 4)
                if self.own_tile * factor <= MOST_TILE
            )
            message = (
                f"tile: expected a whole multiple or part of the {self.own_tile} pixels of theme "
                f"{self.name}, such as {sizes}, got {tile}"
            )
            raise InputError(message)

    def _scaled(self, cell: Cell, tile: int) -> Pixels:
        side = self.own_tile
        corner = (cell[0] * side, cell[1] * side)
        part = self._picture.crop((*corner, corner[0] + side, corner[1] + side))
        # Previews of large levels may need any size.
        filtering = Image.Resampling.NEAREST if tile % side == 0 else Image.Resampling.BOX
        return np.asarray(part.resize((tile, tile), filtering))

    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:
        """Return the tile of the floor, or of another kind by its name; transparent parts become
        black.
        """
        cells = self._of_kind(tileset, kind)
        pixels = self._scaled(cells[variant % len(cells)], tile).astype(np.uint16)
        pixels[..., :3] = (pixels[..., :3] * pixels[..., 3:] + 127) // 255
        pixels[..., 3] = 255
        return pixels.astype(np.uint8)

    def _of_kind(self, tileset: Tileset, kind: int) -> list[Cell]:
        name = tileset.names[kind]
        if name in self.kinds:
            return self.kinds[name]
        if tileset.wall is not None and kind == tileset.open_kind:
            return self.kinds[FLOOR]
        message = (
            f"theme {self.file}: expected a tile for {name} of the tileset {tileset.name}; add "
            f"{name} = [column, row] to [{KINDS}]"
        )
        raise InputError(message)

    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:
        """Return the wall with these neighbours."""
        return self._scaled(self.walls[mask], tile)

    def place(self, name: str, tile: int) -> Pixels:
        """Return the tile of a place; a painted mark if the picture has none."""
        cell = self.places.get(name, self.places.get(CHECKPOINT) if is_checkpoint(name) else None)
        return Marks().draw(name, canvas_of(tile)) if cell is None else self._scaled(cell, tile)

    def colour(self, tileset: Tileset, kind: int) -> Colour:
        """Return the mean colour of the tile."""
        cell = self.walls[MASKS[-1]] if kind == tileset.wall else self._of_kind(tileset, kind)[0]
        red, green, blue = (int(part) for part in self._scaled(cell, 1)[0, 0, :3])
        return red, green, blue


def read_theme(path: Path) -> PictureTheme:
    """Read a theme from a TOML file and the picture that it names, which must be in the same folder
    or below it.
    """
    content = read_text(path)
    with naming(f"theme {path}"):
        data = parse_toml(content, "TOML")
        own_tile = _size(data.get("tile"))
        image = data.get("image")
        if not isinstance(image, str) or not image:
            message = (
                "image: expected the name of a PNG picture in the folder of this file, such as "
                f'"tiles.png", got {shown(image)}'
            )
            raise InputError(message)
        folder = path.parent.resolve()
        place = (folder / image).resolve() if "\0" not in image else folder
        if not place.is_relative_to(folder) or place == folder:
            message = (
                "image: expected a picture in the folder of this file or below it, got "
                f"{shown(image)}"
            )
            raise InputError(message)
        with naming("image"):
            chunks = png_chunks(read_bytes(place))
            picture = png_pixels(chunks, "RGBA")
        if min(png_size(chunks)) < own_tile:
            message = (
                f"image: expected a picture of at least one tile of {own_tile} pixels, got "
                f"{picture.width}x{picture.height}"
            )
            raise InputError(message)
        return PictureTheme(data, picture, path.stem.lower(), path.resolve())


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, Mapping):
        message = f"{key}: expected a table [{key}], got {shown(table)}"
        raise InputError(message)
    return table


def _name(value: Any) -> str:

    if (
        not isinstance(value, str)
        or re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", value) is None
        or value in THEMES
    ):
        message = (
            "name: expected up to 40 lower-case letters, digits, - and _, because it is part "
            "of file names, and not the name of another theme, "
            f"got {shown(value)}"
        )
        raise InputError(message)
    return value


def _size(value: Any) -> int:
    if type(value) is not int or not LEAST_TILE <= value <= MOST_TILE:
        message = (
            f"tile: expected the width and height of a tile, {LEAST_TILE} to {MOST_TILE} pixels, "
            f"got {shown(value)}"
        )
        raise InputError(message)
    return value


def _place(name: str) -> str:
    if name != CHECKPOINT and not known_place(name):
        message = (
            f"{PLACES}: unknown place {shown(name)}: "
            f"{did_you_mean(name, [ENTRANCE, EXIT, CHECKPOINT, 'checkpoint 1', *TOUR])}"
        )
        raise InputError(message)
    return name


@cache
def words_of(mask: int) -> str:
    """Return the compass words of a neighbourhood, such as "n ne e"; nothing for a wall that stands
    alone.
    """
    return " ".join(name for bit, name in enumerate(NAMES) if mask & 1 << bit)


def _mask(words: str) -> int:
    """Return the neighbourhood of compass words."""
    mask = 0
    for word in words.split():
        if word not in NAMES:
            message = (
                f"{WALL}: expected {PLAIN}, or neighbours in the words {' '.join(NAMES)}, got "
                f"{shown(words)}"
            )
            raise InputError(message)
        mask |= 1 << NAMES.index(word)
    if reduced(mask) != mask:
        message = (
            f"{WALL}: expected corners only between two sides, as in "
            f"{words_of(reduced(mask) or 7)!r}, got {shown(words)}"
        )
        raise InputError(message)
    return mask


ATLAS_NAME = re.compile(r"levolve-([a-z][a-z0-9_-]*)-([0-9]{1,3})")
# The pictures of earlier versions: a row with one tile per kind.
_EARLIER_NAME = re.compile(r"levolve-([a-z][a-z0-9_-]*)")


def known_atlas(name: str) -> Atlas | None:
    """Return the atlas that a file name, with or without suffix, stands for; None for other
    names.
    """
    stem = name.rpartition(".")[0] or name
    match = ATLAS_NAME.fullmatch(stem)
    if match is None:
        earlier = _EARLIER_NAME.fullmatch(stem)
        return (
            atlas_of(THEMES["paper"], TILESETS[earlier[1]], DEFAULT_TILE)
            if earlier is not None and earlier[1] in TILESETS
            else None
        )
    # The names of tilesets and of themes may contain hyphens.
    words, tile = match[1].split("-"), int(match[2])
    for count in range(1, len(words)):
        tileset, theme = "-".join(words[:count]), "-".join(words[count:])
        if tileset in TILESETS and theme in THEMES and LEAST_TILE <= tile <= MOST_TILE:
            return atlas_of(THEMES[theme], TILESETS[tileset], tile)
    return None


def _look(pixels: Pixels) -> bytes:
    """Return what identifies the pixels of a tile."""
    return sha256(pixels.tobytes()).digest()


@lru_cache(maxsize=8)
def _looks_of(names: tuple[str, ...], tile: int) -> dict[bytes, frozenset[str]]:
    """Return the kinds and places by the pixels that show them, in all themes of some tilesets."""
    found: dict[bytes, set[str]] = {}
    for name in names:
        for theme in THEMES:
            # Not the cached one: all themes together are large.
            atlas = Atlas(THEMES[theme], TILESETS[name], tile)
            for entry, drawn in zip(atlas.tiles, atlas.pixels, strict=True):
                found.setdefault(_look(drawn), set()).add(
                    entry.place if entry.kind is None else atlas.tileset.names[entry.kind]
                )
    return {look: frozenset(kinds) for look, kinds in found.items()}


class TilePicture:
    """A picture of tiles that may be ours, whatever its name is, or may have been ours before a
    person changed it.
    """

    def __init__(self, content: bytes, name: str, budget: LoadBudget) -> None:
        """Unpack the picture; `InputError` if it is damaged or no PNG, or if the budget of the load
        does not allow it.
        """
        chunks = png_chunks(content)
        width, height = png_size(chunks)
        budget.take(width * height, MOST_NAMED_PIXELS, "pixels in all pictures", name)
        self.name, self._budget = name, budget
        self._atlas = known_atlas(name)
        self._pixels = np.asarray(png_pixels(chunks, "RGBA", MOST_NAMED_PIXELS))
        # The picture as it was written needs no comparison with other themes.
        side = 0 if self._atlas is None else self._atlas.tile
        fits = self._atlas is not None and self.size == (COLUMNS * side, self._atlas.rows * side)
        self._same = (
            self._atlas is not None
            and fits
            and np.array_equal(self._pixels, np.asarray(self._atlas.picture))
        )

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height in pixels."""
        return self._pixels.shape[1], self._pixels.shape[0]

    def shows(self, x: int, y: int, tile: int) -> frozenset[str]:
        """Return the kinds and places that a square of the picture shows; empty if it is like none
        of our tiles.
        """
        if not LEAST_TILE <= tile <= MOST_TILE:
            return frozenset()
        pixels = self._pixels[y : y + tile, x : x + tile]
        if pixels.shape[:2] != (tile, tile):
            return frozenset()
        if self._same and self._atlas is not None and tile == self._atlas.tile:
            number = y // tile * COLUMNS + x // tile
            if not (x % tile or y % tile) and number < len(self._atlas.tiles):
                entry = self._atlas.tiles[number]
                return frozenset(
                    {entry.place if entry.kind is None else self._atlas.tileset.names[entry.kind]}
                )
        if tile > MOST_COMPARED_TILE:
            return frozenset()
        self._budget.take_size(tile, self.name)
        names = tuple(TILESETS) if self._atlas is None else (self._atlas.tileset.name,)
        return _looks_of(names, tile).get(_look(pixels), frozenset())

    def anywhere(self, tile: int) -> frozenset[str]:
        """Return the kinds and places that the squares of the picture show, if it is cut into tiles
        from its corner.
        """
        width, height = self.size
        found: set[str] = set()
        for y in range(0, height, tile):
            for x in range(0, width, tile):
                found |= self.shows(x, y, tile)
        return frozenset(found)


def differing_kinds(
    found: TilePicture, side: int, given: Mapping[tuple[int, int], str]
) -> tuple[tuple[int, int], str] | None:
    """Return the first tile (column, row) that looks like our tile of another kind than the given
    one, and that kind; None if there is none.

    Tiles that a person painted are like none of ours, so any kind may be given to them. Our own
    tiles must be what they look like.
    """
    for (column, row), kind in given.items():
        looks = found.shows(column * side, row * side, side)
        if looks and kind not in looks:
            return (column, row), min(looks)
    return None


TILE = DEFAULT_TILE


def picture_name(tileset: Tileset) -> str:
    """Return the file name of a tileset's picture, with a prefix to avoid conflicts."""
    return f"levolve-{tileset.name}.png"


def tileset_picture(level: Level, _look: Look) -> dict[str, bytes]:
    """Return the name and the bytes of the picture of the level's tileset: the kinds of tiles from
    left to right.
    """
    kinds = len(level.tileset.characters)
    row = np.arange(kinds, dtype=np.uint8)
    both = draw_level(Level(np.stack([row, row]), tileset=level.tileset), TILE, theme=PAPER)
    return {picture_name(level.tileset): picture_bytes(both.crop((0, 0, kinds * TILE, TILE)))}


def tileset_of(names: set[str], what: str, named: str | None = None) -> Tileset:
    """Return the tileset that has all these kinds of tiles, `walls` for no kinds; the one called
    `named` is tried first.
    """
    for name in dict.fromkeys([*([named] if named in TILESETS else []), *TILESETS]):
        if name is not None and names <= set(TILESETS[name].names):
            return TILESETS[name]
    known = " or ".join(f"only {', '.join(TILESETS[name].names)}" for name in TILESETS)
    message = f"{what}: expected tiles called {known}, got {shown(', '.join(sorted(names)))}"
    raise UnknownNameError(message)
