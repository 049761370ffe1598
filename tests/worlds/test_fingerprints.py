"""Fingerprints tell behaviours apart, and nothing but behaviours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.worlds.fingerprints import fingerprint, portrait, survey
from levolve.worlds.rule import Rule
from levolve.worlds.starts import MOORE, random_start

matrices = st.lists(st.integers(0, 6), min_size=4, max_size=4)


def test_two_states_and_four_neighbours_have_424_generic_fingerprints() -> None:
    found = survey(neighbours=4, states=2, samples=200_000, largest=60)
    assert sum(kind.generic for kind in found) == 424
    assert sum(found.values()) == 200_000
    assert (
        len({kind.number for kind in found}) == len({kind.digest for kind in found}) == len(found)
    )


@given(matrices, st.integers(1, 9), st.integers(-20, 20), st.sampled_from([1, 4, 10]))
def test_scaling_and_lifting_scores_keeps_the_fingerprint(
    scores: list[int], factor: int, lift: int, tenth: int
) -> None:
    rule = Rule(scores)
    assert fingerprint(rule) == fingerprint(
        Rule([(factor * score + lift) / tenth for score in scores])
    )


@given(matrices, matrices)
def test_rules_with_the_same_fingerprint_behave_alike(first: list[int], second: list[int]) -> None:
    one, other = Rule(first), Rule(second)
    if fingerprint(one) == fingerprint(other):
        for seed in range(4):
            start = random_start(2, (16, 16), seed)
            assert np.array_equal(one.run(start, 3), other.run(start, 3))


def test_the_order_can_be_read() -> None:
    kind = fingerprint(Rule([[0, 0.5], [0.2, 0.6]]))
    assert (
        kind.order
        == "0:0000 < 0:0001 < 1:0000 < 0:0011 < 1:0001 < 0:0111 < 1:0011 < 1:0111 = 0:1111 < 1:1111"
    )
    assert not kind.generic
    assert len(kind.ranks) == 10


def test_a_portrait_shows_the_fingerprint_at_every_point() -> None:
    rule = Rule([[0, 0.5], [0.25, 1]])
    shown = portrait(rule, axes=((0, 1), (1, 0)), span=(0, 1), side=9)
    for row in range(9):
        for column in range(9):
            here = fingerprint(Rule([[0, column / 8], [row / 8, 1]]))
            assert shown.fingerprints[shown.numbers[row, column]] == here
    tiles, colours = shown.picture()
    assert tiles.shape == (9, 9)
    assert len(colours) == len(shown.fingerprints)


def test_what_has_too_many_cases_is_refused() -> None:
    with pytest.raises(InputError, match="cases"):
        fingerprint(Rule(np.eye(60, dtype=int).tolist(), MOORE))
    with pytest.raises(InputError, match="axes"):
        portrait(Rule([[0, 1], [1, 0]]), axes=((0, 1), (2, 0)))
    with pytest.raises(InputError, match="span"):
        portrait(Rule([[0, 1], [1, 0]]), span=(1, 1))
    with pytest.raises(InputError, match="side"):
        portrait(Rule([[0, 1], [1, 0]]), side=1)
