import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, snake
from levolve.kernels.bits.packed_flood import pack_rows
from levolve.kernels.walking.packed_longest_paths import longest_paths_on_boards
from levolve.kernels.walking.shortest_paths import longest_paths
from levolve.levels.tileset import WALLS
from oracles import walking as twin


def within(tiles: np.ndarray, low: float, high: float) -> list[int]:
    rows = np.empty(tiles.shape[:2], np.uint64)
    pack_rows(tiles, rows)
    out = np.full(len(tiles), -99, np.int32)
    longest_paths_on_boards(rows, tiles.shape[2], float(low), float(high), out)
    listed: list[int] = out.tolist()
    return listed


@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.sampled_from([1, 2, 11]),
    st.sampled_from([0.0, 0.1, 0.3, 0.6, 1.0]),
    st.sampled_from(["noise", "snake"]),
    st.integers(0, 2**32),
    st.data(),
)
def test_the_longest_path_is_exact_outside_a_range_and_within_it_otherwise(
    width: int,
    height: int,
    count: int,
    walls: float,
    form: str,
    seed: int,
    data: st.DataObject,
) -> None:
    random = np.random.default_rng(seed)
    tiles = (random.random((count, height, width)) < walls).astype(np.uint8)
    if form == "snake" and width > 1 and height > 1:
        tiles[-1] = snake(width, height).tiles
        tiles[-1][random.random((height, width)) < 0.1] = 0
    exact = [twin.longest_path(level, WALLS.steps) for level in tiles.tolist()]
    low = data.draw(st.integers(0, 30))
    high = data.draw(st.integers(low, 50))
    for steps, found in zip(exact, within(tiles, low, high), strict=True):
        assert found == steps if steps < low or steps > high else low <= found <= high
    # No number is in an empty range.
    assert within(tiles, 1, 0) == exact


@pytest.mark.skipif(not COMPILED, reason="takes minutes as plain Python")
@pytest.mark.parametrize("size", [14, 33])
def test_floods_of_bits_and_of_queues_find_the_same_longest_paths(size: int) -> None:
    # Levels with many paths of nearly the same length, where a cell that is ruled out too early is
    # missed.
    tiles = (
        np.random.default_rng(7).random((2000, size, size))
        < np.linspace(0.05, 0.45, 2000)[:, None, None]
    ).astype(np.uint8)
    by_queues = np.zeros(len(tiles), np.int32)
    longest_paths(tiles, WALLS.table, by_queues)
    assert within(tiles, 1, 0) == by_queues.tolist()


def test_a_level_of_the_greatest_width_is_searched_too() -> None:
    assert within(np.zeros((1, 3, 64), np.uint8), 1000, 2000) == [65]
    assert within(np.zeros((1, 3, 64), np.uint8), 10, np.inf)[0] >= 10
