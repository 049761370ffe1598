"""What a game knows about the moments of play, compared with a plain search."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levels.things.inputs import levels_with_things
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.things.game import LevelGame
from levolve.levels.things.playing import IllegalMoveError

# One small key for two doors, one of which leads nowhere.
LOSABLE = Level.from_text(
    "S.....\n.####.\n....#E\nthing: small_key 1,0\nthing: small_door 3,0\nthing: small_door 1,2"
)


@given(levels_with_things(side=6, most=6), st.integers(0, 2**32 - 1))
def test_what_can_be_won_from_a_moment_is_what_a_plain_search_finds(
    level: Level, seed: int
) -> None:
    chance, game = random.Random(seed), LevelGame(level)
    for _ in range(12):
        most = 3000
        way, lost = game.rules.way_to_win(game.moment, most), game.rules.hopeless(game.moment, most)
        if way is None and not lost:
            return
        assert game.lost == lost
        found = game.way
        assert (found is None) == (way is None)
        if found is not None and way is not None:
            assert len(found) == len(way)
            before = game.moves
            game.play(found)
            assert game.won
            game.restart()
            game.play(before)
        ways = game.rules.ways(game.moment)
        if not ways:
            return
        if not lost:
            hopeless = [move for move, after in ways.items() if game.rules.hopeless(after, most)]
            assert set(hopeless) <= set(game.losing_moves)
            found_ways = [game.rules.way_to_win(ways[move], most) for move in game.losing_moves]
            assert not any(found_ways)
        game.move(chance.choice(list(ways)))


def test_a_losing_move_is_named_before_it_is_made_and_can_be_taken_back() -> None:
    game = LevelGame(LOSABLE)
    game.play("rldd")
    assert (game.losing_moves, game.lost) == ("r", False)
    game.move("r")
    assert (game.lost, game.way, game.losing_moves) == (True, None, "")
    assert game.undo()
    assert game.way == "uurrrrrdd"
    game.play(game.way)
    assert game.to_data() == {
        "won": True,
        "lost": False,
        "moves": "rldduurrrrrdd",
        "length": 13,
        "fewest": 7,
        "cell": [5, 2],
        "holds": {},
        "left": 0,
    }


def test_an_illegal_move_is_named_by_its_number_and_changes_nothing() -> None:
    game = LevelGame(LOSABLE)
    with pytest.raises(IllegalMoveError, match=r"^move 3 \(u\): The way is blocked\.$"):
        game.play("rru")
    assert game.moves == "rr"
    game.restart()
    assert (game.moves, game.undo(), game.moment) == ("", False, game.rules.start)


@pytest.mark.parametrize("rows", ["S.\n..", "..\n..\ngoal: none"])
def test_a_level_with_nowhere_to_go_is_not_played(rows: str) -> None:
    with pytest.raises(InputError, match="level: expected"):
        LevelGame(Level.from_text(rows))
