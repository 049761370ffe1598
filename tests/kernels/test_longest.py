import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import snake
from levolve.kernels.boards import pack_rows
from levolve.kernels.longest import longest_paths_within
from levolve.levels.tileset import WALLS
from oracles import walking as twin


def within(tiles: np.ndarray, low: float, high: float) -> list[int]:
    rows = np.empty(tiles.shape[:2], np.uint64)
    pack_rows(tiles, rows)
    out = np.full(len(tiles), -99, np.int32)
    longest_paths_within(rows, tiles.shape[2], low, high, out)
    listed: list[int] = out.tolist()
    return listed


@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from([0.0, 0.1, 0.3, 0.6, 1.0]),
    st.sampled_from(["noise", "snake"]),
    st.integers(0, 2**32),
    st.data(),
)
def test_the_longest_path_is_exact_outside_a_range_and_within_it_otherwise(  # noqa: PLR0913, PLR0917 one per property of the levels
    width: int, height: int, walls: float, form: str, seed: int, data: st.DataObject
) -> None:
    random = np.random.default_rng(seed)
    tiles = (random.random((2, height, width)) < walls).astype(np.uint8)
    if form == "snake" and width > 1 and height > 1:
        tiles[1] = snake(width, height).tiles
        tiles[1][random.random((height, width)) < 0.1] = 0
    exact = [twin.longest_path(level, WALLS.steps) for level in tiles.tolist()]
    low = data.draw(st.integers(0, 30))
    high = data.draw(st.integers(low, 50))
    for steps, found in zip(exact, within(tiles, low, high), strict=True):
        assert found == steps if steps < low or steps > high else low <= found <= high
    # No number is in an empty range.
    assert within(tiles, 1, 0) == exact


def test_a_level_of_the_greatest_width_is_searched_too() -> None:
    assert within(np.zeros((1, 3, 64), np.uint8), 1000, 2000) == [65]
