"""Parsing of the targets of a pack: a value, a range, one range per level, a spread, or a curve."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.measures import MEASURES
from levolve.objectives.target import parse_range

Range = tuple[float, float]

# Positions of words on the scale from the easiest (0) to the hardest level (1) that a short search finds.
WORDS = {"easy": 0.1, "medium": 0.45, "hard": 0.8}
PAIR = 2


@dataclass(frozen=True)
class Same:
    """The same range for every level."""

    range: Range

    def ranges(self, count: int, stride: float = 1) -> list[Range]:  # noqa: ARG002 the range is given
        """Return one range per level."""
        return [self.range] * count

    def to_data(self) -> object:
        """Return plain data."""
        return list(self.range)


@dataclass(frozen=True)
class Each:
    """A separate range for every level."""

    each: tuple[Range, ...]

    def ranges(self, count: int, stride: float = 1) -> list[Range]:  # noqa: ARG002 the number of ranges is the number of levels
        """Return one range per level."""
        return list(self.each)

    def to_data(self) -> object:
        """Return plain data."""
        return [list(part) for part in self.each]


@dataclass(frozen=True)
class Spread:
    """Values spaced evenly from `low` to `high` over the levels of a pack, each with tolerance `within`, but never outside `low` to `high`.

    By default `within` is half the distance between the values of consecutive levels, or enough for one possible value of a count.
    """

    low: float
    high: float
    within: float | None = None

    def __post_init__(self) -> None:
        """Raise `InputError` for values that are not numbers."""
        for name in ("low", "high", "within"):
            value = getattr(self, name)
            if not (_is_number(value) or (name == "within" and value is None)):
                message = f"spread: expected numbers, got {value!r} for {name}"
                raise InputError(message)
        if self.within is not None and self.within < 0:
            message = f"spread: expected within to be 0 or more, got {self.within!r}"
            raise InputError(message)

    def ranges(self, count: int, stride: float = 1) -> list[Range]:
        """Return one range per level, each with a possible value of a measure whose values are `stride` apart."""
        least, most = min(self.low, self.high), max(self.low, self.high)
        if count == 1:
            return [(least, most)]
        gap = (self.high - self.low) / (count - 1)
        within = max(abs(gap) / 2, stride / 2) if self.within is None else self.within
        values = [self.low + gap * index for index in range(count)]
        return [(max(value - within, least), min(value + within, most)) for value in values]

    def to_data(self) -> object:
        """Return plain data."""
        return {"low": self.low, "high": self.high, "within": self.within}


def write_range(limits: Range) -> str:
    """Format a range as `50..64`, or `50` if both ends are equal."""
    low, high = limits
    return f"{low:g}" if low == high else f"{low:g}..{high:g}"


PackTarget = Same | Each | Spread


def spread(low: float, high: float, within: float | None = None) -> Spread:
    """Return a target that differs from level to level: `spread(35, 98, within=7)`.

    Parameters
    ----------
    low, high
        The values of the first and the last level.
    within
        The tolerance of each level's value, 0 or more; by default half the distance between the values of consecutive levels.
    """
    return Spread(low, high, within)


def parse_target(name: str, value: Any, count: int) -> PackTarget:  # noqa: ANN401 any user input
    """Parse a target of the measure `name`: a number, a pair, `LOW..HIGH`, a list with one of these per level, or a spread."""
    MEASURES[name]
    if isinstance(value, Spread):
        return value
    if isinstance(value, Mapping):
        if not {"low", "high"} <= set(value) <= {"low", "high", "within"}:
            message = f"target {name}: expected a spread with low, high and within, got {dict(value)!r}"
            raise InputError(message)
        return spread(**value)
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str) and not _is_pair(value):
        if len(value) != count:
            message = f"target {name}: expected one range, or one for each of the {count} levels, got {len(value)}"
            raise InputError(message)
        return Each(tuple(_parse_one(name, part) for part in value))
    return Same(_parse_one(name, value))


def _parse_one(name: str, value: object) -> Range:
    try:
        pair = parse_range(value)
    except InputError as problem:
        message = f"target {name}: {problem}"
        raise InputError(message) from problem
    if not _is_pair(pair):
        message = f"target {name}: expected a number, a pair of numbers or LOW..HIGH, got {value!r}"
        raise InputError(message)
    low, high = (float(part) for part in pair)  # type: ignore[attr-defined] # a pair of numbers
    if low > high:
        message = f"target {name}: expected a lower value and a higher one, got {low:g} and {high:g}"
        raise InputError(message)
    return low, high


def _is_pair(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and len(value) == PAIR and all(_is_number(part) for part in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and isfinite(value)


def parse_curve(curve: str | Sequence[float]) -> Range:
    """Parse a curve such as `easy..hard`: words, or numbers from 0 (the easiest level that a short search finds) to 1 (the hardest)."""
    parts: Sequence[object] = curve.split("..") if isinstance(curve, str) else curve if isinstance(curve, Sequence) else [curve]
    positions = [position for position in map(_position, parts) if position is not None]
    if len(positions) != len(parts) or len(parts) not in {1, PAIR}:
        message = f"curve: expected FROM..TO with easy, medium, hard or numbers from 0 to 1, such as easy..hard, got {curve!r}"
        raise InputError(message)
    return positions[0], positions[-1]


def _position(part: object) -> float | None:
    if isinstance(part, str) and part.strip().lower() in WORDS:
        return WORDS[part.strip().lower()]
    try:
        value = float(str(part))
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
