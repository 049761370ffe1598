"""Painted themes: walls join without seams, floors are opaque, places and kinds can be told apart,
and the pixels are the same everywhere.
"""

import hashlib
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from levolve.formats.look import DEFAULT_THEME
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import PLACES, atlas_of
from levolve.formats.themes.painted import PaintedTheme
from levolve.formats.themes.textures import Field, bricks, cells, noise
from levolve.formats.themes.wall_shapes import ALL, MASKS, POSITIONS, neighbourhoods
from levolve.levels.tileset import RAINBOW, TILESETS, Tileset
from levolve.levels.tileset import WALLS as WALLS_TILESET

PAINTED = [name for name in THEMES if isinstance(THEMES[name], PaintedTheme)]
MARSH = Tileset(
    "marsh",
    "o%~=",
    ("grass", "reed", "water", "bridge"),
    tuple(tuple(a != 1 and b != 1 for b in range(4)) for a in range(4)),
)
# SHA-256 of the pixels of each atlas of walls at 16 pixels, shortened.
DIGESTS: dict[str, str] = {
    "stone": "f681a4697ed3d9f7",
    "cave": "f37e2373481c8bab",
    "hedge": "7f96eaefc5b0d6d5",
    "ice": "e5d645b28f5dc7cd",
    "dusk": "1481f36f73915888",
    "sand": "8b26f383d1c790d9",
    "wood": "80f397048c0da5e1",
    "circuit": "af9f98fdf99a374f",
}


def painted(name: str) -> PaintedTheme:
    theme = THEMES[name]
    assert isinstance(theme, PaintedTheme)
    return theme


@cache
def joined_pairs() -> dict[str, set[tuple[int, int]]]:
    """All pairs of masks of two walls side by side, and of one above the other."""
    pairs: dict[str, set[tuple[int, int]]] = {"beside": set(), "above": set()}
    for around in product((False, True), repeat=10):
        walls = np.array([*around[:5], True, True, *around[5:]]).reshape(3, 4)
        found = neighbourhoods(walls)
        pairs["beside"].add((MASKS[found[1, 1]], MASKS[found[1, 2]]))
        upright = neighbourhoods(walls.T)
        pairs["above"].add((MASKS[upright[1, 1]], MASKS[upright[2, 1]]))
    return pairs


@pytest.mark.parametrize("name", PAINTED)
def test_the_outline_of_a_wall_goes_on_in_the_next_tile(name: str) -> None:
    shape = painted(name).shape
    line = np.arange(65) / 64
    low, high = np.zeros(65), np.ones(65)
    margin = min(shape.north, shape.side, shape.south)

    def seen(distance: Field) -> Field:
        # What is painted depends on the distance only near the edge.
        return np.clip(distance, -margin, 0.5)

    for way, pairs in joined_pairs().items():
        ends, starts = (
            ((high, line), (low, line)) if way == "beside" else ((line, high), (line, low))
        )
        for one, other in pairs:
            for distance in (shape.top, shape.whole):
                assert np.allclose(
                    seen(distance(one, *ends)), seen(distance(other, *starts)), atol=1e-12
                ), (way, one, other)


@pytest.mark.parametrize("name", PAINTED)
def test_the_pixels_of_a_wall_go_on_in_the_next_tile(name: str) -> None:
    atlas = atlas_of(THEMES[name], WALLS_TILESET, 32)
    walls = atlas.pixels[atlas.first[1] :][:, :, :, 3].astype(np.int64)
    for way, pairs in joined_pairs().items():
        for one, other in pairs:
            first, second = walls[POSITIONS[one]], walls[POSITIONS[other]]
            end, start = (first[:, -1], second[:, 0]) if way == "beside" else (first[-1], second[0])
            # Shadows in corners differ a little; a wall never ends at the edge of its tile.
            assert np.abs(end - start).max() < 100, (way, one, other)


def test_textures_repeat_from_tile_to_tile() -> None:
    y, x = np.meshgrid(np.arange(64) / 64, np.arange(64) / 64, indexing="ij")
    for right, down in ((1, 0), (0, 1), (-1, 2)):
        assert np.array_equal(noise(x, y, 4, 9), noise(x + right, y + down, 4, 9))
        moved = x + right, y + down
        for here, there in (
            (cells(x, y, 4, 9), cells(*moved, 4, 9)),
            (bricks(x, y, 2, 2, 9), bricks(*moved, 2, 2, 9)),
        ):
            assert np.allclose(here, there, atol=1e-9)


