import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Scene, scenes, snake
from kernels.test_boards import UNTOUCHED, searched_and_counted
from levolve.kernels import wide_boards
from levolve.levels.batch import pack_wide, unpack_wide
from levolve.levels.tileset import WALLS

# Of two words to seven, with many and with few shared columns; the last is beyond the widest flood.
WIDTHS = [65, 66, 96, 119, 120, 121, 128, 129, 176, 177, 300, wide_boards.WIDEST_FLOOD + 1]


def exit_steps(scene: Scene) -> list[tuple[int, int]]:
    steps, reached = np.full((2, len(scene.tiles)), UNTOUCHED, np.int32)
    wide_boards.exit_steps_wide(pack_wide(scene.tiles), scene.tiles.shape[2], *scene.start, *scene.goal, steps, reached)
    return list(zip(steps.tolist(), reached.tolist(), strict=True))


@settings(max_examples=40)
@given(scenes(tilesets=st.just(WALLS), counts=st.sampled_from([1, 3, 6]), widths=st.sampled_from(WIDTHS), heights=st.integers(1, 5)))
def test_the_exit_distance_is_that_of_a_plain_search(scene: Scene) -> None:
    assert exit_steps(scene) == searched_and_counted(scene)


@given(st.integers(65, 200), st.integers(1, 4), st.integers(0, 2**32))
def test_packing_and_unpacking_gives_the_same_tiles(width: int, height: int, seed: int) -> None:
    tiles = np.random.default_rng(seed).integers(0, 2, (2, height, width), np.uint8)
    packed = pack_wide(tiles)
    assert packed.shape == (2, height * -(-width // 64))
    assert np.array_equal(unpack_wide(packed, height, width), tiles)


@pytest.mark.parametrize("width", [65, 128] if COMPILED else [65])
@pytest.mark.parametrize("height", [3, 7, 31])
def test_a_corridor_that_crosses_all_words_many_times_is_measured(width: int, height: int) -> None:
    level = snake(width, height)
    closed = level.tiles.copy()
    closed[:, 0] |= np.arange(height) > 0
    scene = Scene(WALLS, np.stack([level.tiles, closed, level.tiles]), (0, 0), level.goal)
    assert exit_steps(scene) == searched_and_counted(scene)


@given(st.integers(65, 2000))
def test_overlapping_words_cover_a_row(width: int) -> None:
    words, shared = wide_boards.overlapping(width)
    own = wide_boards.WORD - shared
    assert wide_boards.FEWEST <= shared <= wide_boards.MOST
    assert (words - 1) * own < width <= (words - 1) * own + wide_boards.WORD
