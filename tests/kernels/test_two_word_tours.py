"""The longest tours through dungeons in two words against plain searches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.bits.packed_flood import pack_rows
from levolve.kernels.walking.packed_tours import (
    best_tour_steps,
    fits_two_words,
    place_best_small_tours,
)
from levolve.levels.tileset import WALLS
from oracles import tours as twin

SIZES = [(1, 3), (2, 2), (3, 1), (3, 7), (7, 3), (10, 10), (12, 7), (15, 8), (31, 4)]


@st.composite
def dungeons(draw: st.DrawFn) -> list[list[list[int]]]:
    width, height = draw(st.sampled_from(SIZES))
    share = draw(st.sampled_from([(0, 0, 0, 1), (0, 1), (0, 0, 1), (1, 1, 1, 0), (1,), (0,)]))
    rows = st.lists(
        st.lists(st.sampled_from(share), min_size=width, max_size=width),
        min_size=height,
        max_size=height,
    )
    return draw(st.lists(rows, min_size=1, max_size=3))


@given(dungeons(), st.one_of(st.just(-np.inf), st.floats(-3, 40)))
def test_the_steps_are_those_of_the_twin_where_they_reach_the_floor(
    levels: list[list[list[int]]], floor: float
) -> None:
    tiles = np.array(levels, np.uint8)
    count, height, width = tiles.shape
    assert fits_two_words(width, height)
    rows, steps = np.empty((count, height), np.uint64), np.empty(count, np.int32)
    pack_rows(tiles, rows)
    best_tour_steps(rows, width, np.full(count, floor), steps)
    lengths = [twin.best(level, WALLS.steps) for level in levels]
    assert steps.tolist() == [length if length >= floor else -1 for length in lengths]


@given(st.integers(0, 2**32 - 1), st.integers(0, 8))
def test_winding_dungeons_have_the_steps_of_the_other_kernel(seed: int, below: int) -> None:
    # Long winding ways, as annealing finds them: walls in every other row with a gap at alternating
    # ends, and a few changed cells.
    random = np.random.default_rng(seed)
    tiles = np.zeros((20, 10, 10), np.uint8)
    tiles[:, 1::4, :9] = tiles[:, 3::4, 1:] = 1
    tiles ^= random.random(tiles.shape) < 0.03
    rows, steps, expected = (
        np.empty((20, 10), np.uint64),
        np.empty(20, np.int32),
        np.empty(20, np.int32),
    )
    pack_rows(tiles, rows)
    place_best_small_tours(rows, 10, np.empty((20, 3), np.int64), expected)
    floors = expected - below + random.integers(0, 9, 20)
    best_tour_steps(rows, 10, floors.astype(np.float64), steps)
    assert np.array_equal(steps, np.where(expected < floors, -1, expected))


@pytest.mark.parametrize(
    ("width", "height", "small"),
    [
        (10, 10, True),
        (10, 11, False),
        (31, 4, True),
        (31, 5, False),
        (32, 2, False),
        (63, 1, False),
    ],
)
def test_two_words_are_enough_where_rows_share_them(width: int, height: int, small: bool) -> None:
    assert fits_two_words(width, height) is small
