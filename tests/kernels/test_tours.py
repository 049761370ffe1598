"""Tours against plain searches."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.walking.path_shape import place_tours, walk_tours
from levolve.levels.tileset import WALLS
from oracles import tours as twin


@st.composite
def dungeons(draw: st.DrawFn) -> list[list[list[int]]]:
    width, height = draw(st.integers(2, 7)), draw(st.integers(2, 7))
    share = draw(st.sampled_from([(0, 0, 0, 1), (0, 1), (0, 0, 1), (1, 1, 1, 0), (1,)]))
    rows = st.lists(
        st.lists(st.sampled_from(share), min_size=width, max_size=width),
        min_size=height,
        max_size=height,
    )
    return draw(st.lists(rows, min_size=1, max_size=4))


@given(dungeons(), st.integers(0, 2**30 - 1))
def test_the_tour_is_that_of_the_twin(levels: list[list[list[int]]], mark: int) -> None:
    tiles = np.array(levels, np.uint8)
    tours, steps = np.empty((len(tiles), 3), np.int64), np.empty(len(tiles), np.int32)
    place_tours(tiles, WALLS.table, np.full(len(tiles), mark), False, tours, steps)
    expected = [twin.place(level, WALLS.steps, mark) for level in levels]
    assert [
        (tuple(tour), step) for tour, step in zip(tours.tolist(), steps.tolist(), strict=True)
    ] == expected
    again = np.empty_like(steps)
    walk_tours(tiles, WALLS.table, tours, again)
    assert np.array_equal(again, steps)


@given(dungeons())
def test_the_best_place_for_b_makes_the_tour_longest(levels: list[list[list[int]]]) -> None:
    tiles = np.array(levels, np.uint8)
    tours, steps, again = (
        np.empty((len(tiles), 3), np.int64),
        np.empty(len(tiles), np.int32),
        np.empty(len(tiles), np.int32),
    )
    place_tours(tiles, WALLS.table, np.zeros(len(tiles), np.int64), True, tours, steps)
    assert steps.tolist() == [twin.best(level, WALLS.steps) for level in levels]
    walk_tours(tiles, WALLS.table, tours, again)
    assert np.array_equal(again, steps)
