"""Rounds of Reach the Flag: rules, files, solvers, soft locks."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError, ProofError
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.puzzles.flag import exact, files, read_round
from levolve.puzzles.flag.files import shipped
from levolve.puzzles.flag.genetic import SourceSearch
from levolve.puzzles.flag.puzzle import FLAG
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.settings import FirstSourceSettings, SourceSettings
from levolve.puzzles.position import UnsolvableError

SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))
BRANCHING = Round.from_text("S1.\n.21\n.1F")
# The 2 is entered, left into the dead end and entered again.
THERE_AND_BACK = Round.from_text("S2F\n.1.")


@st.composite
def any_round(draw: st.DrawFn) -> Round:
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    tiles = np.array(
        [
            [draw(st.sampled_from([0, 1, 2, 3, 9, NEVER])) for _ in range(width)]
            for _ in range(height)
        ],
        np.uint8,
    )
    start = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    flag = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
    tiles[start[1], start[0]] = max(1, tiles[start[1], start[0]])
    return Round(tiles, start, flag)


def test_the_start_counts_one_visit_and_a_round_is_won_on_the_flag_with_nothing_left() -> None:
    play = THERE_AND_BACK.after("")
    assert play.remaining == 3
    assert not play.step("u"), "off the map"
    assert not play.step("d"), "into a gap"
    assert [play.step(move) for move in "rdu"] == [True] * 3
    assert play.remaining == 0
    assert not play.won
    assert not play.step("l"), "the start has fallen"
    assert play.step("r")
    assert play.won
    assert play.moves == "rdur"


def test_the_flag_may_be_entered_again_and_never_falls() -> None:
    played = Round.from_text("SF1")
    assert not played.after("r").won
    assert played.after("rrl").won
    assert exact.solve(played).moves == "rrl"


@pytest.mark.parametrize(
    ("moves", "what"),
    [
        (None, "no solution"),
        ("l", "leaves the map"),
        ("d", "a gap"),
        ("rdd", "leaves the map"),
        ("rl", "fallen"),
        ("rr", "not used up"),
        ("rd", "not used up"),
    ],
)
def test_the_checker_refuses_what_does_not_win(moves: str | None, what: str) -> None:
    with pytest.raises(ProofError, match=what):
        THERE_AND_BACK.with_solution(moves).check()


def test_the_checker_wants_the_last_step_on_the_flag() -> None:
    with pytest.raises(ProofError, match="not on the flag"):
        Round.from_text("S1F").with_solution("r").check()


@given(any_round())
def test_text_and_json_lose_nothing(played: Round) -> None:
    whole = played.with_facts({"name": "x"})
    for again in (
        Round.from_text(played.to_text()),
        files.round_from_data(json.loads(files.encode_json(whole))),
    ):
        assert again == played
    assert files.round_from_data(files.round_to_data(whole)).facts == {"name": "x"}


@given(any_round())
def test_a_round_and_its_turns_are_alike(played: Round) -> None:
    assert len({turned.likeness() for turned in played.turned()}) == 1
    assert played.turned()[0] == played
    if played.start != played.flag:
        sums = {
            (abs(a[0] - b[0]) + abs(a[1] - b[1]))
            for a, b in ((turned.start, turned.flag) for turned in played.turned())
        }
        assert len(sums) == 1


def test_json_rows_stand_bottom_first_and_u_goes_up() -> None:
    played = read_round({"rows": [[1, 1], [0, 5]], "start": [0, 0]})
    assert played.to_text() == ".F\nS1"
    assert played.after("ru").won
    assert files.round_to_data(played)["rows"] == [[1, 1], [0, 5]]


def test_a_table_of_tiles_says_what_numbers_mean() -> None:
    data = {
        "rows": [[1, 3, 7]],
        "start": [0, 0],
        "tiles": {"1": 1, "3": 3, "7": "flag", "0": "gap", "8": "never"},
    }
    assert read_round(data).to_text() == "S3F"


@pytest.mark.parametrize("suffix", ["json", "txt"])
def test_a_round_is_saved_and_loaded_and_its_proof_checked(tmp_path: Path, suffix: str) -> None:
    proven = BRANCHING.with_solution(exact.solve(BRANCHING).moves).with_facts({"name": "branching"})
    path = levolve.save(proven, tmp_path / f"a.{suffix}")
    again = levolve.load(path, type(proven))
    assert (again, again.solution, again.facts) == (proven, proven.solution, proven.facts)
    with pytest.raises(ProofError, match="leaves the map"):
        levolve.save(BRANCHING.with_solution("uuuuu"), tmp_path / f"b.{suffix}")
    path.write_text(path.read_text().replace(proven.solution or "", "uuuuu"))
    with pytest.raises(ProofError, match=path.name):
        levolve.load(path)


def test_what_is_neither_level_nor_position_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"expected a level, a position of a puzzle, .*, or a result .*, got str"
    ):
        levolve.save("S1F", tmp_path / "a.json")


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("S1\n1", "expected 2 cells"),
        ("S11", "flag: expected one flag, got none"),
        ("SFF", "flag: expected one flag, got 2"),
        ("1F", "start: expected one start"),
        ("S.F\nstart: 1,0", "start: expected one start, got 2"),
        ("1.F\nstart: 1,0", "got a gap"),
        ("1.F\nstart: 7,0", "inside the 3x1"),
        ("S?F", "unknown tile"),
        ("", "expected a round, its text, a file"),
        ("\n", "expected lines of cells"),
        ("round", "expected a round, its text, a file"),
        (".", "got a folder"),
        ("SF\nwhat: 1", "expected cells, or below them"),
        ({"rows": [[1, 5], [1]], "start": [0, 0]}, "2 numbers like the first row"),
        ({"rows": [[1, 1]], "start": [0, 0]}, "got none"),
        ({"rows": [[5, 5]], "start": [0, 0]}, "got 2"),
        ({"rows": [[1, 7]], "start": [0, 0]}, "unknown tile 7"),
        ({"format": "levolve round", "rows": [[0, 5]], "start": [0, 0]}, "got a gap"),
        ({"rows": [[1, 5]], "start": [0]}, r"\[column, row\]"),
        ({"rows": [[1, 5]], "start": [0, 0], "flag": [0, 0]}, "like the rows"),
        ({"rows": [[1, 5]], "start": [0, 0], "tiles": {"1": "x"}}, "its visits"),
        ({"rows": [], "start": [0, 0]}, "at least one row"),
        ({"start": [0, 0]}, "list of 'rows'"),
        (3.5, "expected a round"),
        ("no-such-file.json", "can be read"),
        ("99", "from 1 to 30"),
    ],
)
def test_what_is_no_round_is_refused(source: object, what: str) -> None:
    with pytest.raises(InputError, match=what):
        read_round(source)


def test_tiles_that_cannot_be_reached_are_named_at_once() -> None:
    with pytest.raises(
        UnsolvableError, match=r"2 of its tiles cannot be reached from the start: 2,0, 2,1"
    ):
        levolve.solve("flag", "S.F\n1.1")


def test_a_round_without_a_solution_is_proven_to_have_none() -> None:
    solution = levolve.solve("flag", "S1F\n1.1\n111", method="exact")
    assert solution.solved
    unsolvable = levolve.solve("flag", "1S1\n.F.", method="exact")
    assert not unsolvable.solved
    assert unsolvable.unsolvable


def test_a_search_that_may_look_at_little_says_neither_yes_nor_no() -> None:
    solution = exact.solve(shipped()[-1], budget=3)
    assert not solution.solved
    assert not solution.unsolvable


@pytest.mark.parametrize("number", range(1, 31))
def test_every_shipped_round_holds_a_proof_and_is_solved_by_both_methods_for_every_seed(
    number: int,
) -> None:
    played = shipped()[number - 1]
    played.check()
    found = levolve.solve("flag", number, method="exact")
    assert found.solved
    assert exact.least_length(played) in {None, found.length}
    assert min(exact.count_solutions(played, 200), 200) == played.facts["solutions"]
    for seed in range(SEEDS):
        solution = levolve.solve("flag", played, seed=seed)
        assert solution.solved
        assert solution.moves == levolve.solve("flag", played, seed=seed).moves
        played.with_solution(solution.moves).check()


def test_the_shipped_rounds_are_thirty_none_alike_and_go_from_easy_to_hard() -> None:
    rounds = shipped()
    assert len({played.likeness() for played in rounds}) == 30
    turns = [int(str(played.facts["wrong_turns"])) for played in rounds]
    assert turns == sorted(turns)


@pytest.mark.parametrize("scheme", FLAG.schemes)
def test_every_scheme_solves_an_easy_round(scheme: str) -> None:
    solution = levolve.solve("flag", BRANCHING, seed=3, scheme=scheme)
    assert solution.solved
    assert solution.evaluations == (solution.generations + 1) * 40


def test_the_sources_values_are_those_of_its_document() -> None:
    second = SourceSettings()
    assert (second.population, second.breeding, second.kept, second.mutation_rate, second.swap) == (
        40,
        25,
        5,
        0.6,
        True,
    )
    assert (second.spare_elites, second.win_at_end) == (False, True), "as in the listings"
    assert (second.match_weight, second.distance_weight, second.void_mark) == (1.0, 1.0, 1.0)
    third = FLAG.settings(scheme="source-3")
    assert (third.match_weight, third.distance_weight, third.void_mark) == (1.0, 1.7, 1.1)
    first = FLAG.settings(scheme="source-1")
    assert isinstance(first, FirstSourceSettings)
    assert (first.match_weight, first.distance_weight, first.void_mark, first.swap) == (
        2.0,
        1.0,
        0.0,
        False,
    )
    assert first.mutation_rate == 0.3


@pytest.mark.parametrize("scheme", FLAG.schemes)
def test_a_population_alone_is_enough_of_a_setting(scheme: str) -> None:
    for population in (2, 20):
        solution = levolve.solve(
            "flag", "S1F", seed=1, scheme=scheme, population=population, chromosome_length=8
        )
        assert solution.solved


def test_the_round_of_the_document_is_read_as_its_listings_have_it() -> None:
    rows = [
        (0, 0, 0, 1, 0),
        (0, 0, 0, 5, 1),
        (0, 0, 0, 1, 0),
        (0, 0, 0, 1, 0),
        (1, 1, 1, 3, 1),
        (0, 0, 0, 1, 0),
    ]
    whole = read_round("document-5")
    assert whole == read_round({"rows": [list(row) for row in rows], "start": [0, 4]})
    # In the listing of the fitness function the start has already fallen.
    fallen = [(0, *row[1:]) if number == 4 else row for number, row in enumerate(rows)]
    assert read_round({"map": fallen, "start": (0, 4)}) == whole
    assert read_round({"map": np.array(fallen), "start": (0, 4)}) == whole
    assert whole.start == (0, 1), "row 4 from below is row 1 from above"
    with pytest.raises(InputError, match="start: expected a tile, got a gap"):
        read_round({**whole.to_data(), "start": [0, 0]})


def test_spared_elites_live_on_unchanged() -> None:
    search = SourceSearch(
        shipped()[-1], SourceSettings(population=10, parents=5, elites=2, spare_elites=True), 1
    )
    search.advance(1)
    before = search.genes.copy()
    search.advance(1)
    best = np.argsort(-search.scores, kind="stable")[:2]
    assert np.array_equal(search.genes[:2], before[best])


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"population": 1}, "population: expected a whole number from 2"),
        ({"elites": 40}, "elites"),
        ({"crossing": 1.5}, "crossing: expected a number from 0 to 1"),
        ({"speed": 1}, "unknown setting 'speed'"),
        ({"scheme": "best"}, "unknown scheme"),
        ({"scheme": "source-2", "swap": 1}, "swap: expected true or false"),
        ({"seed": -1}, "seed: expected a whole number"),
        ({"method": "exat"}, "did you mean 'exact'"),
        ({"method": "exact", "population": 3}, "unknown setting 'population'"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], what: str) -> None:
    with pytest.raises(InputError, match=what):
        levolve.solve("flag", BRANCHING, **settings)  # type: ignore[arg-type]


def test_soft_locks_name_the_first_moves_that_lose() -> None:
    # Left first strands the right arm for good.
    locks = exact.soft_locks(Round.from_text("1*1F\nstart: 1,0"))
    assert (locks.winning_first_moves, locks.losing_first_moves) == ("l", "r")
    assert 0 < locks.lost_share < 1


def test_states_that_are_too_many_are_sampled() -> None:
    whole, some = exact.soft_locks(shipped()[15]), exact.soft_locks(shipped()[15], 10)
    assert not whole.sampled
    assert some.sampled
    assert 0 < some.winnable <= whole.winnable
    assert some.states <= whole.states
    assert some == exact.soft_locks(shipped()[15], 10)
