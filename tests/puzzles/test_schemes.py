"""The schemes of the genetic solvers: the sources' own, and ours where evolution has to work.

`LEVOLVE_ROUNDS` may name a JSON list of further rounds; `make proofs` runs 50 seeds of each round.
"""

import ast
import inspect
import json
import os
import random
from dataclasses import fields
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.kernels.puzzles import flag_walks
from levolve.puzzles.flag import Round, read_round
from levolve.puzzles.flag.files import shipped
from levolve.puzzles.flag.genetic import flag_search
from levolve.puzzles.flag.puzzle import FLAG
from levolve.puzzles.flag.settings import PlainSettings, SourceSettings
from levolve.puzzles.sliding.puzzle import SLIDING
from levolve.puzzles.sliding.rules import Board

SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))
ROUNDS = {f"shipped {number}": played for number, played in enumerate(shipped(), 1)}
if "LEVOLVE_ROUNDS" in os.environ:
    ROUNDS |= {
        f"round {data['round']}": read_round(data)
        for data in json.loads(Path(os.environ["LEVOLVE_ROUNDS"]).read_text())
    }


@pytest.mark.parametrize("name", ROUNDS)
def test_evolution_without_any_look_ahead_solves_every_round_for_every_seed(name: str) -> None:
    for seed in range(SEEDS):
        solution = levolve.solve("flag", ROUNDS[name], seed=seed, scheme="plain")
        assert solution.moves is not None, f"{name}, seed {seed}"
        ROUNDS[name].with_solution(solution.moves).check()


def test_the_plain_scheme_rules_out_no_move_by_exact_search() -> None:
    imported = [
        node.module
        for node in ast.walk(ast.parse(inspect.getsource(flag_walks)))
        if isinstance(node, ast.ImportFrom)
    ]
    assert [
        module
        for module in imported
        if module and ("pruning" in module or "search" in module or "guided" in module)
    ] == []


def test_the_plain_scheme_leaves_the_work_to_evolution_on_hard_rounds() -> None:
    evolved = drawn = 0
    for played in shipped()[20:]:
        search = flag_search(played, PlainSettings(), 1)
        search.finish()
        assert search.winner >= 0
        evolved += search.evaluations
        # As many random walks as evolution needed win hardly ever.
        share = search.facts()["random_share"]
        drawn += share * search.evaluations >= 1
    assert evolved < 10 * 40 * 100
    assert drawn <= 3


def test_a_solution_says_where_decoding_did_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    guided = levolve.solve("flag", 20, seed=1)
    assert guided.facts["random_share"] > 0.05
    assert guided.facts["random_chance"] > 0.5
    assert "decoding did most of the work" in guided.remarks[0]
    assert json.loads(json.dumps(guided.to_data()))["remarks"] == list(guided.remarks)
    plain = levolve.solve("flag", 30, seed=1, scheme="plain")
    assert plain.generations > 0
    assert plain.remarks == ()
    assert plain.to_data()["random_chance"] < 0.5
    assert run(["solve", "flag", "20", "--seed", "1"]) == 0
    assert "decoding did most of the work" in capsys.readouterr().out
    assert run(["solve", "flag", "30", "--seed", "1", "--scheme", "plain"]) == 0
    assert "decoding did" not in capsys.readouterr().out


@pytest.mark.parametrize("scheme", FLAG.schemes)
def test_the_length_of_chromosomes_is_a_setting(scheme: str) -> None:
    search = FLAG.search(
        shipped()[5],
        FLAG.settings(scheme=scheme, changes={"chromosome_length": 11, "generations": 3}),
        1,
    )
    search.finish()
    assert max(len(search.moves_of(individual)) for individual in range(search.population)) <= 11
    with pytest.raises(InputError, match="chromosome_length: expected a whole number from 1"):
        FLAG.settings(scheme=scheme, changes={"chromosome_length": 0})


def test_a_win_at_the_end_only_is_harder_to_come_by_and_still_a_win() -> None:
    # The flag is left again by a step to the tile that never falls.
    played = Round.from_text("S1F*")
    early, late = (
        levolve.solve(
            "flag", played, seed=1, scheme="source-2", win_at_end=end, chromosome_length=4
        )
        for end in (False, True)
    )
    assert early.facts["random_share"] > late.facts["random_share"] > 0
    assert late.moves is not None
    played.with_solution(late.moves).check()
    search = FLAG.search(played, SourceSettings(chromosome_length=3, win_at_end=True), 1)
    search.genes[:] = [["udlr".index(move) for move in "rrr"]] * 40  # type: ignore[attr-defined]
    search.advance(1)
    assert search.winner < 0, "it wins on the way and ends elsewhere"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, "much"])
def test_weights_that_are_no_numbers_are_refused(value: object) -> None:
    with pytest.raises(InputError, match="distance_weight: expected a number from 0 to 1,000"):
        levolve.solve("flag", 1, scheme="source-2", distance_weight=value)


def test_the_source_of_the_sliding_puzzle_has_its_own_settings_and_nothing_else() -> None:
    settings = SLIDING.settings(scheme="source")
    values = {entry.name: getattr(settings, entry.name) for entry in fields(settings)}
    assert values == {
        "population": 500,
        "generations": 200,
        "mutation": 1.0,
        "crossing": 0.1,
        "start_length": 30,
        "elites": None,
        "diversity": False,
    }
    mapped = settings.enhanced()
    assert mapped.kept == 20
    assert (mapped.excess, mapped.shaken) == ("mutate", 100), "the author's report"
    assert (mapped.stride, mapped.reach, mapped.shorten) == (1, 0, False)
    assert mapped.patience > mapped.generations, "no fresh start"
    with pytest.raises(InputError, match="unknown setting 'stride'"):
        levolve.solve("sliding", "8672543_1", scheme="source", stride=2)
    with pytest.raises(InputError, match="generations: expected a whole number"):
        levolve.solve("sliding", "8672543_1", scheme="source", generations=None)


def test_the_source_solves_most_boards_in_under_150_generations() -> None:
    chance = random.Random(1)
    boards: list[Board] = []
    while len(boards) < 20:
        board = Board.read(chance.sample(range(9), 9))
        boards += [board] if board.solvable else []
    runs = [
        levolve.solve("sliding", board, scheme="source", seed=seed)
        for seed, board in enumerate(boards)
    ]
    assert sum(found.solved and found.generations < 150 for found in runs) > 10
    assert all(found.length == found.facts["grown"] for found in runs if found.solved), (
        "not shortened"
    )


def test_a_solution_is_listed_board_by_board(capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["--method", "exact"], ["--seed", "1"], ["--seed", "1", "--scheme", "source"]):
        assert run(["solve", "sliding", "_13425786", "--json", "--quiet", *call]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["boards"][0] == "_13425786"
        assert data["boards"][-1] == "12345678_"
        assert len(data["boards"]) == data["length"] + 1
        board = Board.read("_13425786")
        assert data["boards"] == [
            str(board.after(data["moves"][:count])) for count in range(data["length"] + 1)
        ]
    assert run(["solve", "sliding", "_13425786", "--method", "exact", "--boards"]) == 0
    assert capsys.readouterr().out.splitlines()[-5:] == [
        "_13425786",
        "1_3425786",
        "1234_5786",
        "12345_786",
        "12345678_",
    ]
    assert run(["solve", "flag", "1", "--boards"]) == 2
    assert (
        "--boards: rounds of Reach the Flag are not written one per line" in capsys.readouterr().err
    )
