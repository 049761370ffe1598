"""`Figure`: one measured number; `Effort`: how much time a benchmark may take."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeVar

from levolve.events import Event

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Figure(Event):
    """One measured number.

    Attributes
    ----------
    subject, name
        The benchmark, and what was measured in it.
    value, unit
        The number; "evaluations/s", "levels/s", "cells/s" and other rates, "s" for times, "" for ratios and exponents.
    ratio, beside
        How many times the speed of the contender called `beside` this is; None if it is compared with nothing.
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
    if abs(value) >= 100:  # noqa: PLR2004 three digits without a fraction
        return f"{value:,.0f}"
    return f"{value:.3g}"
