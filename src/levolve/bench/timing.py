"""Timing by processor seconds, so that other processes on the machine have little influence."""

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Clock = Callable[[], float]


def processor_seconds(work: Callable[..., object], *arguments: Any) -> float:  # noqa: ANN401 whatever the work takes
    """Return the processor seconds of one call, of all threads of this process."""
    return _seconds(time.process_time, work, arguments)


def fastest(work: Callable[..., object], *arguments: Any, seconds: float = 0.2, clock: Clock = time.process_time) -> float:  # noqa: ANN401 same
    """Return the seconds of the fastest of at least three calls, repeated for so many seconds. The first call, which may compile, does not count."""
    work(*arguments)
    times: list[float] = []
    while len(times) < 3 or sum(times) < seconds:  # noqa: PLR2004 fewer say little
        times.append(_seconds(clock, work, arguments))
    return min(times)


def _seconds(clock: Clock, work: Callable[..., object], arguments: tuple[Any, ...]) -> float:
    began = clock()
    work(*arguments)
    return clock() - began


def in_turns(contenders: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Let contenders take turns. Return the rates that each returned, one per round."""
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            rates[name].append(contender())
    return rates


def median_ratio(rates: Mapping[str, list[float]], name: str, beside: str) -> float:
    """Return the median over the rounds of how many times as fast one contender was as another."""
    return statistics.median(ours / theirs for ours, theirs in zip(rates[name], rates[beside], strict=True))
