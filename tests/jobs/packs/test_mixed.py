"""Packs of several recipes."""

import json
from pathlib import Path

import pytest

import levolve
from jobs.runs.job_laws import assert_continues, assert_refuses_others
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.jobs.packs.events import SearchFinished
from levolve.jobs.packs.members import LevelMember, PuzzleMember, merged
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.pack_function import shares_of
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.replay import replay
from levolve.puzzles import PUZZLES
from levolve.recipes.recipe import find_recipe

QUICK = {"generations": 30}


def a_builder(curve: str | None = "easy..hard", seed: int = 1) -> PackJob:
    recipes = [
        find_recipe(name).changed({"size": "8x8", **QUICK}) for name in ("maze", "maze-barriers")
    ]
    return PackJob([Order.of(recipe, count=2, curve=curve) for recipe in recipes], seed)


def test_recipes_share_the_levels_evenly_and_levels_are_in_order() -> None:
    made = levolve.pack(
        ["maze", "maze-barriers"], count=5, size=(8, 8), curve="hard..easy", seed=1, settings=QUICK
    )
    assert [part.found for part in made.parts] == [3, 2]
    difficulties = levolve.measure(made.levels)["difficulty"].tolist()
    assert difficulties == sorted(difficulties, reverse=True)
    assert {level.origin.recipe["name"] for level in made.levels if level.origin} == {
        "maze",
        "maze-barriers",
    }
    assert shares_of(7, 3) == [3, 2, 2]


def test_events_of_a_mixed_pack_count_the_levels_and_searches_of_all_recipes() -> None:
    builder = a_builder()
    events = [event for event in builder.events() if isinstance(event, SearchFinished)]
    assert {event.count for event in events} == {4}
    assert [event.decided for event in events] == sorted(event.decided for event in events)
    assert [event.decided for event in events[:2]] == [0, 0], (
        "the searches for the easiest and the hardest level are reported"
    )
    assert (events[-1].decided, events[-1].found, events[-1].searches) == (
        4,
        4,
        sum(part.searches for part in builder.result.parts),
    )
    halfway = a_builder()
    halfway.restore(builder.state())
    assert list(halfway.events()) == []


def test_a_mixed_pack_continued_after_any_search_has_the_same_files() -> None:
    assert_continues(a_builder(), lambda pack: (pack.files("json"), pack.parts))
    assert_refuses_others(a_builder(), a_builder(seed=2))


def test_a_mixed_pack_stored_with_a_state_per_part_continues() -> None:
    mixed, expected = a_builder(), a_builder().finish()
    first, second = (PackJob([order], mixed.seed) for order in mixed.orders)
    first.finish()
    for _ in zip(range(2), second.events(), strict=False):
        pass
    parts = [first.state(), second.state()]
    mixed.restore({"version": 1, "kind": "mixed-pack", "call": mixed.call(), "parts": parts})
    assert len(mixed.state()["units"]) == len(parts[0]["units"]) + len(parts[1]["units"])
    assert mixed.seconds == parts[0]["seconds"] + parts[1]["seconds"] > 0
    assert len(mixed.state()["units"]) > len(parts[0]["units"]) > 0
    made = mixed.finish()
    assert (made.files("json"), made.parts) == (expected.files("json"), expected.parts)


def test_the_command_mixes_recipes_and_every_level_can_be_regenerated(tmp_path: Path) -> None:
    command = [
        "pack",
        "maze",
        "maze-tunnels",
        "--count",
        "4",
        "--size",
        "8x8",
        "--seed",
        "3",
        "--set",
        "generations=30",
        "--distinct",
        "0.1",
        "--quiet",
    ]
    assert run([*command, "--no-store", "-o", str(tmp_path / "both")]) == 0
    manifest = json.loads((tmp_path / "both" / "pack.json").read_text())
    assert [order["name"] for order in manifest["orders"]] == ["maze", "maze-tunnels"]
    for level in manifest["levels"]:
        assert replay(levolve.load(tmp_path / "both" / level["files"][0])).same


def test_what_cannot_be_mixed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(
        InputError, match="expected at least one level for each of the 2 recipes, got 1"
    ):
        levolve.pack(["maze", "dungeon"], count=1)
    with pytest.raises(InputError, match="expected each recipe once, got maze, maze"):
        levolve.pack(["maze", "maze"], count=4)
    with pytest.raises(InputError, match="expected at least one recipe, got none"):
        levolve.pack([], count=4)
    with pytest.raises(InputError, match="expected each recipe once, got maze, flag, flag"):
        levolve.pack(["maze", "flag", "flag"], count=4)
    assert run(["pack", "flag", "sliding", "--count", "4", "--target", "walls=3"]) == 2
    assert "target: expected a recipe of levels, got the puzzle 'flag'" in capsys.readouterr().err


def test_levels_and_puzzles_are_one_pack_whose_parts_follow_the_curve(tmp_path: Path) -> None:
    made = levolve.pack(
        ["maze", "flag", "sliding"],
        count=8,
        size=(8, 8),
        curve="hard..easy",
        seed=1,
        settings=QUICK,
    )
    assert [part.found for part in made.parts] == [3, 3, 2]
    assert (len(made.levels), len(made.positions)) == (3, 5)
    for part in range(3):
        difficulties = [
            measures["difficulty"]
            for measures, home in zip(made.measures, made.homes, strict=True)
            if home == part
        ]
        assert difficulties == sorted(difficulties, reverse=True)
    # The hardest of each part are first, then the middle ones of the two larger parts.
    assert made.homes == (0, 1, 2, 0, 1, 2, 0, 1)
    made.save(tmp_path, "tiled,png")
    assert {path.name for path in tmp_path.glob("0[12]-*")} == {
        "01-maze.tmx",
        "01-maze.png",
        "02-flag.tmx",
        "02-flag.png",
    }
    checked = levolve.check_pack(tmp_path)
    assert (checked.winnable, checked.proven) == (True, 8)
    assert {name for name in made.files("npz") if name.startswith(("01", "02"))} == {
        "01-maze.npz",
        "02-flag.json",
    }
    assert {"pack.json", "index.html", "sheet.png"} <= {path.name for path in tmp_path.iterdir()}


def test_a_pack_of_levels_and_puzzles_is_the_same_on_any_number_of_threads_and_continued() -> None:
    def builder() -> PackJob:
        recipe = find_recipe("maze").changed({"size": "8x8", **QUICK})
        return PackJob(
            [
                Order.of(recipe, count=2, curve="easy..hard"),
                PuzzleOrder.of("sliding", count=2, curve="easy..hard"),
            ],
            1,
        )

    assert_continues(builder(), lambda pack: (pack.files("json"), pack.parts), stops=4)
    one, several = (
        levolve.pack(
            ["maze", "flag"], count=4, size=(8, 8), seed=1, executor=threads, settings=QUICK
        )
        for threads in (1, 3)
    )
    assert one.files("json,png") == several.files("json,png")


def test_members_with_other_units_are_merged_by_their_relative_position() -> None:
    level, board = (
        LevelMember(levolve.Level.from_text("S.\n.E")),
        PuzzleMember(PUZZLES["sliding"].read("8672543_1")),
    )
    assert merged([level, level, board, board, board], [9, 3, 50, 70, 60]) == [2, 1, 4, 0, 3]
    assert merged([level, level, board], [9, 3, 50], descending=True) == [0, 2, 1]
