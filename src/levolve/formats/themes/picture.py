"""`PictureTheme`: a theme made of a user's own picture of tiles, and the TOML file that says which
tile is which. See `docs/themes.md`.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.reading.data import parse_toml
from levolve.formats.reading.files import naming, read_bytes, read_text
from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size
from levolve.formats.themes import THEMES
from levolve.formats.themes.signs import Marks
from levolve.formats.themes.textures import canvas_of
from levolve.formats.themes.theme import LEAST_TILE, MOST_TILE, Pixels, Theme
from levolve.formats.themes.wall_shapes import MASKS, NAMES, reduced
from levolve.levels.places import ENTRANCE, EXIT, TOUR, is_checkpoint, known_place
from levolve.levels.tileset import Colour, Tileset

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
                raise InputError(f"unknown key {shown(key)}: {did_you_mean(key, list(KEYS))}")
        self.file = file
        self.name = _name(data.get("name", name))
        self.meaning = f"the tiles of {file.name}"
        self.own_tile = _size(data.get("tile"))
        self._picture = picture
        if picture.width % self.own_tile or picture.height % self.own_tile:
            raise InputError(
                f"image: expected a width and a height that are multiples of {self.own_tile}, "
                f"the tile size, got {picture.width}x{picture.height}"
            )
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
                raise InputError(
                    f"{FLOOR}: expected {SEVERAL} = [[column, row], …], got {shown(key)}"
                )
        return self._cells(table.get(SEVERAL, table.get(PLAIN)), f"{FLOOR}.{SEVERAL}")

    def _cells(self, value: Any, where: str) -> list[Cell]:
        """Return tiles: `[[0, 0], [1, 0]]`, or one, `[0, 0]`."""
        listed = (
            [value]
            if isinstance(value, list) and value and not isinstance(value[0], list)
            else value
        )
        if not isinstance(listed, list) or not 1 <= len(listed) <= MOST_VARIANTS:
            raise InputError(
                f"{where}: expected 1 to {MOST_VARIANTS} tiles such as [[0, 0], [1, 0]], got "
                f"{'nothing' if value is None else shown(value)}"
            )
        return [self._cell(cell, where) for cell in listed]

    def _cell(self, value: Any, where: str) -> Cell:
        columns, rows = self._picture.width // self.own_tile, self._picture.height // self.own_tile
        numbers = isinstance(value, list) and [type(part) for part in value] == [int, int]
        if not numbers or not (0 <= value[0] < columns and 0 <= value[1] < rows):
            raise InputError(
                f"{where}: expected the column and the row of a tile of the picture, from "
                f"[0, 0] to [{columns - 1}, {rows - 1}], "
                f"got {'nothing' if value is None else shown(value)}"
            )
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
            more = (
                f" and {len(missing) - 6} more" if len(missing) > 6 else ""
            )  # as many as fit a line
            raise InputError(
                f"{WALL}: expected {PLAIN} = [column, row] for walls without a tile of their "
                f"own, or tiles for these neighbours too: {some}{more}"
            )
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
            raise InputError(
                f"tile: expected a whole multiple or part of the {self.own_tile} pixels of theme "
                f"{self.name}, such as {sizes}, got {tile}"
            )

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
        raise InputError(
            f"theme {self.file}: expected a tile for {name} of the tileset {tileset.name}; add "
            f"{name} = [column, row] to [{KINDS}]"
        )

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
            raise InputError(
                "image: expected the name of a PNG picture in the folder of this file, such as "
                f'"tiles.png", got {shown(image)}'
            )
        folder = path.parent.resolve()
        place = (folder / image).resolve() if "\0" not in image else folder
        if not place.is_relative_to(folder) or place == folder:
            raise InputError(
                "image: expected a picture in the folder of this file or below it, got "
                f"{shown(image)}"
            )
        with naming("image"):
            chunks = png_chunks(read_bytes(place))
            picture = png_pixels(chunks, "RGBA")
        if min(png_size(chunks)) < own_tile:
            raise InputError(
                f"image: expected a picture of at least one tile of {own_tile} pixels, got "
                f"{picture.width}x{picture.height}"
            )
        return PictureTheme(data, picture, path.stem.lower(), path.resolve())


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = data.get(key, {})
    if not isinstance(table, Mapping):
        raise InputError(f"{key}: expected a table [{key}], got {shown(table)}")
    return table


def _name(value: Any) -> str:

    if (
        not isinstance(value, str)
        or re.fullmatch(r"[a-z][a-z0-9_-]{0,39}", value) is None
        or value in THEMES
    ):
        raise InputError(
            "name: expected up to 40 lower-case letters, digits, - and _, because it is part "
            "of file names, and not the name of another theme, "
            f"got {shown(value)}"
        )
    return value


def _size(value: Any) -> int:
    if type(value) is not int or not LEAST_TILE <= value <= MOST_TILE:
        raise InputError(
            f"tile: expected the width and height of a tile, {LEAST_TILE} to {MOST_TILE} pixels, "
            f"got {shown(value)}"
        )
    return value


def _place(name: str) -> str:
    if name != CHECKPOINT and not known_place(name):
        raise InputError(
            f"{PLACES}: unknown place {shown(name)}: "
            f"{did_you_mean(name, [ENTRANCE, EXIT, CHECKPOINT, 'checkpoint 1', *TOUR])}"
        )
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
            raise InputError(
                f"{WALL}: expected {PLAIN}, or neighbours in the words {' '.join(NAMES)}, got "
                f"{shown(words)}"
            )
        mask |= 1 << NAMES.index(word)
    if reduced(mask) != mask:
        raise InputError(
            f"{WALL}: expected corners only between two sides, as in "
            f"{words_of(reduced(mask) or 7)!r}, got {shown(words)}"
        )
    return mask
