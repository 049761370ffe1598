"""Rules: exact ties, borders, and what is refused."""

import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.worlds.rule import Rule
from levolve.worlds.starts import MOORE, VON_NEUMANN, random_start
from oracles import fashion as twin

SOURCE = [[0, 0.5], [0.2, 0.6]]


def test_the_public_name_is_reached_without_loading_numba() -> None:
    import subprocess

    code = (
        "import sys, levolve; levolve.fashion; assert 'numba' not in sys.modules and 'numpy' not "
        "in sys.modules; levolve.fashion.Rule"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
    start = np.zeros((3, 3), np.uint8)
    final = levolve.fashion.Rule(
        scores=SOURCE, neighbourhood=[(0, 1), (0, -1), (-1, 0), (1, 0)]
    ).run(start, updates=6)
    assert final.dtype == np.uint8
    assert final is not start


def test_the_rule_of_the_source_is_at_rest_after_about_four_updates() -> None:
    outcomes = [Rule(SOURCE).develop(random_start(2, (100, 100), seed)) for seed in range(5)]
    assert all(outcome.length == 1 and 3 <= outcome.since <= 7 for outcome in outcomes), [
        str(outcome) for outcome in outcomes
    ]


def test_every_way_agrees_with_the_twin_over_two_hundred_rules_sizes_and_neighbourhoods() -> None:
    random = np.random.default_rng(7)
    for _ in range(200):
        states = int(random.integers(1, 7))
        near = [
            (int(x), int(y)) for x, y in random.integers(-2, 3, (int(random.integers(1, 9)), 2))
        ]
        if random.random() < 0.3:
            states, near = 2, [VON_NEUMANN[k] for k in random.permutation(4)]
        height, width = (int(random.choice([1, 4, 7, 11])), int(random.choice([2, 5, 64])))
        rule = Rule((random.integers(-4, 5, (states, states)) / 10).tolist(), near)
        start = random.integers(0, states, (height, width)).astype(np.uint8)
        assert rule.run(start, 2).tolist() == twin.run(
            start.tolist(), rule.exact, near, 2, torus=True
        )


def test_ties_are_decided_on_what_is_written_not_on_floats() -> None:
    # 0.1 + 0.2 and 0.3 tie as people write them, and do not as floats.
    near = [(1, 0), (-1, 0)]
    written = Rule([[0.3, 0.1, 0.0], [0.0, 0.0, 0.0], [0.2, 0.0, 0.0]], near)
    exact = Rule([[3, 1, 0], [0, 0, 0], [2, 0, 0]], near)
    for seed in range(20):
        start = random_start(3, (20, 20), seed)
        assert np.array_equal(written.run(start, 5), exact.run(start, 5))
    assert written.exact[0][0] == Fraction(3, 10)


def test_scaling_and_lifting_all_scores_changes_nothing() -> None:
    start = random_start(4, (30, 30), 2)
    scores = np.random.default_rng(1).integers(0, 9, (4, 4))
    expected = Rule(scores.tolist()).run(start, 8)
    assert np.array_equal(Rule((scores * 7 + 1000).tolist()).run(start, 8), expected)
    assert np.array_equal(Rule((scores / 8 - 3).tolist()).run(start, 8), expected)


def test_scores_of_any_size_are_told_apart() -> None:
    # Sums of 1e300 and 1e-300 have six hundred digits: still exact.
    rule = Rule([[1e300, 1e-300], [1e300, 0]])
    other = Rule([[2, 1], [2, 0]])
    assert rule.whole[0][0] > 10**300
    start = random_start(2, (20, 30), 3)
    assert np.array_equal(
        rule.run(start, 1), twin.run(start.tolist(), rule.exact, VON_NEUMANN, 1, torus=True)
    )
    assert np.array_equal(
        other.run(start, 1), twin.run(start.tolist(), other.exact, VON_NEUMANN, 1, torus=True)
    )


def test_a_neighbourhood_may_reach_around_a_small_torus_and_name_a_cell_twice() -> None:
    near = [(5, 0), (-7, 2), (5, 0), (0, 0)]
    rule = Rule([[0, 2], [1, 0]], near)
    start = random_start(2, (4, 3), 1)
    assert rule.run(start, 3).tolist() == twin.run(start.tolist(), rule.exact, near, 3, torus=True)
    bounded = Rule([[0, 2], [1, 0]], near, "bounded")
    assert bounded.run(start, 3).tolist() == twin.run(
        start.tolist(), rule.exact, near, 3, torus=False
    )


def test_large_neighbourhoods_are_added_up() -> None:
    near = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
    rule = Rule(np.arange(16).reshape(4, 4).tolist(), near)
    start = random_start(4, (9, 8), 4)
    assert rule.run(start, 2).tolist() == twin.run(start.tolist(), rule.exact, near, 2, torus=True)


def test_a_start_map_is_left_as_it_is_and_weights_set_the_shares() -> None:
    start = random_start(2, (64, 64), 9, weights=[0.2, 0.8])
    before = start.copy()
    Rule(SOURCE).run(start, 3)
    assert np.array_equal(start, before)
    assert 0.75 < start.mean() < 0.85
    assert random_start(3, (50, 50), 1, weights=[0, 1, 0]).tolist() == [[1] * 50] * 50


def test_the_majority_filter_takes_single_cells_away() -> None:
    tiles = np.zeros((5, 5), np.uint8)
    tiles[2, 2] = 1
    assert Rule(SOURCE).smoothed(tiles).sum() == 0


def test_equal_rules_are_equal_and_say_how_they_could_be_typed() -> None:
    rule = Rule(SOURCE, MOORE)
    assert rule == Rule(SOURCE, "moore")
    assert hash(rule) == hash(Rule(SOURCE, "moore"))
    assert rule != Rule(SOURCE)
    assert eval(repr(rule), {"Rule": Rule}) == rule  # noqa: S307 our own text


@pytest.mark.parametrize(
    ("scores", "complaint"),
    [
        ([[0, 1], [1]], "square matrix"),
        ([[0, 1, 2], [1, 2, 3]], "square matrix"),
        ([0, 1, 2], "square matrix"),
        ([], "square matrix"),
        ([["0", "0.5"], ["0.2", "0.6"]], "take the quotes away"),
        ([[0, float("nan")], [1, 2]], "row 0, column 1: expected a finite number"),
        ([[0, float("inf")], [1, 2]], "finite"),
        ([[0, True], [1, 2]], "expected a number, got bool"),
        ("0 1 2 3", "expected rows of numbers"),
        (7, "expected rows of numbers"),
    ],
)
def test_matrices_that_are_none_are_refused(scores: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Rule(scores)


@pytest.mark.parametrize(
    "near", [[], [(1,)], [(1, 2, 3)], [(0.5, 1)], 5, "hexagonal", [(0, 2**40)]]
)
def test_neighbourhoods_that_are_none_are_refused(near: Any) -> None:
    with pytest.raises(InputError, match="neighbourhood"):
        Rule(SOURCE, near)


@pytest.mark.parametrize(
    "start", [[[0, 2]], [[-1, 0]], [0, 1], [[0.5, 1]], [[0, 1], [1]], np.zeros((0, 4), np.uint8)]
)
def test_start_maps_that_do_not_fit_are_refused(start: Any) -> None:
    with pytest.raises(InputError, match="start"):
        Rule(SOURCE).run(start, 1)


def test_other_wrong_arguments_are_refused() -> None:
    with pytest.raises(InputError, match="updates"):
        Rule(SOURCE).run([[0, 1]], -1)
    with pytest.raises(InputError, match="border"):
        Rule(SOURCE, border="round")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="weights"):
        random_start(2, (4, 4), 1, weights=[1, 2, 3])
    with pytest.raises(InputError, match="seed"):
        random_start(2, (4, 4), -1)
