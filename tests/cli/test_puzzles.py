"""What the puzzle commands print, and how they refuse."""

import json
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.puzzles.flag.files import shipped

HARD_BOARD = "_,14,13,12,11,10,9,8,7,6,5,4,3,2,1,15"


def test_solve_prints_the_agreed_keys_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["sliding", "8672543_1"], ["flag", "5"]):
        assert run(["solve", *call, "--seed", "1", "--json", "--quiet"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert {
            "solved",
            "moves",
            "length",
            "generations",
            "evaluations",
            "seed",
            "seconds",
        } <= set(data)
        assert data["solved"]
        assert data["length"] == len(data["moves"])
        assert data["seed"] == 1


def test_solve_shows_the_board_and_how_far_it_is_from_the_fewest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["solve", "sliding", "_13425786", "--method", "exact"]) == 0
    out = capsys.readouterr().out
    assert "_   1   3" in out
    assert "solved in 4 moves, the fewest possible:" in out


def test_a_solved_round_is_written_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = [tmp_path / f"a.{suffix}" for suffix in ("json", "txt", "gif", "png")]
    assert (
        run(
            [
                "solve",
                "flag",
                "9",
                "--seed",
                "2",
                *(part for path in outputs for part in ("-o", str(path))),
            ]
        )
        == 0
    )
    assert all(path.stat().st_size for path in outputs)
    assert levolve.load(outputs[0]) == levolve.load(outputs[1])
    capsys.readouterr()
    assert run(["check", str(outputs[0]), str(outputs[1])]) == 0
    out = capsys.readouterr().out
    assert out.count("moves replayed") == 2
    assert "soft locks" in out
    assert run(["show", str(outputs[0])]) == 0
    assert "Reach the Flag" in capsys.readouterr().out


def test_a_round_is_converted_between_its_forms(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("a.json", "b.txt", "c.json"))
    levolve.save(shipped()[8], first)
    assert run(["convert", str(first), str(second), "--quiet"]) == 0
    assert run(["convert", str(second), str(third), "--quiet"]) == 0
    assert first.read_bytes() == third.read_bytes()


def test_check_replays_the_proof_of_a_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "level.txt"
    path.write_text("S.#\n..1\n#.E\nsolution: rdrd\n")
    assert run(["check", str(path), "--json"]) == 0
    (checked,) = json.loads(capsys.readouterr().out)
    assert checked["measures"]["exit_path"] == checked["length"] == 4
    assert checked["proven"] is True
    path.write_text("S.#\n..1\n#.E\n")
    assert run(["check", str(path)]) == 0, "a text drawn by hand is certified"
    path.write_text("S##\n#.1\n#.E\n")
    assert run(["check", str(path)]) == 1
    proof = {"places": {"entrance": [0, 0], "exit": [1, 1]}, "solution": "r"}
    path.with_suffix(".json").write_text(
        json.dumps({"format": "levolve level", "tiles": [".#", ".."], **proof})
    )
    assert run(["check", str(path.with_suffix(".json"))]) == 1


def test_made_puzzles_are_written_where_they_are_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(
            [
                "make",
                "flag",
                "--count",
                "2",
                "--seed",
                "1",
                "-o",
                str(tmp_path),
                "--to",
                "json,gif",
                "--json",
                "--quiet",
            ]
        )
        == 0
    )
    made = json.loads(capsys.readouterr().out)
    assert len(made) == 2
    for number, data in enumerate(made, 1):
        levolve.load(tmp_path / f"flag-{number:03}.json").check()
        assert data["facts"]["length"] == len(data["solution"])
    assert run(["make", "sliding", "--seed", "1", "--length", "10..12"]) == 0
    assert "board" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "code", "what"),
    [
        (["solve", "sliding", "321456078"], 1, "parity"),
        (["solve", "sliding", "1123"], 2, "more than once"),
        (["solve", "flga", "1"], 2, "did you mean 'flag'"),
        (["solve", "flag", "nowhere.json"], 2, "can be read"),
        (["solve", "flag", "5", "--goal", "1"], 2, "--goal"),
        (["solve", "flag", "5", "--method", "magic"], 2, "unknown method"),
        (["solve", "flag", "5", "--set", "speed=2"], 2, "unknown setting 'speed'"),
        (["solve", "sliding", "1_32", "-o", "a.xsb"], 2, "expected a file name for a board"),
        (
            ["solve", "sliding", "8672543_1", "--seed", "1", "--generations", "1"],
            1,
            "no solution found",
        ),
        (
            ["solve", "sliding", HARD_BOARD, "--method", "exact", "--set", "budget=9"],
            1,
            "moves or fewer; allow more with",
        ),
        (["make", "slding"], 2, "did you mean 'sliding'"),
        (["make", "sliding", "--unique"], 2, "--unique"),
        (["make", "flag", "--length", "long"], 2, "length: expected LOW..HIGH"),
        (["make", "flag", "--tiles", "1,x"], 2, "tiles: expected numbers"),
        (["make", "flag", "--to", "json"], 2, "--to"),
        (["make", "flag", "--to", "bmp", "-o", "x"], 2, "unknown form"),
    ],
)
def test_wrong_calls_are_refused(
    call: list[str], code: int, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(call) == code
    assert what in capsys.readouterr().err


def test_a_round_that_cannot_be_won_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "round.txt"
    path.write_text("1S1\n.F.\nstart: 1,0\n".replace("S", "1"))
    assert run(["solve", "flag", str(path), "--method", "exact"]) == 1
    assert "there is none" in capsys.readouterr().err
    assert run(["check", str(path)]) == 1
    assert "cannot be won" in capsys.readouterr().out


def test_facts_in_a_file_cannot_replace_its_solution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = shipped()[0]
    path = tmp_path / "round.json"
    levolve.save(position.with_facts({"solution": "forged", "length": 1}), path)
    assert run(["show", str(path)]) == 0
    checked, _, stated = capsys.readouterr().out.partition("stated in the file, not checked:")
    assert position.solution is not None
    assert f"{len(position.solution)} moves, replayed: {position.solution}" in checked
    assert "forged" not in checked
    assert "forged" in stated
    levolve.save(position.with_solution(None).with_facts({"solution": "forged"}), path)
    assert run(["show", str(path)]) == 0
    assert (
        "solution               none" in capsys.readouterr().out.partition("stated in the file")[0]
    )
