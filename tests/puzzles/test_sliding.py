"""Boards of the sliding puzzle: rules, solvers, gaps."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError, ProofError
from levolve.core.events import Event
from levolve.kernels.compiler import KernelCacheWarning
from levolve.kernels.puzzles.sliding_boards import rank_board
from levolve.kernels.puzzles.sliding_exact import UNKNOWN
from levolve.puzzles.position import UnsolvableError
from levolve.puzzles.progress import SolverProgress
from levolve.puzzles.sliding import exact
from levolve.puzzles.sliding import exact as patterns
from levolve.puzzles.sliding.rules import Board

SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "2"))


@given(st.permutations(range(9)), st.permutations(range(9)))
def test_parity_tells_which_boards_the_table_reaches(tiles: list[int], goal: list[int]) -> None:
    board = Board.read(tiles, goal)
    table = exact.distances(3, 3, goal.index(0))
    assert board.solvable == (table[rank_board(board.normal)] != UNKNOWN)


def test_the_table_of_3x3_holds_every_solvable_board_and_none_is_farther_than_31() -> None:
    table = exact.distances(3, 3, 8)
    reached = table[table != UNKNOWN]
    assert (len(reached), int(reached.max())) == (181_440, 31)


def test_a_board_is_an_integer_both_ways() -> None:
    board = Board.read("_13425786")
    assert (
        board
        == Board.read(13425786)
        == Board.read("13425786")
        == Board.read([[0, 1, 3], [4, 2, 5], [7, 8, 6]])
    )
    assert board == Board.read(np.int64(13425786), size="3x3")
    assert Board.read(123456708).tiles == (1, 2, 3, 4, 5, 6, 7, 0, 8)
    assert all(Board.read(int(one)) == one for one in (board, Board.read("8672543_1")))
    assert Board.read("8672543_1", goal=12345678).goal == (0, 1, 2, 3, 4, 5, 6, 7, 8)
    with pytest.raises(InputError, match="expected 8 tiles for 2x4"):
        Board.read(123456708, size="2x4")
    with pytest.raises(InputError, match="expected 3x3 for an integer, got 2x2"):
        int(Board.read("123_"))
    for wrong in (-123456708, 10**30, 1234, True):
        with pytest.raises(InputError, match="board: expected"):
            Board.read(wrong)


@pytest.mark.parametrize(
    ("board", "least"), [("_13425786", 4), ("_32871456", 24), ("8672543_1", 31), ("12345678_", 0)]
)
def test_known_boards_have_their_known_lengths_and_evolution_solves_them(
    board: str, least: int
) -> None:
    found = levolve.solve("sliding", board, method="exact")
    assert (found.length, found.optimal, found.gap) == (least, least, 0)
    for seed in range(SEEDS):
        solution = levolve.solve("sliding", board, method="genetic", seed=seed)
        assert solution.solved
        assert solution.generations <= 200
        assert solution.gap is not None
        assert 0 <= solution.gap <= 10
        Board.read(board).with_solution(solution.moves).check()
        again = levolve.solve("sliding", board, seed=seed)
        assert (again.moves, again.evaluations) == (solution.moves, solution.evaluations)


def test_evolution_solves_random_boards_close_to_the_fewest_moves() -> None:
    random = np.random.default_rng(4)
    moves = fewest = 0
    for seed in range(20 * SEEDS):
        board = Board.read(random.permutation(9).tolist())
        if board.solvable:
            solution = levolve.solve("sliding", board, seed=seed)
            assert solution.solved
            moves += solution.length or 0
            fewest += solution.optimal or 0
    assert moves <= 1.1 * fewest


@pytest.mark.parametrize("size", [(4, 4), (3, 4), (2, 5), (5, 5)])
def test_evolution_solves_larger_boards(size: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    tiles = random.permutation(size[0] * size[1]).tolist()
    board = Board.read(tiles, None, size)
    if not board.solvable:
        first, second = (cell for cell in range(3) if tiles[cell]) if 0 in tiles[:3] else (0, 1)
        tiles[first], tiles[second] = tiles[second], tiles[first]
        board = Board.read(tiles, None, size)
    solution = levolve.solve("sliding", board, seed=1)
    assert solution.solved
    board.with_solution(solution.moves).check()


def test_exact_search_of_a_4x4_board_is_not_longer_than_what_evolution_finds() -> None:
    board = Board.read("9,5,4,13,14,12,1,15,11,2,8,10,7,3,6,_")
    found = levolve.solve("sliding", board, method="exact")
    assert found.length == 48
    evolved = levolve.solve("sliding", board, seed=1)
    assert evolved.length is not None
    assert evolved.length >= 48


def test_exact_search_solves_easy_boards_of_5x5_and_says_what_it_has_shown_of_hard_ones() -> None:
    goal = Board.read([*range(1, 25), 0])
    easy = goal.after("rrdlddruldrrrdllluurdrullurddrul"[:30])
    found = levolve.solve("sliding", easy, method="exact")
    assert found.length is not None
    assert found.length <= 30
    assert found.length % 2 == 0
    hard = levolve.solve("sliding", [*range(24, 1, -1), 1, 0], method="exact", budget=1000)
    assert hard.moves is None
    assert not hard.unsolvable
    assert isinstance(hard.facts["longer_than"], int)
    assert hard.facts["longer_than"] > 50


def test_large_tables_are_kept_on_disk_and_built_anew_where_what_is_there_is_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(patterns, "KEPT_FROM", 1)
    build = patterns.patterns_of.__wrapped__
    built = build(3, 3, 8).tables
    (kept,) = tmp_path.iterdir()
    before = kept.read_bytes()
    with monkeypatch.context() as without:
        without.delattr(patterns, "pattern_table")
        assert np.array_equal(build(3, 3, 8).tables, built), "what is kept is used"
    for damaged in (b"broken", before[:-1], before[:99] + bytes([before[99] ^ 1]) + before[100:]):
        kept.write_bytes(damaged)
        assert np.array_equal(build(3, 3, 8).tables, built)
        assert kept.read_bytes() == before
    monkeypatch.setattr(patterns, "CACHE_FOLDER", kept)
    with pytest.warns(KernelCacheWarning, match="the run continues"):
        assert np.array_equal(build(3, 3, 8).tables, built), "no folder, no harm"


def test_another_goal_is_reached() -> None:
    for method in ("exact", "genetic"):
        solution = levolve.solve("sliding", "8672543_1", method=method, seed=1, goal="8672543_1")
        assert solution.moves == ""
        solution = levolve.solve("sliding", "1234_5678", method=method, seed=1, goal="_12345678")
        assert solution.solved
        Board.read("1234_5678", "_12345678").with_solution(solution.moves).check()


@pytest.mark.parametrize("board", ["321456078", "1,2,3,4,5,6,7,8,9,10,11,12,13,15,14,0"])
@pytest.mark.parametrize("method", ["exact", "genetic"])
def test_a_board_of_the_wrong_parity_is_refused_at_once(board: str, method: str) -> None:
    with pytest.raises(UnsolvableError, match="parity"):
        levolve.solve("sliding", board, method=method)


@pytest.mark.parametrize(
    ("board", "settings", "what"),
    [
        ("112345670", {}, "1 more than once and 8 not at all"),
        ("1234567", {}, "expected 4, 9, 16 or 25 tiles"),
        ("123456780", {"size": "4x4"}, "expected 16 tiles for 4x4, got 9"),
        ("123456780", {"size": "9x1"}, "from 2x2 to 5x5"),
        ("123456780", {"size": "big"}, "WIDTHxHEIGHT"),
        ("12345678x", {}, "got 'x' in place 9"),
        ("12345678_", {"goal": "1234"}, "goal: expected 9 tiles"),
        ("123456789", {}, "9 not|0 not at all"),
        (7, {}, "expected 4, 9, 16 or 25 tiles"),
        (7.5, {}, "expected a text"),
        ("12345678_", {"elites": 500}, "elites"),
        ("12345678_", {"stride": 0}, "stride"),
        (
            "12345678_",
            {"shaken": None},
            "shaken: expected a whole number from 0 to 10,000, got None",
        ),
        ("12345678_", {"wings": 2}, "unknown setting 'wings'"),
        ("12345678_", {"shorten": 2}, "shorten: expected true or false"),
    ],
)
def test_what_is_no_board_or_setting_is_refused(
    board: object, settings: dict[str, object], what: str
) -> None:
    with pytest.raises(InputError, match=what):
        levolve.solve("sliding", board, **settings)  # type: ignore[arg-type]


def test_moves_are_the_way_tiles_slide_on_the_screen() -> None:
    assert str(Board.read("1234_5678").after("u")) == "1234756_8"
    assert str(Board.read("12345678_").after("d")) == "12345_786"
    assert str(Board.read("12345678_").after("r")) == "1234567_8"
    with pytest.raises(InputError, match="slides no tile"):
        Board.read("12345678_").after("u")
    with pytest.raises(ProofError, match="slides no tile"):
        Board.read("12345678_").with_solution("l").check()
    with pytest.raises(ProofError, match="not the goal"):
        Board.read("12345678_").with_solution("r").check()


def test_progress_is_reported_as_events_that_are_plain_data() -> None:
    events: list[Event] = []
    levolve.solve("sliding", "8672543_1", seed=1, watch=events.append)
    last = events[-1]
    assert isinstance(last, SolverProgress)
    assert last.best == 1.0
    assert 0 < last.diversity <= 1
    assert Board.read("8672543_1").after(last.attempt).solved
    assert json.loads(json.dumps(last.to_data()))["event"] == "solver_progress"


def test_without_shortening_the_path_stays_as_it_grew() -> None:
    grown = levolve.solve("sliding", "8672543_1", seed=1, shorten=False)
    shortened = levolve.solve("sliding", "8672543_1", seed=1)
    assert grown.length == grown.facts["grown"] == shortened.facts["grown"]
    assert (shortened.length or 0) < (grown.length or 0)
