"""Tours through small dungeons against the plain searches that all tours are compared with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.bits.packed_flood import pack_rows
from levolve.kernels.walking.packed_tours import (
    MOST_WORDS,
    fits,
    place_best_small_tours,
    place_small_tours,
)
from levolve.kernels.walking.path_shape import place_tours
from levolve.levels.tileset import WALLS
from oracles import tours as twin


@st.composite
def dungeons(draw: st.DrawFn) -> list[list[list[int]]]:
    width, height = draw(
        st.sampled_from([(2, 2), (3, 7), (7, 3), (10, 10), (12, 11), (31, 5), (20, 4)])
    )
    share = draw(st.sampled_from([(0, 0, 0, 1), (0, 1), (0, 0, 1), (1, 1, 1, 0), (1,), (0,)]))
    rows = st.lists(
        st.lists(st.sampled_from(share), min_size=width, max_size=width),
        min_size=height,
        max_size=height,
    )
    return draw(st.lists(rows, min_size=1, max_size=3))


@given(dungeons(), st.integers(0, 2**30 - 1))
def test_the_tour_is_that_of_the_twin(levels: list[list[list[int]]], mark: int) -> None:
    tiles = np.array(levels, np.uint8)
    count, height, width = tiles.shape
    rows = np.empty((count, height), np.uint64)
    pack_rows(tiles, rows)
    tours, steps = np.empty((count, 3), np.int64), np.empty(count, np.int32)
    place_small_tours(rows, width, np.full(count, mark), tours, steps)
    expected = [twin.place(level, WALLS.steps, mark) for level in levels]
    assert [
        (tuple(tour), step) for tour, step in zip(tours.tolist(), steps.tolist(), strict=True)
    ] == expected


@given(dungeons())
def test_the_best_place_for_b_is_the_first_with_the_longest_tour(
    levels: list[list[list[int]]],
) -> None:
    tiles = np.array(levels, np.uint8)
    count, height, width = tiles.shape
    rows = np.empty((count, height), np.uint64)
    pack_rows(tiles, rows)
    tours, expected = np.empty((2, count, 3), np.int64)
    steps, expected_steps = np.empty((2, count), np.int32)
    place_best_small_tours(rows, width, tours, steps)
    assert steps.tolist() == [twin.best(level, WALLS.steps) for level in levels]
    place_tours(tiles, WALLS.table, np.zeros(count, np.int64), True, expected, expected_steps)
    assert np.array_equal(tours, expected)


@pytest.mark.parametrize(
    ("width", "height", "small"),
    [
        (10, 10, True),
        (31, 2 * MOST_WORDS, True),
        (31, 2 * MOST_WORDS + 1, False),
        (32, 4, False),
        (64, 1, False),
    ],
)
def test_small_is_where_rows_share_words_and_words_are_few(
    width: int, height: int, small: bool
) -> None:
    assert fits(width, height) is small
