import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Tiles
from levolve.kernels.building import digging
from oracles import digging as twin
from oracles.digging import Pair
from oracles.walking import Cell

sides = st.integers(1, 12) | st.sampled_from([20, 64, 70])
pairs_lists = st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 9999)), max_size=30)
# Among any numbers those of short lines, which meet without blocking everything.
short_pairs = st.tuples(st.integers(0, 79), st.integers(0, 9999))
barrier_lists = pairs_lists | st.lists(short_pairs, max_size=30)


def as_genes(individuals: list[list[Pair]]) -> np.ndarray:
    """One row per individual: A, N, A, N and so on."""
    length = max((len(pairs) for pairs in individuals), default=0)
    # A pair of zeros is a line of no length, and digs nothing.
    return np.array(
        [
            [number for pair in pairs + [(0, 0)] * (length - len(pairs)) for number in pair]
            for pairs in individuals
        ],
        np.uint16,
    )


def unset(count: int, width: int, height: int) -> Tiles:
    return np.full((count, height, width), 77, np.uint8)


def lay_barriers(
    individuals: list[list[Pair]], limit: int, width: int, height: int
) -> list[list[list[int]]]:
    tiles = unset(len(individuals), width, height)
    digging.lay_barriers(as_genes(individuals), limit, tiles)
    listed: list[list[list[int]]] = tiles.tolist()
    return listed


def dig_tunnels(
    individuals: list[list[Pair]], rooms: list[Cell], side: int, width: int, height: int
) -> list[list[list[int]]]:
    tiles = unset(len(individuals), width, height)
    digging.dig_tunnels(
        as_genes(individuals), np.array(rooms, np.int64).reshape(-1, 2), side, tiles
    )
    listed: list[list[list[int]]] = tiles.tolist()
    return listed


@given(st.lists(barrier_lists, min_size=1, max_size=3), sides, sides, st.data())
def test_barriers_are_those_of_the_twin(
    individuals: list[list[Pair]], width: int, height: int, data: st.DataObject
) -> None:
    limit = data.draw(
        st.sampled_from([0, 1, width * height // 2, width * height])
        | st.integers(0, width * height)
    )
    expected = [
        twin.as_tiles(twin.barriers(pairs, limit, width, height), width, height)
        for pairs in individuals
    ]
    assert lay_barriers(individuals, limit, width, height) == expected


@given(
    st.lists(pairs_lists, min_size=1, max_size=3),
    sides,
    sides,
    st.integers(0, 6),
    st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9))),
)
def test_tunnels_are_those_of_the_twin(
    individuals: list[list[Pair]], width: int, height: int, side: int, rooms: list[Cell]
) -> None:
    expected = [
        twin.as_tiles(twin.tunnels(pairs, rooms, side, width, height), width, height)
        for pairs in individuals
    ]
    assert dig_tunnels(individuals, rooms, side, width, height) == expected


@given(
    st.lists(barrier_lists, min_size=1, max_size=3),
    st.integers(2, 8),
    st.integers(2, 8),
    st.integers(0, 30),
)
def test_squares_are_filled_up_to_the_limit_and_the_end_of_the_barrier_that_comes_to_it(
    individuals: list[list[Pair]], width: int, height: int, limit: int
) -> None:
    unlimited = lay_barriers(individuals, width * height, width, height)
    for filled, wanted in zip(
        lay_barriers(individuals, limit, width, height), unlimited, strict=True
    ):
        squares, most = sum(map(sum, filled)), sum(map(sum, wanted))
        assert (
            min(limit, most)
            <= squares
            <= min(most, max(limit - 1 + max(width, height), 0) if limit else 0)
        )


def test_a_barrier_that_comes_to_the_limit_is_finished_and_the_rest_is_skipped() -> None:
    # A line of five to the right from the left edge, and one of two below it; after three squares
    # no more is begun.
    right = 2
    pairs = [(right * 2 + 5 * 16, 0), (right * 2 + 2 * 16, 8)]
    assert lay_barriers([pairs], 3, 8, 2) == [[[1, 1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]]


@pytest.mark.parametrize(("direction", "ahead"), list(enumerate(twin.CLOCK)))
def test_a_barrier_runs_in_each_of_eight_directions_and_ends_at_the_border(
    direction: int, ahead: Cell
) -> None:
    # Seven squares are asked for from the middle of a level of nine by nine: there is room for five
    # of them.
    tiles = np.array(lay_barriers([[(direction * 2 + 7 * 16, 4 * 9 + 4)]], 81, 9, 9)[0])
    expected = np.zeros((9, 9), int)
    for k in range(5):
        expected[4 + k * ahead[1], 4 + k * ahead[0]] = 1
    assert np.array_equal(tiles, expected)


def test_a_barrier_stops_at_a_wall_or_runs_through_it() -> None:
    # A line of two downwards at column 2, then one of four to the right in row 0.
    down = (4 * 2 + 2 * 16, 2)
    right = 2 * 2 + 4 * 16
    assert lay_barriers([[down, (right, 0)], [down, (right + 1, 0)]], 10, 5, 2) == [
        [[1, 1, 1, 0, 0], [0, 0, 1, 0, 0]],
        [[1, 1, 1, 1, 0], [0, 0, 1, 0, 0]],
    ]


@pytest.mark.parametrize(
    ("kind", "rest", "opened"),
    [
        (0, 3, []),
        (1, 3, [(2, 1), (2, 2), (2, 3)]),
        (2, 3, [(2, 1), (3, 1), (4, 1)]),
        # Modulo five rows 5 is nothing and 9 is 4; modulo six columns 6 is nothing and 11 is 5, of
        # which four lie inside.
        (1, 5, []),
        (1, 9, [(2, 1), (2, 2), (2, 3), (2, 4)]),
        (2, 6, []),
        (2, 11, [(2, 1), (3, 1), (4, 1), (5, 1)]),
        # 3 wide and 2 high; 2 wide and 3 high.
        (3, 1, [(2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2)]),
        (3, 4, [(2, 1), (3, 1), (2, 2), (3, 2), (2, 3), (3, 3)]),
    ],
)
def test_a_pair_digs_nothing_or_a_corridor_or_a_room(
    kind: int, rest: int, opened: list[Cell]
) -> None:
    tiles = np.array(dig_tunnels([[(kind + 4 * rest, 6 * 1 + 2)]], [], 0, 6, 5)[0])
    assert {(x, y) for y, x in np.argwhere(tiles == 0).tolist()} == set(opened)


def test_square_rooms_are_dug_first_as_far_as_they_lie_inside() -> None:
    assert dig_tunnels([[]], [(-1, -1), (3, 1)], 2, 4, 3) == [
        [[0, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 0]]
    ]
