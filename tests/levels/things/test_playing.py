"""Play of levels with things, compared with the plain rules of the oracle, move by move."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levels.things.inputs import levels_with_things
from levolve.levels.level import Level
from levolve.levels.things.playing import IllegalMoveError, PlayRules, PlayState
from oracles.things import Rules, State, decide


def same(play: PlayRules, state: PlayState, expected: State) -> bool:
    """Whether two states are the same; rows of mechanics are indices of acting things."""
    rows = play.mechanics.things.tolist()
    done, on = (frozenset(rows[row] for row in part) for part in (state.done, state.on))
    return (state.cell, state.visited - 1, done, on) == tuple(expected)


@given(levels_with_things(), st.integers(0, 2**32 - 1))
def test_play_follows_the_plain_rules(level: Level, seed: int) -> None:
    chance, rules, play = random.Random(seed), Rules(level), PlayRules(level)
    state, expected = play.start, rules.start()
    for _ in range(60):
        assert same(play, state, expected)
        assert play.has(state) == {name: n for name, n in rules.has(expected.done).items() if n}
        assert play.won(state) == rules.won(expected)
        ways = {} if rules.won(expected) else dict(rules.moves(expected))
        assert play.ways(state).keys() == ways.keys()
        if not ways:
            break
        move = chance.choice(list(ways))
        state, expected = play.after(state, move), ways[move]


@given(levels_with_things(side=6, most=6))
def test_a_way_to_win_is_shortest_and_hopeless_means_lost(level: Level) -> None:
    play, verdict = PlayRules(level), decide(level, 20_000)
    if verdict is None:
        return
    moves = play.way_to_win(play.start, 20_000)
    assert (None if moves is None else len(moves)) == verdict.steps
    assert play.hopeless(play.start, 20_000) == (not verdict.winnable)
    if moves is not None:
        assert play.won(play.played(moves)[-1])


@pytest.mark.parametrize(
    ("things", "moves", "reason"),
    [
        (["door 1,0"], "r", "The door needs 1 red key."),
        (["gate 1,0 lever=a", "lever 3,0 id=a"], "r", "The gate is shut."),
        (["one_way 1,0 direction=l"], "rr", "This cell can be left in one direction only."),
        (["monster 1,0"], "r", "The monster needs 2 health."),
        ([], "x", "There is nothing to use here."),
        ([], "u", "The way is blocked."),
        ([], "rrrrr", "The level has ended."),
    ],
)
def test_an_illegal_move_has_a_reason(things: list[str], moves: str, reason: str) -> None:
    lines = ["S...E", "#####", *(f"thing: {thing}" for thing in things)]
    with pytest.raises(IllegalMoveError) as problem:
        PlayRules(Level.from_text("\n".join(lines))).played(moves)
    assert str(problem.value) == reason
