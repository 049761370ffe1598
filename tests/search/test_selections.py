"""Selections: the same parents as their twins choose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.search.selection import Proportional, Selection, TruncationSelection
from oracles import selections as twin
from search.inputs import SCORES, every_selection, kinds_of_scores, seeds, some_scores


def parents(
    selection: Selection, scores: list[float], count: int, seed: int = 1, generation: int = 1
) -> list[int]:
    listed: list[int] = selection.choose(np.array(scores), count, seed, generation).tolist()
    return listed


@pytest.mark.parametrize("name", every_selection)
@given(
    data=st.data(),
    kind=kinds_of_scores,
    individuals=st.integers(1, 20),
    count=st.integers(0, 12),
    seed=seeds,
    generation=st.integers(0, 1000),
)
def test_parents_are_those_of_the_twin(
    name: str,
    data: st.DataObject,
    kind: str,
    individuals: int,
    count: int,
    seed: int,
    generation: int,
) -> None:
    selection = data.draw(every_selection[name])
    scores = some_scores(kind, seed % 2**32, individuals)
    assert parents(selection, scores, count, seed, generation) == twin.chosen(
        selection, scores, count, seed, generation
    )


@pytest.mark.parametrize("kind", SCORES)
def test_choosing_parents_leaves_the_scores_alone(kind: str) -> None:
    scores = np.array(some_scores(kind, 3, 9))
    before = scores.copy()
    Proportional().choose(scores, 4, 1, 1)
    assert np.array_equal(scores, before)


def test_scores_above_zero_are_in_proportion_as_they_are() -> None:
    drawn = parents(Proportional(), [10.0, 30.0], 4000)
    assert abs(drawn.count(0) - 1000) < 150, (
        "10 of 40; if the lowest were moved to 0, the first would never be chosen"
    )


def test_scores_below_zero_are_lifted_until_the_lowest_is_zero() -> None:
    drawn = parents(Proportional(), [-10.0, 0.0, 10.0], 3000)
    assert drawn.count(0) == 0
    assert abs(drawn.count(1) - 1000) < 150


@pytest.mark.parametrize(
    ("individuals", "share", "best"),
    [(3, 0.5, 2), (7, 0.5, 4), (10, 0.01, 1), (9, 0.12, 2), (8, 0.25, 2), (5, 1.0, 5)],
)
def test_a_share_of_the_best_is_rounded_up(individuals: int, share: float, best: int) -> None:
    drawn = parents(TruncationSelection(share), [float(-i) for i in range(individuals)], 400)
    assert set(drawn) == set(range(best))
