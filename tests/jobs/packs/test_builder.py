"""Levels that meet their targets, are distinct, and the same for any number of threads."""

import itertools
from math import ceil
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.jobs.executors import thread_pool
from levolve.jobs.packs import spread
from levolve.jobs.packs.level_source import LevelPackSource
from levolve.jobs.packs.objective import images_of, miss, nearest_pair
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.replay import replay
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.recipes.recipe import find_recipe, shipped

SMALL: dict[str, dict[str, Any]] = {
    "cavern": {"size": "12x12", "genotype.starts": 2, "generations": 20},
    "dungeon-best": {"size": "8x8", "generations": 300},
    # Rooms, screens and things need more cells; more generations would only take longer.
    "dungeon-crawl": {"size": "32x24", "generations": 10},
    "keep-locked": {"size": "17x13", "generations": 20},
    "manor": {"size": "17x13", "generations": 20},
    "maze-long": {"size": "10x10", "generations": 300},
    "sketch": {"size": "16x12", "generations": 250},
    "zelda-like": {"size": "25x19", "generations": 10},
}


def all_distinct(levels: tuple[Level, ...], share: float) -> bool:
    tiles = np.stack([level.tiles for level in levels])
    pairs = itertools.combinations(range(len(levels)), 2)
    images = [images_of(level.tiles[np.newaxis]) for level in levels]
    return all(
        (tiles[a] != tiles[b]).mean() >= share
        and not any(np.array_equal(tiles[a], image) for image in images[b])
        for a, b in pairs
    )


def test_every_level_is_inside_every_target_and_any_two_are_distinct() -> None:
    pack = levolve.pack(
        "maze",
        size=(10, 10),
        count=20,
        target={"regions": 1, "longest_path": (25, 45)},
        distinct=0.38,
        seed=1,
    )
    measured = measure(pack.levels)
    assert len(pack.levels) == 20
    assert set(measured["regions"]) == {1}
    assert measured["longest_path"].min() >= 25
    assert measured["longest_path"].max() <= 45
    assert all_distinct(pack.levels, 0.38)
    assert (
        nearest_pair(np.stack([level.tiles for level in pack.levels]))
        == pack.report.targets[0]["distinct"]["found"]
    )
    assert pack.report.met
    for level in pack.levels:
        level.check()


def test_each_level_may_have_a_range_of_its_own() -> None:
    ranges = [(30, 34), (18, 20), (24, 26)]
    listed = levolve.pack("maze", size=(10, 10), count=3, target={"exit_path": ranges}, seed=4)
    for level, (low, high) in zip(listed.levels, ranges, strict=True):
        assert low <= len(level.solution or "") <= high
    even = levolve.pack(
        "maze", size=(10, 10), count=5, target={"longest_path": spread(24, 44, within=2)}, seed=4
    )
    assert np.abs(measure(even.levels)["longest_path"] - [24, 29, 34, 39, 44]).max() <= 2


@pytest.mark.parametrize("curve", ["easy..hard", "hard..easy", "0.2..0.6"])
def test_a_curve_orders_the_levels_and_spreads_them_evenly(curve: str) -> None:
    pack = levolve.pack("maze", size=(12, 12), count=8, curve=curve, distinct=0.2, seed=2)
    hardness = measure(pack.levels)["difficulty"]
    gaps = np.diff(hardness if curve != "hard..easy" else hardness[::-1])
    assert len(pack.levels) == 8
    assert gaps.min() > 0
    # A level lies within a quarter of the even gap from its own place, so a gap is from half of it
    # to one and a half; counts are whole numbers.
    even = (hardness.max() - hardness.min()) / 7
    assert gaps.max() <= 1.75 * even
    assert gaps.min() >= 0.3 * even


@pytest.mark.parametrize("name", shipped())
@pytest.mark.parametrize("changes", [{"curve": "easy..hard"}, {}], ids=["curve", "objective"])
def test_every_recipe_gives_packs(name: str, changes: dict[str, Any]) -> None:
    settings = SMALL.get(name, {"size": "10x10", "generations": 60})
    pack = levolve.pack(name, count=3, distinct=0.1, seed=5, settings=settings, **changes)
    assert pack.report.met, str(pack.report)
    assert all_distinct(pack.levels, 0.1)
    assert all(
        level.origin is not None and level.origin.recipe["name"] == name for level in pack.levels
    )
    for level in pack.levels:
        level.check()


def test_without_a_target_levels_are_as_good_as_the_recipes_own() -> None:
    settings = {"size": "12x12", "generations": 150}
    pack = levolve.pack("maze", count=4, distinct=0.3, seed=3, settings=settings)
    run = levolve.evolve("maze", seed=3, settings=settings)
    assert measure(pack.levels)["exit_path"].min() > 0.7 * run.best_score


@pytest.mark.parametrize(
    "changes",
    [{"curve": "easy..hard"}, {"target": {"regions": 1}, "distinct": 0.42}, {"distinct": 0.3}],
)
def test_the_same_bytes_for_one_thread_and_three(changes: dict[str, Any]) -> None:
    made = [
        levolve.pack(
            "maze",
            count=11,
            seed=9,
            executor=threads,
            settings={"size": "9x9", "generations": 80},
            **changes,
        )
        for threads in (1, 3)
    ]
    assert made[0].files("json,txt") == made[1].files("json,txt")
    other = levolve.pack(
        "maze", count=11, seed=10, settings={"size": "9x9", "generations": 80}, **changes
    )
    assert other.digest != made[0].digest


