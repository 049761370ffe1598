"""Recognition of our tiles: an atlas by the name of its files, tiles by their pixels in a picture
that may have been changed, and tilesets by the names of their tiles.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

import numpy as np

from levolve.core.errors import UnknownNameError, shown
from levolve.formats.reading.budgets import MOST_COMPARED_TILE, MOST_NAMED_PIXELS
from levolve.formats.reading.folder import LoadBudget
from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import COLUMNS, Atlas, atlas_of
from levolve.formats.themes.theme import DEFAULT_TILE, LEAST_TILE, MOST_TILE, Pixels
from levolve.formats.themes.thing_atlas import known_thing_atlas
from levolve.levels.tileset import TILESETS, Tileset

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
            for named, drawn in zip(atlas.names, atlas.pixels, strict=True):
                found.setdefault(_look(drawn), set()).add(named)
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
        self._signs = known_thing_atlas(name)

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
                return frozenset({self._atlas.names[number]})
        if tile > MOST_COMPARED_TILE or self._is_sign(pixels, x, y):
            return frozenset()
        self._budget.take_size(tile, self.name)
        names = tuple(TILESETS) if self._atlas is None else (self._atlas.tileset.name,)
        return _looks_of(names, tile).get(_look(pixels), frozenset())

    def _is_sign(self, pixels: Pixels, x: int, y: int) -> bool:
        """Whether a square shows the sign of a thing that is there in our picture of signs."""
        if self._signs is None or len(pixels) != self._signs.tile:
            return False
        side, signs = self._signs.tile, self._signs.pixels
        number = y // side * COLUMNS + x // side
        inside = not (x % side or y % side) and x < COLUMNS * side and number < len(signs)
        return inside and np.array_equal(pixels, signs[number])

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


def tileset_of(names: set[str], what: str, named: str | None = None) -> Tileset:
    """Return the tileset that has all these kinds of tiles, `walls` for no kinds; the one called
    `named` is tried first.
    """
    for name in dict.fromkeys([*([named] if named in TILESETS else []), *TILESETS]):
        if name is not None and names <= set(TILESETS[name].names):
            return TILESETS[name]
    known = " or ".join(f"only {', '.join(TILESETS[name].names)}" for name in TILESETS)
    raise UnknownNameError(
        f"{what}: expected tiles called {known}, got {shown(', '.join(sorted(names)))}"
    )
