"""Every puzzle follows one protocol: those that come with levolve, and one that a plug-in adds."""

import ast
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import levolve
from jobs.packs.browser import Watched, browsing
from levolve.cli.app import run
from levolve.core.errors import InputError, ProofError
from levolve.puzzles import PUZZLES
from levolve.puzzles.flag.puzzle import FLAG
from levolve.puzzles.load_save import puzzle_of
from levolve.puzzles.sliding.puzzle import SLIDING
from levolve.puzzles.sliding.rules import Board
from levolve.testing import check_puzzle

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "plugin" / "src"
UNSOLVABLE = {"sliding": "321456078", "flag": "1S1\n.F.", "ice": "S~o\n~~o\nooX"}
LAKE = "S~~~o\n~~~~~\n~o~~~\n~~~~X\no~~~~"


@pytest.fixture(scope="module", autouse=True)
def ice() -> Iterator[None]:
    """The puzzle of the example plug-in, registered as its author would."""
    sys.path.insert(0, str(EXAMPLE))
    from levolve_example.puzzle import ICE

    if "ice" not in PUZZLES:
        PUZZLES.add("ice", ICE)
    yield
    sys.path.remove(str(EXAMPLE))
    # Other tests see the registry as it was.
    PUZZLES._entries.pop("ice", None)
    PUZZLES._sources.pop("ice", None)


@pytest.mark.parametrize("name", ["sliding", "flag", "ice"])
def test_every_puzzle_keeps_to_the_protocol(name: str) -> None:
    check_puzzle(PUZZLES[name], UNSOLVABLE[name])


class Careless:
    """A puzzle with one fault, for the checks to find."""

    def __init__(self, puzzle: Any, **faults: Any) -> None:
        self._puzzle = puzzle
        self.__dict__.update(faults)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._puzzle, name)


def forgetful(board: Board, settings: Any, seed: int | None) -> Any:
    """A search whose state lacks the moves of the paths."""
    search = SLIDING.search(board, settings, seed)
    whole = search.arrays

    def arrays() -> dict[str, Any]:
        return {name: array for name, array in whole().items() if name != "moves"}

    search.arrays = arrays  # type: ignore[method-assign]
    return search


