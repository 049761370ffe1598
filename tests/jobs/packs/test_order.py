"""What can be ordered, and what is refused before any search."""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from levolve.core.errors import InputError, UnknownNameError
from levolve.jobs.packs import spread
from levolve.jobs.packs.objective import Distinctness, PackObjective
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack_function import pack
from levolve.jobs.packs.targets import parse_curve
from levolve.kernels.walking.shortest_paths import longest_paths
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.measures.bounds import most_steps
from levolve.levels.tileset import RAINBOW, WALLS
from levolve.recipes.recipe import find_recipe
from levolve.search.objectives.objective import Objective

MAZE = find_recipe("maze").changed({"size": "14x14"})


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"count": 0}, "count: expected a whole number from 1"),
        ({"count": 2.5}, "count: expected a whole number"),
        ({"attempts": 0}, "attempts: expected a whole number from 1"),
        ({"distinct": 1.0}, "distinct: expected a share of cells from 0 to below 1, got 1.0"),
        ({"distinct": -0.1}, "distinct: expected a share"),
        ({"distinct": "much"}, "distinct: expected a share"),
        (
            {"distinct": 0.6, "count": 100},
            "no more than 5 levels of 14x14 can differ in 0.6 of their cells",
        ),
        (
            {"target": {"regions": 0}},
            "target regions: expected a possible value for a winnable 14x14 level, 1 to 98, got 0",
        ),
        (
            {"target": {"longest_path": "150..200"}},
            "target longest_path: .* 26 to 138, got 150..200",
        ),
        ({"target": {"exit_path": (1, 25)}}, "target exit_path: .* 26 to 138"),
        ({"target": {"exit_path": 27}}, "expected an even number"),
        ({"target": {"walls": 196}}, "target walls: .* 0 to 169"),
        ({"target": {"regions": 1.5}}, "expected a range that contains a whole number"),
        (
            {"target": {"exit_path": (80, 60)}},
            "target exit_path: expected a lower value and a higher one, got 80 and 60",
        ),
        (
            {"target": {"exit_path": "long"}},
            "target exit_path: expected a number or LOW..HIGH, got 'long'",
        ),
        (
            {"target": {"exit_path": None}},
            "target exit_path: expected a number, a pair of numbers or LOW..HIGH",
        ),
        (
            {"target": {"exit_path": [30, 40, 50]}, "count": 4},
            "expected one range, or one for each of the 4 levels, got 3",
        ),
        ({"target": {"exit_path": {"from": 3}}}, "expected a spread with low, high and within"),
        ({"target": {"tour_steps": 30}}, "target tour_steps: expected levels with A and B and C"),
        ({"target": ["exit_path"]}, "target: expected a table"),
        ({"target": {"difficulty": 100}, "curve": "easy..hard"}, "expected no curve as well"),
        ({"curve": "easy..impossible"}, "curve: expected FROM..TO"),
        ({"curve": "0.2..1.5"}, "curve: expected FROM..TO"),
        ({"curve": "easy..medium..hard"}, "curve: expected FROM..TO"),
        ({"curve": 7}, "curve: expected FROM..TO"),
    ],
)
def test_an_impossible_target_is_refused_at_once(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        pack(MAZE, seed=1, **settings)


def test_an_unknown_measure_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'longest_path'"):
        Order.of(MAZE, target={"longest_paths": 60})


@pytest.mark.parametrize("arguments", [(True, 3), (1, float("nan")), (1, 2, -1), ("a", 2)])
def test_a_spread_of_something_else_is_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match="spread: expected"):
        spread(*arguments)


def test_kept_cells_leave_less_room_to_differ() -> None:
    kept = MAZE.changed({"size": "4x4", "keep": ["..??", "..??", "....", "...."]})
    with pytest.raises(
        InputError, match=r"distinct: expected at most 0\.25, the share of cells that are not kept"
    ):
        Order.of(kept, count=2, distinct=0.5)


def test_a_spread_is_even_from_the_first_level_to_the_last() -> None:
    order = Order.of(MAZE, count=4, target={"longest_path": spread(40, 70, within=7), "regions": 1})
    assert [ranges["longest_path"] for ranges in order.targets] == [
        (40, 47),
        (43, 57),
        (53, 67),
        (63, 70),
    ], "never beyond the two ends"
    assert {ranges["regions"] for ranges in order.targets} == {(1, 1)}
    assert spread(10, 20).ranges(3) == [(10, 12.5), (12.5, 17.5), (17.5, 20)]
    assert spread(10, 20).ranges(1) == [(10, 20)]
    # The length of a path is even in some frames: each range contains one possible value.
    assert spread(10, 12).ranges(5, stride=2) == [
        (10, 11),
        (10, 11.5),
        (10, 12),
        (10.5, 12),
        (11, 12),
    ]


