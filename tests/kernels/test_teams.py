"""Threads that wait for each other inside kernels."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from levolve.kernels.bits.thread_barrier import APART, RELEASED, TOGETHER, Gate, claim, gate, meet
from levolve.kernels.compiler import kernel

needs_threads = pytest.mark.skipif(not TOGETHER, reason="threads cannot work together here")


@given(st.integers(0, 3000), st.integers(2, 9), st.integers(0, 2))
def test_the_claimed_parts_of_a_turn_are_the_whole(count: int, members: int, turn: int) -> None:
    at = gate(3)
    parts = []
    while (part := claim(at, turn, count, members))[0] < part[1]:
        parts.append(part)
    assert [thing for part in parts for thing in range(*part)] == list(range(count))
    # Nobody gets much more than an equal part at once, and there are not many parts.
    assert max((last - first for first, last in parts), default=0) <= -(-count // members)
    assert len(parts) <= 10 * members
    assert claim(at, turn, count, members) == (count, count)


def test_nothing_is_left_to_claim_at_a_released_gate() -> None:
    at = gate(1)
    at[:] = RELEASED
    first, last = claim(at, 0, 100, 2)
    assert first == last


@kernel
def claim_all(at: Gate, turns: int, count: int, members: int, done: NDArray[np.int64]) -> None:
    """Count for each thing how often it is claimed in all turns."""
    for turn in range(turns):
        first, last = claim(at, turn, count, members)
        while first < last:
            for thing in range(first, last):
                done[thing] += 1
            first, last = claim(at, turn, count, members)
        meet(at, members)


@needs_threads
@pytest.mark.parametrize("members", [2, 3])
def test_in_every_turn_each_thing_is_claimed_once(members: int) -> None:
    at, done = gate(50), np.zeros(700, np.int64)
    claim_all(gate(1), 1, 0, 1, done)  # compiled before the threads begin
    with ThreadPoolExecutor(members) as pool:
        list(pool.map(lambda _: claim_all(at, 50, 700, members, done), range(members)))
    assert np.array_equal(done, np.full(700, 50))
    assert at[0] == 50 * members
    assert all(at[(turn + 1) * APART] for turn in range(50))


@kernel
def advance_together(
    member: int, members: int, at: Gate, turns: int, counts: NDArray[np.int64]
) -> int:
    """Count turns; return the first turn at which another member has not counted as far, otherwise
    the number of turns.
    """
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
        found = list(
            pool.map(
                lambda member: advance_together(member, members, at, 50, counts), range(members)
            )
        )
    assert found == [50] * members


@needs_threads
def test_a_released_gate_lets_all_pass() -> None:
    at = gate()
    at[:] = RELEASED
    assert advance_together(0, 3, at, 2, np.zeros(3, np.int64)) == 0
