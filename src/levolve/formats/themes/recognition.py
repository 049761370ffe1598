"""Recognition of tiles in the picture of an atlas that may have been changed."""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.formats.reading.pictures import png_chunks, png_pixels
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import Atlas, atlas_of
from levolve.formats.themes.theme import DEFAULT_TILE, LEAST_TILE, MOST_TILE
from levolve.levels.tileset import TILESETS

ATLAS_NAME = re.compile(r"levolve-([a-z][a-z0-9_-]*)-([0-9]{1,3})")
# The pictures of earlier versions: a row with one tile per kind.
_EARLIER_NAME = re.compile(r"levolve-([a-z][a-z0-9_-]*)")


def known_atlas(name: str) -> Atlas | None:
    """Return the atlas that a file name, with or without suffix, stands for; None for other names."""
    stem = name.rpartition(".")[0] or name
    match = ATLAS_NAME.fullmatch(stem)
    if match is None:
        earlier = _EARLIER_NAME.fullmatch(stem)
        return atlas_of(THEMES["paper"], TILESETS[earlier[1]], DEFAULT_TILE) if earlier is not None and earlier[1] in TILESETS else None
    # The names of tilesets and of themes may contain hyphens.
    words, tile = match[1].split("-"), int(match[2])
    for count in range(1, len(words)):
        tileset, theme = "-".join(words[:count]), "-".join(words[count:])
        if tileset in TILESETS and theme in THEMES and LEAST_TILE <= tile <= MOST_TILE:
            return atlas_of(THEMES[theme], TILESETS[tileset], tile)
    return None


def differing_kinds(atlas: Atlas, content: bytes, given: Mapping[tuple[int, int], str]) -> tuple[tuple[int, int], str] | None:
    """Return the first tile (column, row) that looks like our tile of another kind than the given one, and that kind; None if there is none.

    Tiles that a person painted are like none of ours, so any kind may be given to them. Our own tiles must be what they look like.
    """
    try:
        pixels = np.asarray(png_pixels(png_chunks(content), "RGBA"))
    except InputError:
        # A picture that cannot be read shows no level.
        return None
    names = atlas.tileset.names
    ours: dict[bytes, set[str]] = {}
    for tile, drawn in zip(atlas.tiles, atlas.pixels, strict=True):
        ours.setdefault(drawn.tobytes(), set()).add(tile.place if tile.kind is None else names[tile.kind])
    for (column, row), kind in given.items():
        looks = ours.get(_cut(pixels, column, row, atlas.tile), {kind})
        if kind not in looks:
            return (column, row), min(looks)
    return None


def _cut(pixels: NDArray[np.uint8], column: int, row: int, tile: int) -> bytes:
    return pixels[row * tile : (row + 1) * tile, column * tile : (column + 1) * tile].tobytes()
