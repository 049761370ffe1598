"""Domination, crowding and nearest neighbours beside their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.variation import distances, pareto_fronts
from oracles import fronts as twin

# Few different values, so that there are equals in some columns or all; and any others, infinite
# ones too.
numbers = (
    st.sampled_from([-1.0, 0.0, 1.0, 2.0])
    | st.floats(-1e9, 1e9)
    | st.sampled_from([-np.inf, np.inf])
)
tables = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.tuples(*[numbers] * columns), min_size=1, max_size=25)
)


def ranks_of(values: np.ndarray, violations: np.ndarray) -> np.ndarray:
    out = np.full(len(values), -99, np.int64)
    pareto_fronts.front_ranks(values, violations, np.lexsort((*-values.T[::-1], violations)), out)
    return out


def crowding_of(values: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    out = np.full(len(values), np.nan)
    # As plain Python, NumPy warns of the difference of two infinite values, which has no effect on
    # the result.
    with np.errstate(invalid="ignore"):
        pareto_fronts.crowding_distances(
            values, ranks, np.argsort(values, axis=0, kind="stable"), out
        )
    return out


@given(tables, st.data())
def test_ranks_of_fronts_follow_domination(
    table: list[tuple[float, ...]], data: st.DataObject
) -> None:
    values = np.array(table)
    violations = data.draw(
        st.lists(st.sampled_from([0.0, 0.0, 0.5, 2.0]), min_size=len(table), max_size=len(table))
    )
    assert ranks_of(values, np.array(violations)).tolist() == twin.front_ranks(table, violations)


@given(tables, st.data())
def test_crowding_is_the_room_between_neighbours_in_a_front(
    table: list[tuple[float, ...]], data: st.DataObject
) -> None:
    values = np.array(table)
    ranks = data.draw(
        st.lists(st.integers(0, min(3, len(table) - 1)), min_size=len(table), max_size=len(table))
    )
    assert crowding_of(values, np.array(ranks)).tolist() == twin.crowding_distances(table, ranks)


def test_the_front_of_a_hand_made_table() -> None:
    values = np.array([[1, 5], [3, 3], [5, 1], [2, 2], [3, 3], [9, 9]], float)
    violations = np.array([0, 0, 0, 0, 0, 0.1])
    ranks = ranks_of(values, violations)
    assert ranks.tolist() == [0, 0, 0, 2, 1, 3]
    assert crowding_of(values, ranks).tolist() == [np.inf, 2.0, np.inf, np.inf, np.inf, np.inf]


points = st.integers(1, 3).flatmap(
    lambda columns: st.lists(
        st.tuples(*[st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0])] * columns), min_size=1
    )
)


@given(points, st.integers(1, 6), st.data())
def test_sparseness_is_the_mean_distance_to_the_nearest_others(
    table: list[tuple[float, ...]], nearest: int, data: st.DataObject
) -> None:
    out = np.full(data.draw(st.integers(1, len(table))), np.nan)
    distances.sparseness(np.array(table), nearest, out)
    assert out.tolist() == pytest.approx(twin.sparseness(table, nearest, len(out)), rel=1e-12)
