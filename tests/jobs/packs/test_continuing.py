"""Packs that are stopped and continued: the same files as without the interruption."""

from typing import Any

import pytest

from jobs.runs.job_laws import assert_continues, assert_refuses_others, assert_survives_interrupts
from levolve.formats.json import encode
from levolve.jobs.packs import level_source
from levolve.jobs.packs.level_source import SearchResult, search_level
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.pack_job import PackJob
from levolve.recipes.recipe import find_recipe

CASES: list[dict[str, Any]] = [
    {"count": 9, "target": {"regions": 1}, "distinct": 0.45},
    {"count": 3, "curve": "easy..hard"},
    {"count": 3, "target": {"exit_path": [(10, 14), (26, 26), (12, 16)]}, "budget": 2},
    {"count": 4, "distinct": 0.3},
]
IDS = ["continued searches", "curve", "abandoned", "objective"]


def a_builder(case: dict[str, Any], seed: int = 1) -> PackJob:
    size = "6x6" if "budget" in case else "8x8"
    return PackJob(
        [Order.of(find_recipe("maze").changed({"size": size, "generations": 40}), **case)], seed
    )


def report(pack: Pack) -> object:
    return pack.to_data(), [encode(level) for level in pack.levels], pack.parts


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_pack_continued_after_some_searches_has_the_same_levels_and_manifest(
    case: dict[str, Any],
) -> None:
    assert_continues(a_builder(case), report, stops=8)


def test_a_pack_refuses_the_state_of_another() -> None:
    assert_refuses_others(a_builder(CASES[0]), a_builder(CASES[0], 2))


def test_a_pack_interrupted_within_searches_has_the_same_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = report(a_builder(CASES[0]).finish())
    left = 0

    def interrupt(number: int) -> None:
        nonlocal left
        left = number

    def interrupted(*arguments: Any) -> SearchResult:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return search_level(*arguments)

    monkeypatch.setattr(level_source, "search_level", interrupted)
    assert_survives_interrupts(a_builder(CASES[0]), interrupt, report, expected)


def test_only_searches_that_may_go_on_hold_their_population() -> None:
    built = a_builder(CASES[0])
    held = [
        sum(unit["population"] is not None for _, unit in built.state()["units"])
        for _ in built.events()
    ]
    assert max(held) > 0, "some search is continued"
    assert held[-1] == 0


@pytest.mark.parametrize("puzzle", ["flag", "sliding"])
def test_a_pack_of_puzzles_continued_after_any_candidate_has_the_same_files(puzzle: str) -> None:
    def files(pack: Pack) -> object:
        return pack.to_data(), pack.files("json")

    assert_continues(
        PackJob(
            [
                PuzzleOrder.of(
                    puzzle, count=3, size="4x4" if puzzle == "flag" else "3x3", curve="easy..hard"
                )
            ],
            1,
        ),
        files,
        stops=3,
    )


def test_a_pack_of_puzzles_refuses_the_state_of_another() -> None:
    assert_refuses_others(
        *(PackJob([PuzzleOrder.of("sliding", count=count)], 1) for count in (3, 4))
    )