def test_levels_too_near_to_one_taken_in_the_same_round_are_searched_on() -> None:
    order = Order.of(
        find_recipe("maze").changed({"size": "8x8"}), count=8, target={"regions": 1}, distinct=0.45
    )
    builder = PackJob([order], 1)
    events: list[Any] = list(builder.events())
    assert events[7].decided < 8, "eight searches that know nothing of each other come too close"
    assert events[-1].decided == events[-1].found == 8
    assert events[-1].searches == sum(part.searches for part in builder.result.parts) > 8
    assert all_distinct(builder.result.levels, 0.45)


def test_no_level_is_another_turned_or_mirrored() -> None:
    pack = levolve.pack("maze", size=(3, 3), count=30, target={"exit_path": 4}, seed=1)
    assert len(pack.levels) > 10
    assert all_distinct(pack.levels, 0.0)


def test_a_target_that_is_not_met_within_the_budget_is_reported_with_how_close_it_came() -> None:
    pack = levolve.pack(
        "maze",
        size=(6, 6),
        count=3,
        target={"exit_path": [(10, 14), (26, 26), (12, 16)]},
        seed=1,
        attempts=2,
    )
    assert len(pack.levels) == 2
    assert not pack.report.met
    (missed,) = pack.report.missed
    assert missed["levels"] == "level 2"
    assert missed["unmet"][0].startswith("exit_path: target 26, the nearest found is ")
    assert "2 of 3 levels meet their targets" in str(pack.report)


@pytest.mark.parametrize("seed", range(6))
def test_some_searches_of_a_round_may_find_what_others_do_not(seed: int) -> None:
    changes: dict[str, Any] = {
        "target": {"exit_path": "26..40"},
        "attempts": 1,
        "settings": {"generations": 12, "strategy.population": 20},
    }
    pack = levolve.pack("maze", size=(8, 8), count=12, seed=seed, **changes)
    assert measure(pack.levels)["exit_path"].min(initial=26) >= 26
    numbers = [miss.index for part in pack.parts for miss in part.missed]
    assert len(pack.levels) + len(numbers) == 12
    assert len(set(numbers)) == len(numbers)


def test_levels_run_out_where_there_is_no_room_for_more() -> None:
    pack = levolve.pack(
        "maze", size=(2, 2), count=9, seed=1, attempts=2, settings={"generations": 20}
    )
    # Entrance and exit are open: no wall, or one of two, which are mirror images of each other.
    assert sorted(int(level.tiles.sum()) for level in pack.levels) == [0, 1]
    assert "distinct: 1 cells must differ" in str(pack.report)


def test_a_level_of_a_pack_is_grown_again_with_its_pack() -> None:
    pack = levolve.pack("dungeon", size=(8, 8), count=4, curve="hard..easy", seed=6)
    with thread_pool(2) as executor:
        again = replay(pack.levels[2], executor).again
    assert (again, again.solution, again.origin) == (
        pack.levels[2],
        pack.levels[2].solution,
        pack.levels[2].origin,
    )
    alone = levolve.evolve("maze", size=(8, 8), generations=5, seed=1).best
    assert replay(alone).same


def test_a_target_about_checkpoints_adds_the_default_ones() -> None:
    pack = levolve.pack(
        "maze", size=(10, 10), count=2, target={"reconvergence": "60..2000"}, seed=1
    )
    assert all(len(level.checkpoints) == 5 for level in pack.levels)
    assert measure(pack.levels)["reconvergence"].min() >= 60


def test_a_pack_continues_from_a_level_and_keeps_its_walls() -> None:
    drawn = Level.from_text(
        "S.......\n.######.\n.#......\n.#.####.\n.#.#..#.\n.#....#.\n.######.\n.......E"
    )
    pack = levolve.pack(
        "maze",
        count=4,
        target={"exit_path": "14..30"},
        distinct=0.1,
        start=drawn,
        keep="walls",
        seed=1,
    )
    assert len(pack.levels) == 4
    assert all((level.tiles[drawn.tiles == 1] == 1).all() for level in pack.levels)
    assert replay(pack.levels[3]).same


def test_levels_wider_than_a_machine_word_are_distinct_too() -> None:
    pack = levolve.pack(
        "maze", size=(70, 4), count=3, target={"regions": "1..60"}, distinct=0.3, seed=1
    )
    assert len(pack.levels) == 3
    assert all_distinct(pack.levels, 0.3)


def test_a_miss_is_a_share_of_the_bound_that_is_missed() -> None:
    assert miss(np.array([5, 10, 15, 20, 31]), 9, 19).tolist() == [0.4, 0.0, 0.0, 0.05, 0.6]


@pytest.mark.parametrize(("size", "count"), [((2, 2), 2), ((6, 6), 24)])
def test_a_curve_sets_ranges_that_contain_integers_however_close_its_steps_are(
    size: tuple[int, int], count: int
) -> None:
    builder = PackJob(
        [Order.of(find_recipe("maze").changed({"size": size}), count=count, curve="easy..hard")], 1
    )
    events = builder.events()
    for _ in range(3):
        next(events)
    (source,) = builder.sources
    assert isinstance(source, LevelPackSource)
    ranges = [targets["difficulty"] for targets in source.targets]
    assert all(ceil(low) <= high for low, high in ranges)
