"""New puzzles meet their request, are proven, and all different."""

import os
from collections.abc import Callable

import numpy as np
import pytest

from levolve.core.errors import InputError, LevolveError
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.puzzles.flag import exact, maker
from levolve.puzzles.flag.maker import FlagRequest
from levolve.puzzles.flag.rules import Tiles
from levolve.puzzles.sliding import maker as boards
from levolve.puzzles.sliding.maker import SlidingRequest
from levolve.puzzles.sliding.rules import Board

COUNT = int(os.environ.get("LEVOLVE_SEEDS", "2")) * 5


def test_rounds_with_one_solution_have_one_and_none_is_like_another() -> None:
    rounds = list(maker.make(COUNT, FlagRequest(unique=True, length=(20, 30)), seed=1))
    for made in rounds:
        made.check()
        assert 20 <= len(made.solution or "") <= 30
        assert exact.count_solutions(made, 5) == 1
        assert exact.solve(made).moves == made.solution
    assert len({made.likeness() for made in rounds}) == COUNT


def test_the_same_seed_makes_the_same_rounds() -> None:
    first, again, other = (list(maker.make(3, seed=seed)) for seed in (4, 4, 5))
    assert [made.to_text() for made in first] == [made.to_text() for made in again]
    assert [made.facts for made in first] == [made.facts for made in again]
    assert first != other


@pytest.mark.parametrize(
    ("symmetry", "size", "image"),
    [
        ("left-right", (6, 6), np.fliplr),
        ("left-right", (7, 6), np.fliplr),
        ("up-down", (6, 6), np.flipud),
        ("up-down", (5, 7), np.flipud),
        ("half-turn", (7, 6), lambda tiles: np.rot90(tiles, 2)),
        ("half-turn", (6, 7), lambda tiles: np.rot90(tiles, 2)),
        ("half-turn", (7, 7), lambda tiles: np.rot90(tiles, 2)),
    ],
)
def test_symmetric_rounds_are_their_own_image(
    symmetry: str, size: tuple[int, int], image: Callable[[Tiles], Tiles]
) -> None:
    for made in maker.make(3, FlagRequest(size=size, symmetry=symmetry, length=(12, 24)), seed=2):
        tiles = made.tiles.copy()
        tiles[made.flag[1], made.flag[0]] = made.tiles[made.start[1], made.start[0]]
        assert np.array_equal(tiles, image(tiles))
        marked = np.zeros_like(tiles)
        marked[made.start[1], made.start[0]] = 1
        assert image(marked)[made.flag[1], made.flag[0]], "the flag is opposite the start"
        made.check()


def test_size_and_tiles_meet_the_request() -> None:
    for made in maker.make(
        3, FlagRequest(size=(5, 4), tiles=(1, 3, NEVER), length=(10, 18)), seed=3
    ):
        assert made.width <= 5
        assert made.height <= 4
        assert set(made.tiles.ravel().tolist()) <= {0, 1, 3, NEVER}


def test_wrong_turns_meet_the_request_and_lose() -> None:
    (made,) = maker.make(1, FlagRequest(wrong_turns=(6, 9)), seed=6)
    assert 6 <= maker.wrong_turns(made) <= 9
    assert made.facts["wrong_turns"] == maker.wrong_turns(made)


def test_what_cannot_be_made_is_refused_or_given_up() -> None:
    with pytest.raises(InputError, match="at most 3 moves"):
        FlagRequest(size=(2, 2), tiles=(1,), length=(9, 9))
    with pytest.raises(InputError, match="tiles: expected numbers from 1 to 9"):
        FlagRequest(tiles=(0,))
    with pytest.raises(
        InputError, match="unknown symmetry 'left-rigth': did you mean 'left-right'"
    ):
        FlagRequest(symmetry="left-rigth")
    with pytest.raises(InputError, match="an odd width or height"):
        FlagRequest(size=(6, 6), symmetry="half-turn")
    with pytest.raises(InputError, match="length, most"):
        FlagRequest(length=(9, 5))
    with pytest.raises(LevolveError, match="no round that meets the request came out of 10 walks"):
        list(maker.make(50, FlagRequest(size=(2, 2), tiles=(1,), length=(2, 3)), seed=1, tries=10))


def test_boards_have_the_requested_length_and_none_is_like_another() -> None:
    made = list(boards.make(COUNT, SlidingRequest(length=(20, 24)), seed=1))
    for one in made:
        assert 20 <= len(one.solution or "") <= 24
        assert one.facts["length"] == len(one.solution or "")
        one.check()
    assert len({one.likeness() for one in made}) == COUNT
    assert made == [*boards.make(COUNT, SlidingRequest(length=(20, 24)), seed=1)]


def test_a_board_is_like_its_reflection() -> None:
    # Tile 6 has slid down in one, tile 8 to the right in the other: each is the other, seen in the
    # diagonal.
    assert Board.read("12345_786").likeness() == Board.read("1234567_8").likeness()
    assert Board.read("12345_786").likeness() != Board.read("12345678_").likeness()


def test_larger_boards_are_made_too() -> None:
    (one,) = boards.make(1, SlidingRequest(size=(3, 4), length=(18, 24)), seed=1)
    one.check()
    assert 18 <= len(one.solution or "") <= 24


def test_a_length_that_no_board_has_is_refused() -> None:
    with pytest.raises(InputError, match="at most 31"):
        SlidingRequest(length=(32, 40))
