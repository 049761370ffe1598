"""Packs of puzzles: along a curve of the effort of a solver, no two alike."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.jobs.packs.check_pack import check_pack
from levolve.jobs.packs.order import PuzzleOrder
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.packs.puzzle_source import choose, make_along, make_candidate
from levolve.puzzles import PUZZLES
from levolve.puzzles.flag.rules import Round


@pytest.fixture(scope="module", params=["flag", "sliding"])
def made(request: pytest.FixtureRequest) -> Pack:
    return levolve.pack(request.param, count=5, curve="easy..hard", seed=1)


def test_puzzles_go_evenly_from_easy_to_hard_and_none_is_like_another(made: Pack) -> None:
    hardness = [measures["difficulty"] for measures in made.measures]
    assert made.report.met
    assert hardness == sorted(hardness)
    assert hardness[-1] > hardness[0] + 8
    assert max(b - a for a, b in pairwise(hardness)) <= 2 * (hardness[-1] - hardness[0]) / 4
    assert len({position.likeness() for position in made.positions}) == 5


def test_the_folder_of_a_pack_of_puzzles_is_the_same_each_time(made: Pack, tmp_path: Path) -> None:
    again = levolve.pack(made.name, count=5, curve="easy..hard", seed=1)
    assert again.files(["txt", "png"]) == made.files(["txt", "png"])
    made.save(tmp_path, ["txt"])
    data = json.loads((tmp_path / "pack.json").read_text())
    assert data["digest"] == made.digest
    assert [path.name for path in sorted(tmp_path.glob("*.txt"))] == [
        f"0{number}-{made.name}.txt" for number in range(1, 6)
    ]
    assert {"index.html", "sheet.png"} <= {path.name for path in tmp_path.iterdir()}


def test_a_curve_may_go_down_and_be_a_part_of_the_way() -> None:
    found = [
        position
        for number in range(10)
        for position in make_candidate("sliding", (3, 3), number, 10, 1)
    ]
    whole, part, down = (
        [
            PUZZLES["sliding"].measures(position)["difficulty"]
            for position in choose("sliding", found, 3, curve)
        ]
        for curve in (None, (0.3, 0.6), (0.8, 0.1))
    )
    assert whole[0] < part[0] < part[-1] < whole[-1]
    assert down == sorted(down, reverse=True)


def test_the_command_makes_packs_of_puzzles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(
            [
                "pack",
                "flag",
                "--count",
                "3",
                "--size",
                "5x5",
                "--seed",
                "1",
                "--to",
                "json,gif",
                "-o",
                str(tmp_path),
            ]
        )
        == 0
    )
    assert "3 of 3 puzzles, no two alike, were found" in capsys.readouterr().out
    assert run(["check", *(str(path) for path in sorted(tmp_path.glob("*-flag.json")))]) == 0
    capsys.readouterr()
    assert (
        run(
            [
                "pack",
                "sliding",
                "--count",
                "30",
                "--size",
                "2x2",
                "--seed",
                "1",
                "-o",
                str(tmp_path / "few"),
                "--json",
            ]
        )
        == 1
    )
    seen = capsys.readouterr()
    assert json.loads(seen.out)["met"] is False
    assert "were found that are not alike. Choose a larger size" in seen.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "walls=3"], "target: expected a recipe of levels, got the puzzle 'flag'"),
        (["--distinct", "0.3"], "distinct: expected a recipe"),
        (["--to", "xsb"], "unknown form 'xsb' of rounds of Reach the Flag"),
        (["--frame"], "frame: expected a recipe of levels, got the puzzle 'flag'"),
        (["--theme", "hedge"], "theme, tile: expected a map of the puzzles as well"),
        (["--symmetry", "left"], "unknown symmetry 'left'"),
        (["--count", "0"], "count: expected a whole number from 1"),
        (["--size", "ten"], "size: expected WIDTHxHEIGHT"),
        (["--curve", "up"], "curve: expected FROM..TO"),
        (["--seed", "-1"], "seed: expected a whole number"),
    ],
)
def test_options_that_do_not_apply_to_puzzles_are_refused(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["pack", "flag", "-o", str(tmp_path / "new"), *arguments]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_rounds_of_a_pack_are_unique_and_symmetric_on_request() -> None:
    made = levolve.pack(
        "flag", count=3, size=(6, 6), request={"unique": True, "symmetry": "left-right"}, seed=1
    )
    assert made.report.met
    for position in made.positions:
        assert isinstance(position, Round)
        assert position.facts["solutions"] == 1
        bears = position.tiles != 0
        assert (bears == bears[:, ::-1]).all()
    order = made.parts[0].order
    assert isinstance(order, PuzzleOrder)
    assert PuzzleOrder.from_data(order.to_data()) == order
    builder = PackJob([order], 1)
    assert PackJob.from_call(builder.call()).orders == [order]
    plain = PuzzleOrder.of("flag", count=3, size=(6, 6))
    assert "request" not in {**plain.to_data(), **PackJob([plain], 1).call()}


@pytest.mark.parametrize(
    ("names", "request_of_test", "words"),
    [
        (
            ["maze"],
            {"unique": True},
            "unique: expected a puzzle that has it, such as flag, got maze",
        ),
        (["sliding"], {"symmetry": "half-turn"}, "symmetry: expected a puzzle that has it"),
        (["flag"], {"length": (6, 8)}, "length: expected other fields"),
        (["flag"], {"unique": 3}, "unique"),
    ],
)
def test_requests_that_no_puzzle_can_meet_are_refused(
    names: list[str], request_of_test: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError) as problem:
        levolve.pack(names, count=2, request=request_of_test)
    assert words in str(problem.value)


def test_puzzles_are_made_along_a_curve() -> None:
    made = make_along("flag", 3, "hard..easy", seed=2, size=(5, 5), length=(8, 20))
    hardness = [PUZZLES["flag"].measures(position)["difficulty"] for position in made]
    assert hardness == sorted(hardness, reverse=True)
    assert hardness[0] > hardness[-1]
    assert make_along("flag", 3, "hard..easy", seed=2, size=(5, 5), length=(8, 20)) == made
    with pytest.raises(InputError, match="curve"):
        make_along("flag", 3, "up", seed=2)


@pytest.mark.parametrize("puzzle", ["flag", "sliding"])
def test_a_pack_of_puzzles_is_written_for_editors_and_engines(puzzle: str, tmp_path: Path) -> None:
    made = levolve.pack(puzzle, count=2, seed=3)
    made.save(tmp_path, "tiled,tmj,ldtk,godot,csv")
    assert check_pack(tmp_path).winnable
    for name, position in zip(made.names, made.positions, strict=True):
        for suffix in ("tmx", "tmj", "tscn", "csv"):
            again = levolve.load(tmp_path / f"{name}.{suffix}", type(position))
            assert (again, again.solution, again.facts) == (
                position,
                position.solution,
                position.facts,
            )
        assert levolve.load(f"{tmp_path / puzzle}.ldtk#{name}") == position
    assert made.files("tiled,godot") == made.files("tiled,godot")


def test_an_unknown_puzzle_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean 'sliding'"):
        levolve.pack("slidng", count=1)
