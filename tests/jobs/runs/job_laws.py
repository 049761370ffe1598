"""The law of jobs: stopped after any event and continued by another object on another executor, a
job ends with the same bytes.
"""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.jobs.executors import thread_pool
from levolve.jobs.job import Job

SECONDS = "seconds"


def through_bytes(state: dict[str, Any]) -> Any:
    return pickle.loads(pickle.dumps(state))


def is_plain(value: object) -> bool:
    """Whether this is a number, text, nothing, an array of numbers, or lists, tuples and
    dictionaries of such.
    """
    if isinstance(value, dict):
        return all(type(key) in {str, int} and is_plain(part) for key, part in value.items())
    if isinstance(value, list | tuple):
        return type(value) in {list, tuple} and all(map(is_plain, value))
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "buif"
    return value is None or type(value) in {bool, int, float, str}


def timeless(data: Any) -> Any:
    """Data without times."""
    if isinstance(data, dict):
        return {name: timeless(part) for name, part in data.items() if name != SECONDS}
    return [timeless(part) for part in data] if isinstance(data, list | tuple) else data


def some_of(length: int, count: int) -> list[int]:
    """So many of the numbers from 0 to `length`, the first and the last among them."""
    return sorted(
        {
            0,
            length,
            *np.random.default_rng(5)
            .choice(length + 1, min(count, length + 1), replace=False)
            .tolist(),
        }
    )


def assert_continues(
    job: Job[Any],
    report: Callable[[Any], object],
    *,
    stops: int | None = None,
    threads: Sequence[int] = (1, 2),
    unordered: Sequence[str] = (),
    timed: Sequence[str] = (),
) -> None:
    """Check that a new job, continued after each of some events (by default after every one), ends
    like one that was never stopped.

    `report` gives everything that counts about a result. Each continuation has one of the thread
    counts in turn. Of the kinds of events that are `unordered`, only the number has to be the same;
    those that are `timed` come when it is time.
    """

    def shown(data: dict[str, Any]) -> Any:
        return data["event"] if data["event"] in {*unordered, *timed} else timeless(data)

    states, events = [through_bytes(job.state())], []
    for event in job.events():
        events.append(shown(event.to_data()))
        states.append(through_bytes(job.state()))
    expected = report(job.result)
    assert expected == report(job.result)
    for turn, stop in enumerate(
        range(len(states)) if stops is None else some_of(len(events), stops)
    ):
        assert is_plain(states[stop])
        with thread_pool(threads[turn % len(threads)]) as executor:
            again = type(job).from_call(through_bytes(job.call()), executor)
            assert (again.kind, again.name, again.seed) == (job.kind, job.name, job.seed)
            again.restore(through_bytes(states[stop]))
            later = [shown(event.to_data()) for event in again.events()]
        assert [data for data in later if data not in timed] == [
            data for data in events[stop:] if data not in timed
        ], f"other events after {stop}"
        assert report(again.result) == expected, f"another result after a stop at event {stop}"
        assert list(again.events()) == []


def assert_refuses_others(job: Job[Any], other: Job[Any]) -> None:
    """Check that a job refuses the state of another job and of another version."""
    with pytest.raises(InputError, match=r"state: expected .*got that of another"):
        job.restore(other.state())
    with pytest.raises(InputError, match="got 'x'; it was saved by another version"):
        job.restore({**job.state(), "version": "x"})


def assert_survives_interrupts(
    job: Job[Any],
    interrupt: Callable[[int], None],
    report: Callable[[Any], object],
    expected: object,
) -> None:
    """Check that a job that is interrupted in its work again and again has a valid state each time,
    in itself and in another job.

    `interrupt(n)` makes the work raise `KeyboardInterrupt` at its n-th unit from now on.
    """
    turn = 0
    while True:
        interrupt(2)
        try:
            for _ in job.events():
                pass
        except KeyboardInterrupt:
            turn += 1
            if turn % 2:
                again = type(job).from_call(job.call())
                again.restore(through_bytes(job.state()))
                job = again
        else:
            break
    assert turn > 1
    assert report(job.result) == expected
