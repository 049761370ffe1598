"""An atlas holds every tile of a tileset once, and every cell of a level shows the tile of its kind
and neighbours.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from levolve.core.errors import InputError
from levolve.formats.look import Look
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import EMPTY, FLOOR, TILES, WALLS, atlas_of
from levolve.formats.themes.wall_shapes import DIRECTIONS, MASKS, neighbourhoods
from levolve.levels.tileset import RAINBOW, TILESETS
from levolve.levels.tileset import WALLS as WALLS_TILESET

GRIDS = arrays.arrays(
    np.uint8, arrays.array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 1)
)


@given(GRIDS)
def test_a_neighbourhood_names_the_walls_around_a_cell(tiles: np.ndarray) -> None:
    height, width = tiles.shape
    found = neighbourhoods(tiles == 1)

    def wall(x: int, y: int) -> bool:
        return not (0 <= x < width and 0 <= y < height) or bool(tiles[y, x])

    for (y, x), position in np.ndenumerate(found):
        around = [wall(x + column, y + row) for column, row in DIRECTIONS]
        counted = [
            around[bit] and (bit % 2 == 0 or (around[bit - 1] and around[(bit + 1) % 8]))
            for bit in range(8)
        ]
        assert MASKS[position] == sum(1 << bit for bit in range(8) if counted[bit])


def test_there_are_47_neighbourhoods() -> None:
    assert len(MASKS) == 47


@given(GRIDS)
def test_every_cell_shows_a_tile_of_its_kind(tiles: np.ndarray) -> None:
    atlas = atlas_of(THEMES["paper"], WALLS_TILESET, 16)
    layers = atlas.layers(tiles)
    assert list(layers) == [FLOOR, WALLS]
    assert np.array_equal(layers[WALLS] != EMPTY, tiles == 1)
    assert all(atlas.tiles[number].kind == 0 for number in layers[FLOOR].flat)
    assert all(atlas.tiles[number].kind == 1 for number in layers[WALLS].flat if number != EMPTY)


def test_a_tileset_without_walls_has_one_layer() -> None:
    tiles = np.arange(6, dtype=np.uint8).reshape(2, 3)
    atlas = atlas_of(THEMES["paper"], RAINBOW, 16)
    assert [
        [atlas.tiles[number].kind for number in row] for row in atlas.layers(tiles)[TILES]
    ] == tiles.tolist()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("tileset", TILESETS)
@pytest.mark.parametrize("tile", [5, 16, 21])
def test_the_picture_of_an_atlas_contains_every_tile_at_its_place(
    theme: str, tileset: str, tile: int
) -> None:
    atlas = atlas_of(THEMES[theme], TILESETS[tileset], tile)
    picture = np.asarray(atlas.picture)
    assert picture.shape == (atlas.rows * tile, 8 * tile, 4)
    for number, pixels in enumerate(atlas.pixels):
        top, left = number // 8 * tile, number % 8 * tile
        assert np.array_equal(picture[top : top + tile, left : left + tile], pixels)


@pytest.mark.parametrize("tile", [-1, 0, 10_000])
def test_a_tile_size_out_of_range_is_refused(tile: int) -> None:
    with pytest.raises(InputError, match="expected 1 to 256 pixels per tile"):
        Look(tile=tile)
    with pytest.raises(InputError, match="expected 4 to 256 pixels per tile"):
        _ = atlas_of(THEMES["paper"], WALLS_TILESET, tile).pixels