def test_conditions_of_the_recipes_own_objective_hold_in_a_pack_too() -> None:
    recipe = MAZE.changed(
        {
            "size": "10x10",
            "objective.walls": [0.2, 0.4],
            "objective.exit_members": 2,
            "checkpoints": "2,2 5,5 7,7",
        }
    )
    order = Order.of(recipe, count=1, target={"walls": "30..90"})
    assert order.targets == [{"walls": (30, 40), "exit_members": (2, 3)}]
    assert Order.of(recipe, count=1).targets == [{"walls": (20, 40), "exit_members": (2, 3)}]


def test_a_recipe_that_aims_at_a_target_makes_packs_inside_it() -> None:
    recipe = MAZE.changed(
        {"objective.kind": "target", "objective.targets": {"exit_path": "40..50"}}
    )
    order = Order.of(recipe, count=2, target={"regions": 1, "exit_path": "45..60"})
    assert order.targets == [{"exit_path": (45, 50), "regions": (1, 1)}] * 2
    assert not Order.of(recipe, count=2).maximises
    with pytest.raises(
        InputError,
        match=(
            r"target exit_path: expected a range within 40\.\.50, which the recipe's objective "
            r"requires, got 60\.\.70"
        ),
    ):
        Order.of(recipe, count=2, target={"exit_path": "60..70"})


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"target": {"regions": 1, "exit_path": ["30..40", (40, 50), 60]}, "distinct": 0.3},
        {"target": {"longest_path": spread(40, 70, within=7)}, "curve": "hard..easy", "budget": 3},
    ],
)
def test_an_order_survives_being_written_down(settings: dict[str, Any]) -> None:
    order = Order.of(MAZE, count=3, **settings)
    assert Order.from_data(order.to_data()) == order


def test_an_order_that_was_tampered_with_is_refused() -> None:
    with pytest.raises(InputError, match="origin: expected a pack with some of"):
        Order.from_data({**MAZE.to_data(), "pack": {"amount": 3}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("easy..hard", (0.1, 0.8)),
        ("hard..easy", (0.8, 0.1)),
        ("easy..medium", (0.1, 0.45)),
        ("0.2..0.6", (0.2, 0.6)),
        ("hard", (0.8, 0.8)),
    ],
)
def test_a_curve_is_words_or_numbers(text: str, expected: tuple[float, float]) -> None:
    assert parse_curve(text) == expected
    assert parse_curve(list(expected)) == expected


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (3, 3), (4, 3), (6, 2)])
def test_no_level_has_a_longer_path_than_the_bound_says(size: tuple[int, int]) -> None:
    width, height = size
    walls = np.array(list(itertools.product((0, 1), repeat=width * height)), np.uint8).reshape(
        -1, height, width
    )
    steps = np.empty(len(walls), np.int32)
    longest_paths(walls, WALLS.table, steps)
    most = most_steps(Frame(width, height, {}), WALLS)
    assert steps.max() <= most
    # And it is not far off.
    assert steps.max() >= most - 1


def test_colours_close_steps_without_walls() -> None:
    assert most_steps(Frame(4, 3, {}), RAINBOW) == 11


@dataclass(frozen=True)
class FewFloors(Objective):
    """An objective whose values lie far below 0, and that needs no places."""

    needs = ()

    def score(self, batch: Batch) -> NDArray[np.float64]:
        return np.asarray(-1000.0 - (batch.tiles == 0).sum(axis=(1, 2)), np.float64)


def test_a_level_that_misses_a_target_never_beats_one_that_meets_all_however_low_its_value_is() -> (
    None
):
    batch = Batch(MAZE.frame, tiles=np.zeros((2, *MAZE.size[::-1]), np.uint8))
    batch.tiles[0, 1:-1, 3] = 1
    batch.tiles[1, :, 3] = 1
    for objective in (FewFloors(), MAZE.parts[1]):
        rewarded = PackObjective.maximising(
            objective, {}, Distinctness.empty(*MAZE.size[::-1], WALLS, 1)
        )
        winnable, walled_off = rewarded.score(batch)
        assert winnable > walled_off


def test_a_recipe_may_have_nothing_to_win() -> None:
    recipe = MAZE.changed(
        {"goal": "none", "objective.kind": "target", "objective.targets": {"walls": "20..30"}}
    )
    with pytest.raises(InputError, match="expected levels with entrance and exit"):
        _ = recipe.frame
    with pytest.raises(InputError, match="got 'tour' without A and B and C; set places to tour"):
        _ = MAZE.changed({"goal": "tour"}).frame
    with pytest.raises(InputError, match="unknown goal 'turn': did you mean 'tour'"):
        _ = MAZE.changed({"goal": "turn"}).frame


def test_a_spread_over_a_lattice_asks_only_for_possible_values() -> None:
    # Ways between two cells of this lattice differ by multiples of four tiles.
    recipe = find_recipe("labyrinth").changed({"size": "25x17"})
    order = Order.of(recipe, count=100, target={"exit_path": spread(50, 140)})
    possible = set(range(52, 141, 4))
    assert all(
        possible & set(range(math.ceil(low), math.floor(high) + 1))
        for low, high in (targets["exit_path"] for targets in order.targets)
    )
