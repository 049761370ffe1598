"""The independent checker."""

import pytest

from levolve.core.errors import ProofError
from levolve.levels.level import Level

MAZE = "S.#\n..1\n#.E"


def test_a_solution_that_wins_is_accepted_even_if_it_is_not_the_shortest() -> None:
    Level.from_text(MAZE).with_solution("rdrd").check()
    Level.from_text(MAZE).with_solution("rlrdrdlr").check()


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        (None, "has no solution"),
        ("", "ends after 0 moves at 0,0"),
        ("rd", "ends after 2 moves at 1,1 without reaching the exit at 2,2"),
        ("rr", r"move 2 \(r\) from 1,0 to 2,0 is not a legal step"),
        ("u", r"move 1 \(u\) leaves the level"),
        ("l", r"move 1 \(l\) leaves the level"),
        ("rdrdr", r"move 5 \(r\) leaves the level"),
        ("rdrdd", r"move 5 \(d\) leaves the level"),
        ("rdrdl", "ends after 5 moves at 1,2"),
    ],
)
def test_a_solution_that_does_not_win_is_refused_and_the_move_is_named(
    solution: str | None, words: str
) -> None:
    with pytest.raises(ProofError, match=words):
        Level.from_text(MAZE).with_solution(solution).check()


def test_colours_are_walked_by_the_colour_rule() -> None:
    level = Level.from_text("ROY\nVBG\nentrance: 0,0\nexit: 0,1")
    level.with_solution("rrdll").check()
    with pytest.raises(ProofError, match="not a legal step"):
        level.with_solution("d").check()


def test_a_tour_must_go_over_b() -> None:
    level = Level.from_text("A.C\n...\nB..")
    level.with_solution("ddrruu").check()
    with pytest.raises(ProofError, match="without reaching the B"):
        level.with_solution("rr").check()


def test_a_level_without_a_goal_cannot_be_won() -> None:
    with pytest.raises(
        ProofError,
        match="expected a level with entrance and exit, the stops of its goal, got entrance",
    ):
        Level.from_text("S.\n..").with_solution("r").check()
