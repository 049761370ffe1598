"""`Figure`: one measured number; `Effort`: how much time a benchmark may take.

Timing by processor seconds, so that other processes on the machine have little influence.

The machine that figures were measured on: figures without it say little.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from levolve.core.events import Event
from levolve.search.evaluation import core_count
from levolve.version import VERSION

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Figure(Event):
    """One measured number.

    Attributes
    ----------
    subject, name
        The benchmark, and what was measured in it.
    value, unit
        The number; "evaluations/s", "levels/s", "cells/s" and other rates, "s" for times, "" for
        ratios and exponents.
    ratio, beside
        How many times the speed of the contender called `beside` this is; None if it is compared
        with nothing.
    note
        What a reader must know to interpret the number.
    """

    kind: ClassVar[str] = "figure"

    subject: str
    name: str
    value: float
    unit: str
    ratio: float | None = None
    beside: str = ""
    note: str = ""

    def to_data(self) -> dict[str, Any]:
        """Return the figure as JSON-compatible data."""
        return asdict(self)


@dataclass(frozen=True)
class Effort:
    """How much time a benchmark may take: `quick` ones use smaller sizes and fewer rounds."""

    quick: bool = False

    def choose(self, quick: Choice, whole: Choice) -> Choice:
        """Return the first value for a quick benchmark, the second for a whole one."""
        return quick if self.quick else whole

    @property
    def rounds(self) -> int:
        """How often contenders take turns."""
        return self.choose(1, 3)


Subject = Callable[[Effort], Iterator[Figure]]


def number_text(value: float) -> str:
    """Return a number with three or four digits that matter, and commas in large ones."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


Clock = Callable[[], float]


def processor_seconds(work: Callable[..., object], *arguments: Any) -> float:
    """Return the processor seconds of one call, of all threads of this process."""
    return _seconds(time.process_time, work, arguments)


def fastest(
    work: Callable[..., object],
    *arguments: Any,
    seconds: float = 0.2,
    clock: Clock = time.process_time,
) -> float:
    """Return the seconds of the fastest of at least three calls, repeated for so many seconds. The
    first call, which may compile, does not count.
    """
    work(*arguments)
    times: list[float] = []
    while len(times) < 3 or sum(times) < seconds:
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
    return statistics.median(
        ours / theirs for ours, theirs in zip(rates[name], rates[beside], strict=True)
    )


LIBRARIES = ("numpy", "numba", "deap", "pygad", "pymoo", "leap_ec", "ribs", "evosax", "gymnasium")


def describe_machine() -> dict[str, Any]:
    """Return the processor, the cores, the load and the versions of Python and of the libraries
    that are compared.
    """
    return {
        "processor": processor_name(),
        "cores": core_count(),
        "load": load(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "levolve": VERSION,
        "libraries": {name: version for name in LIBRARIES if (version := version_of(name))},
    }


def processor_name() -> str:
    """Return the name of the processor, as far as the system states it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def load() -> float | None:
    """Return how many processes wanted to run during the last minute, on average; None where the
    system does not state it.
    """
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def version_of(package: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""