@pytest.mark.parametrize("name", PAINTED)
@pytest.mark.parametrize("tile", [4, 16, 21])
def test_walls_have_no_holes_and_floors_are_opaque(name: str, tile: int) -> None:
    atlas = atlas_of(THEMES[name], WALLS_TILESET, tile)
    for number, entry in enumerate(atlas.tiles):
        opacity = atlas.pixels[number][..., 3]
        if entry.mask is not None:
            assert opacity[tile // 2, tile // 2] == 255, entry
            assert tile < 16 or (opacity == 255).mean() > 0.5, entry
            assert entry.mask != ALL or opacity.min() == 255
        elif entry.kind is not None:
            assert opacity.min() == 255, entry


@pytest.mark.parametrize("name", PAINTED)
def test_walls_are_easy_to_tell_from_floors_and_solutions_from_both(name: str) -> None:
    theme = painted(name)
    floor, wall = (np.array(theme.colour(WALLS_TILESET, kind), np.int64) for kind in (0, 1))
    assert theme.path is not None
    for one, other in ((floor, wall), (floor, np.array(theme.path)), (wall, np.array(theme.path))):
        assert np.abs(one - other).sum() > 90, (one, other)


@pytest.mark.parametrize("name", PAINTED)
def test_every_place_has_a_mark_of_its_own(name: str) -> None:
    for tile in (16, 24):
        marks = [
            THEMES[name].place(place, tile)
            for place in (*PLACES, "checkpoint 12", "checkpoint 21", "checkpoint 112")
        ]
        assert all(mark[..., 3].max() == 255 for mark in marks)
        for one, other in combinations(marks, 2):
            assert (np.abs(one.astype(np.int64) - other).sum(axis=2) > 60).sum() >= 4


@pytest.mark.parametrize("name", PAINTED)
@pytest.mark.parametrize("tileset", [RAINBOW, MARSH], ids=["rainbow", "marsh"])
def test_kinds_keep_the_colours_of_their_tileset(name: str, tileset: Tileset) -> None:
    theme = THEMES[name]
    colours = [theme.colour(tileset, kind) for kind in range(len(tileset.names))]
    assert tuple(colours) == tileset.colours
    atlas = atlas_of(theme, tileset, 16)
    centres = [
        atlas.pixels[first][5:11, 5:11, :3].reshape(-1, 3).mean(axis=0) for first in atlas.first
    ]
    for kind, (centre, colour) in enumerate(zip(centres, colours, strict=True)):
        distances = [np.abs(centre - np.array(other)).sum() for other in tileset.colours]
        assert int(np.argmin(distances)) == kind, (tileset.names[kind], centre, colour)


@pytest.mark.parametrize("name", PAINTED)
def test_an_atlas_has_the_same_pixels_on_every_machine(name: str) -> None:
    pixels = atlas_of(THEMES[name], WALLS_TILESET, 16).pixels
    assert hashlib.sha256(pixels.tobytes()).hexdigest()[:16] == DIGESTS[name]


@pytest.mark.parametrize("name", PAINTED)
@pytest.mark.parametrize(
    "tileset", [*(TILESETS[known] for known in TILESETS), MARSH], ids=lambda tileset: tileset.name
)
@pytest.mark.parametrize("tile", [4, 7])
def test_every_theme_draws_every_tileset_in_small_tiles(
    name: str, tileset: Tileset, tile: int
) -> None:
    atlas = atlas_of(THEMES[name], tileset, tile)
    assert atlas.pixels.shape == (len(atlas.tiles), tile, tile, 4)


def test_large_tiles_are_drawn_too() -> None:
    theme = painted(DEFAULT_THEME)
    for drawn in (
        theme.wall(WALLS_TILESET, 0, 256),
        theme.floor(WALLS_TILESET, 0, 1, 256),
        theme.place("A", 256),
    ):
        assert drawn.shape == (256, 256, 4)
