"""Threads that wait for each other inside kernels."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.teams import RELEASED, TOGETHER, Gate, gate, meet, part_of

needs_threads = pytest.mark.skipif(not TOGETHER, reason="threads cannot work together here")


@given(st.integers(0, 1000), st.integers(1, 9))
def test_the_parts_of_all_members_are_the_whole(count: int, members: int) -> None:
    done = [thing for member in range(members) for thing in range(*part_of(count, member, members))]
    assert done == list(range(count))


@kernel
def advance_together(member: int, members: int, at: Gate, turns: int, counts: NDArray[np.int64]) -> int:
    """Count turns; return the first turn at which another member has not counted as far, otherwise the number of turns."""
    for turn in range(turns):
        counts[member] += 1
        meet(at, members)
        for other in range(members):
            if counts[other] != turn + 1:
                return turn
        meet(at, members)
    return turns


@needs_threads
@pytest.mark.parametrize("members", [1, 2, 3, 5])
def test_no_member_goes_on_before_all_have_come(members: int) -> None:
    at, counts = gate(), np.zeros(members, np.int64)
    advance_together(0, 1, gate(), 1, np.zeros(1, np.int64))  # compiled before the threads begin
    with ThreadPoolExecutor(members) as pool:
        found = list(pool.map(lambda member: advance_together(member, members, at, 50, counts), range(members)))
    assert found == [50] * members


@needs_threads
def test_a_released_gate_lets_all_pass() -> None:
    at = gate()
    at[:] = RELEASED
    assert advance_together(0, 3, at, 2, np.zeros(3, np.int64)) == 0