@pytest.mark.parametrize(
    ("faults", "law"),
    [
        (
            {
                "make": lambda count=1, request=None, *, seed=None, **_: SLIDING.make(
                    count, request, seed=3
                )
            },
            "another seed makes other puzzles",
        ),
        (
            {"encode": lambda position, form: SLIDING.encode(position.with_facts({}), form)},
            "solution and facts come back",
        ),
        ({"decode": lambda _: None}, "written can be read"),
        ({"measures": lambda _: {"length": 1}}, "first measure is the difficulty"),
        ({"page_script": lambda: ""}, "rules and a painter"),
        ({"draw": lambda position, moves="": SLIDING.draw(position)}, "differ"),
        ({"search": forgetful}, "restored from its state"),
        ({"lengths": lambda _: (9, 3)}, "few to many"),
        (
            {
                "terminal": lambda position, moves="", colour=True: SLIDING.terminal(
                    position, colour=colour
                )
            },
            "moves show",
        ),
    ],
)
def test_the_checks_find_a_puzzle_that_breaks_a_law(
    faults: dict[str, Any], law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless: Any = Careless(SLIDING, **faults)
    monkeypatch.setitem(PUZZLES._entries, "sliding", careless)
    with pytest.raises(AssertionError, match=law):
        check_puzzle(careless, UNSOLVABLE["sliding"])


@pytest.mark.parametrize(
    ("puzzle", "position"),
    [
        (FLAG, 30),
        (FLAG, 12),
        (SLIDING, "8672543_1"),
        (SLIDING, "_,14,13,12,11,10,9,8,7,6,5,4,3,2,1,15"),
    ],
)
def test_a_solver_restored_at_any_generation_ends_with_the_same_moves(
    puzzle: Any, position: object
) -> None:
    chance = random.Random(1)
    read = puzzle.read(position)
    for scheme in puzzle.schemes:
        settings = puzzle.settings(
            scheme=scheme,
            changes={
                "generations": 40,
                **({"patience": 7} if "patience" in known(puzzle, scheme) else {}),
            },
        )
        straight = puzzle.search(read, settings, 3)
        straight.finish()
        for stop in chance.sample(range(41), 5):
            first, second = puzzle.search(read, settings, 3), puzzle.search(read, settings, 99)
            first.advance(stop)
            second.restore(first.state())
            second.finish()
            assert (second.generation, second.winner, second.evaluations) == (
                straight.generation,
                straight.winner,
                straight.evaluations,
            ), scheme
            best = max(straight.winner, 0)
            assert second.moves_of(best) == straight.moves_of(best)
            assert second.progress() == straight.progress()


def known(puzzle: Any, scheme: str) -> set[str]:
    return {entry.name for entry in fields(puzzle.schemes[scheme])}


def test_parts_lists_the_schemes_and_settings_of_every_puzzle_with_a_sentence_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["parts", "puzzles", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["puzzles"]
    assert {"sliding", "flag", "ice"} <= set(listed)
    assert listed["flag"]["settings"]["scheme"]["default"] == "guided"
    assert {"source-2.void_mark", "plain.changes", "exact.budget", "make.wrong_turns"} <= set(
        listed["flag"]["settings"]
    )
    assert {"source.elites", "read.goal", "make.length"} <= set(listed["sliding"]["settings"])
    assert all(
        about["meaning"] for puzzle in listed.values() for about in puzzle["settings"].values()
    )
    assert run(["parts", "puzzles"]) == 0
    assert "source-2.void_mark = 1.0: The penalty" in " ".join(capsys.readouterr().out.split())


def test_the_commands_know_a_puzzle_of_a_plugin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "lake.json"
    assert (
        run(
            [
                "solve",
                "ice",
                LAKE,
                "--seed",
                "1",
                "-o",
                str(saved),
                "-o",
                str(tmp_path / "lake.gif"),
                "--json",
                "--quiet",
            ]
        )
        == 0
    )
    solution = json.loads(capsys.readouterr().out)
    assert solution["puzzle"] == "ice"
    assert run(["solve", "ice", str(saved), "--method", "exact"]) == 0
    assert "the fewest possible" in capsys.readouterr().out
    assert run(["check", str(saved), "--json"]) == 0
    (checked,) = json.loads(capsys.readouterr().out)
    assert (checked["proven"], checked["solvable"]) == (True, True)
    assert run(["show", str(saved)]) == 0
    assert "a lake of Ice" in capsys.readouterr().out
    assert run(["convert", str(saved), str(tmp_path / "lake.txt"), "--quiet"]) == 0
    assert levolve.load(tmp_path / "lake.txt") == levolve.load(saved)
    assert (
        run(
            [
                "make",
                "ice",
                "--count",
                "2",
                "--size",
                "8x6",
                "--set",
                "rocks=0.2",
                "--seed",
                "1",
                "-o",
                str(tmp_path),
                "--to",
                "txt,png",
                "-q",
            ]
        )
        == 0
    )
    assert "solution" in capsys.readouterr().out
    assert (
        levolve.load(tmp_path / "ice-001.txt").width,
        levolve.load(tmp_path / "ice-002.txt").height,
    ) == (8, 6)
    assert (
        run(
            [
                "pack",
                "ice",
                "--count",
                "3",
                "--seed",
                "1",
                "-o",
                str(tmp_path / "pack"),
                "--json",
                "-q",
            ]
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["met"] is True
    assert (
        run(["check", *(str(path) for path in sorted((tmp_path / "pack").glob("*-ice.json")))]) == 0
    )
    assert run(["replay", str(saved)]) == 2
    assert run(["make", "ice", "--unique"]) == 2
    assert (
        "--unique: lakes of Ice do not have this option; they have --size, --length, --rocks"
        in capsys.readouterr().err
    )
    assert run(["solve", "ice", LAKE, "--goal", "x"]) == 2
    assert "--goal: lakes of Ice do not have this option" in capsys.readouterr().err


def test_a_puzzle_of_a_plugin_is_played_on_the_page_by_the_rules_of_its_checker(
    tmp_path: Path,
) -> None:
    made = levolve.pack("ice", count=3, size=(7, 7), seed=2)
    chance = random.Random(5)
    seen = set()
    with browsing() as browser:
        watched = Watched(browser.new_page())
        page = watched.page
        page.goto(made.save(tmp_path, ["png"]).resolve().as_uri())
        for number, position in enumerate(made.positions):
            solution = str(position.solution)
            tries = [
                solution,
                solution[:-1],
                *(solution[:kept] + chance.choice("udlr") for kept in range(len(solution))),
                "ud" * 3,
                "lrl",
            ]
            played = page.evaluate(
                "([number, tries]) => tries.map((moves) => levolve.replay(number, moves))",
                [number, tries],
            )
            for moves, outcome in zip(tries, played, strict=True):
                assert (outcome["legal"], outcome["won"]) == outcome_of(position, moves), moves
                seen.add((outcome["legal"], outcome["won"]))
        assert seen == {(True, True), (True, False), (False, False)}
        page.locator("#levels button.card").last.click()
        for move in str(made.positions[-1].solution):
            page.keyboard.press(
                {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}[move]
            )
        expect(page.locator("#status")).to_contain_text("no solution is shorter!")
        assert watched.complaints == []


def outcome_of(position: Any, moves: str) -> tuple[bool, bool]:
    """Whether all moves are legal, and whether they win, as the puzzle's own checker has it."""
    try:
        position.with_solution(moves).check()
    except ProofError as problem:
        return "goes nowhere" not in str(problem), False
    return True, True


@pytest.mark.parametrize("suffix", ["json", "txt"])
@pytest.mark.parametrize(
    "board",
    [
        Board.read("8672543_1"),
        Board.read("1234_5678", "_12345678"),
        Board.read("1,2,3,4,5,6,7,8,9,11,10,_", None, "4x3"),
    ],
)
def test_a_board_is_saved_and_loaded_with_goal_solution_and_facts(
    board: Board, suffix: str, tmp_path: Path
) -> None:
    known_board = board.with_facts({"name": "mine"})
    if board.solvable:
        known_board = known_board.with_solution(levolve.solve("sliding", board, seed=1).moves)
    again = levolve.load(levolve.save(known_board, tmp_path / f"board.{suffix}"), type(board))
    assert again == board
    assert (again.goal, again.solution, again.facts) == (
        board.goal,
        known_board.solution,
        {"name": "mine"},
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("112345670", "more than once"),
        ("8672543_1\nsize: 4x4", "expected 16 tiles"),
        ("8672543_1\nsize: big", "WIDTHxHEIGHT"),
        ("8672543_1\ncolour: red", "one line each of size:, goal:"),
        ("8672543_1\nsolution: xyz", "moves u, d, l, r"),
        ("8672543_1\nfacts: [", "facts: expected valid JSON"),
        ('{"format": "levolve board", "board": 7}', "expected 4, 9, 16 or 25 tiles"),
        (
            '{"format": "levolve board", "board": "8672543_1", "size": [3]}',
            r"expected \[width, height\]",
        ),
    ],
)
def test_a_damaged_board_is_refused_and_its_file_named(
    text: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "board.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=f"board.txt: .*{what}"):
        levolve.load(path)


def test_a_board_whose_solution_does_not_hold_is_neither_written_nor_read(tmp_path: Path) -> None:
    with pytest.raises(ProofError):
        levolve.save(Board.read("12345678_").with_solution("r"), tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("12345678_\nsolution: r\n")
    with pytest.raises(ProofError, match=r"b\.txt"):
        levolve.load(tmp_path / "b.txt")


def test_options_that_a_puzzle_lacks_are_refused_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for call, what in (
        (
            ["solve", "flag", "5", "--goal", "1"],
            "--goal: rounds of Reach the Flag do not have this option; they have none",
        ),
        (
            ["make", "sliding", "--unique"],
            (
                "--unique: boards of the sliding puzzle do not have this option; they have "
                "--size, --length, --goal"
            ),
        ),
        (
            ["make", "flag", "--set", "colour=red"],
            "unknown setting 'colour' of a request for rounds of Reach the Flag",
        ),
        (
            ["solve", "flag", "5", "--method", "exact", "--scheme", "guided"],
            "scheme: applies to the genetic method only",
        ),
        (["solve", "sliding", "8672543_1", "--scheme", "guided"], "unknown scheme 'guided'"),
    ):
        assert run(call) == 2
        assert what in capsys.readouterr().err


def test_no_command_and_no_pack_names_a_puzzle_in_its_code() -> None:
    root = Path(levolve.__file__).parent
    named = [
        f"{path.relative_to(root)}:{node.lineno}"
        for folder in ("cli", "packs")
        for path in (root / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in {"flag", "sliding"}
    ]
    assert named == []


def test_positions_are_found_by_their_type() -> None:
    board = Board.read("8672543_1")
    assert puzzle_of(board) is SLIDING
    assert replace(board, solution="u").facts == {}
